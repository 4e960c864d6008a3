"""Blocks and records: what a bitstream holds once abbreviations are undone.

    Block MODULE (id 8)
      Record code=1 operands=[2]              VERSION
      Block TYPE_NEW (id 17)
        Record code=1 operands=[12]           NUMENTRY
      Record code=16 operands=[116, 46, 99]   SOURCE_FILENAME, one operand per character

How a record was abbreviated changes nothing of its meaning: char6 operands arrive as ASCII codes,
array elements follow the scalar operands, a blob is kept beside them as bytes.

Deviations: Record is a NamedTuple and not a frozen dataclass with slots. It is as immutable, and it
is built at the speed of C, which matters as a megabyte of bitcode holds a hundred thousand of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple


class Record(NamedTuple):
    """One record.

    code: the record's code within its block, below 2**32.
    operands: unsigned 64-bit values, the code not among them.
    blob: the bytes of the blob operand, or None when its abbreviation has none.
    bit_offset: where its abbreviation id starts, in bits after the magic's first bit.
    abbrev_id: 3 when unabbreviated, else the abbreviation's id in its block (4 and up).
    """

    code: int
    operands: list[int]
    blob: bytes | None
    bit_offset: int
    abbrev_id: int


@dataclass(slots=True)
class Block:
    """One block, with its records and blocks in the order of the stream.

    block_id: the kind of block (`irsan.ir.bitstream.names` has LLVM's).
    bit_offset: where its first item starts (just after the header), in bits after the magic's
        first bit; this is what LLVM's own offset records point to, divided by 32.
    """

    block_id: int
    bit_offset: int
    items: list[Record | Block] = field(default_factory=list)

    def records(self, code: int | None = None) -> Iterator[Record]:
        """The block's own records in order; only those of one code when it is given."""
        for item in self.items:
            if isinstance(item, Record) and (code is None or item.code == code):
                yield item

    def blocks(self, block_id: int | None = None) -> Iterator[Block]:
        """The blocks directly inside in order; only those of one kind when it is given."""
        for item in self.items:
            if isinstance(item, Block) and (block_id is None or item.block_id == block_id):
                yield item
