"""The kernel against the plain decoder: the same blocks or the same error, whatever the input."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings

from irsan.ir.bitstream import BitstreamError, Block
from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream import tables as t
from irsan.ir.bitstream.flat import build_blocks, decode_fast, decode_tables
from irsan.ir.bitstream.plain import decode_plain
from tests.oracles.bitstream import BitWriter, streams

MODULE = """
%pair = type { i32, ptr }
@text = private constant [14 x i8] c"printable text"
@table = global [2 x %pair] [%pair { i32 7, ptr @text }, %pair { i32 -1, ptr null }]
declare i32 @printf(ptr, ...)
define i64 @sum(ptr %from, i64 %count) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi i64 [ 0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds i64, ptr %from, i64 %i
  %v = load i64, ptr %p
  %more = add nsw i64 %total, %v
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %out, label %loop
out:
  %r = call i32 (ptr, ...) @printf(ptr @text, i64 %more)
  ret i64 %more
}
"""


def make_bitcode() -> bytes:
    import llvmlite.binding

    return bytes(llvmlite.binding.parse_assembly(MODULE).as_bitcode())


def outcome(raw: bytes, fast: bool) -> list[Block] | str:
    """What a decoder says to a stream: blocks, or the message of its one allowed error."""
    try:
        return decode_fast(raw) if fast else decode_plain(raw)
    except BitstreamError as error:
        return str(error)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(streams())
def test_what_was_written_is_read(stream: tuple[bytes, list[Block]]) -> None:
    raw, blocks = stream
    assert decode_fast(raw) == blocks


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(streams())
def test_growing_changes_nothing(stream: tuple[bytes, list[Block]]) -> None:
    raw, blocks = stream
    tables = decode_tables(raw, 1)
    assert build_blocks(tables, raw) == blocks


def test_real_module() -> None:
    raw = make_bitcode()
    blocks = decode_plain(raw)
    assert [block.block_id for block in blocks] == [13, 8, 23]
    assert decode_fast(raw) == blocks
    assert build_blocks(decode_tables(raw, 1), raw) == blocks


def mutate(raw: bytes, chance: random.Random) -> bytes:
    """Flip bits, overwrite a byte or a word, cut, or repeat a piece; the magic stays."""
    octets = bytearray(raw)
    for _ in range(chance.choice([1, 1, 2, 5])):
        at = chance.randrange(4, len(octets))
        kind = chance.randrange(6)
        if kind <= 2:
            octets[at] ^= 1 << chance.randrange(8)
        elif kind == 3:
            octets[at] = chance.choice([0, 255, chance.randrange(256)])
        elif kind == 4:
            octets[at & ~3 : (at & ~3) + 4] = chance.randbytes(4)
        else:
            piece = octets[at : at + chance.randrange(1, 40)]
            octets[at:at] = piece
    if chance.randrange(8) == 0:
        del octets[chance.randrange(4, len(octets)) :]
    return bytes(octets)


@pytest.mark.parametrize("seed", range(4))
def test_mutated_bitcode(seed: int) -> None:
    chance = random.Random(seed)
    raw = make_bitcode()
    errors: dict[str, int] = {}
    for _ in range(500):
        mutated = mutate(raw, chance)
        plain = outcome(mutated, fast=False)
        assert outcome(mutated, fast=True) == plain
        if isinstance(plain, str):
            sentence = plain.split(": ", 2)[2]
            errors[sentence] = errors.get(sentence, 0) + 1
    # The mutations reach beyond the first check that there is.
    assert len(errors) >= 10, errors
    assert 50 <= sum(errors.values()) <= 499


def test_every_truncation() -> None:
    raw = make_bitcode()
    for size in range(4, len(raw), 3):
        assert outcome(raw[:size], fast=True) == outcome(raw[:size], fast=False)


def test_random_bytes() -> None:
    chance = random.Random(5)
    for _ in range(300):
        raw = e.MAGIC + b"\x35\x14" + chance.randbytes(chance.randrange(60))
        assert outcome(raw, fast=True) == outcome(raw, fast=False)


def test_wide_values() -> None:
    """All 64 bits, at every offset within a word: no sign, no promotion to float."""
    abbreviation = [(e.LITERAL, 1), (e.FIXED, 64), (e.VBR, 32), (e.VBR, 2), (e.FIXED, 63)]
    values = [1, (1 << 64) - 1, (1 << 64) - 2, (1 << 63) + 1, (1 << 63) - 1]
    writer = BitWriter().magic()
    writer.enter(9, 3)
    writer.define(abbreviation)
    for _ in range(70):
        writer.abbreviated(4, abbreviation, values, None)
    writer.unabbreviated((1 << 32) - 1, values)
    writer.end()
    [block] = decode_fast(writer.to_bytes())
    assert [record.operands for record in block.records()] == [values[1:]] * 70 + [values]


def test_many_shared_abbreviations_and_many_blocks() -> None:
    """Entering a block costs the same however many abbreviations BLOCKINFO has for it."""
    writer = BitWriter().magic()
    writer.enter(e.BLOCKINFO_ID, 2)
    writer.unabbreviated(e.BLOCKINFO_SETBID, [9])
    for number in range(3000):
        writer.define([(e.LITERAL, number)])
    writer.end()
    for number in range(3000):
        writer.enter(9, 12)
        writer.fixed(e.FIRST_ABBREV_ID + number, 12)
        writer.end()
    raw = writer.to_bytes()
    blocks = decode_fast(raw)
    assert [r.code for block in blocks[1:] for r in block.records()] == list(range(3000))
    assert decode_plain(raw) == blocks


def test_tables_hold_no_reference() -> None:
    """The kernel is compiled without reference counts: it must not lose or keep the arrays."""
    import sys

    tables = decode_tables(make_bitcode(), 1000)
    counts = [sys.getrefcount(array) for array in tables]
    from irsan.ir.bitstream.kernel import decode

    for _ in range(10):
        assert decode(tables) == t.STATUS_DONE
    assert [sys.getrefcount(array) for array in tables] == counts
