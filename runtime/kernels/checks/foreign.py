"""Addresses outside the arena: which of them belong to somebody (libc, the host, a mapping).

    FOREIGN_RANGES   {lo u64, hi u64, kind u64} sorted by lo, disjoint; ctx.foreign[N_RANGES] rows
    kind             1 readable | 2 writable | 4 [heap] of the C library | 8 anonymous

The host fills the table from the kernel's list of mappings (runtime/views/mappings.py), leaving out
irsan's own shadows and tables.  The last range that matched is kept in ctx.foreign, since foreign
accesses come in runs.

Protocol of a miss.  The table may be older than the mapping, so a kernel never condemns alone: it
reports WILD_ACCESS or BAD_FREE with MAPPINGS_MAY_BE_STALE in fault[3].  The host refreshes the
table and asks `mappings.confirm_fault`: when the address is fine after all the kernel is asked
again (so it must not have done anything yet), otherwise the finding is real.

Soundness: a mapping that was removed stays readable here until the next refresh; touching it is
then a native fault, which the crash handler reports.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.layout import mapping_zone, memory_map

READABLE = 1
WRITABLE = 2
LIBC_HEAP = 4
ANONYMOUS = 8

# words of ctx.foreign
N_RANGES = 0
LAST_LO = 1
LAST_HI = 2
LAST_KIND = 3

ROW_BYTES = 24

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_ROW = np.uint64(ROW_BYTES)
U64_TABLE = np.uint64(memory_map.table("foreign ranges", ROW_BYTES))  # all of its room is used
U64_ARENA_LO = np.uint64(memory_map.ARENA_LO)
U64_OURS = np.uint64(mapping_zone.ZONE_LO - memory_map.ARENA_LO)
U64_READABLE = np.uint64(READABLE)
U64_READ_WRITE = np.uint64(READABLE | WRITABLE)
U64_LIBC_HEAP = np.uint64(LIBC_HEAP)
U64_ANONYMOUS = np.uint64(ANONYMOUS)
U64_PAGE_MASK = np.uint64(4095)

# A chunk of the GNU C library: the word before the pointer is size | flags.
GLIBC_PREV_IN_USE = np.uint64(1)
GLIBC_IS_MMAPPED = np.uint64(2)
GLIBC_NON_MAIN = np.uint64(4)
GLIBC_FLAGS = np.uint64(7)
GLIBC_MIN_CHUNK = np.uint64(32)
GLIBC_HEAP_MASK = np.uint64((64 << 20) - 1)


@kernel("b1(u64)")
def is_arena(addr: Any) -> Any:
    """Whether an address is ours, no mapping of the program: one unsigned compare."""
    return addr - U64_ARENA_LO < U64_OURS


@kernel("u64(ctx,u64)")
def foreign_row(ctx: Any, addr: Any) -> Any:
    """Address of the last row with lo <= addr, or 0.  O(log rows)."""
    low = U64_0
    high = ctx.foreign[N_RANGES]
    while low < high:
        middle = (low + high) >> U64_1
        if load_u64(U64_TABLE + middle * U64_ROW) <= addr:
            low = middle + U64_1
        else:
            high = middle
    if low == U64_0:
        return U64_0
    return U64_TABLE + (low - U64_1) * U64_ROW


@kernel("u64(ctx,u64)")
def foreign_kind(ctx: Any, addr: Any) -> Any:
    """Kind bits of the mapping that holds `addr`, 0 when none is known."""
    if ctx.foreign[LAST_LO] <= addr and addr < ctx.foreign[LAST_HI]:
        return ctx.foreign[LAST_KIND]
    row = foreign_row(ctx, addr)
    if row == U64_0 or addr >= load_u64(row + U64_8):
        return U64_0
    ctx.foreign[LAST_LO] = load_u64(row)
    ctx.foreign[LAST_HI] = load_u64(row + U64_8)
    ctx.foreign[LAST_KIND] = load_u64(row + U64_16)
    return ctx.foreign[LAST_KIND]


@kernel("b1(ctx,u64,u64,u64)")
def foreign_allows(ctx: Any, addr: Any, size_bytes: Any, wanted: Any) -> Any:
    """Whether all of [addr, addr + size_bytes) lies in known mappings with the `wanted` bits."""
    end = addr + size_bytes
    if end < addr:
        return False
    while addr < end:
        if (foreign_kind(ctx, addr) & wanted) != wanted:
            return False
        addr = ctx.foreign[LAST_HI]
    return True


@kernel("b1(ctx,u64)")
def is_foreign(ctx: Any, addr: Any) -> Any:
    """Whether an address is outside the arena and in a mapping known to be readable."""
    return not is_arena(addr) and (foreign_kind(ctx, addr) & U64_READABLE) != U64_0


@kernel("b1(ctx,u64)", outlined=True)
def is_libc_chunk(ctx: Any, addr: Any) -> Any:
    """Whether `addr` looks like a live pointer of the C library's own malloc.

    Reads the chunk header in front of it, after checking that it may be read: memory that came
    from mmap or a static array must not reach the real free, which would abort the process.
    """
    if (addr & (U64_16 - U64_1)) != U64_0 or is_arena(addr):
        return False
    if not foreign_allows(ctx, addr - U64_16, U64_16 + U64_16, U64_READ_WRITE):
        return False
    kind = foreign_kind(ctx, addr)
    header = load_u64(addr - U64_8)
    size_bytes = header & ~GLIBC_FLAGS
    if size_bytes < GLIBC_MIN_CHUNK or (size_bytes & U64_8) != U64_0:
        return False
    if (header & GLIBC_IS_MMAPPED) != U64_0:
        before = load_u64(addr - U64_16)
        begin = addr - U64_16 - before
        return ((begin | (before + size_bytes)) & U64_PAGE_MASK) == U64_0
    if not foreign_allows(ctx, addr, size_bytes, U64_READ_WRITE):
        return False
    if (load_u64(addr - U64_8 + size_bytes) & GLIBC_PREV_IN_USE) == U64_0:
        return False
    if (header & GLIBC_NON_MAIN) == U64_0:
        return (kind & U64_LIBC_HEAP) != U64_0
    return (foreign_kind(ctx, addr & ~GLIBC_HEAP_MASK) & U64_ANONYMOUS) != U64_0
