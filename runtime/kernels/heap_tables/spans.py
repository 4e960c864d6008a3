"""Spans: the heap as runs of 64 KiB units, handed to size classes and large blocks.

    unit table   u64[n]  span record of each unit
    bins         free spans by floor(log2(units)), doubly linked; neighbours are always merged

The heap grows upward from HEAP_LO, where one unit of redzone stays; `ctx.arena_used` follows it,
so an address above the highest span is outside for every check, and its page is inaccessible.
A span is taken from a bin when one fits (first fit, newest first), else from the top.  Addresses
depend on the requests only: same program, same addresses.

Source: the page heap of TCMalloc (Ghemawat and Menage) for spans, bins and merging by page table.
Invariants: no two FREE spans touch; first and last unit of every span map to its record; a span
whose kind is FREE or LARGE was given back to the system or never touched, so it reads as zero.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import (
    HEAP_REDZONE,
    fill_shadow,
    open_heap_shadow,
    open_pages,
    set_arena_used,
)
from irsan.runtime.kernels.heap_tables.heap_classes import floor_log2
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u32, store_u64
from irsan.runtime.kernels.record_types import Context, Span
from irsan.runtime.kernels.records import record_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.layout.memory_map import HEAP_LO
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.records.memory.heap_records import (
    CHUNK_BYTES,
    CHUNKS_HI,
    CHUNKS_LO,
    OWNER_BITS,
    OWNERS_LO,
    SPAN_NUMBER_BITS,
    SPANS_LO,
    UNIT_BITS,
    UNIT_BYTES,
    UNIT_TABLE,
)
from irsan.runtime.records.subsystems import N_RUN_BINS

span_at = record_at(Span)

SPAN = hr.SPAN_DTYPE.itemsize
BELOW_HEAP = memory_map.HEAP_LO - memory_map.ARENA_LO
MAX_UNITS = (ZONE_LO - memory_map.HEAP_LO) >> hr.UNIT_BITS
GROUP_BYTES = 1 << hr.OWNER_BITS
SPARE = hr.SPARE_SPAN
FREE = hr.FREE_SPAN


@kernel
def spans_init(ctx: Context) -> None:
    """Start with an empty heap: its first unit is redzone for ever, below the first chunk."""
    ctx.heap.spans_top = SPANS_LO
    ctx.heap.chunks_top = CHUNKS_LO + GROUP_BYTES  # number 0 is none
    ctx.heap.units = 1
    set_arena_used(ctx, u64(BELOW_HEAP) + UNIT_BYTES)
    fill_shadow(ctx, HEAP_LO, UNIT_BYTES, HEAP_REDZONE)


@kernel
def unit_entry(addr: u64) -> u64:
    """Address of the unit table's entry for a heap address."""
    return UNIT_TABLE + ((addr - HEAP_LO) >> UNIT_BITS) * 8


@kernel
def addr_to_span(ctx: Context, addr: u64) -> u64:
    """Record of the span that holds `addr`, 0 when the heap has not grown there."""
    if addr - HEAP_LO >= ctx.heap.units << UNIT_BITS:
        return 0
    entry = load_u64(unit_entry(addr))
    if entry == 0:
        return 0
    span = span_at(entry)
    if addr - span.lo >= span.size_bytes:
        return 0
    return entry


@kernel
def chunk_records_take(ctx: Context, span_addr: u64, n_chunks: u64) -> u64:
    """Address of `n_chunks` zeroed chunk records of a span, 0 when there are no more.

    Whole groups of 32, so that each group has one owner; what is left over stays zero.
    """
    at = ctx.heap.chunks_top
    n_groups = (n_chunks * CHUNK_BYTES + GROUP_BYTES - 1) >> OWNER_BITS
    if n_groups << OWNER_BITS > CHUNKS_HI - at:
        return 0
    owner = u32((span_addr - SPANS_LO) >> SPAN_NUMBER_BITS)
    entry = OWNERS_LO + ((at - CHUNKS_LO) >> OWNER_BITS) * 4
    for index in range(n_groups):
        store_u32(entry + u64(index) * 4, owner)
    ctx.heap.chunks_top = at + (n_groups << OWNER_BITS)
    return at


@kernel
def span_record_take(ctx: Context, lo: u64, size_bytes: u64) -> u64:
    """A record for the span [lo, lo + size_bytes), its first and last unit mapped to it."""
    at = ctx.heap.spare_spans
    if at != 0:
        ctx.heap.spare_spans = span_at(at).next
    else:
        at = ctx.heap.spans_top
        ctx.heap.spans_top = at + SPAN
    span = span_at(at)
    span.lo = lo
    span.size_bytes = size_bytes
    span.dead_bytes = 0
    span.fresh_bytes = 0
    span.n_blocks = 0
    span.n_carved = 0
    span.kind = FREE
    store_u64(unit_entry(lo), at)
    store_u64(unit_entry(lo + size_bytes - 1), at)
    return at


@kernel
def span_record_give(ctx: Context, at: u64) -> None:
    """Keep a span record for later use."""
    span = span_at(at)
    span.kind = SPARE
    span.size_bytes = 0
    span.next = ctx.heap.spare_spans
    ctx.heap.spare_spans = at


@kernel
def size_to_bin(size_bytes: u64) -> u64:
    """Word of ctx.heap that heads the list of free spans of this size."""
    return floor_log2(size_bytes >> UNIT_BITS)


@kernel
def bin_insert(ctx: Context, at: u64) -> None:
    """Put a free span first in its bin."""
    span = span_at(at)
    head = size_to_bin(span.size_bytes)
    span.kind = FREE
    span.previous = 0
    span.next = ctx.heap.run_bins[head]
    if span.next != 0:
        span_at(span.next).previous = at
    ctx.heap.run_bins[head] = at


@kernel
def bin_remove(ctx: Context, at: u64) -> None:
    """Take a free span out of its bin."""
    span = span_at(at)
    if span.next != 0:
        span_at(span.next).previous = span.previous
    if span.previous != 0:
        span_at(span.previous).next = span.next
    else:
        ctx.heap.run_bins[size_to_bin(span.size_bytes)] = span.next


@kernel
def bin_find(ctx: Context, size_bytes: u64) -> u64:
    """Newest free span of at least `size_bytes` in the lowest bin that has one, or 0."""
    head = size_to_bin(size_bytes)
    while head < N_RUN_BINS:
        at = ctx.heap.run_bins[head]
        while at != 0 and span_at(at).size_bytes < size_bytes:
            at = span_at(at).next
        if at != 0:
            return at
        head += 1
    return 0


@kernel
def map_units(ctx: Context, at: u64) -> None:
    """Let every unit of a span find its record."""
    span = span_at(at)
    entry = unit_entry(span.lo)
    last = unit_entry(span.lo + span.size_bytes - 1)
    while entry <= last:
        store_u64(entry, at)
        entry += 8


@kernel
def span_grow(ctx: Context, size_bytes: u64) -> u64:
    """A span from the top of the heap, or 0 when the heap is full or the system refuses."""
    n_units = size_bytes >> UNIT_BITS
    used = ctx.heap.units
    if n_units > MAX_UNITS - used:
        return 0
    lo = HEAP_LO + (used << UNIT_BITS)
    if not open_pages(lo, size_bytes):
        return 0
    open_heap_shadow(ctx, lo, size_bytes)
    ctx.heap.units = used + n_units
    set_arena_used(ctx, BELOW_HEAP + ((used + n_units) << UNIT_BITS))
    at = span_record_take(ctx, lo, size_bytes)
    span_at(at).fresh_bytes = size_bytes
    return at


@kernel
def span_take(ctx: Context, size_bytes: u64) -> u64:
    """A span of `size_bytes` (rounded up to units), or 0 when the heap is full.

    Its memory reads as zero; its kind, class and blocks are the caller's to set.
    """
    size_bytes = (size_bytes + UNIT_BYTES - 1) & ~(u64(UNIT_BYTES) - 1)
    at = bin_find(ctx, size_bytes)
    if at == 0:
        at = span_grow(ctx, size_bytes)
        if at != 0:
            map_units(ctx, at)
        return at
    bin_remove(ctx, at)
    span = span_at(at)
    span.fresh_bytes = 0
    rest = span.size_bytes - size_bytes
    if rest != 0:
        span.size_bytes = size_bytes
        bin_insert(ctx, span_record_take(ctx, span.lo + size_bytes, rest))
    map_units(ctx, at)
    return at


@kernel
def free_span_at(ctx: Context, addr: u64) -> u64:
    """Record of the FREE span that begins or ends with the unit of `addr`, or 0."""
    at = addr_to_span(ctx, addr)
    if at == 0 or span_at(at).kind != FREE:
        return 0
    return at


@kernel
def span_give(ctx: Context, at: u64) -> None:
    """Free a span whose memory was given back, merged with free neighbours.

    A span that merges with nothing keeps its chunk record, so a late use still has its stacks.
    """
    span = span_at(at)
    above = free_span_at(ctx, span.lo + span.size_bytes)
    if above != 0:
        bin_remove(ctx, above)
        span.size_bytes += span_at(above).size_bytes
        span.n_carved = 0
        span_record_give(ctx, above)
    below = u64(0)
    if span.lo > HEAP_LO:
        below = free_span_at(ctx, span.lo - 1)
    if below != 0:
        bin_remove(ctx, below)
        span_at(below).size_bytes += span.size_bytes
        span_at(below).n_carved = 0
        span_record_give(ctx, at)
        at = below
    whole = span_at(at)
    store_u64(unit_entry(whole.lo), at)
    store_u64(unit_entry(whole.lo + whole.size_bytes - 1), at)
    bin_insert(ctx, at)
