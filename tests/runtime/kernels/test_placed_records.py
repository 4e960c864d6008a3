"""Records that kernels know by an address: their fields are the bytes that numpy has there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.errors import NumbaError

from irsan.errors import InternalError
from irsan.runtime.kernels.kernel import REGISTRY, kernel
from irsan.runtime.kernels.record import Placed
from irsan.runtime.kernels.records import addr_of, record_at, record_in
from irsan.runtime.kernels.scalars import i32, u8, u16, u32, u64

LAYOUT = np.dtype(
    {
        "names": ["byte", "half", "word", "both", "low", "high", "signed"],
        "formats": ["u1", "u2", "u4", "u8", "u4", "u4", "i4"],
        "offsets": [0, 1, 3, 7, 7, 11, 15],
        "itemsize": 21,
    }
)
NAMES = ("byte", "half", "word", "low", "high", "signed")
BUFFER = np.zeros(LAYOUT.itemsize * 5 + 7, np.uint8)
TABLE = int(BUFFER.ctypes.data) + 3


class Packed(Placed, layout=LAYOUT):
    """Fields at odd places, two of them twice."""

    byte: u8
    half: u16
    word: u32
    both: u64
    low: u32
    high: u32
    signed: i32


packed_at = record_at(Packed)
packed_numbered = record_in(Packed, TABLE)


@kernel
def fill(packed: Packed, byte: u8, half: u16, word: u32, low: u32, high: u32, signed: i32) -> None:
    packed.byte = byte
    packed.half = half
    packed.word = word
    packed.low = low
    packed.high = high
    packed.signed = signed


@kernel
def fill_numbered(index: u64, byte: u8, low: u32, high: u32) -> u64:
    packed = packed_numbered(index)
    packed.byte = byte
    packed.both = u64(high) << 32 | u64(low)
    packed.word = u32(packed.word + 1)
    return addr_of(packed)


@kernel
def sum_of(addr: u64) -> u64:
    packed = packed_at(addr)
    return u64(packed.byte) + u64(packed.half) + u64(packed.word) + packed.both


def at(index: int) -> Any:
    start = TABLE - int(BUFFER.ctypes.data) + index * LAYOUT.itemsize
    return BUFFER[start : start + LAYOUT.itemsize].view(LAYOUT)[0]


WIDTHS = {"byte": 8, "half": 16, "word": 32, "low": 32, "high": 32}
NUMBERS = st.tuples(
    *(st.integers(0, (1 << bits) - 1) for bits in WIDTHS.values()),
    st.integers(-(1 << 31), (1 << 31) - 1),
)


@settings(deadline=None, max_examples=60)
@given(NUMBERS, st.integers(0, 4))
def test_fields_are_where_numpy_has_them(numbers: tuple[int, ...], index: int) -> None:
    BUFFER[:] = 0xA5
    before = BUFFER.copy()
    expected = before.copy()
    start = TABLE - int(BUFFER.ctypes.data) + index * LAYOUT.itemsize
    record = expected[start : start + LAYOUT.itemsize].view(LAYOUT)[0]
    for name, number in zip(NAMES, numbers, strict=True):
        record[name] = number
    fill(TABLE + index * LAYOUT.itemsize, *numbers)
    assert (expected == BUFFER).all()
    byte, half, word, low, high, _ = numbers
    total = byte + half + word + (high << 32 | low)
    assert sum_of(TABLE + index * LAYOUT.itemsize) == total % (1 << 64)


@pytest.mark.parametrize("index", range(5))
def test_a_table_has_its_records_one_behind_the_other(index: int) -> None:
    BUFFER[:] = 0
    assert fill_numbered(index, 7, 0x1234, 0x89AB) == TABLE + index * LAYOUT.itemsize
    found = at(index)
    assert (found["byte"], found["low"], found["high"], found["word"]) == (7, 0x1234, 0x89AB, 1)
    assert np.count_nonzero(BUFFER) == 1 + 2 + 2 + 1


def test_a_record_is_passed_as_its_address() -> None:
    assert REGISTRY["fill"].argument_types[0] == "@Packed"
    assert "(i64 %" in REGISTRY["fill"].dispatcher.text


def test_a_field_that_is_not_there_does_not_compile() -> None:
    @kernel
    def no_such_field(packed: Packed) -> u32:
        return packed.wrod  # type: ignore[attr-defined,no-any-return]

    with pytest.raises(NumbaError, match="wrod"):
        _ = no_such_field.text  # type: ignore[attr-defined]


def test_no_kernel_gives_a_record() -> None:
    def give_back(packed: Packed) -> Packed:
        return packed

    with pytest.raises(InternalError, match="kernel give_back: no result is a record"):
        kernel(give_back)


def test_two_records_of_one_name_are_an_error() -> None:
    other = type("Packed", (Placed,), {}, layout=LAYOUT)

    def takes_other(packed: u64) -> None:
        pass

    takes_other.__annotations__["packed"] = other
    with pytest.raises(InternalError, match="two records are called @Packed"):
        kernel(takes_other)
