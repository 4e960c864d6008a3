"""Clang's records for undefined behaviour: places, types, integers and floats in messages."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.runtime.diagnosis.undefined_data import (
    TOLD_COLUMN,
    TypeRecord,
    integer_value,
    mark_told,
    read_place,
    read_type,
    value_text,
)

LONG_DOUBLE = TypeRecord(1, 128, "'long double'")


@contextmanager
def memory(raw: bytes) -> Iterator[int]:
    """Where `raw` lies for as long as it is needed."""
    kept = ctypes.create_string_buffer(raw, len(raw))
    yield ctypes.addressof(kept)


def integer_type(n_bits: int, *, is_signed: bool) -> TypeRecord:
    return TypeRecord(0, (n_bits.bit_length() - 1) << 1 | is_signed, "'T'")


def test_a_place_is_told_once() -> None:
    with memory(b"a.c\0") as name, memory(struct.pack("<QII", name, 7, 3)) as at:
        place = read_place(at)
        assert (place.file, place.line, place.column) == ("a.c", 7, 3)
        mark_told(at)
        assert read_place(at).column == TOLD_COLUMN


def test_types_are_read_with_their_quotes() -> None:
    with memory(struct.pack("<HH", 0, 5 << 1 | 1) + b"'int'\0") as at:
        found = read_type(at)
    assert (found.name, found.is_signed, found.width_bits) == ("'int'", True, 32)
    with memory(struct.pack("<HH", 0xFFFF, 0) + b"'struct s'\0") as at:
        assert value_text(read_type(at), 3) == "<unknown>"


def test_a_bit_integer_has_its_own_number_of_bits() -> None:
    raw = struct.pack("<HH", 2, 5 << 1 | 1) + b"'_BitInt(17)'\0" + struct.pack("<I", 17)
    with memory(raw) as at:
        found = read_type(at)
    assert integer_value(found, 0x1FFFF) == -1
    assert integer_value(found, 0x0FFFF) == 0xFFFF


@given(st.sampled_from([8, 16, 32, 64, 128]), st.booleans(), st.data())
def test_integers_survive_the_way_into_a_word(
    n_bits: int, is_signed: bool, data: st.DataObject
) -> None:
    type_ = integer_type(n_bits, is_signed=is_signed)
    lowest = -(1 << (n_bits - 1)) if is_signed else 0
    value = data.draw(st.integers(lowest, lowest + (1 << n_bits) - 1))
    raw = value.to_bytes(n_bits // 8, "little", signed=is_signed)
    with memory(raw) as at:
        word = at if n_bits > 64 else int.from_bytes(raw, "little")
        assert integer_value(type_, word) == value
        fits = -(1 << 63) <= value < 1 << (63 if is_signed else 64)
        wanted = str(value) if fits else f"0x{value % (1 << 128):032x}"
        assert value_text(type_, word) == wanted


@given(st.floats(width=32))
def test_floats_are_printed_as_c_prints_them(value: float) -> None:
    word = struct.unpack("<I", struct.pack("<f", value))[0]
    assert value_text(TypeRecord(1, 32, "'float'"), word) == printed_by_c(value)


@given(st.floats(allow_nan=False))
def test_long_doubles_are_printed_as_c_prints_them(value: float) -> None:
    with memory(np.longdouble(value).tobytes()) as at:
        assert value_text(LONG_DOUBLE, at) == printed_by_c(value)
    word = struct.unpack("<Q", struct.pack("<d", value))[0]
    assert value_text(TypeRecord(1, 64, "'double'"), word) == printed_by_c(value)


@pytest.mark.parametrize(
    ("type_", "raw", "text"),
    [
        (LONG_DOUBLE, np.longdouble("1e4000").tobytes(), "1e+4000"),
        (LONG_DOUBLE, (-np.longdouble("nan")).tobytes(), "-nan"),
        (TypeRecord(1, 128, "'__float128'"), (0x3FFF << 112).to_bytes(16, "little"), "1"),
        (TypeRecord(1, 128, "'__float128'"), (0xC000_8 << 108).to_bytes(16, "little"), "-3"),
    ],
    ids=["1e4000", "-nan", "1", "-3"],  # padding bytes differ from process to process
)
def test_wide_floats_beyond_double(type_: TypeRecord, raw: bytes, text: str) -> None:
    with memory(raw) as at:
        assert value_text(type_, at) == text


def test_narrow_floats() -> None:
    assert value_text(TypeRecord(1, 16, "'_Float16'"), 0x4200) == "3"
    assert value_text(TypeRecord(1, 16, "'__bf16'"), 0x4049) == "3.14062"


def printed_by_c(value: float) -> str:
    text = ctypes.create_string_buffer(64)
    ctypes.CDLL(None).snprintf(text, 64, b"%g", ctypes.c_double(value))
    return text.value.decode()
