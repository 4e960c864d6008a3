"""Static libraries (`.a`): members on demand, the way a linker pulls them.

    "!<arch>\n"  { 60-byte header, bytes, pad to even } ...
    member "/"    symbol index: u32 big-endian count, offsets, NUL-terminated names ("/SYM64/": u64)
    member "//"   long file names, each ended by "/\n"

Source: the common GNU/System V archive format as `ar(5)` describes it.
Deviations: BSD archives (`#1/len` names, `__.SYMDEF`) and thin archives are refused.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from irsan.engine.linker.elf import SHN_COMMON, SHN_UNDEF, STB_LOCAL, ObjectFile
from irsan.errors import UnsupportedError

_MAGIC = b"!<arch>\n"
_HEADER_BYTES = 60


class MemberSource(Protocol):
    """What gives a link objects on demand."""

    def pull(self, symbol: str) -> ObjectFile | None:
        """The member that defines `symbol`, once; None when there is none or it was pulled."""


@dataclass(slots=True)
class Archive:
    """An archive and which member defines which symbol."""

    name: str
    raw: bytes
    index: dict[str, int]  # symbol -> file offset of the member's header
    long_names: bytes = b""
    loaded: set[int] = field(default_factory=set)

    @classmethod
    def parse(cls, raw: bytes, name: str = "<memory>") -> Archive:
        """Read the symbol index; builds one from the members when the archive has none."""
        if raw[:8] == b"!<thin>\n":
            raise UnsupportedError(f"{name} is a thin archive; make it with plain `ar rcs`")
        if raw[:8] != _MAGIC:
            raise UnsupportedError(f"{name} is not an archive")
        index: dict[str, int] | None = None
        long_names = b""
        for offset, kind, data in _raw_members(raw):
            if kind in ("/", "/SYM64/"):
                index = _read_index(data, 4 if kind == "/" else 8)
            elif kind == "//":
                long_names = data
            elif offset:
                break
        archive = cls(name, raw, index or {}, long_names)
        if index is None:
            archive.index = _build_index(archive)
        return archive

    def member_name(self, offset: int) -> str:
        """File name of the member whose header is at `offset`."""
        text = self.raw[offset : offset + 16].decode().rstrip()
        if text.startswith("/") and text[1:].isdigit():
            start = int(text[1:])
            return self.long_names[start : self.long_names.index(b"/\n", start)].decode()
        return text.rstrip("/")

    def member(self, offset: int) -> ObjectFile:
        """Parse the member whose header is at `offset`."""
        size = int(self.raw[offset + 48 : offset + 58])
        start = offset + _HEADER_BYTES
        label = f"{self.name}({self.member_name(offset)})"
        return ObjectFile.parse(self.raw[start : start + size], label)

    def pull(self, symbol: str) -> ObjectFile | None:
        """The member that defines `symbol`, once: None when there is none or it was pulled."""
        offset = self.index.get(symbol)
        if offset is None or offset in self.loaded:
            return None
        self.loaded.add(offset)
        return self.member(offset)


def _raw_members(raw: bytes) -> Iterator[tuple[int, str, bytes]]:
    at = len(_MAGIC)
    while at + _HEADER_BYTES <= len(raw):
        header = raw[at : at + _HEADER_BYTES]
        if header[58:60] != b"`\n":
            raise UnsupportedError(f"broken archive: no member header at byte {at}")
        kind = header[:16].decode().rstrip()
        if kind.startswith("#1/"):
            raise UnsupportedError("BSD archives are not supported; make it with GNU or LLVM ar")
        size = int(header[48:58])
        yield at, kind, raw[at + _HEADER_BYTES : at + _HEADER_BYTES + size]
        at += _HEADER_BYTES + size + (size & 1)


def _read_index(data: bytes, width: int) -> dict[str, int]:
    code = ">I" if width == 4 else ">Q"
    (count,) = struct.unpack_from(code, data)
    offsets = struct.unpack_from(f">{count}{code[1]}", data, width)
    names = data[width * (count + 1) :].split(b"\0")
    index: dict[str, int] = {}
    for name, offset in zip(names, offsets, strict=False):
        index.setdefault(name.decode(), offset)
    return index


def _build_index(archive: Archive) -> dict[str, int]:
    index: dict[str, int] = {}
    for offset, kind, data in _raw_members(archive.raw):
        if kind in ("/", "//", "/SYM64/") or data[:4] != b"\x7fELF":
            continue
        for name in _defined_names(archive.member(offset)):
            index.setdefault(name, offset)
    return index


def _defined_names(item: ObjectFile) -> Iterator[str]:
    binding = item.symbols["info"] >> 4
    for i in (binding != STB_LOCAL).nonzero()[0].tolist():
        section = int(item.symbol_sections[i])
        if section not in (SHN_UNDEF, SHN_COMMON):
            yield item.symbol_name(i)
