"""Records read in one go: a window of bits as one integer, from which fields are shifted out.

Reading asks no questions on the way: bits behind the stream's end are zeros.  A record that ends
behind the limit, or has a field that is too long, is no record here, and the careful reader
(plain.py) reads it again and names the error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream.model import Block, Record

_WINDOW_BYTES: Final = 64
_WINDOW_BITS: Final = 8 * _WINDOW_BYTES - 7  # the position may be inside of a byte
_MAX_FIELD_BITS: Final = 160  # a field with more is too long
_CHUNK: Final = 32  # elements
_ID_BYTES: Final = 5  # hold an abbreviation id, wherever it begins

Found = tuple[list[int], int]
"""Values, and the position behind them."""


def quick_vbr6(raw: bytes, at: int, count: int) -> Found | None:
    """So many VBR6 fields."""
    values: list[int] = []
    append = values.append
    value = shift = left = window = 0
    while count:
        if left < 6:
            window = _window(raw, at)
            left = _WINDOW_BITS
        group = window & 63
        window >>= 6
        left -= 6
        at += 6
        if group < 32:
            if shift:
                group = value | group << shift
                if group >> 64:
                    return None
                value = shift = 0
            append(group)
            count -= 1
        else:
            value |= (group & 31) << shift
            shift += 5
            if shift > 63:
                return None
    return values, at


def quick_fields(
    raw: bytes, at: int, abbreviation: Sequence[tuple[int, int]]
) -> tuple[list[int], int, bool] | None:
    """The fields of an abbreviated record; and whether a blob follows them."""
    values: list[int] = []
    left = window = 0
    for index, (kind, width) in enumerate(abbreviation):
        if kind == e.LITERAL:
            values.append(width)
            continue
        if left < _MAX_FIELD_BITS:
            window = _window(raw, at)
            left = _WINDOW_BITS
        if kind == e.FIXED:
            values.append(window & ((1 << width) - 1))
        elif kind == e.VBR:
            found = _vbr(window, width)
            if found is None:
                return None
            values.append(found[0])
            width = found[1]
        elif kind == e.CHAR6:
            values.append(e.CHAR6_ALPHABET[window & 63])
            width = e.CHAR6_WIDTH
        elif kind == e.ARRAY:
            array = _array(raw, at, *abbreviation[index + 1])
            return None if array is None else (values + array[0], array[1], False)
        else:
            return values, at, True
        window >>= width
        left -= width
        at += width
    return values, at, False


def quick_run(
    raw: bytes,
    at: int,
    limit: int,
    width: int,
    abbreviations: Sequence[Sequence[tuple[int, int]]],
    items: list[Record | Block],
    budget: int,
) -> tuple[int, int]:
    """Append the records from `at` on, up to one that is malformed, or has to be read with care.

    width: of abbreviation ids.  budget: operands that may come.  Returns the position and the
    budget behind them.
    """
    mask, new = (1 << width) - 1, tuple.__new__
    while True:
        first = at >> 3
        id_bits = int.from_bytes(raw[first : first + _ID_BYTES], "little") >> (at & 7)
        abbrev_id = id_bits & mask
        if abbrev_id == e.UNABBREV_RECORD:
            found = _quick_unabbreviated(raw, at + width, limit)
        elif 0 <= abbrev_id - e.FIRST_ABBREV_ID < len(abbreviations):
            abbreviation = abbreviations[abbrev_id - e.FIRST_ABBREV_ID]
            found = _quick_abbreviated(raw, at + width, abbreviation)
        else:
            return at, budget
        if found is None or found[2] > limit or found[0] >> 32 or len(found[1]) > budget:
            return at, budget
        budget -= len(found[1])
        items.append(new(Record, (found[0], found[1], None, at, abbrev_id)))
        at = found[2]


def _quick_unabbreviated(raw: bytes, at: int, limit: int) -> tuple[int, list[int], int] | None:
    """Code, operands, and the position behind them."""
    head = quick_vbr6(raw, at, 2)
    if head is None or head[0][1] > (limit - head[1]) // e.UNABBREV_WIDTH:
        return None
    found = quick_vbr6(raw, head[1], head[0][1])
    return None if found is None else (head[0][0], *found)


def _quick_abbreviated(
    raw: bytes, at: int, abbreviation: Sequence[tuple[int, int]]
) -> tuple[int, list[int], int] | None:
    found = quick_fields(raw, at, abbreviation)
    if found is None or found[2] or not found[0]:
        return None
    values, behind, _ = found
    code = values[0]
    del values[0]
    return code, values, behind


def _window(raw: bytes, at: int) -> int:
    first = at >> 3
    return int.from_bytes(raw[first : first + _WINDOW_BYTES], "little") >> (at & 7)


def _vbr(window: int, width: int) -> tuple[int, int] | None:
    """The value of a field at the window's start, and its bits."""
    more = 1 << (width - 1)
    group = window & (2 * more - 1)
    if group < more:
        return group, width
    value = shift = bits = 0
    while True:
        group = window & (2 * more - 1)
        window >>= width
        bits += width
        value |= (group & (more - 1)) << shift
        if value >> 64:
            return None
        if group < more:
            return value, bits
        shift += width - 1
        if shift > 63:
            return None


def _array(raw: bytes, at: int, kind: int, width: int) -> Found | None:
    counted = _vbr(_window(raw, at), e.COUNT_WIDTH)
    if counted is None:
        return None
    count, bits = counted
    at += bits
    if kind == e.CHAR6:
        width = e.CHAR6_WIDTH
    if count * width > 8 * len(raw) - at:
        return None
    if kind == e.VBR:
        if width == e.UNABBREV_WIDTH:
            return quick_vbr6(raw, at, count)
        return _vbrs(raw, at, count, width)
    values = _fixed_array(raw, at, count, width)
    if kind == e.CHAR6:
        values = [e.CHAR6_ALPHABET[one] for one in values]
    return values, at + count * width


def _vbrs(raw: bytes, at: int, count: int, width: int) -> Found | None:
    values: list[int] = []
    left = window = 0
    for _ in range(count):
        if left < _MAX_FIELD_BITS:
            window = _window(raw, at)
            left = _WINDOW_BITS
        found = _vbr(window, width)
        if found is None:
            return None
        values.append(found[0])
        window >>= found[1]
        left -= found[1]
        at += found[1]
    return values, at


def _fixed_array(raw: bytes, at: int, count: int, width: int) -> list[int]:
    values: list[int] = []
    mask = (1 << width) - 1
    while count:
        n = min(count, _CHUNK)
        end = at + n * width
        chunk = int.from_bytes(raw[at >> 3 : (end + 7) >> 3], "little") >> (at & 7)
        values += [chunk >> shift & mask for shift in range(0, n * width, width)]
        at, count = end, count - n
    return values
