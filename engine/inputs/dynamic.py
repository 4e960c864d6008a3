"""The dynamic section of executables and shared libraries: what they need, export and hide.

    read_dynamic(raw) -> Dynamic

Source: System V ABI, chapter 5 (dynamic section, symbol table); ld.so(8) for $ORIGIN.
Nothing here imports numpy.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from typing import Final

from irsan.engine.inputs.elf_file import sections
from irsan.errors import UnsupportedError

_DT_NEEDED, _DT_SONAME, _DT_RPATH, _DT_SYMBOLIC, _DT_RUNPATH, _DT_FLAGS = 1, 14, 15, 16, 29, 30
_DF_SYMBOLIC: Final = 2
_ENTRY: Final = struct.Struct("<qQ")
_SYMBOL: Final = struct.Struct("<IBBHQQ")
_UNDEFINED, _STB_GLOBAL, _STV_PROTECTED = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Dynamic:
    """Facts for the dynamic linker.

    rpath: folders for what this and what it needs needs;  runpath: for this alone.
    exports: names of defined dynamic symbols;  own: those that it binds to itself.
    imports: names of dynamic symbols that must be defined elsewhere.
    """

    needed: tuple[str, ...] = ()
    soname: str = ""
    rpath: tuple[str, ...] = ()
    runpath: tuple[str, ...] = ()
    exports: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()


def read_dynamic(raw: bytes | mmap.mmap, name: str) -> Dynamic:
    """Read a file's facts; empty ones of a static executable. UnsupportedError when damaged."""
    try:
        places = {section: (at, size) for section, at, size in sections(raw)}
        if ".dynamic" not in places:
            return Dynamic()
        return _read(raw, places)
    except (struct.error, ValueError, KeyError) as error:
        raise UnsupportedError(f"{name}: damaged dynamic section: {error}") from None


def _read(raw: bytes | mmap.mmap, places: dict[str, tuple[int, int]]) -> Dynamic:
    texts_at = places[".dynstr"][0]

    def text(offset: int) -> str:
        start = texts_at + offset
        end = raw.find(b"\0", start)
        if end < 0:
            raise ValueError("a name without an end")
        return raw[start:end].decode(errors="surrogateescape")

    at, size = places[".dynamic"]
    rows = list(_ENTRY.iter_unpack(raw[at : at + size - size % _ENTRY.size]))
    values = dict(rows)
    is_symbolic = _DT_SYMBOLIC in values or bool(values.get(_DT_FLAGS, 0) & _DF_SYMBOLIC)
    exports, protected, imports = set(), set(), set()
    at, size = places[".dynsym"]
    for name_at, info, other, section, _, _ in _SYMBOL.iter_unpack(raw[at : at + size]):
        if section == _UNDEFINED and info >> 4 == _STB_GLOBAL and name_at:
            imports.add(text(name_at))
        if section != _UNDEFINED and name_at:
            exports.add(text(name_at))
            if other & 3 == _STV_PROTECTED:
                protected.add(text(name_at))

    def folders(tag: int) -> tuple[str, ...]:
        return tuple(filter(None, text(values[tag]).split(":"))) if tag in values else ()

    return Dynamic(
        tuple(text(value) for tag, value in rows if tag == _DT_NEEDED),
        text(values[_DT_SONAME]) if _DT_SONAME in values else "",
        () if _DT_RUNPATH in values else folders(_DT_RPATH),
        folders(_DT_RUNPATH),
        frozenset(exports),
        frozenset(exports if is_symbolic else protected),
        frozenset(imports),
    )
