"""The plain decoder against streams written bit by bit, and against random ones."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from irsan.ir.bitstream import BitstreamError, Block, Record
from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream.errors import Fault
from irsan.ir.bitstream.plain import decode_plain
from tests.oracles.bitstream import BitWriter, streams


def block_header(block_id: str, width: str, words: int) -> BitWriter:
    """A stream that enters one block: id (VBR 8), width (VBR 4), padding, length in words."""
    writer = BitWriter().magic().literal("01", block_id, width)
    writer.align32()
    writer.fixed(words, 32)
    return writer


def fault_of(raw: bytes) -> BitstreamError:
    with pytest.raises(BitstreamError) as caught:
        decode_plain(raw)
    return caught.value


def test_empty_block() -> None:
    # 01 ENTER_SUBBLOCK, id 8, ids of 3 bits, one word long; 000 END_BLOCK, padding.
    writer = block_header("00001000", "0011", 1).literal("000")
    writer.align32()
    assert decode_plain(writer.to_bytes()) == [Block(8, 96)]


def test_unabbreviated_record() -> None:
    writer = block_header("00001000", "0011", 2)
    # 011 UNABBREV_RECORD, code 2, 2 operands: 5, and 40 as 01000 with "more", then 00001.
    writer.literal("011", "000010", "000010", "000101", "101000", "000001")
    writer.literal("000")
    writer.align32()
    assert decode_plain(writer.to_bytes()) == [Block(8, 96, [Record(2, [5, 40], None, 96, 3)])]


def test_abbreviation_with_every_scalar() -> None:
    writer = block_header("00001000", "0011", 2)
    # 010 DEFINE_ABBREV, 4 operands: literal 7; fixed (1) of 3 bits; VBR (2) of 4 bits; char6 (4).
    writer.literal("010", "00100", "1", "00000111", "0", "001", "00011", "0", "010", "00100")
    writer.literal("0", "100")
    # 100 the first abbreviation: nothing for the literal, fixed 5, VBR 9 = 001 with "more" then
    # 001, char6 number 26 = 'A'.
    writer.literal("100", "101", "1001", "0001", "011010")
    writer.literal("000")
    writer.align32()
    [block] = decode_plain(writer.to_bytes())
    start = 96 + 3 + 5 + 9 + 9 + 9 + 4
    assert block.items == [Record(7, [5, 9, ord("A")], None, start, 4)]


def test_array_and_blob() -> None:
    writer = block_header("00001000", "0011", 6)
    # Two abbreviations: literal 1 and an array (3) of char6; literal 2 and a blob (5).
    writer.literal("010", "00011", "1", "00000001", "0", "011", "0", "100")
    writer.literal("010", "00010", "1", "00000010", "0", "101")
    # The first with 3 elements: "irs".
    writer.literal("100", "000011", "001000", "010001", "010010")
    # The second with 5 bytes, which start and end at a multiple of 32 bits.
    writer.literal("101", "000101")
    writer.align32()
    for octet in b"irsan":
        writer.fixed(octet, 8)
    writer.align32()
    writer.literal("000")
    writer.align32()
    [block] = decode_plain(writer.to_bytes())
    array, blob = block.records()
    assert bytes(array.operands) == b"irs" and array.blob is None
    assert (blob.code, blob.operands, blob.blob) == (2, [], b"irsan")


def test_fields_of_no_bits_are_zero() -> None:
    writer = block_header("00001000", "0011", 2)
    # Literal 1, fixed of 0 bits, VBR of 0 bits.
    writer.literal("010", "00011", "1", "00000001", "0", "001", "00000", "0", "010", "00000")
    writer.literal("100").literal("000")
    writer.align32()
    [block] = decode_plain(writer.to_bytes())
    assert [record.operands for record in block.records()] == [[0, 0]]


def test_blockinfo_serves_the_blocks_after_it_before_their_own() -> None:
    writer = BitWriter().magic()
    writer.enter(9, 4)
    writer.end()
    writer.enter(e.BLOCKINFO_ID, 2)
    writer.unabbreviated(e.BLOCKINFO_SETBID, [9])
    writer.define([(e.LITERAL, 1), (e.FIXED, 8)])
    writer.end()
    writer.enter(9, 4)
    writer.define([(e.LITERAL, 2), (e.FIXED, 8)])
    writer.abbreviated(4, [(e.LITERAL, 1), (e.FIXED, 8)], [1, 11], None)
    writer.abbreviated(5, [(e.LITERAL, 2), (e.FIXED, 8)], [2, 22], None)
    writer.end()
    blocks = decode_plain(writer.to_bytes())
    assert [(r.code, r.operands) for r in blocks[2].records()] == [(1, [11]), (2, [22])]
    assert list(blocks[2].records(2)) == [blocks[2].items[1]]


def test_own_abbreviations_end_with_their_block() -> None:
    writer = BitWriter().magic()
    writer.enter(9, 4)
    writer.define([(e.LITERAL, 1)])
    writer.end()
    writer.enter(9, 4)
    writer.abbreviated(4, [], [], None)
    writer.end()
    assert fault_of(writer.to_bytes()).fault == Fault.ABBREV_UNKNOWN


def test_padding_at_the_end_is_no_block() -> None:
    writer = block_header("00001000", "0011", 1).literal("000")
    writer.align32()
    assert len(decode_plain(writer.to_bytes() + bytes(7))) == 1


def test_message_names_block_record_and_bit() -> None:
    writer = block_header("00001100", "0011", 2)
    writer.literal("011", "000001", "000001", "000101")
    # A second record whose code has "more" to the end of the block.
    writer.literal("011", "100000")
    writer.literal(*["100000"] * 6)
    assert str(fault_of(writer.to_bytes())) == (
        "bitcode: FUNCTION_BLOCK (id 12), record 1, bit 120: VBR runs past the end of the block"
    )


MALFORMED = {
    "id beyond 32 bits": (["01", *["11111111"] * 4, "01111111"], Fault.BLOCK_ID_WIDE),
    "ids of no bits": (["01", "00001000", "0000"], Fault.ABBREV_WIDTH),
    "ids of 33 bits": (["01", "00001000", "1001", "0100"], Fault.ABBREV_WIDTH),
    "longer than the stream": (["01", "00001000", "0011"], Fault.BLOCK_LENGTH),
    "record at top level": (["11"], Fault.TOP_LEVEL_ITEM),
    "end at top level": (["00"], Fault.TOP_LEVEL_ITEM),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_top_level(name: str) -> None:
    fields, fault = MALFORMED[name]
    writer = BitWriter().magic().literal(*fields)
    writer.align32()
    writer.fixed(0xFFFFFFFF, 32)
    writer.fixed(0, 32)
    assert fault_of(writer.to_bytes()).fault == fault


IN_BLOCK = {
    "abbreviation without operands": (["010", "00000"], Fault.ABBREV_EMPTY),
    "encoding 0": (["010", "00001", "0", "000"], Fault.ABBREV_ENCODING),
    "encoding 7": (["010", "00001", "0", "111"], Fault.ABBREV_ENCODING),
    "fixed of 65 bits": (["010", "00001", "0", "001", "10001", "00100"], Fault.ABBREV_FIXED_WIDTH),
    "VBR of 1 bit": (["010", "00001", "0", "010", "00001"], Fault.ABBREV_VBR_WIDTH),
    "VBR of 33 bits": (["010", "00001", "0", "010", "10001", "00010"], Fault.ABBREV_VBR_WIDTH),
    "array as code": (["010", "00010", "0", "011", "0", "100"], Fault.ABBREV_ARRAY_PLACE),
    "array without element": (
        ["010", "00010", "1", "00000001", "0", "011"],
        Fault.ABBREV_ARRAY_PLACE,
    ),
    "array of literals": (
        ["010", "00011", "1", "00000001", "0", "011", "1", "00000001"],
        Fault.ABBREV_ARRAY_ELEMENT,
    ),
    "array of nothing": (
        ["010", "00011", "1", "00000001", "0", "011", "0", "001", "00000"],
        Fault.ABBREV_ARRAY_ELEMENT,
    ),
    "blob as code": (["010", "00001", "0", "101"], Fault.ABBREV_BLOB_PLACE),
    "blob before the end": (
        ["010", "00011", "1", "00000001", "0", "101"],
        Fault.ABBREV_BLOB_PLACE,
    ),
    "unknown abbreviation": (["100"], Fault.ABBREV_UNKNOWN),
    "code of 33 bits": (["011", *["111111"] * 6, "000111", "000000"], Fault.CODE_WIDE),
    "too many operands": (["011", "000001", "111111", "011111"], Fault.OPERAND_COUNT),
    "VBR of 66 bits": (["011", *["111111"] * 13, "011111", "000000"], Fault.VBR_TOO_LONG),
    "array longer than the block": (
        ["010", "00011", "1", "00000001", "0", "011", "0", "100", "100", "111111", "011111"],
        Fault.ARRAY_LENGTH,
    ),
    "blob longer than the block": (
        ["010", "00010", "1", "00000001", "0", "101", "100", "111111", "011111"],
        Fault.BLOB_LENGTH,
    ),
    "end too early": (["000"], Fault.BLOCK_END_MISMATCH),
    "inner block too long": (["001", "00001000", "0011"], Fault.BLOCK_LENGTH),
}


@pytest.mark.parametrize("name", IN_BLOCK)
def test_malformed_in_block(name: str) -> None:
    fields, fault = IN_BLOCK[name]
    writer = block_header("00001000", "0011", 4)
    padding = writer.literal(*fields).bits
    padding += [1] * (96 + 4 * 32 - len(padding))
    assert fault_of(writer.to_bytes()).fault == fault


def test_blockinfo_rules() -> None:
    defines = BitWriter().magic()
    defines.enter(e.BLOCKINFO_ID, 2)
    defines.define([(e.LITERAL, 1)])
    defines.end()
    assert fault_of(defines.to_bytes()).fault == Fault.BLOCKINFO_NO_ID
    nests = BitWriter().magic()
    nests.enter(e.BLOCKINFO_ID, 2)
    nests.enter(9, 2)
    nests.end()
    nests.end()
    assert fault_of(nests.to_bytes()).fault == Fault.BLOCKINFO_NESTED
    sets = BitWriter().magic()
    sets.enter(e.BLOCKINFO_ID, 2)
    sets.unabbreviated(e.BLOCKINFO_SETBID, [])
    sets.end()
    assert fault_of(sets.to_bytes()).fault == Fault.BLOCKINFO_SETBID_EMPTY


def nested(depth: int) -> bytes:
    writer = BitWriter().magic()
    for _ in range(depth):
        writer.enter(9, 2)
    for _ in range(depth):
        writer.end()
    return writer.to_bytes()


def test_depth_is_limited() -> None:
    assert len(decode_plain(nested(64))) == 1
    assert fault_of(nested(65)).fault == Fault.TOO_DEEP


def test_literals_cannot_blow_up_memory() -> None:
    """A hundred operands from the 8 bits of one abbreviation id: refused, not expanded."""
    assert fault_of(expanding_stream()).fault == Fault.EXPANSION


def expanding_stream() -> bytes:
    abbreviation = [(e.LITERAL, 1)] * 101
    writer = BitWriter().magic()
    writer.enter(9, 8)
    writer.define(abbreviation)
    for _ in range(100):
        writer.abbreviated(4, abbreviation, [1] * 101, None)
    writer.end()
    return writer.to_bytes()


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(streams())
def test_what_was_written_is_read(stream: tuple[bytes, list[Block]]) -> None:
    raw, blocks = stream
    assert decode_plain(raw) == blocks
