"""Where the C rules of x86-64 put arguments; `uninitialised/test_variadic.py` has more of them."""

from __future__ import annotations

from irsan.instrument.argument_places import argument_places
from irsan.instrument.type_sizes import TypeSizes
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
    found = list(argument_places(kinds, attributes, TypeSizes(module)))
    in_registers = [one.offset for one in found if not one.is_on_stack]
    assert in_registers == [0, 48, 8, 16, 24, 32, 40, *range(64, 176, 16)]
    assert [one.number for one in found if one.is_on_stack] == [7, 8, 9, 17, 18, 19, 20]
    assert [one.offset for one in found if one.is_on_stack] == [0, 8, 32, 48, 56, 64, 80]
    assert [one.copied_bytes for one in found if one.copied_bytes] == [24]
    assert [one.stack_bytes for one in found][6:11] == [0, 8, 32, 48, 48]
    assert found[-1].stack_bytes == 88
