"""Which stack variables stay private."""

from __future__ import annotations

import pytest

from irsan.instrument.analysis.objects.escape import unescaped_allocas
from irsan.ir.reading import parse_ir_text

_HEAD = """
declare void @take(ptr)
declare void @keep_none(ptr captures(none))
declare void @keep_address(ptr captures(address))
declare ptr @hand_back(ptr captures(ret: address, provenance))
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %out, i64 %i, i1 %c) {
entry:
  %a = alloca [4 x i32]
  %b = alloca i32
"""


def private(lines: str) -> set[str | None]:
    module = parse_ir_text(_HEAD + lines + "\n  ret void\n}\n")
    function = module.function_by_name("f")
    assert function is not None
    return {alloca.name for alloca in unescaped_allocas(function)}


@pytest.mark.parametrize(
    "lines",
    [
        "store i32 1, ptr %a",
        "%p = getelementptr i32, ptr %a, i64 %i\n  store i32 1, ptr %p",
        "%p = select i1 %c, ptr %a, ptr %b\n  store i32 1, ptr %p",
        "%t = icmp eq ptr %a, %out",
        "call void @keep_none(ptr %a)",
        "call void @keep_address(ptr %a)",
        "call void @take(ptr captures(none) %a)",
        "call void @take(ptr byval([4 x i32]) %a)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %out, i64 16, i1 false)",
        "%o = atomicrmw add ptr %a, i32 1 seq_cst",
        "%p = freeze ptr %a\n  %v = load i32, ptr %p",
    ],
)
def test_harmless_uses(lines: str) -> None:
    assert private(lines) == {"a", "b"}


@pytest.mark.parametrize(
    "lines",
    [
        "store ptr %a, ptr %out",
        "%n = ptrtoint ptr %a to i64",
        "call void @take(ptr %a)",
        "%r = call ptr @hand_back(ptr %a)",
        "%p = getelementptr i32, ptr %a, i64 %i\n  store ptr %p, ptr %out",
        "%s = insertvalue { ptr } poison, ptr %a, 0",
        "%o = atomicrmw xchg ptr %out, ptr %a seq_cst",
        'call void @keep_none(ptr null) [ "deopt"(ptr %a) ]',
        "call void %out(ptr %a)",
    ],
)
def test_uses_that_let_go(lines: str) -> None:
    assert private(lines) == {"b"}


def test_what_a_phi_hands_on_is_followed_around_a_loop() -> None:
    loop = (
        "br label %loop\nloop:\n  %p = phi ptr [ %a, %entry ], [ %q, %loop ]\n"
        "  %q = getelementptr i32, ptr %p, i64 1\n  {use}\n"
        "  br i1 %c, label %loop, label %end\nend:"
    )
    assert private(loop.format(use="store i32 1, ptr %q")) == {"a", "b"}
    assert private(loop.format(use="store ptr %q, ptr %out")) == {"b"}
