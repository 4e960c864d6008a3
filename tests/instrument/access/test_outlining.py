"""Outlining: which checks become calls, in part or as a whole."""

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


ALL = Outlining(0, 0, 0)  # outside of loops
HUGE = Outlining(0, 0, 0, huge_limit=0)


@pytest.mark.parametrize(
    ("limits", "word", "convention"), [(ALL, "apart", ""), (HUGE, "outlined", "preserve_mostcc ")]
)
def test_the_checks_of_an_access_become_one_call(
    limits: Outlining, word: str, convention: str
) -> None:
    text = body(outlined(STRAIGHT, limits), "f")
    names = [name for name in hooks_in(text) if "frame" not in name]
    assert names == [f"__irsan_{word}_read4_both", f"__irsan_{word}_write8_both"]
    call = f"call {convention}void @__irsan_{word}_read4_both(ptr %p, i32 {1 - (1 << 31)})"
    check(text, call, "load i32, ptr %p")


def test_checks_of_an_address_stay() -> None:
    text = outlined(STRAIGHT, ALL, "address")
    assert "call void @__irsan_check_read4_address(ptr %p" in text
    assert "apart" not in text
    assert "call void @__irsan_apart_read4_thread(ptr %p" in outlined(STRAIGHT, ALL, "thread")


def test_one_sanitizer_alone_has_hooks_of_its_own() -> None:
    for sanitizer in ("address", "thread"):
        text = outlined(STRAIGHT, HUGE, sanitizer)
        assert f"call preserve_mostcc void @__irsan_outlined_write8_{sanitizer}(ptr %q" in text


def test_checks_in_small_loops_stay() -> None:
    for limit, word in ((7000, "apart"), (0, "outlined")):
        text = body(outlined(LOOP, Outlining(0, 0, 3, limit)), "g")
        check(text, f"_{word}_write4_both(ptr %q", "loop:", "@__irsan_check_write4_both(ptr %p")
        assert f"_{word}_write4_both(ptr %p" in outlined(LOOP, Outlining(0, 0, 0, limit))


def test_small_modules_and_small_functions_stay() -> None:
    for limits in (Outlining(), Outlining(inline_limit=6), Outlining(0, 6, 0)):
        text = outlined(STRAIGHT, limits)
        assert "__irsan_outlined" not in text
        assert "__irsan_apart" not in text
    assert "__irsan_apart" in outlined(STRAIGHT, Outlining(0, 5, 0))
    assert "__irsan_outlined" in outlined(STRAIGHT, Outlining(0, 5, 0, 5))


@pytest.mark.parametrize(("sanitizer", "weight"), [("address", 2), ("thread", 4), ("both", 6)])
def test_checks_of_one_kind_weigh_less(sanitizer: str, weight: int) -> None:
    for limit in (weight - 1, weight):
        sanitizers = sanitizer.replace("both", "address,thread")
        text = outlined(STRAIGHT, Outlining(0, 0, 0, limit), sanitizers)
        assert ("__irsan_outlined" in text) is (limit < weight)


def test_the_same_module_gives_the_same_text() -> None:
    assert outlined(STRAIGHT + LOOP, ALL) == outlined(STRAIGHT + LOOP, ALL)
