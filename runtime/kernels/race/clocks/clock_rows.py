"""Clocks of sync objects: rows of 16, 64, ... 4096 entries, so that a mutex costs 80 bytes.

    row     {size class u32, n u32} root u64 | entry 0 u32 | entry 1 u32 | ... entry n - 1

Entries from n on are zero without being stored; n never exceeds the sids in use when the row was
last released into.  `root` is sid + 1 of the root when the row is a tree clock (tree_clock.py); 0:
a plain vector.  With `clock=tree` 16 bytes per entry of the class follow, for the nodes.  Each
class has a pool of its own with a free list through the root's word.  A pool holds 16 GiB: of the
largest class 1 million rows, or 0.2 million with nodes.  Before one is full all history is
forgotten, at the next tick (SYNC_FULL).

Invariant: n <= 16 << (2 * class).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u64,
    real_memcpy,
    real_memset,
    store_u64,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    ROW_CLASS_SIZE,
    ROWS_ADDR,
    SYNC_RESERVE,
)
from irsan.runtime.kernels.race.clocks.sync_types import row_at
from irsan.runtime.kernels.race.clocks.vclock import clock_join
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.options import CLOCK, CLOCK_TREES

ROW_LIMIT = ROW_CLASS_SIZE - SYNC_RESERVE


@kernel
def size_to_row_class(n: u64) -> u64:
    """Smallest size class with room for n entries, n <= MAX_SIDS."""
    size_class = u64(0)
    while 16 << (size_class * 2) < n:
        size_class += 1
    return size_class


@kernel
def new_row(ctx: Context, n: u64) -> u64:
    """Address of an empty row with room for `n` entries."""
    size_class = size_to_row_class(n)
    row = ctx.race.row_free[size_class]
    if row != 0:
        ctx.race.row_free[size_class] = row_at(row).root
    else:
        size_bytes = 16 + (64 << (size_class * 2))
        if ctx.options[CLOCK] & CLOCK_TREES != 0:
            size_bytes += (64 << (size_class * 2)) * 4
        row = ROWS_ADDR + size_class * ROW_CLASS_SIZE + ctx.race.row_bump[size_class]
        ctx.race.row_bump[size_class] += size_bytes
        if ctx.race.row_bump[size_class] > ROW_LIMIT:
            ctx.race.sync_full = 1
    row_at(row).size_class = u32(size_class)
    row_at(row).n = 0
    row_at(row).root = 0
    return row


@kernel
def free_row(ctx: Context, row: u64) -> None:
    """Put a row on the free list of its class; 0 is no row."""
    if row == 0:
        return
    size_class = u64(row_at(row).size_class)
    row_at(row).root = ctx.race.row_free[size_class]
    ctx.race.row_free[size_class] = row


@kernel
def row_size(row: u64) -> u64:
    """Entries stored in a row; 0 for no row."""
    if row == 0:
        return 0
    return u64(row_at(row).n)


@kernel
def row_to_nodes(row: u64) -> u64:
    """Address of the nodes of a row, which has some if clocks are trees."""
    return row + 16 + (64 << (u64(row_at(row).size_class) * 2))


@kernel
def row_with_room(ctx: Context, row: u64, n: u64) -> u64:
    """The same row, or a bigger vector with the same entries in its place; makes one out of 0."""
    if row != 0 and size_to_row_class(n) <= u64(row_at(row).size_class):
        return row
    bigger = new_row(ctx, n)
    size = row_size(row)
    real_memcpy(bigger + 16, row + 16, size * 4)
    row_at(bigger).n = u32(size)
    free_row(ctx, row)
    return bigger


@kernel(inlined=True)
def row_store(ctx: Context, row: u64, clock: u64, n: u64) -> u64:
    """Overwrite a row (0 = a new one), no tree, with `n` entries of a thread clock; its address."""
    if row == 0 or n > 16:
        row = row_with_room(ctx, row, n)
    row_at(row).n = u32(n)
    row_at(row).root = 0
    if n > 16:
        real_memcpy(row + 16, clock, n * 4)
        return row
    source = clock
    target = row + 16
    while source < clock + n * 4:  # two entries at a time: there is room for an even number
        store_u64(target, load_u64(source))
        source += 8
        target += 8
    return row


@kernel
def row_merge(ctx: Context, row: u64, clock: u64, n: u64) -> u64:
    """Join `n` entries of a thread clock into a row (0 = a new one); its address.

    What was a tree is a vector now: its epochs have no one owner who knew them all.
    """
    row = row_with_room(ctx, row, n)
    row_at(row).root = 0
    size = row_size(row)
    if size < n:
        real_memset(row + 16 + size * 4, 0, (n - size) * 4)
        row_at(row).n = u32(n)
    clock_join(row + 16, clock, n)
    return row


@kernel(inlined=True)
def row_acquire(clock: u64, row: u64) -> None:
    """Join a row into a thread clock; 0 is no row."""
    if row != 0:
        clock_join(clock, row + 16, u64(row_at(row).n))
