"""Constants of floats by their bits, against what LLVM makes of the same numbers."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.undefined.undefined_numbers import float_bits, fraction_bits
from irsan.ir.types import PrimitiveType, TypeID


def exact(type_id: TypeID, value: int) -> bool:
    n_bits = fraction_bits(PrimitiveType(type_id, "float")) + 1
    magnitude = abs(value)
    n_zeros = (magnitude & -magnitude).bit_length()
    return not magnitude or magnitude.bit_length() - n_zeros < n_bits


@given(st.integers(-(1 << 70), 1 << 70))
def test_doubles_and_singles_have_the_processors_bits(value: int) -> None:
    for type_id, code in ((TypeID.DOUBLE, "d"), (TypeID.FLOAT, "f")):
        if exact(type_id, value):
            wanted = int.from_bytes(struct.pack(f"<{code}", float(value)), "little")
            assert float_bits(type_id, value) == wanted


@given(st.integers(-2048, 2048))
def test_halves_have_the_bits_that_python_packs(value: int) -> None:
    wanted = int.from_bytes(struct.pack("<e", float(value)), "little")
    assert float_bits(TypeID.HALF, value) == wanted


@pytest.mark.parametrize(
    ("type_id", "value", "bits"),
    [
        (TypeID.X86_FP80, 1, 0x3FFF_8000_0000_0000_0000),
        (TypeID.X86_FP80, -(1 << 63) - 1 + 1, 0xC03E_8000_0000_0000_0000),
        (TypeID.X86_FP80, (1 << 63) + 1, 0x403E_8000_0000_0000_0001),
        (TypeID.BFLOAT, -1, 0xBF80),
        (TypeID.FP128, 2, 0x4000 << 112),
        (TypeID.HALF, 1 << 16, 0x7C00),
        (TypeID.FLOAT, -(1 << 128), 0xFF80_0000),
        (TypeID.DOUBLE, 0, 0),
    ],
)
def test_other_formats(type_id: TypeID, value: int, bits: int) -> None:
    assert float_bits(type_id, value) == bits
