"""Sections of ELF files by name: read them, add one behind everything else.

    sections(raw)                      [(name, offset, size), ...] of an ELF64 file
    lto_bitcode(raw)                   IR that an object has beside its code
    with_section(raw, name, content)   the file's bytes with one more section, which is not loaded

A section is added without moving a byte of what was there: its content, a longer table of names and
a longer table of sections stand behind the file, and the header points to them.

Source: System V ABI, chapter 4 (ELF header, section header, extended numbering).
Nothing here imports numpy: a compiler wrapper starts thousands of times.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from typing import Final

from irsan.errors import UnsupportedError

Buffer = bytes | bytearray | memoryview | mmap.mmap

_ELF64: Final = b"\x7fELF\x02\x01"
_HEADER: Final = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_KIND_AT, _SHOFF_AT, _SHNUM_AT = 16, 40, 60
_RELOCATABLE: Final = b"\x01\x00"
_SHT_PROGBITS: Final = 1
_SHN_LORESERVE, _SHN_XINDEX = 0xFF00, 0xFFFF
_TABLE_ALIGN: Final = 8
_LTO_SECTIONS: Final = (".llvm.lto", ".llvmbc")
_BITCODE_MAGIC: Final = b"BC\xc0\xde"
#: the magic and what enters the identification block, as LLVM writes them
_MODULE_START: Final = b"BC\xc0\xde\x35\x14\x00\x00"


def is_elf(raw: Buffer) -> bool:
    """Whether these bytes start as a 64-bit little-endian ELF file does."""
    return bytes(raw[: len(_ELF64)]) == _ELF64


def is_relocatable(raw: Buffer) -> bool:
    """Whether a file that starts with these bytes, at least 18, is an object for a linker."""
    return is_elf(raw) and bytes(raw[_KIND_AT : _KIND_AT + 2]) == _RELOCATABLE


def sections(raw: Buffer) -> Iterator[tuple[str, int, int]]:
    """(name, offset, size in bytes) of each section. UnsupportedError for a damaged file."""
    try:
        rows, names_index = _table(raw)
        names_at, names_size = rows[names_index][4:6] if rows else (0, 0)
        names = bytes(raw[names_at : names_at + names_size])
        for row in rows:
            yield names[row[0] : names.index(b"\0", row[0])].decode(), row[4], row[5]
    except (struct.error, ValueError, IndexError) as error:
        raise UnsupportedError(f"damaged ELF file: {error}") from None


def lto_bitcode(raw: bytes) -> bytes | None:
    """The IR in an object that has both IR and code.

    So clang's -ffat-lto-objects and -fembed-bitcode make it, and rustc for libraries. Joined
    objects (ld -r) have the IR of several in one section, and nothing says where one ends.
    """
    for name, offset, size in sections(raw):
        if name in _LTO_SECTIONS and raw.startswith(_BITCODE_MAGIC, offset):
            bitcode = raw[offset : offset + size]
            if bitcode.count(_MODULE_START) == 1:
                return bitcode
    return None


def with_section(raw: bytes, name: str, content: bytes) -> bytes:
    """The file with one more section, which is not loaded.

    raw: an object file, a library or an executable.  UnsupportedError when it is damaged.
    """
    try:
        return _with_section(raw, name, content)
    except (struct.error, ValueError, IndexError) as error:
        raise UnsupportedError(f"damaged ELF file: {error}") from None


def _with_section(raw: bytes, name: str, content: bytes) -> bytes:
    rows, names_index = _table(raw)
    names_at, names_size = rows[names_index][4:6]
    names = raw[names_at : names_at + names_size]
    content_at = len(raw)
    new_names_at = content_at + len(content)
    new_names = names + name.encode() + b"\0"
    table_at = -(-(new_names_at + len(new_names)) // _TABLE_ALIGN) * _TABLE_ALIGN
    rows[names_index] = (*rows[names_index][:4], new_names_at, len(new_names),
                         *rows[names_index][6:])  # fmt: skip
    rows.append((len(names), _SHT_PROGBITS, 0, 0, content_at, len(content), 0, 0, 1, 0))
    is_long = len(rows) >= _SHN_LORESERVE
    if is_long:
        rows[0] = (*rows[0][:5], len(rows), *rows[0][6:])
    header = bytearray(raw[: _HEADER.size])
    struct.pack_into("<Q", header, _SHOFF_AT, table_at)
    struct.pack_into("<H", header, _SHNUM_AT, 0 if is_long else len(rows))
    parts = (bytes(header), raw[_HEADER.size :], content, new_names)
    body = b"".join(parts).ljust(table_at, b"\0")
    return body + b"".join(_SECTION.pack(*row) for row in rows)


def _table(raw: Buffer) -> tuple[list[tuple[int, ...]], int]:
    """The section headers, and which of them holds the names."""
    if not is_elf(raw):
        raise ValueError("it does not start as one")
    fields = _HEADER.unpack_from(raw)
    table_at, count, names_index = fields[6], fields[12], fields[13]
    if not table_at:
        raise ValueError("it has no table of sections")
    if table_at >= len(raw):
        raise ValueError("its table of sections lies behind its end")
    first = _SECTION.unpack_from(raw, table_at)
    count = count or first[5]
    names_index = first[6] if names_index == _SHN_XINDEX else names_index
    rows = [_SECTION.unpack_from(raw, table_at + _SECTION.size * at) for at in range(count)]
    if names_index >= len(rows):
        raise ValueError("its names are nowhere")
    return rows, names_index
