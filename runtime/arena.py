"""Reserve the arena, its shadows and tables at their fixed addresses, and view the Context.

Reservation is PROT_READ|PROT_WRITE with MAP_NORESERVE and MAP_FIXED_NOREPLACE: nothing is paid for
untouched pages, and a range in use is an error here, never a silent overlap.
"""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irsan.errors import UnsupportedError
from irsan.file_mapping import MAP_FIXED, libc_mmap
from irsan.runtime.layout import memory_map

_MAP_FIXED_NOREPLACE = 0x100000
_MAP_NORESERVE = 0x4000
_EMPTY = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
_PROT_RW = mmap.PROT_READ | mmap.PROT_WRITE

_libc = ctypes.CDLL(None, use_errno=True)
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class RangeTaken(UnsupportedError):
    """A fixed range is in use by something else in this process."""


@dataclass(frozen=True, slots=True)
class Range:
    """A half-open range of addresses and the name it has in messages."""

    name: str
    lo: int
    size_bytes: int


RANGES = (
    Range("program", memory_map.ARENA_LO, memory_map.GLOBALS_HI - memory_map.ARENA_LO),
    Range(
        "address shadow",
        memory_map.SHADOW_OFFSET,
        memory_map.STACKS_LO - memory_map.SHADOW_OFFSET,
    ),
    Range("arena", memory_map.STACKS_LO, memory_map.ARENA_HI - memory_map.STACKS_LO),
    # Functions that run on a stack of the program's own write the shadow of their frames there.
    Range(
        "shadow of foreign memory",
        memory_map.ARENA_HI,
        memory_map.SHADOW_HI - memory_map.ARENA_HI,
    ),
    Range("race shadow", memory_map.RACE_SHADOW, memory_map.RACE_SHADOW_SIZE),
    Range("tables", memory_map.TABLES, memory_map.TABLES_SIZE),
    Range("call stacks", memory_map.CALL_STACKS, memory_map.CALL_STACKS_SIZE),
)


def range_at(addr: int) -> Range | None:
    """The range of ours that `addr` lies in."""
    return next((part for part in RANGES if 0 <= addr - part.lo < part.size_bytes), None)


def is_accessible(addr: int) -> bool:
    """Whether the page of an address may be read now, as the kernel's list of mappings says."""
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
        place, permissions = line.split(maxsplit=2)[:2]
        lo, hi = (int(part, 16) for part in place.split("-"))
        if lo <= addr < hi:
            return permissions[0] == "r"
    return False


_reserved: list[int] = []  # the mapping belongs to the process, so this does too


def reserve_arena() -> None:
    """Map every range of `RANGES`, once; RangeTaken names the first that is in use."""
    if _reserved:
        return
    for part in RANGES:
        reserve(part)
    _reserved.append(1)


def reserve(part: Range) -> None:
    """Map one range without memory behind it; RangeTaken when it is in use."""
    flags = _EMPTY | _MAP_FIXED_NOREPLACE
    got = libc_mmap(part.lo, part.size_bytes, _PROT_RW, flags, -1, 0)
    if got == part.lo:
        return
    if got not in (None, ctypes.c_void_p(-1).value):
        _libc.munmap(got, part.size_bytes)
    raise RangeTaken(
        f"the {part.name} cannot be reserved at {part.lo:#x} ({part.size_bytes >> 30} GiB): "
        "the range is in use or the address space is limited (ulimit -v); "
        "`irsan doctor` shows the ranges"
    )


def protect(lo: int, size_bytes: int, prot: int) -> None:
    """mprotect a page range of the arena; OSError when the kernel refuses."""
    if _libc.mprotect(lo, size_bytes, prot) != 0:
        raise OSError(ctypes.get_errno(), f"mprotect({lo:#x}, {size_bytes:#x}) failed")


def discard(lo: int, size_bytes: int) -> None:
    """Map a range of the arena anew: it reads as zero afterwards, and can be read and written.

    Advice to give the pages back would keep their page tables: each later one, and each fork, walks
    all that were ever used, for milliseconds.
    """
    if libc_mmap(lo, size_bytes, _PROT_RW, _EMPTY | MAP_FIXED, -1, 0) != lo:
        raise OSError(ctypes.get_errno(), f"mmap({lo:#x}, {size_bytes:#x}) failed")


def reset_arena() -> None:
    """Forget everything in every range (tests start from here)."""
    for part in RANGES:
        discard(part.lo, part.size_bytes)


def view_record(addr: int, dtype: np.dtype[Any]) -> np.void:
    """A numpy record over the bytes at `addr`: reads and writes go to guest memory."""
    raw = (ctypes.c_uint8 * dtype.itemsize).from_address(addr)
    record: np.void = np.frombuffer(memoryview(raw), dtype=dtype, count=1)[0]
    return record


def view_words(addr: int, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """`uint64[count]` over the words at `addr`."""
    raw = (ctypes.c_uint64 * count).from_address(addr)
    return np.frombuffer(memoryview(raw), dtype=np.uint64)


def view_bytes(addr: int, count: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """`uint8[count]` over the bytes at `addr`."""
    raw = (ctypes.c_uint8 * count).from_address(addr)
    return np.frombuffer(memoryview(raw), dtype=np.uint8)
