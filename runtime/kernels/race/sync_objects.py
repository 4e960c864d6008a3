"""Which address has a clock: sync objects found by address, and forgotten with their memory.

    lines    u32 per 64 application bytes: index of the first object there, chained by `next`;
             2^20 more lines, hashed, for foreign addresses (mutexes inside native libraries)
    pages    u32 per 4096 application bytes: objects there, so that free() asks one word
    object   a SyncObject each; a link leads from a line or from the object before

`release epoch` e says that the write row holds no more than what the thread had at e: whoever has
e in its clock has the whole row already.  0 = not so (several threads merged).

Source: in place of ThreadSanitizer's meta shadow and its MetaMap.
Invariant: the write and read rows belong to exactly one object.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    real_memset,
    store_u32,
)
from irsan.runtime.kernels.race.clocks.clock_rows import free_row
from irsan.runtime.kernels.race.clocks.race_words import (
    FOREIGN_LINE_BITS,
    FOREIGN_LINES,
    SYNC_LINES,
    SYNC_OBJECTS_SIZE,
    SYNC_PAGES,
    SYNC_RESERVE,
)
from irsan.runtime.kernels.race.clocks.sync_types import sync_numbered
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.layout.memory_map import ARENA_LO, ARENA_SIZE
from irsan.runtime.records.race import trace_records
from irsan.runtime.records.race.sync_records import SYNC_OBJECT_DTYPE

OBJECT_BYTES = SYNC_OBJECT_DTYPE.itemsize
NEXT = field_offset(SYNC_OBJECT_DTYPE, "next")  # a link may lie in a line as well
OP_FORGET = trace_records.FORGET

LIMIT = (SYNC_OBJECTS_SIZE - SYNC_RESERVE) // OBJECT_BYTES
FOREIGN_SHIFT = 64 - FOREIGN_LINE_BITS
GOLDEN = 0x9E37_79B9_7F4A_7C15
LINE_BITS = 6
PAGE_BITS = 12
LINE_BYTES = 64
PAGE_BYTES = 4096
LINE_MASK = 63
PAGE_MASK = 4095


@kernel(inlined=True)
def addr_to_line(addr: u64) -> u64:
    """Address of the line word of an application or foreign address."""
    offset = addr - ARENA_LO
    if offset < ARENA_SIZE:
        return SYNC_LINES + (offset >> LINE_BITS) * 4
    return FOREIGN_LINES + ((addr * GOLDEN) >> FOREIGN_SHIFT) * 4


@kernel
def count_sync(ctx: Context, addr: u64, change: u32) -> None:
    """Add `change` (1 or 2^32 - 1) to the count of the page of `addr` and to N_SYNC."""
    ctx.race.n_sync += u64(i64(i32(change)))
    offset = addr - ARENA_LO
    if offset >= ARENA_SIZE:
        return
    page = SYNC_PAGES + (offset >> PAGE_BITS) * 4
    store_u32(page, u32(load_u32(page) + change))


@kernel(inlined=True)
def find_sync(addr: u64) -> u64:
    """Address of the sync object of `addr`, 0 = none.  O(objects in 64 bytes)."""
    index = load_u32(addr_to_line(addr))
    while index != 0:
        obj = sync_numbered(u64(index))
        if obj.address == addr:
            return addr_of(obj)
        index = obj.next
    return 0


@kernel
def get_sync(ctx: Context, addr: u64) -> u64:
    """Address of the sync object of `addr`, made with zero clocks if there is none."""
    found = find_sync(addr)
    if found != 0:
        return found
    index = ctx.race.sync_free
    if index != 0:
        ctx.race.sync_free = sync_numbered(index).address
    else:
        ctx.race.sync_bump += 1
        index = ctx.race.sync_bump
        if index > LIMIT:
            ctx.race.sync_full = 1
    obj = sync_numbered(index)
    real_memset(addr_of(obj), 0, OBJECT_BYTES)
    line = addr_to_line(addr)
    obj.address = addr
    obj.next = load_u32(line)
    store_u32(line, u32(index))
    count_sync(ctx, addr, 1)
    return addr_of(obj)


@kernel
def forget_in_line(ctx: Context, line: u64, lo: u64, hi: u64) -> None:
    """Remove the objects of a line whose address is in [lo, hi)."""
    link = line
    index = u64(load_u32(link))
    while index != 0:
        obj = sync_numbered(index)
        addr = obj.address
        rest = obj.next
        if lo <= addr < hi:
            store_u32(link, rest)
            free_row(ctx, obj.row)
            free_row(ctx, obj.read_row)
            obj.address = ctx.race.sync_free
            ctx.race.sync_free = index
            count_sync(ctx, addr, 0xFFFF_FFFF)
            note(ctx, OP_FORGET, addr, 0)
        else:
            link = addr_of(obj) + NEXT
        index = u64(rest)


@kernel
def sync_forget(ctx: Context, addr: u64) -> None:
    """The object at `addr` is destroyed: its clocks are forgotten."""
    forget_in_line(ctx, addr_to_line(addr), addr, addr + 1)


@kernel
def sync_forget_range(ctx: Context, lo: u64, size_bytes: u64) -> None:
    """Memory [lo, lo + size) of the arena is freed: its sync objects are forgotten.

    One load per page of 4096 bytes when there are none.  Foreign memory is left alone.
    """
    if lo - ARENA_LO >= ARENA_SIZE or ctx.race.n_sync == 0:
        return
    hi = lo + size_bytes
    page = lo & ~u64(PAGE_MASK)
    while page < hi:
        count = SYNC_PAGES + ((page - ARENA_LO) >> PAGE_BITS) * 4
        line = max(page, lo & ~u64(LINE_MASK))
        end = min(page + PAGE_BYTES, hi)
        while line < end and load_u32(count) != 0:
            forget_in_line(ctx, addr_to_line(line), lo, hi)
            line += LINE_BYTES
        page += PAGE_BYTES
