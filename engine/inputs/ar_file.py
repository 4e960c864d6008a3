"""Members of a static library by name, plain and thin archives alike.

    find_member(path, "m.o") -> the member's bytes, None when there is none of that name
    has_bitcode(path)        -> whether a member is bitcode, as objects for LTO are

Source: the common GNU/System V archive format as `ar(5)` describes it; GNU's thin archives.
Nothing here imports numpy: the linker wrapper reads archives of every link.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

BITCODE_MAGICS: Final = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
ARCHIVE_MAGICS: Final = (b"!<arch>\n", b"!<thin>\n")
MAGIC, THIN_MAGIC = ARCHIVE_MAGICS
HEADER_BYTES: Final = 60
_START_BYTES: Final = 4


def find_member(path: Path, wanted: str) -> bytes | None:
    """The first member of a name; of a thin archive the file that it stands for."""
    raw = path.read_bytes()
    is_thin = raw.startswith(THIN_MAGIC)
    for name, offset, size in _members(raw, is_thin=is_thin):
        if name == wanted or (is_thin and Path(name).name == Path(wanted).name):
            return (path.parent / name).read_bytes() if is_thin else raw[offset : offset + size]
    return None


def read_members(path: Path) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of each member; of a thin archive those of the files that it stands for."""
    raw = path.read_bytes()
    is_thin = raw.startswith(THIN_MAGIC)
    for name, offset, size in _members(raw, is_thin=is_thin):
        yield name, (path.parent / name).read_bytes() if is_thin else raw[offset : offset + size]


def has_bitcode(path: Path) -> bool:
    """Whether a file is an archive with a member of bitcode; little of it is read."""
    if not path.is_file():  # a pipe is read once
        return False
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as raw:
            is_thin = raw[: len(MAGIC)] == THIN_MAGIC
            return any(
                _start(path.parent / name) in BITCODE_MAGICS if is_thin
                else raw[offset : offset + _START_BYTES] in BITCODE_MAGICS
                for name, offset, _ in _members(raw, is_thin=is_thin)
            )  # fmt: skip
    except (OSError, ValueError):
        return False


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_START_BYTES)


def member_names(path: Path) -> list[str]:
    """Names of all members in order; [] of a file that is no archive."""
    raw = path.read_bytes()
    return [name for name, _, _ in _members(raw, is_thin=raw.startswith(THIN_MAGIC))]


def _members(raw: bytes | mmap.mmap, *, is_thin: bool) -> Iterator[tuple[str, int, int]]:
    """(name, offset, size in bytes) of each member."""
    if raw[: len(MAGIC)] not in ARCHIVE_MAGICS:
        return
    at, long_names = len(MAGIC), b""
    while at + HEADER_BYTES <= len(raw):
        field, size_text = raw[at : at + 16].rstrip(), raw[at + 48 : at + 58]
        size, start = int(size_text), at + HEADER_BYTES
        is_index = field in (b"/", b"//", b"/SYM64/")
        if field == b"//":
            long_names = raw[start : start + size]
        elif not is_index:
            yield _name(field, long_names), start, size
        at = start + (0 if is_thin and not is_index else size + (size & 1))


def _name(field: bytes, long_names: bytes) -> str:
    if field.startswith(b"/") and field[1:].isdigit():
        start = int(field[1:])
        return long_names[start : long_names.index(b"/\n", start)].decode(errors="surrogateescape")
    return field.decode(errors="surrogateescape").removesuffix("/")
