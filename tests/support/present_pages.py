"""Which pages of memory are there, as the system says (mincore)."""

from __future__ import annotations

import ctypes

PAGE_BYTES = 4096


def count_present(lo: int, size_bytes: int) -> int:
    """Pages of [lo, lo + size) that have been made; both are multiples of the size of a page."""
    libc = ctypes.CDLL(None, use_errno=True)
    found = (ctypes.c_ubyte * (size_bytes // PAGE_BYTES))()
    if libc.mincore(ctypes.c_void_p(lo), ctypes.c_size_t(size_bytes), found):
        raise OSError(ctypes.get_errno(), f"mincore({lo:#x}, {size_bytes:#x}) failed")
    return sum(byte & 1 for byte in found)
