"""Outlining: which checks become calls, and that pairs become one."""

from __future__ import annotations

import pytest

from irsan.instrument.access.outlining import Outlining
from irsan.instrument.pipeline import instrument_module
from irsan.ir.module import Module
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT, body, check, hooks_in

STRAIGHT = """
define i32 @f(ptr %p, ptr %q) {
  %a = load i32, ptr %p
  store i64 1, ptr %q
  %c = load i8, ptr %q
  ret i32 %a
}
"""
LOOP = """
define void @g(ptr %p, ptr %q, i1 %more) {
entry:
  store i32 1, ptr %q
  br label %loop
loop:
  store i32 1, ptr %p
  br i1 %more, label %loop, label %end
end:
  ret void
}
"""


def outlined(text: str, limits: Outlining, sanitizers: str = "address,thread") -> str:
    """`text` as the engine compiles it, outlined once more with these limits."""
    import llvmlite.binding as llvm

    module: Module = parse_ir_text(LAYOUT + text)
    instrument_module(module, frozenset(sanitizers.split(",")))
    limits.apply(module)
    output = print_module(module)
    llvm.parse_assembly(output).verify()
    return output


def test_the_checks_of_an_access_become_one_call() -> None:
    text = body(outlined(STRAIGHT, Outlining(0, 0, 0)), "f")
    names = [name for name in hooks_in(text) if "frame" not in name]
    assert names == ["__irsan_outlined_read4_both", "__irsan_outlined_write8_both"]
    call = f"call preserve_mostcc void @__irsan_outlined_read4_both(ptr %p, i32 {1 - (1 << 31)})"
    check(text, call, "load i32, ptr %p")


def test_one_sanitizer_alone_has_hooks_of_its_own() -> None:
    for sanitizer in ("address", "thread"):
        text = outlined(STRAIGHT, Outlining(0, 0, 0), sanitizer)
        assert f"call preserve_mostcc void @__irsan_outlined_write8_{sanitizer}(ptr %q" in text


def test_checks_in_small_loops_stay() -> None:
    text = body(outlined(LOOP, Outlining(0, 0, 3)), "g")
    check(text, "_outlined_write4_both(ptr %q", "loop:", "@__irsan_check_write4_both(ptr %p")
    assert "_outlined_write4_both(ptr %p" in outlined(LOOP, Outlining(0, 0, 0))


def test_small_modules_and_small_functions_stay() -> None:
    for limits in (Outlining(), Outlining(inline_limit=6), Outlining(0, 6, 0)):
        assert "__irsan_outlined" not in outlined(STRAIGHT, limits)
    assert "__irsan_outlined" in outlined(STRAIGHT, Outlining(0, 5, 0))


@pytest.mark.parametrize(("sanitizer", "weight"), [("address", 2), ("thread", 4)])
def test_checks_of_one_kind_weigh_less(sanitizer: str, weight: int) -> None:
    for limit in (weight - 1, weight):
        text = outlined(STRAIGHT, Outlining(0, limit, 0), sanitizer)
        assert ("__irsan_outlined" in text) is (limit < weight)


def test_the_same_module_gives_the_same_text() -> None:
    limits = Outlining(0, 0, 0)
    assert outlined(STRAIGHT + LOOP, limits) == outlined(STRAIGHT + LOOP, limits)
