"""Which calls take shadow and ids along."""

from __future__ import annotations

import pytest

from irsan.instrument.analysis.calls.followed_calls import is_followed
from irsan.ir.calls import Call
from irsan.ir.reading import parse_ir_text


@pytest.mark.parametrize(
    ("callee", "followed"),
    [
        ("@own", True), ("@strlen", True), ("%p", True), ('asm "", ""', False),
        ("@llvm.donothing", False), ("@__asan_load4", False), ("@__msan_poison", False),
        ("@__lsan_disable", False), ("@__cxa_throw", False), ("@_Unwind_Resume", False),
    ],
)  # fmt: skip
def test_calls_of_run_times_are_not_followed(callee: str, followed: bool) -> None:
    declared = "" if callee[0] != "@" else f"declare void {callee}()\n"
    body = f"  call void {callee}()\n  ret void\n"
    module = parse_ir_text(f"{declared}define void @f(ptr %p) {{\n{body}}}\n")
    function = module.function_by_name("f")
    assert function is not None
    call = function.entry.instructions[0]
    assert isinstance(call, Call)
    assert is_followed(call) is followed
