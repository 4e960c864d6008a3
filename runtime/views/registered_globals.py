"""Globals that instrumented modules have registered, with their true sizes and source names.

    COUNT_AT                     | number of tables | mode | first, end of table 1 | first, end ...
    a table                      descriptors of 64 bytes, written by the compiler:
                                 address, size, size with redzone, name, module, has initialiser,
                                 location (0, or text, line and column), one-definition mark
    mode                         1: nothing is registered (report_globals=0)

A registered global has its redzone inside its symbol, so the symbol's size says too much: the
descriptor's is what a report must show.

Source: struct __asan_global of LLVM's asan_interface_internal.h, version 8.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from irsan.runtime.layout import memory_map

DESCRIPTOR_BYTES: Final = 64
MAX_TABLES: Final = 1 << 16
COUNT_AT: Final = memory_map.table("registered globals", 16 + 16 * MAX_TABLES)
MODE_AT: Final = COUNT_AT + 8
TABLES_AT: Final = COUNT_AT + 16
IGNORE_ALL: Final = 1
_GRANULE_BYTES: Final = 8
_REDZONE_MARK: Final = 0xF9
_MAX_NAME_BYTES: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class RegisteredGlobal:
    """One descriptor, its texts read; without a location, `file` is empty."""

    lo: int
    size_bytes: int
    total_bytes: int
    name: str
    module: str
    has_initialiser: bool = False
    file: str = ""
    line: int = 0
    column: int = 0
    descriptor: int = 0
    odr_indicator: int = 0  # all ones: no other definition can be meant;  0: compared by name


def registered_tables() -> list[tuple[int, int]]:
    """(first, end) of each table of descriptors registered so far."""
    (count,) = _words(COUNT_AT, 1)
    words = _words(TABLES_AT, 2 * min(count, MAX_TABLES))
    return list(zip(words[0::2], words[1::2], strict=True))


def registered_globals(first: int, end: int) -> Iterator[RegisteredGlobal]:
    """The globals of one table; padding between descriptors of several objects is skipped."""
    for at in range(first, end - DESCRIPTOR_BYTES + 1, DESCRIPTOR_BYTES):
        lo, size_bytes, total_bytes, name, module, initialiser, place, mark = _words(at, 8)
        if lo:
            yield RegisteredGlobal(
                lo, size_bytes, total_bytes, _text(name), _text(module), initialiser != 0,
                *_location(place), at, mark,
            )  # fmt: skip


def ignore_globals() -> None:
    """From now on no global is registered, so that none has a redzone (report_globals=0)."""
    ctypes.c_uint64.from_address(MODE_AT).value = IGNORE_ALL


def poison_redzone(lo: int, hi: int) -> None:
    """Poison [lo, hi) behind an object that ends at `lo`; `hi` is a multiple of 8."""
    first, rest = divmod(lo - memory_map.ARENA_LO, _GRANULE_BYTES)
    n_granules = (hi - memory_map.ARENA_LO) // _GRANULE_BYTES - first
    if n_granules <= 0:
        return
    marks = bytes([rest or _REDZONE_MARK]) + bytes([_REDZONE_MARK]) * (n_granules - 1)
    ctypes.memmove(memory_map.ASAN_SHADOW + first, marks, n_granules)


def registered_globals_text(pid: int, program: str, shown_name: Callable[[str], str]) -> str:
    """A line for each global registered so far (report_globals=2); `program` names the module."""
    return "".join(
        f"=={pid}==Added Global[{each.descriptor:#x}]: beg={each.lo:#x} "
        f"size={each.size_bytes}/{each.total_bytes} name={shown_name(each.name)} "
        f"source={each.module} module={program} dyn_init={int(each.has_initialiser)} "
        f"odr_indicator={each.odr_indicator:#018x}\n"
        for first, end in registered_tables()
        for each in registered_globals(first, end)
    )


def ascii_text(lo: int, size_bytes: int) -> str | None:
    """The string that fills an object and ends with its only zero byte, None for other contents."""
    if size_bytes < 1 or not memory_map.ARENA_LO <= lo < memory_map.ARENA_HI - size_bytes:
        return None
    raw = ctypes.string_at(lo, size_bytes)
    is_text = raw[-1] == 0 and raw.index(0) == size_bytes - 1 and raw.isascii()
    return raw[:-1].decode("ascii") if is_text else None


def _location(place: int) -> tuple[str, int, int]:
    if not place:
        return "", 0, 0
    file, numbers = _words(place, 2)
    return _text(file), numbers & 0xFFFF_FFFF, numbers >> 32


def _words(at: int, count: int) -> list[int]:
    return list((ctypes.c_uint64 * count).from_address(at))


def _text(addr: int) -> str:
    if not memory_map.ARENA_LO <= addr < memory_map.ARENA_HI - _MAX_NAME_BYTES:
        return ""
    raw = (ctypes.c_char * _MAX_NAME_BYTES).from_address(addr)
    return raw.value.decode("utf-8", "replace")
