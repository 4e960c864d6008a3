"""Values as integers of the same bits and back, and integers of other widths: what hooks take.

ptr -> ptrtoint i64      double -> bitcast i64      <2 x float> -> bitcast i64      i32 -> itself
"""

from __future__ import annotations

from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantInt
from irsan.ir.types import IntegerType, PointerType, Type, VectorType
from irsan.ir.values import Value


def value_to_integer(at: Builder, value: Value, bits: int) -> Value:
    """`value`, which has `bits` bits, as an integer."""
    target = at.types.integer(bits)
    if value.type is target:
        return value
    if isinstance(value.type, PointerType):
        return at.cast("ptrtoint", value, target)
    if isinstance(value.type, VectorType) and isinstance(value.type.element, PointerType):
        value = at.cast("ptrtoint", value, _integer_vector(at, value.type, bits))
    return at.cast("bitcast", value, target)


def integer_to_value(at: Builder, integer: Value, target: Type) -> Value:
    """The integer read as `target`, which has as many bits."""
    if integer.type is target:
        return integer
    if isinstance(target, PointerType):
        return at.cast("inttoptr", integer, target)
    if isinstance(target, VectorType) and isinstance(target.element, PointerType):
        assert isinstance(integer.type, IntegerType)
        vector = at.cast("bitcast", integer, _integer_vector(at, target, integer.type.width))
        return at.cast("inttoptr", vector, target)
    return at.cast("bitcast", integer, target)


def to_width(at: Builder, number: Value, bits: int) -> Value:
    """An integer of any width, extended by zeros or cut: a size or a count as i64."""
    kind = number.type
    assert isinstance(kind, IntegerType)
    if kind.width == bits:
        return number
    if isinstance(number, ConstantInt):
        return at.integer(bits, number.unsigned % (1 << bits))
    return at.cast("zext" if kind.width < bits else "trunc", number, at.types.integer(bits))


def _integer_vector(at: Builder, vector: VectorType, bits: int) -> Type:
    return at.types.vector(at.types.integer(bits // vector.count), vector.count)
