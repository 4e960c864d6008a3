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

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_memcpy,
    real_memset,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    ROW_BUMP,
    ROW_CLASS_SIZE,
    ROW_FREE,
    ROWS_ADDR,
    SYNC_FULL,
    SYNC_RESERVE,
    U32_0,
    U64_0,
    U64_1,
    U64_2,
    U64_4,
    U64_8,
    U64_16,
)
from irsan.runtime.kernels.race.clocks.vclock import clock_join
from irsan.runtime.layout import options

CLOCK = options.CLOCK

U64_TREES = np.uint64(options.CLOCK_TREES)
U64_64 = np.uint64(64)
U64_ROWS = np.uint64(ROWS_ADDR)
U64_ROW_CLASS_SIZE = np.uint64(ROW_CLASS_SIZE)
U64_ROW_LIMIT = np.uint64(ROW_CLASS_SIZE - SYNC_RESERVE)


@kernel("u64(u64)")
def size_to_row_class(n: Any) -> Any:
    """Smallest size class with room for n entries, n <= MAX_SIDS."""
    size_class = U64_0
    while U64_16 << (size_class * U64_2) < n:
        size_class += U64_1
    return size_class


@kernel("u64(ctx,u64)")
def new_row(ctx: Any, n: Any) -> Any:
    """Address of an empty row with room for `n` entries."""
    size_class = size_to_row_class(n)
    index = np.int64(size_class)
    row = ctx.race[ROW_FREE + index]
    if row != U64_0:
        ctx.race[ROW_FREE + index] = load_u64(row + U64_8)
    else:
        size_bytes = U64_16 + (U64_64 << (size_class * U64_2))
        if ctx.options[CLOCK] & U64_TREES != U64_0:
            size_bytes += (U64_64 << (size_class * U64_2)) * U64_4
        row = U64_ROWS + size_class * U64_ROW_CLASS_SIZE + ctx.race[ROW_BUMP + index]
        ctx.race[ROW_BUMP + index] += size_bytes
        if ctx.race[ROW_BUMP + index] > U64_ROW_LIMIT:
            ctx.race[SYNC_FULL] = U64_1
    store_u32(row, np.uint32(size_class))
    store_u32(row + U64_4, U32_0)
    store_u64(row + U64_8, U64_0)
    return row


@kernel("void(ctx,u64)")
def free_row(ctx: Any, row: Any) -> Any:
    """Put a row on the free list of its class; 0 is no row."""
    if row == U64_0:
        return
    index = np.int64(load_u32(row))
    store_u64(row + U64_8, ctx.race[ROW_FREE + index])
    ctx.race[ROW_FREE + index] = row


@kernel("u64(u64)")
def row_size(row: Any) -> Any:
    """Entries stored in a row; 0 for no row."""
    if row == U64_0:
        return U64_0
    return np.uint64(load_u32(row + U64_4))


@kernel("u64(u64)")
def row_to_nodes(row: Any) -> Any:
    """Address of the nodes of a row, which has some if clocks are trees."""
    return row + U64_16 + (U64_64 << (np.uint64(load_u32(row)) * U64_2))


@kernel("u64(ctx,u64,u64)")
def row_with_room(ctx: Any, row: Any, n: Any) -> Any:
    """The same row, or a bigger vector with the same entries in its place; makes one out of 0."""
    if row != U64_0 and size_to_row_class(n) <= np.uint64(load_u32(row)):
        return row
    bigger = new_row(ctx, n)
    size = row_size(row)
    real_memcpy(bigger + U64_16, row + U64_16, size * U64_4)
    store_u32(bigger + U64_4, np.uint32(size))
    free_row(ctx, row)
    return bigger


@kernel("u64(ctx,u64,u64,u64)", inlined=True)
def row_store(ctx: Any, row: Any, clock: Any, n: Any) -> Any:
    """Overwrite a row (0 = a new one), no tree, with `n` entries of a thread clock; its address."""
    if row == U64_0 or n > U64_16:
        row = row_with_room(ctx, row, n)
    store_u32(row + U64_4, np.uint32(n))
    store_u64(row + U64_8, U64_0)
    if n > U64_16:
        real_memcpy(row + U64_16, clock, n * U64_4)
        return row
    source = clock
    target = row + U64_16
    while source < clock + n * U64_4:  # two entries at a time: there is room for an even number
        store_u64(target, load_u64(source))
        source += U64_8
        target += U64_8
    return row


@kernel("u64(ctx,u64,u64,u64)")
def row_merge(ctx: Any, row: Any, clock: Any, n: Any) -> Any:
    """Join `n` entries of a thread clock into a row (0 = a new one); its address.

    What was a tree is a vector now: its epochs have no one owner who knew them all.
    """
    row = row_with_room(ctx, row, n)
    store_u64(row + U64_8, U64_0)
    size = row_size(row)
    if size < n:
        real_memset(row + U64_16 + size * U64_4, U64_0, (n - size) * U64_4)
        store_u32(row + U64_4, np.uint32(n))
    clock_join(row + U64_16, clock, n)
    return row


@kernel("void(u64,u64)", inlined=True)
def row_acquire(clock: Any, row: Any) -> Any:
    """Join a row into a thread clock; 0 is no row."""
    if row != U64_0:
        clock_join(clock, row + U64_16, np.uint64(load_u32(row + U64_4)))
