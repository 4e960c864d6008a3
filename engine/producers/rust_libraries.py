"""The libraries of a Rust program's link: which of them as IR, and how much of it.

An rlib is a static library. Each member of one that rustc made for others carries the IR of its
code in the section `.llvmbc`. What has none, or is only there to name the functions of a backtrace,
is linked as native code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from irsan.engine.cache import Cache
from irsan.engine.front_end.ir_input import is_bitcode, read_ir_parts
from irsan.engine.inputs.ar_file import read_members
from irsan.engine.inputs.elf_file import is_elf, lto_bitcode
from irsan.engine.inputs.linked_archives import (
    SymbolNames,
    bitcode_names,
    object_names,
    taken_members,
)
from irsan.engine.producers.made_parts import MadeParts
from irsan.engine.producers.rust_members import NO_NAMES, is_native_crate
from irsan.engine.producers.sliced_ir import IrPart, sliced

#: what no IR names: the entry, and what code of older releases calls in functions of big frames
_ROOTS: Final = ("main", "__rust_probestack")
_SYSTEM: Final = frozenset(("gcc_s", "gcc", "util", "rt", "pthread", "m", "dl", "c"))
_ARCHIVES: Final = (".rlib", ".a")


def linked_parts(
    objects: Sequence[tuple[str, bytes]], words: Sequence[str], cache: Cache
) -> MadeParts:
    """The parts of a program: its objects, and what they need of the libraries in `words`."""
    own = [one for one in objects if is_bitcode(one[1])]
    members = [row for path in _archives(words) for row in _members(path)]
    coded = [row for row in members if is_bitcode(row[1])]
    native = [row for row in members if not is_bitcode(row[1])]
    units = _current([*own, *coded])
    names = [bitcode_names(raw) for _, raw in units[: len(own)]]
    listed = [object_names(raw, name) for name, raw in objects if is_elf(raw)]  # what must be kept
    wanted = set(_ROOTS).union(*(one.wanted for one in (*names, *listed)))
    libraries = [IrPart(*row) for row in units[len(own) :]]
    taken, kept = _linked(libraries, wanted, native, cache)
    return MadeParts(
        (*units[: len(own)], *((part.name, part.bitcode) for part in kept)),
        tuple(taken), tuple(_libraries(words)), tuple(_folders(words)),
    )  # fmt: skip


def _linked(
    parts: Sequence[IrPart],
    wanted: set[str],
    native: Sequence[tuple[str, bytes]],
    cache: Cache,
) -> tuple[list[tuple[str, bytes]], list[IrPart]]:
    """Native members and slices of IR; each may want more of the other."""
    names = [(row, object_names(row[1], row[0])) for row in native]
    while True:
        kept = sliced(parts, wanted, cache, NO_NAMES)
        found = [bitcode_names(part.bitcode) for part in kept]
        given = [SymbolNames(set(), wanted), *found]
        taken = taken_members(names, given)
        more = {name for _, one in taken for name in one.wanted} - wanted
        if not more:
            return [row for row, _ in taken], kept
        wanted = wanted | more


def _archives(words: Iterable[str]) -> list[Path]:
    return [Path(word) for word in words if word.endswith(_ARCHIVES) and Path(word).is_file()]


def _members(path: Path) -> Iterable[tuple[str, bytes]]:
    """Members that are code, those with IR as bitcode."""
    is_native = is_native_crate(str(path))
    for name, raw in read_members(path):
        if is_bitcode(raw):
            yield f"{path}({name})", raw
        elif is_elf(raw):
            bitcode = None if is_native else lto_bitcode(raw)
            yield f"{path}({name})", raw if bitcode is None else bitcode


def _current(rows: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    read = read_ir_parts(rows)
    return [(name, raw) for (name, _), raw in zip(rows, read, strict=True)]


def _libraries(words: Iterable[str]) -> list[str]:
    named = (word[2:] for word in words if word.startswith("-l") and len(word) > 2)
    return [name for name in dict.fromkeys(named) if name not in _SYSTEM]


def _folders(words: Sequence[str]) -> list[str]:
    """The folders of -L that are still there: rustc's temporary one is not."""
    pairs = zip(words, [*words[1:], ""], strict=True)
    named = (after if word == "-L" else word[2:] for word, after in pairs if word.startswith("-L"))
    return [folder for folder in dict.fromkeys(named) if Path(folder).is_dir()]
