"""Where variadic arguments lie, as the C rules of x86-64 put them."""

from __future__ import annotations

import pytest

from irsan.instrument.uninitialised.shadow_types import ShadowTypes
from irsan.instrument.uninitialised.variadic import variadic_arguments
from irsan.ir.attributes import string_attribute
from irsan.ir.calls import Call
from irsan.ir.reading import parse_ir_text
from tests.support.shadow_runs import LAYOUT

STACK = 176
LAYOUTS = {
    "i32 1, double 2.0": ("i32 1", [8, 48], 0),
    "ptr null, float 2.0, half 1.0, i8 1": ("double 1.0", [0, 64, 80, 8], 0),
    "i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i32 7": (
        "ptr null", [8, 16, 24, 32, 40, STACK, STACK + 8], 16,
    ),
    "x86_fp80 0xK3FFF8000000000000000, i128 1, i64 1": ("i32 1", [STACK, 8, 24], 16),
    "ptr byval({ i64, i64, i8 }) align 8 null, i32 1": ("i32 1", [STACK, 8], 24),
    "<2 x float> zeroinitializer, <4 x i32> zeroinitializer": ("i32 1", [48, 64], 0),
    # behind eight named bytes of the stack, sixteen aligned ones begin eight further on
    "x86_fp80 0xK3FFF8000000000000000": (
        "i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1", [STACK + 8], 24,
    ),
    "": ("i32 1", [], 0),
    "<2 x float> zeroinitializer, <1 x i64> zeroinitializer, <2 x i8> undef, i70 1": (
        "i32 1", [48, 8, 64, 16, 24], 0,
    ),
    "<8 x float> zeroinitializer, double 1.0": ("i32 1", [48, 64, 80], 0),
    # the one register that is left is for what follows
    "i128 1, i64 1": ("i32 1, i32 1, i32 1, i32 1, i32 1", [STACK, 40], 16),
    "i128 1, i64 2": (
        "i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1", [STACK + 8, STACK + 24], 32,
    ),
}  # fmt: skip
UNKNOWN = (
    "<4 x i1> zeroinitializer", "<2 x i128> undef", "{ i64 } zeroinitializer", "ptr nest null",
)  # fmt: skip


def layout_of(
    named: str, rest: str, convention: str = "", features: str = ""
) -> tuple[list[int], int] | None:
    """Offsets of the arguments `rest` behind `named` ones, and bytes on the stack."""
    kinds = ", ".join(part.split()[0] for part in named.split(", "))
    arguments = ", ".join(part for part in (named, rest) if part)
    module = parse_ir_text(
        f"{LAYOUT}declare void @g({kinds}, ...)\ndefine void @f() {{\n"
        f"call {convention} void ({kinds}, ...) @g({arguments})\nret void\n}}"
    )
    (function,) = [one for one in module.functions if one.blocks]
    (call, _) = function.blocks[0].instructions
    assert isinstance(call, Call)
    caller = (string_attribute("target-features", features),)
    found = variadic_arguments(call, ShadowTypes(module), caller)
    if found is None:
        return None
    return [part.offset for one in found[0] for part in one.parts], found[1]


@pytest.mark.parametrize("arguments", LAYOUTS)
def test_places(arguments: str) -> None:
    named, offsets, on_stack = LAYOUTS[arguments]
    assert layout_of(named, arguments) == (offsets, on_stack)


@pytest.mark.parametrize("argument", UNKNOWN)
def test_what_is_not_known_is_not_told(argument: str) -> None:
    named = ", ".join(["i32 1"] * 5)
    assert layout_of(named, argument) is None


def test_wide_registers_put_their_vectors_on_the_stack() -> None:
    rest = "<8 x float> zeroinitializer, double 1.0"
    assert layout_of("i32 1", rest, features="+sse2,+avx") == ([STACK, 48], 32)


def test_conventions_that_are_like_c_for_arguments() -> None:
    assert layout_of("i32 1", "i32 1", "preserve_mostcc") == ([8], 0)


def test_other_calling_conventions_are_not_known() -> None:
    assert layout_of("i32 1", "i32 1", "fastcc") is None
