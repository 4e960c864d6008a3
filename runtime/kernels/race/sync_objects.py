"""Which address has a clock: sync objects found by address, and forgotten with their memory.

    lines    u32 per 64 application bytes: index of the first object there, chained by `next`;
             2^20 more lines, hashed, for foreign addresses (mutexes inside native libraries)
    pages    u32 per 4096 application bytes: objects there, so that free() asks one word
    object   64 bytes {address u64, write row u64, read row u64, next u32, release epoch u32,
                       releasing tid u64, spare}

`release epoch` e says that the write row holds no more than what the thread had at e: whoever has
e in its clock has the whole row already.  0 = not so (several threads merged).

Source: in place of ThreadSanitizer's meta shadow and its MetaMap.
Invariant: the write and read rows belong to exactly one object.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_memset,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.clocks.clock_rows import free_row
from irsan.runtime.kernels.race.clocks.race_words import (
    FOREIGN_LINE_BITS,
    FOREIGN_LINES,
    N_SYNC,
    SYNC_BUMP,
    SYNC_FREE,
    SYNC_FULL,
    SYNC_LINES,
    SYNC_OBJECTS,
    SYNC_OBJECTS_SIZE,
    SYNC_PAGES,
    SYNC_RESERVE,
    U32_0,
    U64_0,
    U64_1,
    U64_4,
    U64_8,
    U64_16,
    U64_24,
    U64_ARENA_LO,
    U64_ARENA_SIZE,
)
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.records import trace_records

OBJECT_BYTES = 64
OP_FORGET = np.uint64(trace_records.FORGET)

U32_1 = np.uint32(1)
U64_OBJECTS = np.uint64(SYNC_OBJECTS)
U64_OBJECT_BYTES = np.uint64(OBJECT_BYTES)
U64_LIMIT = np.uint64((SYNC_OBJECTS_SIZE - SYNC_RESERVE) // OBJECT_BYTES)
U64_LINES = np.uint64(SYNC_LINES)
U64_FOREIGN_LINES = np.uint64(FOREIGN_LINES)
U64_FOREIGN_SHIFT = np.uint64(64 - FOREIGN_LINE_BITS)
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
U64_PAGES = np.uint64(SYNC_PAGES)
U64_LINE_BITS = np.uint64(6)
U64_PAGE_BITS = np.uint64(12)
U64_LINE_BYTES = np.uint64(64)
U64_PAGE_BYTES = np.uint64(4096)
U64_LINE_MASK = np.uint64(63)
U64_PAGE_MASK = np.uint64(4095)


@kernel("u64(u64)", inlined=True)
def addr_to_line(addr: Any) -> Any:
    """Address of the line word of an application or foreign address."""
    offset = addr - U64_ARENA_LO
    if offset < U64_ARENA_SIZE:
        return U64_LINES + (offset >> U64_LINE_BITS) * U64_4
    return U64_FOREIGN_LINES + ((addr * U64_GOLDEN) >> U64_FOREIGN_SHIFT) * U64_4


@kernel("void(ctx,u64,u32)")
def count_sync(ctx: Any, addr: Any, change: Any) -> Any:
    """Add `change` (1 or 2^32 - 1) to the count of the page of `addr` and to N_SYNC."""
    ctx.race[N_SYNC] += np.uint64(np.int64(np.int32(change)))
    offset = addr - U64_ARENA_LO
    if offset >= U64_ARENA_SIZE:
        return
    page = U64_PAGES + (offset >> U64_PAGE_BITS) * U64_4
    store_u32(page, np.uint32(load_u32(page) + change))


@kernel("u64(u64)", inlined=True)
def find_sync(addr: Any) -> Any:
    """Address of the sync object of `addr`, 0 = none.  O(objects in 64 bytes)."""
    index = load_u32(addr_to_line(addr))
    while index != U32_0:
        obj = U64_OBJECTS + np.uint64(index) * U64_OBJECT_BYTES
        if load_u64(obj) == addr:
            return obj
        index = load_u32(obj + U64_24)
    return U64_0


@kernel("u64(ctx,u64)")
def get_sync(ctx: Any, addr: Any) -> Any:
    """Address of the sync object of `addr`, made with zero clocks if there is none."""
    obj = find_sync(addr)
    if obj != U64_0:
        return obj
    index = ctx.race[SYNC_FREE]
    if index != U64_0:
        obj = U64_OBJECTS + index * U64_OBJECT_BYTES
        ctx.race[SYNC_FREE] = load_u64(obj)
    else:
        ctx.race[SYNC_BUMP] += U64_1
        index = ctx.race[SYNC_BUMP]
        if index > U64_LIMIT:
            ctx.race[SYNC_FULL] = U64_1
        obj = U64_OBJECTS + index * U64_OBJECT_BYTES
    real_memset(obj, U64_0, U64_OBJECT_BYTES)
    line = addr_to_line(addr)
    store_u64(obj, addr)
    store_u32(obj + U64_24, load_u32(line))
    store_u32(line, np.uint32(index))
    count_sync(ctx, addr, U32_1)
    return obj


@kernel("void(ctx,u64,u64,u64)")
def forget_in_line(ctx: Any, line: Any, lo: Any, hi: Any) -> Any:
    """Remove the objects of a line whose address is in [lo, hi)."""
    link = line
    index = np.uint64(load_u32(link))
    while index != U64_0:
        obj = U64_OBJECTS + index * U64_OBJECT_BYTES
        addr = load_u64(obj)
        rest = load_u32(obj + U64_24)
        if lo <= addr < hi:
            store_u32(link, rest)
            free_row(ctx, load_u64(obj + U64_8))
            free_row(ctx, load_u64(obj + U64_16))
            store_u64(obj, ctx.race[SYNC_FREE])
            ctx.race[SYNC_FREE] = index
            count_sync(ctx, addr, np.uint32(0xFFFF_FFFF))
            note(ctx, OP_FORGET, addr, U64_0)
        else:
            link = obj + U64_24
        index = np.uint64(rest)


@kernel("void(ctx,u64)")
def sync_forget(ctx: Any, addr: Any) -> Any:
    """The object at `addr` is destroyed: its clocks are forgotten."""
    forget_in_line(ctx, addr_to_line(addr), addr, addr + U64_1)


@kernel("void(ctx,u64,u64)")
def sync_forget_range(ctx: Any, lo: Any, size_bytes: Any) -> Any:
    """Memory [lo, lo + size) of the arena is freed: its sync objects are forgotten.

    One load per page of 4096 bytes when there are none.  Foreign memory is left alone.
    """
    if lo - U64_ARENA_LO >= U64_ARENA_SIZE or ctx.race[N_SYNC] == U64_0:
        return
    hi = lo + size_bytes
    page = lo & ~U64_PAGE_MASK
    while page < hi:
        count = U64_PAGES + ((page - U64_ARENA_LO) >> U64_PAGE_BITS) * U64_4
        line = max(page, lo & ~U64_LINE_MASK)
        end = min(page + U64_PAGE_BYTES, hi)
        while line < end and load_u32(count) != U32_0:
            forget_in_line(ctx, addr_to_line(line), lo, hi)
            line += U64_LINE_BYTES
        page += U64_PAGE_BYTES
