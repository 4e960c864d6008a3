"""Globals that instrumented modules have registered, with their true sizes and source names.

    layout.REGISTERED_GLOBALS    | number of tables | first, end of table 1 | first, end of 2 | ...
    a table                      descriptors of 64 bytes, written by the compiler:
                                 address, size, size with redzone, name, module, has initialiser,
                                 location (0: in the debug info), one-definition mark

A registered global has its redzone inside its symbol, so the symbol's size says too much: the
descriptor's is what a report must show.

Source: struct __asan_global of LLVM's asan_interface_internal.h, version 8.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from irsan.runtime import layout

DESCRIPTOR_BYTES: Final = 64
MAX_TABLES: Final = 1 << 16
_MAX_NAME_BYTES: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class RegisteredGlobal:
    """One descriptor, its texts read."""

    lo: int
    size_bytes: int
    name: str
    module: str


def registered_tables() -> list[tuple[int, int]]:
    """(first, end) of each table of descriptors registered so far."""
    (count,) = _words(layout.REGISTERED_GLOBALS, 1)
    words = _words(layout.REGISTERED_GLOBALS + 8, 2 * min(count, MAX_TABLES))
    return list(zip(words[0::2], words[1::2], strict=True))


def registered_globals(first: int, end: int) -> Iterator[RegisteredGlobal]:
    """The globals of one table; padding between descriptors of several objects is skipped."""
    for at in range(first, end - DESCRIPTOR_BYTES + 1, DESCRIPTOR_BYTES):
        lo, size_bytes, _, name, module, _, _, _ = _words(at, 8)
        if lo:
            yield RegisteredGlobal(lo, size_bytes, _text(name), _text(module))


def _words(at: int, count: int) -> list[int]:
    return list((ctypes.c_uint64 * count).from_address(at))


def _text(addr: int) -> str:
    if not layout.ARENA_LO <= addr < layout.ARENA_HI - _MAX_NAME_BYTES:
        return ""
    raw = (ctypes.c_char * _MAX_NAME_BYTES).from_address(addr)
    return raw.value.decode("utf-8", "replace")
