"""Shadow of uninitialised bits in tests of kernels: reserved once, emptied for each example."""

from __future__ import annotations

import ctypes

from irsan.runtime import arena
from irsan.runtime.layout import uninit_layout as ul

_RESERVED: list[bool] = []


def begin_tracking() -> None:
    """Empty shadow, with everything that a run switches on by default."""
    if not _RESERVED:
        arena.reserve(arena.Range("memory shadow", ul.RESERVED_LO, ul.RESERVED_BYTES))
        _RESERVED.append(True)
    arena.discard(ul.RESERVED_LO, ul.RESERVED_BYTES)
    for word in (ul.IS_ON, ul.POISONS_MALLOC, ul.POISONS_FREE, ul.POISONS_STACK, ul.REPORTS):
        arena.view_words(word, 1)[0] = 1
    arena.view_words(ul.MAX_STEPS, 1)[0] = 7


def shadow_of(addr: int, size: int) -> bytes:
    """Shadow bytes of a range."""
    return ctypes.string_at(addr + ul.SHADOW_BIAS, size)


def origin_at(addr: int) -> int:
    """Origin word of a byte."""
    return int.from_bytes(ctypes.string_at((addr & ~3) + ul.ORIGIN_BIAS, 4), "little")
