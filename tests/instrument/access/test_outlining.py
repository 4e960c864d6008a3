"""Outlining: which checks become assembly or calls, in part or as a whole."""

from __future__ import annotations

import pytest

from irsan.instrument.access.outlining import Outlining, has_wide_vectors
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
AVX = '"target-cpu"="x86-64" "target-features"="+avx,+sse2"'


def wide(text: str) -> str:
    """The same functions, allowed to use AVX."""
    return text.replace(") {", f") {AVX} {{")


@pytest.mark.parametrize(
    ("text", "limits", "word", "convention"),
    [
        (STRAIGHT, ALL, "compact", ""),
        (STRAIGHT, HUGE, "compact", ""),
        (wide(STRAIGHT), ALL, "apart", ""),
        (wide(STRAIGHT), HUGE, "outlined", "preserve_mostcc "),
    ],
)
def test_the_checks_of_an_access_become_one_call(
    text: str, limits: Outlining, word: str, convention: str
) -> None:
    text = body(outlined(text, limits), "f")
    names = [name for name in hooks_in(text) if "frame" not in name]
    assert names == [f"__irsan_{word}_read4_both", f"__irsan_{word}_write8_both"]
    call = f"call {convention}void @__irsan_{word}_read4_both(ptr %p, i32 {1 - (1 << 31)})"
    check(text, call, "load i32, ptr %p")


def test_checks_of_an_address_stay_where_avx_may_be_used() -> None:
    assert "__irsan_compact_read4_address(ptr %p" in outlined(STRAIGHT, ALL, "address")
    text = outlined(wide(STRAIGHT), ALL, "address")
    assert "call void @__irsan_check_read4_address(ptr %p" in text
    assert "apart" not in text
    assert "call void @__irsan_apart_read4_thread(ptr %p" in outlined(
        wide(STRAIGHT), ALL, "thread"
    )


def test_one_sanitizer_alone_has_hooks_of_its_own() -> None:
    for sanitizer in ("address", "thread"):
        assert f"@__irsan_compact_write8_{sanitizer}(ptr %q" in outlined(STRAIGHT, ALL, sanitizer)
        text = outlined(wide(STRAIGHT), HUGE, sanitizer)
        assert f"call preserve_mostcc void @__irsan_outlined_write8_{sanitizer}(ptr %q" in text


def test_a_function_with_compact_checks_has_no_red_zone() -> None:
    nothing = "define void @h() {\n  ret void\n}\n"
    functions = parse_ir_text(outlined(STRAIGHT + nothing, ALL)).functions
    has = {one.name: one.attributes.has_function("noredzone") for one in functions}
    assert (has["f"], has["h"]) == (True, False)
    functions = parse_ir_text(outlined(wide(STRAIGHT), ALL)).functions
    assert not any(one.attributes.has_function("noredzone") for one in functions)


@pytest.mark.parametrize(
    ("features", "is_wide"),
    [
        ("", False),
        ('"target-cpu"="x86-64"', False),
        ('"target-cpu"="x86-64" "target-features"="+sse4.2,-avx"', False),
        ('"target-cpu"="x86-64" "target-features"="+sse2,+avx2"', True),
        ('"target-cpu"="x86-64-v4"', True),
        ('"target-cpu"="of-tomorrow"', True),
    ],
)
def test_wide_vectors(features: str, is_wide: bool) -> None:
    module = parse_ir_text(f"{LAYOUT}define void @f() {features} {{\n  ret void\n}}\n")
    assert has_wide_vectors(module.functions[0]) is is_wide


@pytest.mark.parametrize(
    ("sanitizers", "often", "usual"),
    [
        ("address", "compact_write4_address", "compact_write4_address"),
        ("thread", "check_write4_thread", "compact_write4_thread"),
        ("address,thread", "mixed_write4_both", "compact_write4_both"),
    ],
)
def test_races_are_asked_about_inline_in_small_loops(
    sanitizers: str, often: str, usual: str
) -> None:
    text = body(outlined(LOOP, Outlining(0, 0, 3), sanitizers), "g")
    check(text, f"__irsan_{usual}(ptr %q", "loop:", f"@__irsan_{often}(ptr %p")
    assert f"__irsan_{usual}(ptr %p" in outlined(LOOP, ALL, sanitizers)


def test_all_of_a_check_stays_in_small_loops_with_avx() -> None:
    for limit, word in ((7000, "apart"), (0, "outlined")):
        text = body(outlined(wide(LOOP), Outlining(0, 0, 3, limit)), "g")
        check(text, f"_{word}_write4_both(ptr %q", "loop:", "@__irsan_check_write4_both(ptr %p")
        assert f"_{word}_write4_both(ptr %p" in outlined(wide(LOOP), Outlining(0, 0, 0, limit))


def test_small_modules_stay_and_small_functions_run_often() -> None:
    for limits in (Outlining(), Outlining(inline_limit=6)):
        assert "__irsan_check_read4_both" in outlined(STRAIGHT, limits)
    assert "__irsan_mixed_read4_both" in outlined(STRAIGHT, Outlining(0, 6, 0))
    assert "__irsan_compact_read4_both" in outlined(STRAIGHT, Outlining(0, 5, 0))


@pytest.mark.parametrize(("sanitizer", "weight"), [("address", 2), ("thread", 4), ("both", 6)])
def test_checks_of_one_kind_weigh_less(sanitizer: str, weight: int) -> None:
    for limit in (weight - 1, weight):
        sanitizers = sanitizer.replace("both", "address,thread")
        text = outlined(wide(STRAIGHT), Outlining(0, 0, 0, limit), sanitizers)
        assert ("__irsan_outlined" in text) is (limit < weight)


def test_the_same_module_gives_the_same_text() -> None:
    assert outlined(STRAIGHT + LOOP, ALL) == outlined(STRAIGHT + LOOP, ALL)
