"""A few bytes of memory around an address, with a caret below: what notes about pointers show.

    0x7ffd448d4739: note: pointer points here
     00 00 00  00 00 00 00 00 00 00 00  00 ...
                 ^

Bytes are read by the kernel, so that an address that is not mapped is no crash.

Source: compiler-rt's ubsan_diag.cpp (PrintMemorySnippet): 32 bytes, from 4 before the address, two
blanks in front of what lies at a multiple of 8.
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Final

_SHOWN_BYTES: Final = 32
_BYTES_AROUND: Final = 4
_HIGHEST: Final = (1 << 64) - 1
UNREADABLE: Final = "<memory cannot be printed>"


@dataclass(frozen=True, slots=True)
class MarkedRange:
    """Bytes [lo, hi) that have a name: they are underlined."""

    lo: int
    hi: int
    name: str


def snippet_lines(addr: int, marked: MarkedRange | None = None) -> list[str]:
    """Lines that show the bytes near `addr`."""
    lowest, highest = max(addr - _BYTES_AROUND, 0), min(addr + _BYTES_AROUND, _HIGHEST)
    start = lowest
    if marked is not None:
        lowest, highest = min(marked.lo, lowest), max(marked.hi, highest)
    if highest - lowest > _SHOWN_BYTES:
        lowest = min(highest - _SHOWN_BYTES, start)
    highest = min(lowest + _SHOWN_BYTES, _HIGHEST)
    raw = read_memory(lowest, highest - lowest)
    if raw is None:
        return [UNREADABLE]
    places = range(lowest, highest)
    shown = "".join(
        f"{'  ' if at % 8 == 0 else ' '}{byte:02x}" for at, byte in zip(places, raw, strict=True)
    )
    lines = [shown, "".join(_underlined(addr, marked, places))]
    if marked is not None:
        named = (marked.lo - lowest) * 3 + sum(at % 8 == 0 for at in range(lowest, marked.lo + 1))
        lines.append(" " * (named + 1) + marked.name)
    return lines


def _underlined(addr: int, marked: MarkedRange | None, places: range) -> list[str]:
    """One piece per byte: a caret below the address, waves below the range."""
    pieces = []
    for at in places:
        is_inside = marked is not None and marked.lo <= at < marked.hi
        is_behind = marked is None or marked.hi <= at
        if is_behind and at > addr:
            break
        pad = "~" if is_inside and marked is not None and marked.lo < at else " "
        byte = "~" if is_inside else " "
        pieces.append(pad * (2 if at % 8 == 0 else 1) + ("^" if at == addr else byte) + byte)
    return pieces


def read_memory(addr: int, n_bytes: int) -> bytes | None:
    """The bytes at `addr`, None when they cannot be read: a pipe copies them, or says no."""
    try:
        reading, writing = os.pipe()
    except OSError:  # the program has used up all descriptors
        return None
    try:
        if os.write(writing, (ctypes.c_char * n_bytes).from_address(addr)) < n_bytes:
            return None
        return os.read(reading, n_bytes)
    except OSError:
        return None
    finally:
        os.close(reading)
        os.close(writing)
