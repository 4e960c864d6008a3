"""Addresses outside the arena: which of them have an owner (libc, the host, a mapping).

    FOREIGN_RANGES   {lo u64, hi u64, kind u64} sorted by lo, disjoint; ctx.foreign.n_ranges rows
    kind             1 readable | 2 writable | 4 [heap] of the C library | 8 anonymous |
                     16 the stack of the process, or of a file that nobody makes shorter

The host fills the table from the kernel's list of mappings (runtime/views/mappings.py), leaving out
irsan's own shadows and tables.  The last range that matched is kept in ctx.foreign, since foreign
accesses come in runs.

Protocol of a miss.  The table may be older than the mapping, so a kernel never condemns alone: it
reports WILD_ACCESS or BAD_FREE with MAPPINGS_MAY_BE_STALE in fault[3].  The host refreshes the
table and asks `mappings.confirm_fault`: when the address is fine after all the kernel is asked
again (so it must not have done anything yet), otherwise the finding is real.

What the program maps, protects and unmaps itself is entered as it does so (`foreign_mapped`).

Soundness: a mapping that was removed by others stays readable here until the next refresh; touching
it is then a native fault, which the crash handler reports.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memmove, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import mapping_zone, memory_map
from irsan.runtime.layout.memory_map import ARENA_LO

READABLE = 1
WRITABLE = 2
LIBC_HEAP = 4
ANONYMOUS = 8
STEADY = 16
CANNOT_FAULT = LIBC_HEAP | ANONYMOUS | STEADY  # while it is mapped so

ROW_BYTES = 24

TABLE = memory_map.table("foreign ranges", ROW_BYTES)  # all of its room is used
OURS = mapping_zone.ZONE_LO - memory_map.ARENA_LO
READ_WRITE = READABLE | WRITABLE
PAGE_MASK = 4095

# A chunk of the GNU C library: the word before the pointer is size | flags.
GLIBC_PREV_IN_USE = 1
GLIBC_IS_MMAPPED = 2
GLIBC_NON_MAIN = 4
GLIBC_FLAGS = 7
GLIBC_MIN_CHUNK = 32
GLIBC_HEAP_MASK = (64 << 20) - 1


@kernel
def is_arena(addr: u64) -> bool:
    """Whether an address is ours, no mapping of the program: one unsigned compare."""
    return addr - ARENA_LO < OURS


@kernel
def foreign_row(ctx: Context, addr: u64) -> u64:
    """Address of the last row with lo <= addr, or 0.  O(log rows)."""
    low = u64(0)
    high = ctx.foreign.n_ranges
    while low < high:
        middle = (low + high) >> 1
        if load_u64(TABLE + middle * ROW_BYTES) <= addr:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return 0
    return TABLE + (low - 1) * ROW_BYTES


@kernel
def foreign_kind(ctx: Context, addr: u64) -> u64:
    """Kind bits of the mapping that holds `addr`, 0 when none is known."""
    if ctx.foreign.last_lo <= addr and addr < ctx.foreign.last_hi:
        return ctx.foreign.last_kind
    row = foreign_row(ctx, addr)
    if row == 0 or addr >= load_u64(row + 8):
        return 0
    ctx.foreign.last_lo = load_u64(row)
    ctx.foreign.last_hi = load_u64(row + 8)
    ctx.foreign.last_kind = load_u64(row + 16)
    return ctx.foreign.last_kind


@kernel
def foreign_allows(ctx: Context, addr: u64, size_bytes: u64, wanted: u64) -> bool:
    """Whether all of [addr, addr + size_bytes) lies in known mappings with the `wanted` bits."""
    end = addr + size_bytes
    if end < addr:
        return False
    while addr < end:
        if (foreign_kind(ctx, addr) & wanted) != wanted:
            return False
        addr = ctx.foreign.last_hi
    return True


@kernel
def row_behind(ctx: Context, addr: u64) -> u64:
    """Address of the first row that begins behind addr, or of the place for it."""
    row = foreign_row(ctx, addr)
    return row + ROW_BYTES if row != 0 else u64(TABLE)


@kernel
def store_row(row: u64, lo: u64, hi: u64, kind: u64) -> u64:
    """Write a row, unless it is empty or of no kind; returns where the next one goes."""
    if lo >= hi or kind == 0:
        return row
    store_u64(row, lo)
    store_u64(row + 8, hi)
    store_u64(row + 16, kind)
    return row + ROW_BYTES


@kernel(outlined=True)
def foreign_mapped(ctx: Context, lo: u64, hi: u64, kind: u64) -> None:
    """All of [lo, hi) is of one kind from now on; 0: nothing is mapped there.

    The row before it grows where it is alike.  O(rows): those behind it move.
    """
    if lo >= hi:
        return
    n_rows = ctx.foreign.n_ranges
    ctx.foreign.last_lo = ctx.foreign.last_hi = 0
    end = TABLE + n_rows * ROW_BYTES
    first = foreign_row(ctx, lo)
    if first == 0:
        first = u64(TABLE)
    elif load_u64(first + 8) < lo or (load_u64(first + 8) == lo and load_u64(first + 16) != kind):
        first += ROW_BYTES
    behind = row_behind(ctx, hi - 1)
    before_lo = behind_hi = before_kind = behind_kind = u64(0)
    if behind != first:
        before_lo, before_kind = load_u64(first), load_u64(first + 16)
        behind_hi, behind_kind = load_u64(behind - 16), load_u64(behind - 8)
    before_hi, behind_lo = lo, hi
    if behind != first and before_lo < lo and before_kind == kind:
        lo, before_hi = before_lo, before_lo
    if behind_hi > hi and behind_kind == kind:
        hi, behind_lo = behind_hi, behind_hi
    n_new = u64(kind != 0) + u64(before_kind != 0 and before_lo < before_hi)
    n_new += u64(behind_lo < behind_hi)
    n_old = (behind - first) // ROW_BYTES
    real_memmove(first + n_new * ROW_BYTES, behind, end - behind)
    first = store_row(first, before_lo, before_hi, before_kind)
    first = store_row(first, lo, hi, kind)
    store_row(first, behind_lo, behind_hi, behind_kind)
    ctx.foreign.n_ranges = n_rows + n_new - n_old


@kernel(outlined=True)
def is_libc_chunk(ctx: Context, addr: u64) -> bool:
    """Whether `addr` looks like a live pointer of the C library's own malloc.

    Reads the chunk header in front of it, after checking that it may be read: memory that came
    from mmap or a static array must not reach the real free, which would abort the process.
    """
    if (addr & (u64(16) - 1)) != 0 or is_arena(addr):
        return False
    if not foreign_allows(ctx, addr - 16, u64(16) + 16, READ_WRITE):
        return False
    kind = foreign_kind(ctx, addr)
    header = load_u64(addr - 8)
    size_bytes = header & ~u64(GLIBC_FLAGS)
    if size_bytes < GLIBC_MIN_CHUNK or (size_bytes & 8) != 0:
        return False
    if (header & GLIBC_IS_MMAPPED) != 0:
        before = load_u64(addr - 16)
        begin = addr - 16 - before
        return ((begin | (before + size_bytes)) & PAGE_MASK) == 0
    if not foreign_allows(ctx, addr, size_bytes, READ_WRITE):
        return False
    if (load_u64(addr - 8 + size_bytes) & GLIBC_PREV_IN_USE) == 0:
        return False
    if (header & GLIBC_NON_MAIN) == 0:
        return (kind & LIBC_HEAP) != 0
    return (foreign_kind(ctx, addr & ~u64(GLIBC_HEAP_MASK)) & ANONYMOUS) != 0
