"""Constants of the rules of undefined behaviour: of integers, of vectors of them, of any float.

    integer_of(<4 x i32>, 7)         splat (i32 7)
    float_of(x86_fp80, 1 << 63)      its bits; a number too big is infinity
    scalar_of(<4 x i32>)             i32

Source: IEEE 754 for the layouts; Intel's manual for x87, whose leading one is stored.
"""

from __future__ import annotations

from irsan.ir.constants import ConstantFP, ConstantInt, ConstantSplat
from irsan.ir.types import IntegerType, PrimitiveType, Type, TypeID, VectorType
from irsan.ir.values import Constant

# bits of the exponent, bits behind the leading one
_LAYOUTS = {
    TypeID.HALF: (5, 10),
    TypeID.BFLOAT: (8, 7),
    TypeID.FLOAT: (8, 23),
    TypeID.DOUBLE: (11, 52),
    TypeID.X86_FP80: (15, 63),
    TypeID.FP128: (15, 112),
}


def scalar_of(kind: Type) -> Type:
    """The type of a vector's elements, or the type itself."""
    return kind.element if isinstance(kind, VectorType) else kind


def fraction_bits(kind: Type) -> int:
    """Bits behind the leading one of a float; 0 for other types and unknown layouts."""
    return _LAYOUTS.get(kind.type_id, (0, 0))[1]


def integer_of(kind: Type, value: int) -> Constant:
    """`value` as an integer type or a vector of them has it."""
    if isinstance(kind, VectorType):
        return ConstantSplat(kind, integer_of(kind.element, value))
    assert isinstance(kind, IntegerType)
    return ConstantInt(kind, value)


def float_of(kind: Type, value: int) -> Constant:
    """An integer that the float type has, or that is too big for it: then infinity."""
    if isinstance(kind, VectorType):
        return ConstantSplat(kind, float_of(kind.element, value))
    assert isinstance(kind, PrimitiveType)
    return ConstantFP(kind, float_bits(kind.type_id, value))


def float_bits(type_id: TypeID, value: int) -> int:
    """The bits of an integer in a format."""
    exponent_bits, n_fraction = _LAYOUTS[type_id]
    has_leading_one = type_id is TypeID.X86_FP80
    n_behind = n_fraction + has_leading_one
    highest, magnitude = (1 << exponent_bits) - 1, abs(value)
    sign = int(value < 0) << (exponent_bits + n_behind)
    if not magnitude:
        return 0
    exponent = magnitude.bit_length() - 1
    if exponent > highest >> 1:
        return sign | highest << n_behind | int(has_leading_one) << n_fraction
    fraction = magnitude << n_fraction >> exponent
    if not has_leading_one:
        fraction ^= 1 << n_fraction
    return sign | ((highest >> 1) + exponent) << n_behind | fraction


def known_integer(value: object) -> ConstantInt | None:
    """The constant of an integer, or of all elements of a vector."""
    if isinstance(value, ConstantSplat):
        value = value.element
    return value if isinstance(value, ConstantInt) else None
