"""ELF x86-64 relocatable objects (`.o`): sections, symbols, relocations, groups as numpy arrays.

    ObjectFile.raw            the file
    ObjectFile.sections       SECTION_DTYPE[n]        section_names: list[str]
    ObjectFile.symbols        SYMBOL_DTYPE[m]         symbol_sections: uint32[m] (SHN_XINDEX undone)
    ObjectFile.relocations    Relocations: parallel arrays, only of sections that are loaded
    ObjectFile.groups         COMDAT groups: signature and member sections

Nothing is decoded per symbol at parse time: names are read when they are asked for.

Source: System V ABI, chapters 4 and 5, and its AMD64 supplement, section 4 (object files).
Deviations: only what a linker of x86-64 objects needs; SHT_REL and other machines are refused.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from irsan.engine.headed_bytes import Buffer
from irsan.errors import UnsupportedError

Array = np.ndarray[Any, np.dtype[Any]]

SHT_SYMTAB: Final = 2
SHT_RELA: Final = 4
SHT_NOBITS: Final = 8
SHT_REL: Final = 9
SHT_INIT_ARRAY: Final = 14
SHT_FINI_ARRAY: Final = 15
SHT_PREINIT_ARRAY: Final = 16
SHT_GROUP: Final = 17
SHT_SYMTAB_SHNDX: Final = 18

SHF_WRITE: Final = 0x1
SHF_ALLOC: Final = 0x2
SHF_EXECINSTR: Final = 0x4
SHF_TLS: Final = 0x400
SHF_EXCLUDE: Final = 0x8000_0000

SHN_UNDEF: Final = 0
SHN_LORESERVE: Final = 0xFF00
SHN_ABS: Final = 0xFFF1
SHN_COMMON: Final = 0xFFF2
SHN_XINDEX: Final = 0xFFFF

STB_LOCAL: Final = 0
STB_GLOBAL: Final = 1
STB_WEAK: Final = 2
STB_GNU_UNIQUE: Final = 10

STT_OBJECT: Final = 1
STT_FUNC: Final = 2
STT_SECTION: Final = 3
STT_TLS: Final = 6
STT_GNU_IFUNC: Final = 10

GRP_COMDAT: Final = 1

_HEADER_BYTES: Final = 64
_ET_REL: Final = 1
_EM_X86_64: Final = 62

SECTION_DTYPE: Final = np.dtype(
    [
        ("name", "<u4"),
        ("type", "<u4"),
        ("flags", "<u8"),
        ("addr", "<u8"),
        ("offset", "<u8"),
        ("size", "<u8"),
        ("link", "<u4"),
        ("info", "<u4"),
        ("align", "<u8"),
        ("entsize", "<u8"),
    ]
)
SYMBOL_DTYPE: Final = np.dtype(
    [
        ("name", "<u4"),
        ("info", "u1"),
        ("other", "u1"),
        ("section", "<u2"),
        ("value", "<u8"),
        ("size", "<u8"),
    ]
)
RELA_DTYPE: Final = np.dtype([("offset", "<u8"), ("info", "<u8"), ("addend", "<i8")])


@dataclass(frozen=True, slots=True)
class Relocations:
    """Parallel arrays, one element per relocation of a loaded section."""

    section: Array  # int32: the section that is patched
    offset: Array  # int64: byte in that section
    kind: Array  # int16: R_X86_64_* number, 32,767 for one above
    symbol: Array  # int32: index in ObjectFile.symbols
    addend: Array  # int64

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, slots=True)
class Group:
    """A section group; of all COMDAT groups with one signature a link keeps the first."""

    signature: str
    is_comdat: bool
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ObjectFile:
    """One parsed relocatable object; see the module text for the shapes."""

    name: str
    raw: Buffer
    sections: Array
    section_names: list[str]
    symbols: Array
    symbol_sections: Array
    string_table: bytes
    relocations: Relocations
    groups: tuple[Group, ...]

    @classmethod
    def parse(cls, raw: Buffer, name: str = "<memory>") -> ObjectFile:
        """Parse `raw`; UnsupportedError when it is no ELF x86-64 relocatable object or damaged."""
        _check_header(raw, name)
        try:
            return cls._parse(raw, name)
        except (ValueError, IndexError, struct.error) as error:
            raise UnsupportedError(f"{name} is a damaged object file: {error}") from error

    @classmethod
    def _parse(cls, raw: Buffer, name: str) -> ObjectFile:
        sections = _read_sections(raw, name)
        names = _section_names(raw, sections)
        symtab = _find_section(sections, SHT_SYMTAB)
        if symtab is None:
            symbols, strings = np.zeros(1, SYMBOL_DTYPE), b"\0"
        else:
            symbols = _table(raw, sections[symtab], SYMBOL_DTYPE)
            strings = _section_bytes(raw, sections[int(sections[symtab]["link"])])
        return cls(
            name=name,
            raw=raw,
            sections=sections,
            section_names=names,
            symbols=symbols,
            symbol_sections=_symbol_sections(raw, sections, symbols),
            string_table=strings,
            relocations=_read_relocations(raw, sections, names, name),
            groups=tuple(_read_groups(raw, sections, symbols, strings)),
        )

    def symbol_name(self, index: int) -> str:
        """Name of symbol `index`; a section symbol has the name of its section."""
        symbol = self.symbols[index]
        if int(symbol["info"]) & 15 == STT_SECTION:
            return self.section_names[int(self.symbol_sections[index])]
        return read_string(self.string_table, int(symbol["name"]))

    def section_bytes(self, index: int) -> Buffer:
        """A section's bytes in the file (empty for NOBITS)."""
        _, kind, _, _, offset, size, _, _, _, _ = self.sections[index].item()
        return b"" if kind == SHT_NOBITS else self.raw[offset : offset + size]


def sorted_distinct(values: Array) -> Array:
    """`numpy.unique` without its import of numpy.ma, which costs 20 ms of a warm run."""
    ordered = np.sort(values)
    keep = np.ones(len(ordered), bool)
    keep[1:] = ordered[1:] != ordered[:-1]
    return ordered[keep]


def read_string(table: bytes, offset: int) -> str:
    """The NUL-terminated string at `offset` of an ELF string table."""
    return table[offset : table.index(b"\0", offset)].decode("utf-8", "surrogateescape")


def _check_header(raw: Buffer, name: str) -> None:
    if raw[:4] != b"\x7fELF":
        raise UnsupportedError(f"{name} is not an ELF object")
    machine = int.from_bytes(raw[18:20], "little")
    if raw[4:6] != b"\x02\x01" or machine != _EM_X86_64:
        raise UnsupportedError(f"{name} is not a little-endian x86-64 object (machine {machine})")
    kind = int.from_bytes(raw[16:18], "little")
    if kind != _ET_REL:
        raise UnsupportedError(f"{name} is not a relocatable object (ELF type {kind})")


def _read_sections(raw: Buffer, name: str) -> Array:
    offset = int.from_bytes(raw[40:48], "little")
    count = int.from_bytes(raw[60:62], "little")
    if offset == 0:
        return np.zeros(1, SECTION_DTYPE)
    if count == 0:  # more than 65,279 sections: the count is in the first header
        count = int(np.frombuffer(raw, SECTION_DTYPE, 1, offset)[0]["size"])
    if offset + count * SECTION_DTYPE.itemsize > len(raw):
        raise UnsupportedError(f"{name} is cut short: {count} section headers at {offset:#x}")
    return np.frombuffer(raw, SECTION_DTYPE, count, offset)


def _section_bytes(raw: Buffer, section: Any) -> bytes:
    offset = int(section["offset"])
    return bytes(raw[offset : offset + int(section["size"])])


def _section_names(raw: Buffer, sections: Array) -> list[str]:
    index = int.from_bytes(raw[62:64], "little")
    if index == SHN_XINDEX:
        index = int(sections[0]["link"])
    table = _section_bytes(raw, sections[index])
    return [read_string(table, at) for at in sections["name"].tolist()] if table else []


def _table(raw: Buffer, section: Any, dtype: np.dtype[Any]) -> Array:
    count = int(section["size"]) // dtype.itemsize
    return np.frombuffer(raw, dtype, count, int(section["offset"]))


def _find_section(sections: Array, kind: int) -> int | None:
    found = np.flatnonzero(sections["type"] == kind)
    return int(found[0]) if len(found) else None


def _symbol_sections(raw: Buffer, sections: Array, symbols: Array) -> Array:
    owner = symbols["section"].astype(np.uint32)
    extended = _find_section(sections, SHT_SYMTAB_SHNDX)
    if extended is None:
        return owner
    real = _table(raw, sections[extended], np.dtype("<u4"))
    return np.where(owner == SHN_XINDEX, real[: len(owner)], owner)


def _read_relocations(raw: Buffer, sections: Array, names: list[str], name: str) -> Relocations:
    flags = sections["flags"].tolist()
    targets: list[int] = []
    counts: list[int] = []
    parts: list[Buffer] = []
    kinds = sections["type"]
    for index in np.flatnonzero((kinds == SHT_RELA) | (kinds == SHT_REL)).tolist():
        _, kind, _, _, offset, size, _, target, _, _ = sections[index].item()
        if not flags[target] & SHF_ALLOC:
            continue
        if kind == SHT_REL:
            raise UnsupportedError(f"{name}: section {names[index]} has relocations of type REL")
        part = raw[offset : offset + size]
        if len(part) != size:
            raise ValueError(f"section {names[index]} ends behind the file")
        targets.append(target)
        counts.append(size // RELA_DTYPE.itemsize)
        parts.append(part)
    table = np.frombuffer(b"".join(parts), RELA_DTYPE)
    info = table["info"]
    return Relocations(
        section=np.repeat(np.array(targets, np.int32), counts),
        offset=table["offset"].astype(np.int64),
        kind=np.minimum(info & np.uint64(0xFFFF_FFFF), np.uint64(0x7FFF)).astype(np.int16),
        symbol=(info >> np.uint64(32)).astype(np.int32),
        addend=table["addend"].astype(np.int64),
    )


def _read_groups(raw: Buffer, sections: Array, symbols: Array, strings: bytes) -> list[Group]:
    groups = []
    for index in np.flatnonzero(sections["type"] == SHT_GROUP).tolist():
        _, _, _, _, offset, size, _, signature, _, _ = sections[index].item()
        words = struct.unpack_from(f"<{size // 4}I", raw, offset)
        name = read_string(strings, int(symbols[signature]["name"]))
        groups.append(Group(name, bool(words[0] & GRP_COMDAT), words[1:]))
    return groups
