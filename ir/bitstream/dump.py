"""A bitstream as text, one line per block edge and per record, for people who look for a fault.

    MODULE_BLOCK (id 8), bit 352 {
      VERSION (1), bit 352: 2
      SOURCE_FILENAME (16), abbreviation 5, bit 12345: "a.c"
      ...
    }

A record known to carry text shows its last operands as text when all of them are printable.
Names come from the stream's own BLOCKINFO where it has them, else from LLVM's table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream.model import Block, Record
from irsan.ir.bitstream.names import BLOCK_NAMES, block_name, record_name
from irsan.ir.bitstream.reader import read_bitstream

TEXT_FROM: dict[tuple[int, int], int] = {
    (0, 2): 0, (0, 3): 1,
    (8, 2): 0, (8, 3): 0, (8, 4): 0, (8, 5): 0, (8, 6): 0, (8, 11): 0, (8, 16): 0,
    (11, 8): 0, (11, 9): 0,
    (13, 1): 0,
    (14, 1): 1, (14, 2): 1, (14, 3): 2,
    (15, 1): 0, (15, 4): 0, (15, 6): 1,
    (17, 19): 0,
    (19, 1): 1,
    (21, 1): 0,
    (22, 6): 1,
    (26, 1): 0,
}  # fmt: skip
"""Which records hold text (block id, code), and after how many operands it starts."""


@dataclass(slots=True)
class StreamNames:
    """Names that BLOCKINFO gives: of blocks, and of records by block and code."""

    blocks: dict[int, str] = field(default_factory=dict)
    records: dict[tuple[int, int], str] = field(default_factory=dict)


def dump_bitstream(raw: bytes) -> Iterator[str]:
    """Lines without newlines that show every block and record of a bitcode file.

    raw: the whole file, as for `read_bitstream`, whose errors this raises before the first line.
    """
    return _stream_lines(read_bitstream(raw))


def _stream_lines(blocks: list[Block]) -> Iterator[str]:
    names = StreamNames()
    for block in blocks:
        yield from _block_lines(block, "", names)


def _block_lines(block: Block, indent: str, names: StreamNames) -> Iterator[str]:
    if block.block_id == e.BLOCKINFO_ID:
        _learn_names(block, names)
    name = names.blocks.get(block.block_id) or block_name(block.block_id)
    yield f"{indent}{name} (id {block.block_id}), bit {block.bit_offset} {{"
    for item in block.items:
        if isinstance(item, Block):
            yield from _block_lines(item, indent + "  ", names)
        else:
            yield f"{indent}  {_record_line(block.block_id, item, names)}"
    yield f"{indent}}}"


def _learn_names(blockinfo: Block, names: StreamNames) -> None:
    target = -1
    for record in blockinfo.records():
        if record.code == e.BLOCKINFO_SETBID:
            target = record.operands[0]
        elif record.code == e.BLOCKINFO_BLOCKNAME:
            names.blocks[target] = _lossy_text(record.operands)
        elif record.code == e.BLOCKINFO_SETRECORDNAME and record.operands:
            names.records[target, record.operands[0]] = _lossy_text(record.operands[1:])


def _lossy_text(codes: Iterable[int]) -> str:
    return "".join(chr(code) if 32 < code < 127 else "?" for code in codes)


def _record_line(block_id: int, record: Record, names: StreamNames) -> str:
    key = (block_id, record.code)
    name = names.records.get(key) or record_name(*key) or "RECORD"
    abbreviation = ""
    if record.abbrev_id != e.UNABBREV_RECORD:
        abbreviation = f", abbreviation {record.abbrev_id}"
    shown = _operand_words(block_id, record)
    if record.blob is not None:
        shown.append(f"blob of {len(record.blob)} bytes")
    colon = ": " if shown else ""
    return f"{name} ({record.code}){abbreviation}, bit {record.bit_offset}{colon}{' '.join(shown)}"


def _operand_words(block_id: int, record: Record) -> list[str]:
    operands = record.operands
    first = TEXT_FROM.get((block_id, record.code))
    if first is None and block_id not in BLOCK_NAMES:
        first = _guess_text(operands)
    if first is None or not _is_printable(operands[first:]):
        return [str(operand) for operand in operands]
    text = "".join(map(chr, operands[first:]))
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return [*(str(operand) for operand in operands[:first]), f'"{quoted}"']


def _guess_text(operands: list[int]) -> int | None:
    """Where a run of four or more printable operands starts that reaches to the end, or None."""
    first = len(operands)
    while first and _is_printable(operands[first - 1 : first]):
        first -= 1
    return first if len(operands) - first >= 4 else None


def _is_printable(codes: list[int]) -> bool:
    return bool(codes) and all(32 <= code < 127 for code in codes)
