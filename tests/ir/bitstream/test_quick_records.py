"""The quick reader of records says what the careful one says, or nothing."""

from __future__ import annotations

import random

import pytest

from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream.cursor import BitCursor, BitFault
from irsan.ir.bitstream.model import Block, Record
from irsan.ir.bitstream.plain import Abbreviation, PlainDecoder, Scope, _read_carefully
from irsan.ir.bitstream.quick_records import quick_run

WIDTH = 4
PLENTY = 1 << 30

ABBREVIATIONS: list[Abbreviation] = [
    [(e.LITERAL, 7), (e.FIXED, 3), (e.VBR, 6), (e.CHAR6, 0)],
    [(e.FIXED, 64), (e.VBR, 32), (e.FIXED, 1)],
    [(e.VBR, 6), (e.ARRAY, 0), (e.CHAR6, 0)],
    [(e.VBR, 2), (e.ARRAY, 0), (e.FIXED, 8)],
    [(e.FIXED, 4), (e.ARRAY, 0), (e.VBR, 6)],
    [(e.FIXED, 4), (e.ARRAY, 0), (e.VBR, 8)],
    [(e.LITERAL, 1), (e.VBR, 6), (e.BLOB, 0)],
]


def _careful(raw: bytes, at: int, limit: int) -> tuple[list[Record], list[int]]:
    """The records up to the first that is none, and the positions before and behind each."""
    cursor = BitCursor(raw, at, limit)
    decoder = PlainDecoder(cursor, [Scope(None, [], limit, WIDTH, ABBREVIATIONS)], PLENTY)
    records: list[Record] = []
    places = [at]
    try:
        while (number := cursor.fixed(WIDTH)) >= e.UNABBREV_RECORD:
            records.append(_read_carefully(decoder, places[-1], number))
            places.append(cursor.position)
    except BitFault:
        pass
    return records, places


@pytest.mark.parametrize("sparse", [False, True])
def test_any_bits_read_alike(sparse: bool) -> None:
    source, ends = random.Random(5), set()
    for _ in range(3000):
        raw = source.randbytes(source.choice((12, 40, 300)))
        if sparse:  # short fields and counts
            raw = bytes([byte & source.choice((0, 3, 0x0D, 0x41, 0xFF)) for byte in raw])
        at, limit = source.randrange(40), source.randrange(60, 8 * len(raw) + 1)
        records, places = _careful(raw, at, limit)
        items: list[Record | Block] = []
        position, left = quick_run(raw, at, limit, WIDTH, ABBREVIATIONS, items, PLENTY)
        n = len(items)
        assert items == records[:n] and position == places[n]
        assert PLENTY - left == sum(len(record.operands) for record in records[:n])
        if n < len(records):
            assert records[n].blob is not None
        ends.add((n > 0, n < len(records)))
    assert ends == {(False, False), (True, False), (False, True), (True, True)}


def test_operands_are_counted() -> None:
    """An abbreviation of literals alone makes operands out of nothing."""
    abbreviations = [[(e.LITERAL, 1), (e.LITERAL, 2), (e.LITERAL, 3)]]
    items: list[Record | Block] = []
    raw = bytes([0x44] * 8)
    position, left = quick_run(raw, 0, 64, WIDTH, abbreviations, items, 7)
    assert (position, left, len(items)) == (3 * WIDTH, 1, 3)
