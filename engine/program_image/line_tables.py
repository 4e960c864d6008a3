"""Line tables of object files: which line and column each address of the code has.

    .debug_line     one program per unit; its addresses are relocations: (symbol, addend)
    rows            (address, line, column); a row holds up to the next one's address, line 0 ends

Only what LLVM writes for x86-64 at DWARF 4 is read: the programs of
`instrument/sites/fault_sites.py`.

Source: the DWARF 4 standard, section 6.2, for the header and the opcodes of the line program.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from irsan.engine.headed_bytes import Buffer
from irsan.engine.linker.elf import RELA_DTYPE, SHT_RELA, ObjectFile

_SECTION: Final = ".debug_line"
_VERSION: Final = 4
_PROGRAM_START: Final = 10  # offset of header_length's end from the start of a unit
(
    _COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE, _SET_COLUMN, _NEGATE_STMT, _BASIC_BLOCK,
    _CONST_ADD_PC, _FIXED_ADVANCE_PC,
) = range(1, 10)  # fmt: skip
_END_SEQUENCE, _SET_ADDRESS = 1, 2


class Row(NamedTuple):
    """From `address` on the code has this line and column; line 0: no code of ours."""

    address: int
    line: int
    column: int


def line_rows(item: ObjectFile, addresses: np.ndarray) -> list[Row]:
    """All rows of an object, in no order; `addresses`: of its symbols, by their index."""
    rows: list[Row] = []
    for index, name in enumerate(item.section_names):
        if name == _SECTION:
            rows += _section_rows(item.section_bytes(index), _relocated(item, index, addresses))
    return rows


def _section_rows(raw: Buffer, places: Mapping[int, int]) -> Iterator[Row]:
    """Rows of one section, which may hold several programs."""
    start = 0
    while start + 4 < len(raw):
        (n_bytes,) = struct.unpack_from("<I", raw, start)
        end = start + 4 + n_bytes
        if struct.unpack_from("<H", raw, start + 4)[0] == _VERSION:
            yield from _Program(raw, start, end, places).rows()
        start = end


def _relocated(item: ObjectFile, section: int, addresses: np.ndarray) -> Mapping[int, int]:
    """Offset in the section -> address that the linker would store there."""
    sections = item.sections
    tables = (sections["type"] == SHT_RELA) & (sections["info"] == section)
    if not tables.any():
        return {}
    table = np.frombuffer(item.section_bytes(int(np.flatnonzero(tables)[0])), RELA_DTYPE)
    values = addresses[(table["info"] >> 32).astype(np.int64)] + table["addend"]
    return dict(zip(table["offset"].tolist(), values.tolist(), strict=True))


class _Program:
    """One line program being run."""

    def __init__(self, raw: Buffer, start: int, end: int, places: Mapping[int, int]) -> None:
        (header_bytes,) = struct.unpack_from("<I", raw, start + 6)
        # minimum_instruction_length 1, maximum_operations 1, default_is_stmt
        self._line_base, self._line_range, self._opcode_base = struct.unpack_from(
            "<bBB", raw, start + _PROGRAM_START + 3
        )
        self._operands = raw[start + _PROGRAM_START + 6 :][: self._opcode_base - 1]
        self._raw, self._end, self._places = raw, end, places
        self._at: int = start + _PROGRAM_START + header_bytes
        self._reset()

    def _reset(self) -> None:
        self._address, self._line, self._column = 0, 1, 0

    def rows(self) -> Iterator[Row]:
        """Run the program to its end."""
        while self._at < self._end:
            opcode = self._byte()
            if opcode >= self._opcode_base:
                self._special(opcode)
                yield self._row()
            elif opcode == 0:
                yield from self._extended()
            elif opcode == _COPY:
                yield self._row()
            else:
                self._standard(opcode)

    def _row(self) -> Row:
        return Row(self._address, self._line, self._column)

    def _special(self, opcode: int) -> None:
        adjusted = opcode - self._opcode_base
        self._address += adjusted // self._line_range
        self._line += self._line_base + adjusted % self._line_range

    def _extended(self) -> Iterator[Row]:
        n_bytes = self._unsigned()
        start = self._at
        opcode = self._byte()
        if opcode == _END_SEQUENCE:
            yield Row(self._address, 0, 0)
            self._reset()
        elif opcode == _SET_ADDRESS:
            self._address = self._places.get(self._at, 0)
        self._at = start + n_bytes

    def _standard(self, opcode: int) -> None:
        if opcode == _ADVANCE_PC:
            self._address += self._unsigned()
        elif opcode == _ADVANCE_LINE:
            self._line += self._signed()
        elif opcode == _SET_COLUMN:
            self._column = self._unsigned()
        elif opcode == _CONST_ADD_PC:
            self._address += (255 - self._opcode_base) // self._line_range
        elif opcode == _FIXED_ADVANCE_PC:
            self._address += struct.unpack_from("<H", self._raw, self._at)[0]
            self._at += 2
        else:
            for _ in range(self._operands[opcode - 1]):
                self._unsigned()

    def _byte(self) -> int:
        self._at += 1
        return self._raw[self._at - 1]

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def _signed(self) -> int:
        before = self._at
        value = self._unsigned()
        n_bits = 7 * (self._at - before)
        return value - (1 << n_bits) if value >> (n_bits - 1) else value
