"""ELF shared libraries on disk: what a private copy needs to know (private_image.py changes it).

Source: System V ABI, chapter 5 (program headers, dynamic section).
"""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from typing import Final

import numpy as np

from irsan.engine.linker.elf import (
    SECTION_DTYPE,
    STT_TLS,
    SYMBOL_DTYPE,
    Array,
)
from irsan.errors import UnsupportedError

DT_NULL: Final = 0
DT_NEEDED: Final = 1
DT_PLTRELSZ: Final = 2
DT_STRTAB: Final = 5
DT_SYMTAB: Final = 6
DT_RELA: Final = 7
DT_RELASZ: Final = 8
DT_INIT: Final = 12
DT_FINI: Final = 13
DT_SONAME: Final = 14
DT_RPATH: Final = 15
DT_JMPREL: Final = 23
DT_INIT_ARRAY: Final = 25
DT_FINI_ARRAY: Final = 26
DT_INIT_ARRAYSZ: Final = 27
DT_FINI_ARRAYSZ: Final = 28
DT_RUNPATH: Final = 29
_DT_FLAGS: Final = 30
_DF_STATIC_TLS: Final = 16

PT_LOAD: Final = 1
PT_DYNAMIC: Final = 2
PT_TLS: Final = 7
PT_GNU_RELRO: Final = 0x6474_E552

_ET_DYN: Final = 3
_SHT_DYNSYM: Final = 11
_EM_X86_64: Final = 62

Bytes = bytes | mmap.mmap

SEGMENT_DTYPE: Final = np.dtype(
    [
        ("type", "<u4"),
        ("flags", "<u4"),
        ("offset", "<u8"),
        ("vaddr", "<u8"),
        ("paddr", "<u8"),
        ("filesz", "<u8"),
        ("memsz", "<u8"),
        ("align", "<u8"),
    ]
)
DYNAMIC_DTYPE: Final = np.dtype([("tag", "<u8"), ("value", "<u8")])


@dataclass(frozen=True, slots=True)
class SharedObject:
    """A parsed library file: segments, dynamic rows (before DT_NULL), names it refers to."""

    name: str
    segments: Array  # SEGMENT_DTYPE[n]
    dynamic: Array  # DYNAMIC_DTYPE[m]
    dynamic_offset: int
    soname: str
    needed: tuple[str, ...]
    run_path: tuple[str, ...]  # folders as they stand there, with $ORIGIN

    @classmethod
    def parse(cls, raw: Bytes, name: str) -> SharedObject:
        """UnsupportedError when `raw` is no x86-64 shared library."""
        if raw[:6] != b"\x7fELF\x02\x01" or raw[16] != _ET_DYN or raw[18] != _EM_X86_64:
            raise UnsupportedError(f"{name} is not an x86-64 shared library")
        at, count = int.from_bytes(raw[32:40], "little"), int.from_bytes(raw[56:58], "little")
        segments = np.frombuffer(raw[at : at + 56 * count], SEGMENT_DTYPE)
        found = segments[segments["type"] == PT_DYNAMIC]
        if not len(found):
            raise UnsupportedError(f"{name} has no dynamic section")
        offset = int(found[0]["offset"])
        size = int(found[0]["filesz"])
        rows = np.frombuffer(raw[offset : offset + size], DYNAMIC_DTYPE)
        end = np.flatnonzero(rows["tag"] == DT_NULL)
        rows = rows[: int(end[0])] if len(end) else rows
        strings = file_offset(segments, _value(rows, DT_STRTAB))

        def text(value: int) -> str:
            return raw[strings + value : raw.find(b"\0", strings + value)].decode()

        sonames = rows["value"][rows["tag"] == DT_SONAME].tolist()
        needed = rows["value"][rows["tag"] == DT_NEEDED].tolist()
        paths = rows["value"][np.isin(rows["tag"], (DT_RPATH, DT_RUNPATH))].tolist()
        return cls(
            name=name,
            segments=segments,
            dynamic=rows,
            dynamic_offset=offset,
            soname=text(sonames[0]) if sonames else "",
            needed=tuple(text(value) for value in needed),
            run_path=tuple(part for value in paths for part in text(value).split(":") if part),
        )

    def value(self, tag: int) -> int:
        """The value of the first row with `tag`, 0 when there is none."""
        return _value(self.dynamic, tag)

    def tls_segment(self) -> tuple[int, int, int] | None:
        """(vaddr of the image, its bytes, bytes of the block), None without thread-locals."""
        found = self.segments[self.segments["type"] == PT_TLS]
        if not len(found):
            return None
        return int(found[0]["vaddr"]), int(found[0]["filesz"]), int(found[0]["memsz"])

    def mapped_bytes(self) -> int:
        """Bytes from the load address to the end of the last segment."""
        loads = self.segments[self.segments["type"] == PT_LOAD]
        return int((loads["vaddr"] + loads["memsz"]).max())

    def relro(self) -> tuple[int, int]:
        """(vaddr, bytes) of what the loader makes read-only after relocation; (0, 0) for none."""
        found = self.segments[self.segments["type"] == PT_GNU_RELRO]
        return (int(found[0]["vaddr"]), int(found[0]["memsz"])) if len(found) else (0, 0)


def pins_thread_locals(raw: Bytes, parsed: SharedObject) -> bool:
    """Whether thread-locals must stay where the loader has put them: in the static block, or
    exported, so that others know an address."""
    if parsed.value(_DT_FLAGS) & _DF_STATIC_TLS:
        return True
    for offset, count in dynamic_symbols(raw):
        symbols = np.frombuffer(raw[offset : offset + count * SYMBOL_DTYPE.itemsize], SYMBOL_DTYPE)
        if bool(((symbols["info"] & 15 == STT_TLS) & (symbols["section"] != 0)).any()):
            return True
    return False


def dynamic_symbols(image: bytearray | Bytes) -> list[tuple[int, int]]:
    """(file offset, number of symbols) of each dynamic symbol table in the section headers."""
    at, count = int.from_bytes(image[40:48], "little"), int.from_bytes(image[60:62], "little")
    if at == 0 or at + count * SECTION_DTYPE.itemsize > len(image):
        return []
    sections = np.frombuffer(image[at : at + count * SECTION_DTYPE.itemsize], SECTION_DTYPE)
    tables = sections[sections["type"] == _SHT_DYNSYM]
    return [(int(row["offset"]), int(row["size"]) // SYMBOL_DTYPE.itemsize) for row in tables]


def _value(rows: Array, tag: int) -> int:
    found = rows["value"][rows["tag"] == tag]
    return int(found[0]) if len(found) else 0


def file_offset(segments: Array, vaddr: int) -> int:
    for segment in segments[segments["type"] == PT_LOAD]:
        start = int(segment["vaddr"])
        if start <= vaddr < start + int(segment["filesz"]):
            return vaddr - start + int(segment["offset"])
    return vaddr
