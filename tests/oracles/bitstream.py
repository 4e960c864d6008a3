"""The inverse of the bitstream reader, one bit at a time: a writer, and random streams it wrote.

`streams()` draws a stream together with the blocks that reading it must give; what the reader
returns is compared with what was meant, not with what another reader understood.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from irsan.ir.bitstream import Block, Record
from irsan.ir.bitstream import encoding as e

Abbreviation = list[tuple[int, int]]

MASK64 = (1 << 64) - 1


@dataclass(slots=True)
class BitWriter:
    """Bits in stream order, and the blocks that are open."""

    bits: list[int] = field(default_factory=list)
    open_blocks: list[tuple[int, int]] = field(default_factory=list)
    width: int = e.TOP_ABBREV_WIDTH

    def magic(self) -> BitWriter:
        for octet in e.MAGIC:
            self.fixed(octet, 8)
        return self

    def literal(self, *fields: str) -> BitWriter:
        """Fields as the format's documents print them: "01" is the two-bit field of value 1."""
        for text in fields:
            self.bits += [int(bit) for bit in reversed(text)]
        return self

    def fixed(self, value: int, width: int) -> None:
        self.bits += [(value >> index) & 1 for index in range(width)]

    def vbr(self, value: int, width: int) -> None:
        low = (1 << (width - 1)) - 1
        while value > low:
            self.fixed((value & low) | (low + 1), width)
            value >>= width - 1
        self.fixed(value, width)

    def align32(self) -> None:
        self.bits += [0] * (-len(self.bits) % 32)

    def enter(self, block_id: int, width: int) -> None:
        self.fixed(e.ENTER_SUBBLOCK, self.width)
        self.vbr(block_id, 8)
        self.vbr(width, 4)
        self.align32()
        self.fixed(0, 32)
        self.open_blocks.append((self.width, len(self.bits)))
        self.width = width

    def end(self) -> None:
        """Close the innermost block and write its length into its header."""
        self.fixed(e.END_BLOCK, self.width)
        self.align32()
        self.width, start = self.open_blocks.pop()
        words = (len(self.bits) - start) // 32
        self.bits[start - 32 : start] = [(words >> index) & 1 for index in range(32)]

    def define(self, abbreviation: Abbreviation) -> None:
        self.fixed(e.DEFINE_ABBREV, self.width)
        self.vbr(len(abbreviation), 5)
        for kind, value in abbreviation:
            self.fixed(kind == e.LITERAL, 1)
            if kind == e.LITERAL:
                self.vbr(value, 8)
                continue
            self.fixed(kind, 3)
            if kind in (e.FIXED, e.VBR):
                self.vbr(value, 5)

    def unabbreviated(self, code: int, operands: list[int]) -> None:
        self.fixed(e.UNABBREV_RECORD, self.width)
        self.vbr(code, 6)
        self.vbr(len(operands), 6)
        for operand in operands:
            self.vbr(operand, 6)

    def abbreviated(
        self, abbrev_id: int, abbreviation: Abbreviation, values: list[int], blob: bytes | None
    ) -> None:
        """values: the code first, then every operand, array elements included."""
        self.fixed(abbrev_id, self.width)
        for index, (kind, width) in enumerate(abbreviation):
            if kind == e.ARRAY:
                self.vbr(len(values) - index, 6)
                for value in values[index:]:
                    self._scalar(value, *abbreviation[-1])
                return
            if kind == e.BLOB:
                self._blob(blob or b"")
                return
            self._scalar(values[index], kind, width)

    def _scalar(self, value: int, kind: int, width: int) -> None:
        if kind == e.FIXED:
            self.fixed(value, width)
        elif kind == e.VBR:
            self.vbr(value, width)
        elif kind == e.CHAR6:
            self.fixed(e.CHAR6_ALPHABET.index(value), 6)

    def _blob(self, blob: bytes) -> None:
        self.vbr(len(blob), 6)
        self.align32()
        for octet in blob:
            self.fixed(octet, 8)
        self.align32()

    def to_bytes(self) -> bytes:
        bits = self.bits + [0] * (-len(self.bits) % 8)
        text = "".join(map(str, reversed(bits)))
        return int(text or "0", 2).to_bytes(len(bits) // 8, "little")


_SCALARS = st.one_of(
    st.tuples(st.just(e.LITERAL), st.integers(0, MASK64) | st.integers(0, 9)),
    st.tuples(st.just(e.FIXED), st.integers(0, 64)),
    st.tuples(st.just(e.VBR), st.integers(2, 32)),
    st.just((e.CHAR6, 0)),
)
_CODES = st.one_of(
    st.tuples(st.just(e.LITERAL), st.integers(0, (1 << 32) - 1)),
    st.tuples(st.just(e.FIXED), st.integers(0, 32)),
    st.tuples(st.just(e.VBR), st.integers(2, 32)),
    st.just((e.CHAR6, 0)),
)
_ELEMENTS = st.one_of(
    st.tuples(st.just(e.FIXED), st.integers(1, 64)),
    st.tuples(st.just(e.VBR), st.integers(2, 32)),
    st.just((e.CHAR6, 0)),
)


@st.composite
def abbreviations(draw: st.DrawFn) -> Abbreviation:
    """A valid abbreviation: a code, some scalars, and perhaps an array or a blob."""
    abbreviation = [draw(_CODES), *draw(st.lists(_SCALARS, max_size=4))]
    tail = draw(st.sampled_from(["none", "array", "blob"]))
    if tail == "array":
        abbreviation += [(e.ARRAY, 0), draw(_ELEMENTS)]
    if tail == "blob":
        abbreviation.append((e.BLOB, 0))
    return abbreviation


def _value(draw: st.DrawFn, kind: int, width: int, bits: int) -> int:
    if kind == e.LITERAL or (width == 0 and kind != e.CHAR6):
        return width
    if kind == e.CHAR6:
        return draw(st.sampled_from(e.CHAR6_ALPHABET))
    bits = min(bits, width) if kind == e.FIXED else bits
    return draw(st.integers(0, (1 << bits) - 1) | st.integers(0, min(3, (1 << bits) - 1)))


@dataclass(slots=True)
class StreamAuthor:
    """Draws a stream: what to write and what reading it must give, side by side."""

    draw: st.DrawFn
    writer: BitWriter
    shared: dict[int, list[Abbreviation]] = field(default_factory=dict)

    def block(self, depth: int) -> Block:
        """Write one block with random contents and return what it holds."""
        block_id = self.draw(st.sampled_from([9, 10, 11, 77, 1 << 20]))
        self.writer.enter(block_id, self.draw(st.integers(4, 12)))
        block = Block(block_id, len(self.writer.bits))
        known = list(self.shared.get(block_id, []))
        for _ in range(self.draw(st.integers(0, 6))):
            self._item(block, known, depth)
        self.writer.end()
        return block

    def _item(self, block: Block, known: list[Abbreviation], depth: int) -> None:
        kinds = ["plain", "define"] + ["abbreviated"] * bool(known) + ["block"] * (depth < 3)
        kind = self.draw(st.sampled_from(kinds))
        if kind == "block":
            block.items.append(self.block(depth + 1))
        elif kind == "define":
            known.append(self.draw(abbreviations()))
            self.writer.define(known[-1])
        elif kind == "plain":
            block.items.append(self._plain_record())
        else:
            # Widths are at least 4 bits, so ids from 4 to 15 can be written in every block.
            number = self.draw(st.integers(0, min(len(known), 12) - 1))
            block.items.append(self._record(number + e.FIRST_ABBREV_ID, known[number]))

    def _plain_record(self) -> Record:
        start = len(self.writer.bits)
        code = self.draw(st.integers(0, 70) | st.integers(0, (1 << 32) - 1))
        operands = self.draw(st.lists(st.integers(0, MASK64) | st.integers(0, 99), max_size=9))
        self.writer.unabbreviated(code, operands)
        return Record(code, operands, None, start, e.UNABBREV_RECORD)

    def _record(self, abbrev_id: int, abbreviation: Abbreviation) -> Record:
        start = len(self.writer.bits)
        values = []
        for index, (kind, width) in enumerate(abbreviation):
            if kind in (e.ARRAY, e.BLOB):
                break
            values.append(_value(self.draw, kind, width, 64 if index else 32))
        blob = None
        if abbreviation[-1][0] == e.BLOB:
            blob = self.draw(st.binary(max_size=9))
        if len(abbreviation) > 1 and abbreviation[-2][0] == e.ARRAY:
            count = self.draw(st.integers(0, 9))
            values += [_value(self.draw, *abbreviation[-1], 64) for _ in range(count)]
        self.writer.abbreviated(abbrev_id, abbreviation, values, blob)
        return Record(values[0], values[1:], blob, start, abbrev_id)

    def blockinfo(self) -> Block:
        """Write a BLOCKINFO block, which replaces what an earlier one shared."""
        self.writer.enter(e.BLOCKINFO_ID, 2)
        block = Block(e.BLOCKINFO_ID, len(self.writer.bits))
        self.shared = {}
        for _ in range(self.draw(st.integers(0, 3))):
            target = self.draw(st.sampled_from([9, 11, 77]))
            start = len(self.writer.bits)
            self.writer.unabbreviated(e.BLOCKINFO_SETBID, [target])
            block.items.append(Record(e.BLOCKINFO_SETBID, [target], None, start, 3))
            for abbreviation in self.draw(st.lists(abbreviations(), max_size=3)):
                self.writer.define(abbreviation)
                self.shared.setdefault(target, []).append(abbreviation)
        self.writer.end()
        return block


@st.composite
def streams(draw: st.DrawFn) -> tuple[bytes, list[Block]]:
    """A valid stream with its magic, and its top-level blocks."""
    author = StreamAuthor(draw, BitWriter().magic())
    blocks = []
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.booleans()):
            blocks.append(author.blockinfo())
        blocks.append(author.block(0))
    return author.writer.to_bytes(), blocks
