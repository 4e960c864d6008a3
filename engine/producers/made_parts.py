"""What a language's own compiler has made of a program, ready for the linker; kept in the cache.

    MadeParts   units of IR, native objects, shared libraries that are needed, what was printed

The record of a compilation is stored as that of clang is (front_end/compile_cache.py): it is used
again while every file that the compiler read has the same content.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from irsan.engine.cache import Cache
from irsan.engine.front_end import compile_cache
from irsan.engine.front_end.compile_cache import Compilation
from irsan.engine.headed_bytes import join_head, read_head


@dataclass(frozen=True, slots=True)
class MadeParts:
    """A program's parts.

    units: (name, bitcode of this LLVM);  objects: (name, native object).
    libraries: what `-l` would name, for the program's own;  folders: where those are.
    """

    units: tuple[tuple[str, bytes], ...]
    objects: tuple[tuple[str, bytes], ...] = ()
    libraries: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    def encoded(self) -> bytes:
        """Bytes for the cache."""
        both = (*self.units, *self.objects)
        facts = {
            "names": [name for name, _ in both], "sizes": [len(raw) for _, raw in both],
            "n_units": len(self.units), "libraries": self.libraries, "folders": self.folders,
        }  # fmt: skip
        head = json.dumps(facts).encode()
        return join_head(head, *(raw for _, raw in both))


def decoded(raw: bytes) -> MadeParts:
    """The parts of bytes from the cache."""
    head, at = read_head(raw)
    facts = json.loads(head)
    both = []
    for name, size in zip(facts["names"], facts["sizes"], strict=True):
        both.append((name, raw[at : at + size]))
        at += size
    n_units = facts["n_units"]
    return MadeParts(
        tuple(both[:n_units]), tuple(both[n_units:]), tuple(facts["libraries"]),
        tuple(facts["folders"]),
    )  # fmt: skip


def lookup(cache: Cache, key: str) -> tuple[MadeParts, str] | None:
    """Parts that are still true, and what the compiler printed."""
    known = compile_cache.lookup(cache, key, ())
    return None if known is None else (decoded(known.bitcode), known.warnings)


def store(
    cache: Cache, key: str, parts: MadeParts, printed: str, files: list[str], started_ns: int
) -> None:
    """Keep parts; files: all that the compiler read, from its working folder."""
    paths = sorted(str(Path.cwd() / file) for file in set(files))
    compile_cache.store(cache, key, Compilation(parts.encoded(), printed), paths, (), started_ns)
