"""The file of which a private copy of a native library is made: the library's bytes, edited.

    constructors, destructors  taken out: the guest runs them, when the copy's imports are patched
    the binding UNIQUE         made GLOBAL: the loader would share such symbols with the host's
    the soname                 set apart (`libz.so.1` is `=ibz.so.1`): no dlopen of the host finds
                               the copy under it
    names of what it needs     set apart where copies answer to them: the loader takes these, and
                               does not load the libraries themselves beside them

A name is set apart in place, by its first byte: the string table cannot grow.  That is not possible
where the linker has made the name the end of a longer one, or where the library has no soname; then
the soname is taken out, and what needs the library has it loaded once more, unused.

Source: System V ABI, chapter 5 (dynamic section); LSB 5.0, 10.7 (DT_VERNEED).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

import numpy as np

from irsan.engine.linker.elf import STB_GLOBAL, STB_GNU_UNIQUE, SYMBOL_DTYPE
from irsan.engine.native_libraries import shared_object as so
from irsan.engine.native_libraries.shared_object import Bytes, SharedObject

_DT_VERNEED: Final = 0x6FFF_FFFE
_DT_VERNEEDNUM: Final = 0x6FFF_FFFF
_HIDDEN_TAGS: Final = (
    *(so.DT_INIT, so.DT_FINI),
    *(so.DT_INIT_ARRAY, so.DT_FINI_ARRAY, so.DT_INIT_ARRAYSZ, so.DT_FINI_ARRAYSZ),
)
#: of the range that the ABI gives to operating systems, unused: loaders ignore it
_DT_IGNORED: Final = 0x6000_F00D
_MARK: Final = ord("=")


def private_image(raw: Bytes, parsed: SharedObject, apart: Collection[str] = ()) -> bytes:
    """`raw` as a copy is loaded from it. apart: needed names to which copies answer."""
    image = bytearray(raw[:])
    renamed = [name for name in (*apart, parsed.soname) if can_set_apart(raw, parsed, name)]
    hidden = _HIDDEN_TAGS if parsed.soname in renamed else (*_HIDDEN_TAGS, so.DT_SONAME)
    rows = np.frombuffer(
        image, so.DYNAMIC_DTYPE, len(parsed.dynamic), parsed.dynamic_offset
    )  # a view: writes go to `image`
    for tag in hidden:
        rows["tag"][rows["tag"] == tag] = _DT_IGNORED
    for offset, count in so.dynamic_symbols(image):
        symbols = np.frombuffer(image, SYMBOL_DTYPE, count, offset)
        unique = symbols["info"] >> 4 == STB_GNU_UNIQUE
        symbols["info"][unique] = symbols["info"][unique] & 15 | STB_GLOBAL << 4
    for place in {place for name in renamed for place in _places(raw, parsed, name)}:
        image[place] = _MARK
    return bytes(image)


def can_set_apart(raw: Bytes, parsed: SharedObject, name: str) -> bool:
    """Whether each string by which the library's tables give this name is no end of another."""
    places = list(_places(raw, parsed, name)) if name else []
    return bool(places) and all(raw[place - 1] == 0 for place in places)


def _places(raw: Bytes, parsed: SharedObject, name: str) -> Iterator[int]:
    """File offsets of the name: as soname, as what is needed, and as what versions are from."""
    strings = so.file_offset(parsed.segments, parsed.value(so.DT_STRTAB))
    wanted = name.encode() + b"\0"
    is_name = np.isin(parsed.dynamic["tag"], (so.DT_SONAME, so.DT_NEEDED))
    for value in (*parsed.dynamic["value"][is_name].tolist(), *_versioned(raw, parsed)):
        if raw[strings + value : strings + value + len(wanted)] == wanted:
            yield strings + value


def _versioned(raw: Bytes, parsed: SharedObject) -> Iterator[int]:
    """Offsets in the string table of the files from which versions are needed."""
    table = parsed.value(_DT_VERNEED)
    at = so.file_offset(parsed.segments, table) if table else 0
    for _ in range(parsed.value(_DT_VERNEEDNUM) if table else 0):
        yield int.from_bytes(raw[at + 4 : at + 8], "little")
        at += int.from_bytes(raw[at + 12 : at + 16], "little")
