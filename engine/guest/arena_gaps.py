"""Gaps of the arena: what belongs to no object of the program cannot be touched.

    owned       irsan's record | runtime | program | arguments | open stacks | heap in use
    in between  PROT_NONE, in code without checks and in native code too
    its shadow  PROT_NONE; the first check that reads a page of it finds fe everywhere
    outside     shadow of all addresses that are not in the arena: likewise, unless the program
                cannot have such a fault (runtime/kernels/checks/foreign_shadow.py)

So an access to a gap is a fault before it happens, and a check says where it would be made. Gaps
cost no memory: their shadow is filled by the fault handler when it is looked at, a page at a time,
and outside of heap and stacks 32 KiB: a process can have 65,530 mappings.
Kernels open stacks, fake stacks and heap when they take them into use (`open_pages`,
`open_shadow`).

Source: AddressSanitizer protects its shadow gap in the same way ("AddressSanitizer: A Fast Address
Sanity Checker", section 3.1).
Deviations: irsan's own shadows and tables beyond the arena stay writable, as checks that are
inlined into the program write them; to checked code they are unknown addresses all the same.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterable, Iterator

from irsan.engine.glue.gaps import PAGE_BYTES
from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.layout.memory_map import addr_to_shadow
from irsan.runtime.layout.shadow_bytes import INTERNAL
from irsan.runtime.records.memory.heap_records import UNIT_BYTES

PROT_NONE = 0

Range = tuple[int, int]


def gaps_between(owned: Iterable[Range], lo: int, hi: int) -> Iterator[Range]:
    """Pages of [lo, hi) that none of the ranges touches, by address."""
    at = lo
    for first, end in sorted(owned):
        below = first // PAGE_BYTES * PAGE_BYTES
        if at < min(below, hi):
            yield at, min(below, hi)
        at = max(at, -(-end // PAGE_BYTES) * PAGE_BYTES)
    if at < hi:
        yield at, hi


def close_arena(
    owned: Iterable[Range],
    internal: Iterable[Range],
    shown: Iterable[Range],
    heap_top: int,
    *,
    has_shadow: bool,
) -> None:
    """Close all gaps below the stacks, all stacks, which are not in use yet, and the heap's ends.

    owned     the parts in use below the stacks, irsan's own included
    internal  of them, what only irsan may touch
    shown     of that, variables that programs address; multiples of 8 bytes
    """
    for lo, hi in gaps_between(owned, memory_map.ARENA_LO, memory_map.GLOBALS_HI):
        close_range(lo, hi, has_shadow=has_shadow)
    close_range(memory_map.STACKS_LO, memory_map.STACKS_HI, has_shadow=has_shadow)
    arena.protect(memory_map.HEAP_LO, UNIT_BYTES, PROT_NONE)
    arena.protect(heap_top, ZONE_LO - heap_top, PROT_NONE)
    if has_shadow:
        for lo, hi in shadow_of_others(heap_top):
            arena.protect(lo, hi - lo, PROT_NONE)
        for lo, hi in internal:
            _fill_shadow(addr_to_shadow(lo), addr_to_shadow(hi))
        for lo, hi in shown:
            ctypes.memset(addr_to_shadow(lo), 0, (hi - lo) >> 3)


def shadow_of_others(heap_top: int) -> tuple[Range, ...]:
    """Shadow of what is not in the arena, or not yet: below it, itself, above its heap."""
    return (
        (memory_map.SHADOW_OFFSET, memory_map.ASAN_SHADOW),
        (addr_to_shadow(memory_map.GLOBALS_HI), addr_to_shadow(memory_map.STACKS_LO)),
        (addr_to_shadow(heap_top), memory_map.STACKS_LO),
        (memory_map.ARENA_HI, memory_map.SHADOW_HI),
    )


def close_range(lo: int, hi: int, *, has_shadow: bool) -> None:
    """Make the pages [lo, hi) of the arena inaccessible, and what checks know of them."""
    arena.protect(lo, hi - lo, PROT_NONE)
    if not has_shadow:
        return
    first, end = addr_to_shadow(lo), addr_to_shadow(hi)
    inner = -(-first // PAGE_BYTES) * PAGE_BYTES
    last = end // PAGE_BYTES * PAGE_BYTES
    if inner >= last:
        _fill_shadow(first, end)
        return
    _fill_shadow(first, inner)
    _fill_shadow(last, end)
    arena.protect(inner, last - inner, PROT_NONE)


def open_range(lo: int, hi: int, *, has_shadow: bool) -> None:
    """The first pages of a gap come into use."""
    arena.protect(lo, hi - lo, mmap.PROT_READ | mmap.PROT_WRITE)
    if not has_shadow:
        return
    closed, end = (-(-addr_to_shadow(at) // PAGE_BYTES) * PAGE_BYTES for at in (lo, hi))
    if end > closed:
        arena.protect(closed, end - closed, mmap.PROT_READ | mmap.PROT_WRITE)
        _fill_shadow(closed, end)
    ctypes.memset(addr_to_shadow(lo), 0, (hi - lo) >> 3)


def reopen_range(lo: int, hi: int, *, has_shadow: bool) -> None:
    """Pages that `close_range` has closed come into use again; others may lie on both sides."""
    arena.protect(lo, hi - lo, mmap.PROT_READ | mmap.PROT_WRITE)
    if not has_shadow:
        return
    first, end = addr_to_shadow(lo), addr_to_shadow(hi)
    inner, last = -(-first // PAGE_BYTES) * PAGE_BYTES, end // PAGE_BYTES * PAGE_BYTES
    if inner < last:
        arena.protect(inner, last - inner, mmap.PROT_READ | mmap.PROT_WRITE)
    ctypes.memset(first, 0, end - first)


def _fill_shadow(first: int, end: int) -> None:
    ctypes.memset(first, INTERNAL, end - first)
