"""The plain decoder: one field at a time, in Python, for small streams and as the kernel's twin.

    scopes[0]   the top level: no block, abbreviation ids of 2 bits, ends with the stream
    scopes[-1]  the block being read; its items go straight into the tree that is returned

BLOCKINFO is decoded like any block, and besides gives its abbreviations to the blocks that are
entered after it. A second BLOCKINFO replaces the first, as in LLVM's own reader.

Soundness: every read is checked against the end of the innermost block, a block's end against that
of the block around it, every count against the bits left, and all operands together against the
bits of the stream (an abbreviation of literals alone costs no bits): time and memory are linear in
the input, whatever it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream.cursor import BitCursor, BitFault
from irsan.ir.bitstream.errors import BitstreamError, Fault
from irsan.ir.bitstream.model import Block, Record
from irsan.ir.bitstream.quick_records import quick_run

Abbreviation = list[tuple[int, int]]
"""Operands in order: encoding and its value (a literal's value, a width, or 0)."""


@dataclass(slots=True)
class Scope:
    """A block that is open: where it ends, and the abbreviations it knows, BLOCKINFO's first."""

    block: Block | None
    items: list[Record | Block]
    end: int
    abbrev_width: int
    shared: Sequence[Abbreviation] = ()
    own: list[Abbreviation] = field(default_factory=list)
    records: int = 0


@dataclass(slots=True)
class PlainDecoder:
    """The state of one decoding."""

    cursor: BitCursor
    scopes: list[Scope]
    operand_budget: int
    blockinfo: dict[int, list[Abbreviation]] = field(default_factory=dict)
    blockinfo_target: int | None = None


def decode_plain(raw: bytes) -> list[Block]:
    """Decode a stream that starts with the magic 'BC' 0xC0DE; returns its top-level blocks.

    Raises BitstreamError for anything malformed.
    """
    total_bits = 8 * len(raw)
    top: list[Record | Block] = []
    cursor = BitCursor(raw, 8 * len(e.MAGIC), total_bits)
    scopes = [Scope(None, top, total_bits, e.TOP_ABBREV_WIDTH)]
    decoder = PlainDecoder(cursor, scopes, total_bits)
    try:
        while len(decoder.scopes) > 1 or total_bits - cursor.position >= e.MIN_BLOCK_BITS:
            _read_records(decoder)
            _read_item(decoder)
    except BitFault as fault:
        scope = decoder.scopes[-1]
        block_id = scope.block.block_id if scope.block else None
        raise BitstreamError(fault.fault, block_id, scope.records, fault.bit_offset) from None
    return [item for item in top if isinstance(item, Block)]


def _read_records(decoder: PlainDecoder) -> None:
    """The records that come next, as far as they can be read in one go."""
    cursor, scope = decoder.cursor, decoder.scopes[-1]
    if scope.block is None or scope.block.block_id == e.BLOCKINFO_ID:
        return
    n_before = len(scope.items)
    cursor.position, decoder.operand_budget = quick_run(
        cursor.raw, cursor.position, cursor.limit, scope.abbrev_width,
        [*scope.shared, *scope.own], scope.items, decoder.operand_budget,
    )  # fmt: skip
    scope.records += len(scope.items) - n_before


def _read_item(decoder: PlainDecoder) -> None:
    cursor = decoder.cursor
    scope = decoder.scopes[-1]
    start = cursor.position
    abbrev_id = cursor.fixed(scope.abbrev_width)
    if abbrev_id == e.ENTER_SUBBLOCK:
        _enter_block(decoder, start)
    elif scope.block is None:
        raise BitFault(Fault.TOP_LEVEL_ITEM, start)
    elif abbrev_id == e.END_BLOCK:
        _end_block(decoder, start)
    elif abbrev_id == e.DEFINE_ABBREV:
        _define(decoder, scope.block, start)
    else:
        _add_record(decoder, _read_carefully(decoder, start, abbrev_id))


def _enter_block(decoder: PlainDecoder, start: int) -> None:
    cursor = decoder.cursor
    outer = decoder.scopes[-1]
    if outer.block is not None and outer.block.block_id == e.BLOCKINFO_ID:
        raise BitFault(Fault.BLOCKINFO_NESTED, start)
    if len(decoder.scopes) > e.MAX_DEPTH:
        raise BitFault(Fault.TOO_DEEP, start)
    block_id = cursor.vbr(e.BLOCK_ID_WIDTH)
    if block_id >> 32:
        raise BitFault(Fault.BLOCK_ID_WIDE, start)
    abbrev_width = cursor.vbr(e.BLOCK_ABBREV_WIDTH_WIDTH)
    if not 1 <= abbrev_width <= e.MAX_ABBREV_ID_WIDTH:
        raise BitFault(Fault.ABBREV_WIDTH, start)
    cursor.align32()
    length_bits = 32 * cursor.fixed(e.BLOCK_WORDS_WIDTH)
    if length_bits > outer.end - cursor.position:
        raise BitFault(Fault.BLOCK_LENGTH, start)
    block = Block(block_id, cursor.position)
    outer.items.append(block)
    end = cursor.position + length_bits
    if block_id == e.BLOCKINFO_ID:
        decoder.blockinfo = {}
        decoder.blockinfo_target = None
    shared = decoder.blockinfo.get(block_id, ())
    decoder.scopes.append(Scope(block, block.items, end, abbrev_width, shared))
    cursor.limit = end


def _end_block(decoder: PlainDecoder, start: int) -> None:
    cursor = decoder.cursor
    cursor.align32()
    if cursor.position != decoder.scopes[-1].end:
        raise BitFault(Fault.BLOCK_END_MISMATCH, start)
    decoder.scopes.pop()
    cursor.limit = decoder.scopes[-1].end


def _define(decoder: PlainDecoder, block: Block, start: int) -> None:
    if block.block_id != e.BLOCKINFO_ID:
        decoder.scopes[-1].own.append(_read_abbreviation(decoder.cursor, start))
        return
    if decoder.blockinfo_target is None:
        raise BitFault(Fault.BLOCKINFO_NO_ID, start)
    abbreviation = _read_abbreviation(decoder.cursor, start)
    decoder.blockinfo.setdefault(decoder.blockinfo_target, []).append(abbreviation)


def _read_abbreviation(cursor: BitCursor, start: int) -> Abbreviation:
    count = cursor.vbr(e.ABBREV_COUNT_WIDTH)
    if count == 0:
        raise BitFault(Fault.ABBREV_EMPTY, start)
    abbreviation: Abbreviation = []
    for index in range(count):
        at = cursor.position
        kind, value = _read_operand_encoding(cursor, at)
        after_array = bool(abbreviation) and abbreviation[-1][0] == e.ARRAY
        if after_array and kind not in (e.FIXED, e.VBR, e.CHAR6):
            raise BitFault(Fault.ABBREV_ARRAY_ELEMENT, at)
        if kind == e.ARRAY and (index == 0 or index != count - 2):
            raise BitFault(Fault.ABBREV_ARRAY_PLACE, at)
        if kind == e.BLOB and (index == 0 or index != count - 1):
            raise BitFault(Fault.ABBREV_BLOB_PLACE, at)
        abbreviation.append((kind, value))
    return abbreviation


def _read_operand_encoding(cursor: BitCursor, at: int) -> tuple[int, int]:
    if cursor.fixed(1):
        return e.LITERAL, cursor.vbr(e.LITERAL_WIDTH)
    kind = cursor.fixed(e.ENCODING_WIDTH)
    if kind in (e.ARRAY, e.CHAR6, e.BLOB):
        return kind, 0
    if kind not in (e.FIXED, e.VBR):
        raise BitFault(Fault.ABBREV_ENCODING, at)
    width = cursor.vbr(e.ENCODING_VALUE_WIDTH)
    if width == 0:
        # A field of no bits is always zero: writers use it where a type needs no bits.
        return e.LITERAL, 0
    if kind == e.FIXED and width > e.MAX_FIXED_WIDTH:
        raise BitFault(Fault.ABBREV_FIXED_WIDTH, at)
    if kind == e.VBR and not 2 <= width <= e.MAX_VBR_WIDTH:
        raise BitFault(Fault.ABBREV_VBR_WIDTH, at)
    return kind, width


def _read_carefully(decoder: PlainDecoder, start: int, abbrev_id: int) -> Record:
    """A record with a blob, or one that is not what it should be: the error says how."""
    cursor = decoder.cursor
    if abbrev_id == e.UNABBREV_RECORD:
        code = cursor.vbr(e.UNABBREV_WIDTH)
        count = cursor.vbr(e.COUNT_WIDTH)
        if count > (cursor.limit - cursor.position) // e.UNABBREV_WIDTH:
            raise BitFault(Fault.OPERAND_COUNT, start)
        values = [cursor.vbr(e.UNABBREV_WIDTH) for _ in range(count)]
        return Record(_checked_code(code, start), values, None, start, abbrev_id)
    abbreviation = _find_abbreviation(decoder.scopes[-1], abbrev_id, start)
    values = []
    blob = None
    for index, (kind, value) in enumerate(abbreviation):
        if kind == e.ARRAY:
            values += _read_array(cursor, *abbreviation[index + 1])
            break
        if kind == e.BLOB:
            blob = _read_blob(cursor)
            break
        values.append(_read_scalar(cursor, kind, value))
    return Record(_checked_code(values[0], start), values[1:], blob, start, abbrev_id)


def _find_abbreviation(scope: Scope, abbrev_id: int, start: int) -> Abbreviation:
    index = abbrev_id - e.FIRST_ABBREV_ID
    if index < len(scope.shared):
        return scope.shared[index]
    if index - len(scope.shared) < len(scope.own):
        return scope.own[index - len(scope.shared)]
    raise BitFault(Fault.ABBREV_UNKNOWN, start)


def _checked_code(code: int, start: int) -> int:
    if code >> 32:
        raise BitFault(Fault.CODE_WIDE, start)
    return code


def _read_scalar(cursor: BitCursor, kind: int, value: int) -> int:
    if kind == e.LITERAL:
        return value
    if kind == e.FIXED:
        return cursor.fixed(value)
    if kind == e.VBR:
        return cursor.vbr(value)
    return e.CHAR6_ALPHABET[cursor.fixed(e.CHAR6_WIDTH)]


def _read_array(cursor: BitCursor, kind: int, width: int) -> list[int]:
    start = cursor.position
    count = cursor.vbr(e.COUNT_WIDTH)
    element_bits = e.CHAR6_WIDTH if kind == e.CHAR6 else width
    if count > (cursor.limit - cursor.position) // element_bits:
        raise BitFault(Fault.ARRAY_LENGTH, start)
    return [_read_scalar(cursor, kind, width) for _ in range(count)]


def _read_blob(cursor: BitCursor) -> bytes:
    start = cursor.position
    size_bytes = cursor.vbr(e.COUNT_WIDTH)
    cursor.align32()
    if size_bytes > (cursor.limit - cursor.position) // 8:
        raise BitFault(Fault.BLOB_LENGTH, start)
    blob = cursor.octets(size_bytes)
    cursor.align32()
    return blob


def _add_record(decoder: PlainDecoder, record: Record) -> None:
    scope = decoder.scopes[-1]
    decoder.operand_budget -= len(record.operands)
    if decoder.operand_budget < 0:
        raise BitFault(Fault.EXPANSION, record.bit_offset)
    assert scope.block is not None
    if scope.block.block_id == e.BLOCKINFO_ID and record.code == e.BLOCKINFO_SETBID:
        if not record.operands or record.operands[0] >> 32:
            raise BitFault(Fault.BLOCKINFO_SETBID_EMPTY, record.bit_offset)
        decoder.blockinfo_target = record.operands[0]
    scope.items.append(record)
    scope.records += 1
