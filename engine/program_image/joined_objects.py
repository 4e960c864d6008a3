"""One relocatable object of several: those of a unit whose code was generated in parts.

    joined(objects, local, private)

What one object would be, had its parts been assembled at once: a name means one symbol, whichever
part defines it; what was local to the unit (`local`) is local again, and what would have no symbol
(`private`) is a place without a name and a type, so that it is not taken for a function or a
variable. Sections stay apart, in the order of the parts. Only what is loaded, its relocations and
groups, and line tables are kept.

Source: System V ABI, chapter 4 (object files).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from irsan.engine.linker.elf import (
    RELA_DTYPE,
    SHF_ALLOC,
    SHN_LORESERVE,
    SHN_UNDEF,
    SHN_XINDEX,
    SHT_GROUP,
    SHT_RELA,
    STB_GLOBAL,
    STB_LOCAL,
    STT_SECTION,
    Array,
    ObjectFile,
)
from irsan.engine.program_image.object_writing import Content, Symbol, object_bytes
from irsan.errors import InternalError

_LINES: Final = ".debug_line"
_STT_FILE: Final = 4
_SHF_LINK_ORDER: Final = 0x80


def joined(objects: Sequence[bytes], local: frozenset[str], private: frozenset[str]) -> bytes:
    """The object; see the module."""
    items = [ObjectFile.parse(raw, f"part {at}") for at, raw in enumerate(objects)]
    sections = _Sections()
    for item in items:
        sections.add(item)
    symbols = _Symbols(local, private)
    for item, numbers in zip(items, sections.numbers, strict=True):
        symbols.define(item, numbers)
    symbols.bind(items)
    rows = [_content(item, index, sections, symbols, at) for at, item, index in sections.kept]
    return object_bytes(objects[0], rows, symbols.rows, symbols.n_local)


@dataclass(slots=True)
class _Sections:
    """Which sections are kept, and their new numbers (0: dropped), one array per part."""

    numbers: list[Array] = field(default_factory=list)
    kept: list[tuple[int, ObjectFile, int]] = field(default_factory=list)

    def add(self, item: ObjectFile) -> None:
        """The sections of one more part."""
        wanted = _is_kept(item)
        numbers = np.zeros(len(wanted), np.int64)
        found = np.flatnonzero(wanted)
        numbers[found] = 1 + len(self.kept) + np.arange(len(found))
        self.kept += [(len(self.numbers), item, index) for index in found.tolist()]
        self.numbers.append(numbers)


def _is_kept(item: ObjectFile) -> Array:
    kinds, targets = item.sections["type"], item.sections["info"]
    is_lines = np.array([name == _LINES for name in item.section_names], bool)
    wanted = ((item.sections["flags"] & SHF_ALLOC) != 0) | is_lines
    is_table = kinds == SHT_RELA
    wanted[is_table] = wanted[targets[is_table]]
    return np.asarray(wanted | (kinds == SHT_GROUP))


@dataclass(slots=True)
class _Symbols:
    """Symbols of all parts, and the new number of each, one array per part.

    named, labels: where symbols are by name, those for the linker and those that were local to a
    part, as the labels of inline assembly are.
    """

    local: frozenset[str]
    private: frozenset[str]
    rows: list[Symbol] = field(default_factory=lambda: [Symbol("")])
    named: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    numbers: list[Array] = field(default_factory=list)
    n_local: int = 0

    def define(self, item: ObjectFile, sections: Array) -> None:
        """What a part defines; `sections`: new numbers of its sections."""
        numbers = np.zeros(len(item.symbols), np.int64)
        places = item.symbol_sections.tolist()
        for index, (_, info, other, written, value, size) in enumerate(item.symbols.tolist()):
            is_reserved = written >= SHN_LORESERVE and written != SHN_XINDEX
            place = written if is_reserved else int(sections[places[index]])
            if not place or info & 15 == _STT_FILE:
                continue
            name = "" if info & 15 == STT_SECTION else item.symbol_name(index)
            table = self.labels if info >> 4 == STB_LOCAL else self.named
            if table is self.named and name in table:  # one of a group that other parts have too
                numbers[index] = table[name]
                continue
            numbers[index] = len(self.rows)
            table.setdefault(name, len(self.rows))
            self.rows.append(Symbol(name, info, other, place, value, size, is_reserved))
        self.numbers.append(numbers)

    def bind(self, items: Sequence[ObjectFile]) -> None:
        """Give what parts do not define themselves its symbol, and put local symbols in front."""
        for item, numbers in zip(items, self.numbers, strict=True):
            for index in np.flatnonzero(item.symbol_sections == SHN_UNDEF).tolist()[1:]:
                numbers[index] = self._wanted(item, index)
        for name in self.local & self.named.keys():
            row = self.rows[self.named[name]]
            row.info, row.other = row.info & 15, 0
            if name in self.private:
                row.name, row.info, row.size = "", 0, 0
        is_local = np.array([row.info >> 4 == STB_LOCAL for row in self.rows], bool)
        order = np.concatenate((np.flatnonzero(is_local), np.flatnonzero(~is_local)))
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        self.rows = [self.rows[index] for index in order.tolist()]
        self.numbers = [places[numbers] for numbers in self.numbers]
        self.n_local = int(is_local.sum())

    def _wanted(self, item: ObjectFile, index: int) -> int:
        _, info, other, _, value, size = item.symbols[index].item()
        name = item.symbol_name(index)
        label = self.labels.get(name, len(self.rows))
        number = self.named.setdefault(name, label)
        if number == len(self.rows):
            self.rows.append(Symbol(name, info, other, SHN_UNDEF, value, size))
        row = self.rows[number]
        if row.section == SHN_UNDEF and info >> 4 == STB_GLOBAL:  # one strong wish is enough
            row.info = info
        return number


def _content(
    item: ObjectFile, index: int, sections: _Sections, symbols: _Symbols, part: int
) -> Content:
    """A kept section with the new numbers in it."""
    header = item.sections[index : index + 1].copy()
    numbers, its_symbols = sections.numbers[part], symbols.numbers[part]
    raw = bytes(item.section_bytes(index))
    kind = int(header["type"][0])
    symbol_table = 1 + len(sections.kept)
    if kind == SHT_RELA:
        raw = _relocations(raw, its_symbols)
        header["link"], header["info"] = symbol_table, numbers[int(header["info"][0])]
    elif kind == SHT_GROUP:
        words = np.frombuffer(raw, "<u4")
        members = numbers[words[1:]]
        raw = np.concatenate((words[:1], members[members != 0])).astype("<u4").tobytes()
        header["link"], header["info"] = symbol_table, its_symbols[int(header["info"][0])]
        header["size"] = len(raw)
    elif int(header["flags"][0]) & _SHF_LINK_ORDER:
        header["link"] = numbers[int(header["link"][0])]
    return Content(item.section_names[index], header, raw)


def _relocations(raw: bytes, symbols: Array) -> bytes:
    table = np.frombuffer(raw, RELA_DTYPE).copy()
    old = (table["info"] >> np.uint64(32)).astype(np.int64)
    new = symbols[old]
    if np.any((new == 0) & (old != 0)):
        raise InternalError("a relocation of one part of a unit means a symbol that was dropped")
    kinds = table["info"] & np.uint64(0xFFFF_FFFF)
    table["info"] = (new.astype(np.uint64) << np.uint64(32)) | kinds
    return bytes(table.tobytes())
