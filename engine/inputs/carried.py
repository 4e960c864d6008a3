"""IR that native files carry: what `irsan-cc` puts into objects, and what a linker made of it.

    object       one record in its section `.irsan`: the unit's bitcode, or, of an assembler
                 source, the object itself
    executable,  the records of exactly the objects that the linker took, in link order, as it
    library      joins sections of one name; section `.irsan.link`: native objects that came
                 without a record

    record = "IRSANCC1"  u32 head bytes  u64 body bytes  head (JSON)  body (zlib)

A file with records is checked by irsan; one without is native code. A body is unpacked when it is
asked for: a run whose units are in the cache needs the heads only.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from irsan.engine.inputs.elf_file import Buffer, is_elf, sections
from irsan.engine.inputs.file_part import FilePart
from irsan.errors import UnsupportedError

SECTION: Final = ".irsan"
LINK_SECTION: Final = ".irsan.link"
_MAGIC: Final = b"IRSANCC1"
_HEAD: Final = struct.Struct("<8sIQ")
#: facts, offset and size of the body
_Head: TypeAlias = tuple[Mapping[str, Any], int, int]
_FASTEST: Final = 1


@dataclass(frozen=True, slots=True)
class CarriedUnit:
    """One object's record.

    kind: `ir` (body is bitcode as the compiler wrote it) or `object` (body is a native object).
    path: the source, or the object, as the build named it.
    language: `c`, `c++`, or `asm` for an object.
    packed: the body, compressed, or where it lies.
    marked: sanitizers whose functions are marked, so that an unmarked one is not to be checked.
    sanitize: the checks that the build asked for; empty when it named none.
    key: sha256 of the body, hexadecimal.
    opt_level: the compiler's -O.
    stdlib: `checked` of what was compiled for the checked C++ library; "" for any other.
    origin: the file that it was read from, for messages.
    """

    kind: Literal["ir", "object"]
    path: str
    language: str
    packed: bytes | FilePart
    marked: frozenset[str] = frozenset()
    sanitize: frozenset[str] = frozenset()
    opt_level: int = 1
    key: str = ""
    stdlib: str = ""
    origin: str = field(default="", compare=False)

    @property
    def body(self) -> bytes:
        """The bitcode or object. Raises UnsupportedError when it is damaged."""
        try:
            body = zlib.decompress(_bytes_of(self.packed))
        except zlib.error as error:
            raise _unreadable(self.origin or self.path, error) from None
        if isinstance(self.packed, FilePart) and hashlib.sha256(body).hexdigest() != self.key:
            raise _unreadable(self.origin, "its bytes are others than those that were recorded")
        return body

    def encoded(self) -> bytes:
        """The record: bytes for a section."""
        facts = {name: _as_json(getattr(self, name)) for name in _FACTS}
        head = json.dumps(facts).encode()
        return _HEAD.pack(_MAGIC, len(head), len(self.packed)) + head + _bytes_of(self.packed)


def _bytes_of(packed: bytes | FilePart) -> bytes:
    return packed.read() if isinstance(packed, FilePart) else packed


_FACTS: Final = ("kind", "path", "language", "marked", "sanitize", "opt_level", "key", "stdlib")


def carried_unit(
    kind: Literal["ir", "object"], path: str, language: str, body: bytes,
    marked: frozenset[str] = frozenset(), sanitize: frozenset[str] = frozenset(),
    opt_level: int = 1, stdlib: str = "",
) -> CarriedUnit:  # fmt: skip
    """The record of a body; the rest as for CarriedUnit."""
    packed, key = zlib.compress(body, _FASTEST), hashlib.sha256(body).hexdigest()
    return CarriedUnit(kind, path, language, packed, marked, sanitize, opt_level, key, stdlib)


def _as_json(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else value


def carries(path: Path) -> bool:
    """Whether a file is an object, an executable or a library with records."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as raw:
            return is_elf(raw[:8]) and any(_records_in(raw))
    except (OSError, ValueError, UnsupportedError):
        return False


def read_carried(path: Path) -> list[CarriedUnit]:
    """The units of an object, an executable or a library in link order; [] of plain native code.

    Raises OSError, and UnsupportedError for a damaged file or records of another version.
    """
    return decode_carried(path.read_bytes(), str(path))


def decode_carried(raw: bytes, name: str) -> list[CarriedUnit]:
    """The same of a file's bytes."""
    return list(_units(_file_heads(raw, name), name, lambda lo, size: raw[lo : lo + size]))


def carried_in_place(path: Path) -> list[CarriedUnit]:
    """The same of a file whose bodies stay there until they are asked for."""
    return list(_units(_heads_of(path), str(path), partial(FilePart, str(path))))


def carried_checks(path: Path) -> frozenset[str]:
    """The sanitizers that any record's build asked for; empty when none named one."""
    return frozenset(name for head in carried_heads(path) for name in head["sanitize"])


def carried_heads(path: Path) -> list[Mapping[str, Any]]:
    """What the records of a file say of their units, by the names of CarriedUnit's fields."""
    return [head for head, _, _ in _heads_of(path)]


def _heads_of(path: Path) -> tuple[_Head, ...]:
    """The heads of a file, once for all that ask while it stays as it is."""
    status = path.stat()
    stamp = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return _known_heads(str(path), stamp) if status.st_size else ()


@lru_cache(maxsize=1)
def _known_heads(path: str, _stamp: tuple[int, ...]) -> tuple[_Head, ...]:
    with Path(path).open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as raw:
        return tuple(_file_heads(raw, path))


def _file_heads(raw: Buffer, name: str) -> Iterator[_Head]:
    if is_elf(raw):
        for at, n_bytes in _records_in(raw):
            yield from _heads(raw, at, at + n_bytes, name)


def _records_in(raw: Buffer) -> Iterator[tuple[int, int]]:
    """(offset, size) of the sections that hold records."""
    for name, offset, size in sections(raw):
        if name in (SECTION, LINK_SECTION) and size:
            yield offset, size


def _units(
    heads: Iterable[_Head], name: str, packed: Callable[[int, int], bytes | FilePart]
) -> Iterator[CarriedUnit]:
    for facts, lo, size in heads:
        try:
            sets = {fact: frozenset(facts[fact]) for fact in ("marked", "sanitize")}
            yield CarriedUnit(packed=packed(lo, size), origin=name, **{**facts, **sets})
        except (KeyError, TypeError) as error:
            raise _unreadable(name, error) from None


def _heads(raw: Buffer, at: int, end: int, name: str) -> Iterator[_Head]:
    """Heads of the records in [at, end) of a file."""
    end = min(end, len(raw))
    while at < end:
        if raw[at] == 0:  # what a linker puts between sections
            at += 1
            continue
        try:
            magic, n_head, n_body = _HEAD.unpack_from(raw, at)
            if magic != _MAGIC:
                raise ValueError("another version wrote it")
            start = at + _HEAD.size
            facts: dict[str, Any] = json.loads(bytes(raw[start : start + n_head]).decode())
        except (struct.error, ValueError) as error:
            raise _unreadable(name, error) from None
        at = start + n_head + n_body
        yield facts, start + n_head, n_body


def _unreadable(name: str, error: Exception | str) -> UnsupportedError:
    return UnsupportedError(
        f"{name}: what irsan-cc wrote into it cannot be read ({error}); build it again with this "
        "irsan-cc"
    )
