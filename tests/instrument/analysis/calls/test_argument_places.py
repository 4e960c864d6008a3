"""Where the C rules of x86-64 put arguments; `uninitialised/test_variadic.py` has more of them."""

from __future__ import annotations

from irsan.instrument.analysis.calls.argument_places import argument_places
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.attributes import Attribute, AttributeList
from irsan.ir.module import Module


def test_places_of_arguments() -> None:
    module = Module()
    types = module.types
    pointer, word, real = types.ptr(), types.i64, types.double
    pair = types.struct([types.i8, pointer, types.i32])
    kinds = [
        pointer, real, types.i32, word, word, word, pointer, pointer, pair, types.x86_fp80,
        *[real] * 8, pointer, types.vector(word, 2), pointer, types.i128, pointer,
    ]  # fmt: skip
    attributes = AttributeList().with_parameter(8, [Attribute("byval", pair)])
    found = list(argument_places(kinds, attributes, TypeSizes(module), (16,)))
    parts = [(one.number, part) for one in found for part in one.parts]
    in_registers = [part.offset for _, part in parts if not part.is_on_stack]
    assert in_registers == [0, 48, 8, 16, 24, 32, 40, *range(64, 176, 16)]
    assert [number for number, part in parts if part.is_on_stack] == [7, 8, 9, *range(17, 23)]
    on_stack = [part.offset for _, part in parts if part.is_on_stack]
    assert on_stack == [0, 8, 32, 48, 56, 64, 80, 96, 112]
    assert [one.copied_bytes for one in found if one.copied_bytes] == [24]
    assert [one.stack_bytes for one in found][6:11] == [0, 8, 32, 48, 48]
    assert found[-1].stack_bytes == 120


def places_of(text: str, widths: tuple[int, ...]) -> list[tuple[bool, int, int]] | None:
    """(whether on the stack, offset, bytes) of an argument behind five integers."""
    module = Module()
    types = module.types
    kinds = {"4i64": types.vector(types.i64, 4), "3i32": types.vector(types.i32, 3)}
    given = [*[types.i64] * 5, kinds[text]]
    found = list(argument_places(given, AttributeList(), TypeSizes(module), widths))[5:]
    return [(p.is_on_stack, p.offset, p.n_bytes) for one in found for p in one.parts] or None


def test_a_wide_vector_is_where_the_registers_say() -> None:
    halves = [(False, 48, 16), (False, 64, 16)]
    assert places_of("4i64", (16,)) == halves
    assert places_of("4i64", (32,)) == places_of("4i64", (32, 64)) == [(True, 0, 32)]
    assert places_of("4i64", (16, 32)) is None
    assert places_of("3i32", (16, 32, 64)) == [(False, 48, 12)]
    assert places_of("3i32", ()) is None
