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

from typing import Any

import numba
import numpy as np

from irsan.runtime.kernels.checks.shadow import (
    HEAP_REDZONE,
    fill_shadow,
    open_pages,
    set_arena_used,
)
from irsan.runtime.kernels.heap_tables.heap_classes import floor_log2
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.records import record_at
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.records import heap_records as hr

SPAN_TYPE = numba.from_dtype(hr.SPAN_DTYPE)
span_at = record_at(SPAN_TYPE)

N_BINS = 24
UNITS = hr.UNITS
SPANS_TOP = hr.SPANS_TOP
SPARE_SPANS = hr.SPARE_SPANS
CHUNKS_TOP = hr.CHUNKS_TOP
RUN_BINS = hr.RUN_BINS

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_UNIT_BITS = np.uint64(hr.UNIT_BITS)
U64_UNIT = np.uint64(hr.UNIT_BYTES)
U64_SPAN = np.uint64(hr.SPAN_DTYPE.itemsize)
U64_N_BINS = np.uint64(N_BINS)
U64_HEAP_LO = np.uint64(memory_map.HEAP_LO)
U64_BELOW_HEAP = np.uint64(memory_map.HEAP_LO - memory_map.ARENA_LO)
U64_MAX_UNITS = np.uint64((ZONE_LO - memory_map.HEAP_LO) >> hr.UNIT_BITS)
U64_UNIT_TABLE = np.uint64(hr.UNIT_TABLE)
U64_SPANS_LO = np.uint64(hr.SPANS_LO)
U64_CHUNKS_LO = np.uint64(hr.CHUNKS_LO)
U64_CHUNK = np.uint64(hr.CHUNK_BYTES)
SPARE = np.uint32(hr.SPARE_SPAN)
FREE = np.uint32(hr.FREE_SPAN)


@kernel("void(ctx)")
def spans_init(ctx: Any) -> None:
    """Start with an empty heap: its first unit is redzone for ever, below the first chunk."""
    ctx.heap[SPANS_TOP] = U64_SPANS_LO
    ctx.heap[CHUNKS_TOP] = U64_CHUNKS_LO
    ctx.heap[UNITS] = U64_1
    set_arena_used(ctx, U64_BELOW_HEAP + U64_UNIT)
    fill_shadow(ctx, U64_HEAP_LO, U64_UNIT, HEAP_REDZONE)


@kernel("u64(u64)")
def unit_entry(addr: Any) -> Any:
    """Address of the unit table's entry for a heap address."""
    return U64_UNIT_TABLE + ((addr - U64_HEAP_LO) >> U64_UNIT_BITS) * U64_8


@kernel("u64(ctx,u64)")
def addr_to_span(ctx: Any, addr: Any) -> Any:
    """Record of the span that holds `addr`, 0 when the heap has not grown there."""
    if addr - U64_HEAP_LO >= ctx.heap[UNITS] << U64_UNIT_BITS:
        return U64_0
    entry = load_u64(unit_entry(addr))
    if entry == U64_0:
        return U64_0
    span = span_at(entry)
    if addr - span.lo >= span.size_bytes:
        return U64_0
    return entry


@kernel("u64(ctx,u64)")
def chunk_records_take(ctx: Any, n_chunks: Any) -> Any:
    """Address of `n_chunks` zeroed chunk records in a row."""
    at = ctx.heap[CHUNKS_TOP]
    ctx.heap[CHUNKS_TOP] = at + n_chunks * U64_CHUNK
    return at


@kernel("u64(ctx,u64,u64)")
def span_record_take(ctx: Any, lo: Any, size_bytes: Any) -> Any:
    """A record for the span [lo, lo + size_bytes), its first and last unit mapped to it."""
    at = ctx.heap[SPARE_SPANS]
    if at != U64_0:
        ctx.heap[SPARE_SPANS] = span_at(at).next
    else:
        at = ctx.heap[SPANS_TOP]
        ctx.heap[SPANS_TOP] = at + U64_SPAN
    span = span_at(at)
    span.lo = lo
    span.size_bytes = size_bytes
    span.n_blocks = U32_0
    span.n_carved = U32_0
    span.kind = FREE
    store_u64(unit_entry(lo), at)
    store_u64(unit_entry(lo + size_bytes - U64_1), at)
    return at


@kernel("void(ctx,u64)")
def span_record_give(ctx: Any, at: Any) -> None:
    """Keep a span record for later use."""
    span = span_at(at)
    span.kind = SPARE
    span.size_bytes = U64_0
    span.next = ctx.heap[SPARE_SPANS]
    ctx.heap[SPARE_SPANS] = at


@kernel("u64(u64)")
def size_to_bin(size_bytes: Any) -> Any:
    """Word of ctx.heap that heads the list of free spans of this size."""
    return np.uint64(RUN_BINS) + floor_log2(size_bytes >> U64_UNIT_BITS)


@kernel("void(ctx,u64)")
def bin_insert(ctx: Any, at: Any) -> None:
    """Put a free span first in its bin."""
    span = span_at(at)
    head = size_to_bin(span.size_bytes)
    span.kind = FREE
    span.previous = U64_0
    span.next = ctx.heap[head]
    if span.next != U64_0:
        span_at(span.next).previous = at
    ctx.heap[head] = at


@kernel("void(ctx,u64)")
def bin_remove(ctx: Any, at: Any) -> None:
    """Take a free span out of its bin."""
    span = span_at(at)
    if span.next != U64_0:
        span_at(span.next).previous = span.previous
    if span.previous != U64_0:
        span_at(span.previous).next = span.next
    else:
        ctx.heap[size_to_bin(span.size_bytes)] = span.next


@kernel("u64(ctx,u64)")
def bin_find(ctx: Any, size_bytes: Any) -> Any:
    """Newest free span of at least `size_bytes` in the lowest bin that has one, or 0."""
    head = size_to_bin(size_bytes)
    while head < np.uint64(RUN_BINS) + U64_N_BINS:
        at = ctx.heap[head]
        while at != U64_0 and span_at(at).size_bytes < size_bytes:
            at = span_at(at).next
        if at != U64_0:
            return at
        head += U64_1
    return U64_0


@kernel("void(ctx,u64)")
def map_units(ctx: Any, at: Any) -> None:
    """Let every unit of a span find its record."""
    span = span_at(at)
    entry = unit_entry(span.lo)
    last = unit_entry(span.lo + span.size_bytes - U64_1)
    while entry <= last:
        store_u64(entry, at)
        entry += U64_8


@kernel("u64(ctx,u64)")
def span_grow(ctx: Any, size_bytes: Any) -> Any:
    """A span from the top of the heap, or 0 when the heap is full or the system refuses."""
    n_units = size_bytes >> U64_UNIT_BITS
    used = ctx.heap[UNITS]
    if n_units > U64_MAX_UNITS - used:
        return U64_0
    lo = U64_HEAP_LO + (used << U64_UNIT_BITS)
    if not open_pages(lo, size_bytes):
        return U64_0
    ctx.heap[UNITS] = used + n_units
    set_arena_used(ctx, U64_BELOW_HEAP + ((used + n_units) << U64_UNIT_BITS))
    return span_record_take(ctx, lo, size_bytes)


@kernel("u64(ctx,u64)")
def span_take(ctx: Any, size_bytes: Any) -> Any:
    """A span of `size_bytes` (rounded up to units), or 0 when the heap is full.

    Its memory reads as zero; its kind, class and blocks are the caller's to set.
    """
    size_bytes = (size_bytes + U64_UNIT - U64_1) & ~(U64_UNIT - U64_1)
    at = bin_find(ctx, size_bytes)
    if at == U64_0:
        at = span_grow(ctx, size_bytes)
        if at != U64_0:
            map_units(ctx, at)
        return at
    bin_remove(ctx, at)
    span = span_at(at)
    rest = span.size_bytes - size_bytes
    if rest != U64_0:
        span.size_bytes = size_bytes
        bin_insert(ctx, span_record_take(ctx, span.lo + size_bytes, rest))
    map_units(ctx, at)
    return at


@kernel("u64(ctx,u64)")
def free_span_at(ctx: Any, addr: Any) -> Any:
    """Record of the FREE span that begins or ends with the unit of `addr`, or 0."""
    at = addr_to_span(ctx, addr)
    if at == U64_0 or span_at(at).kind != FREE:
        return U64_0
    return at


@kernel("void(ctx,u64)")
def span_give(ctx: Any, at: Any) -> None:
    """Free a span whose memory was given back, merged with free neighbours.

    A span that merges with nothing keeps its chunk record, so a late use still has its stacks.
    """
    span = span_at(at)
    above = free_span_at(ctx, span.lo + span.size_bytes)
    if above != U64_0:
        bin_remove(ctx, above)
        span.size_bytes += span_at(above).size_bytes
        span.n_carved = U32_0
        span_record_give(ctx, above)
    below = U64_0
    if span.lo > U64_HEAP_LO:
        below = free_span_at(ctx, span.lo - U64_1)
    if below != U64_0:
        bin_remove(ctx, below)
        span_at(below).size_bytes += span.size_bytes
        span_at(below).n_carved = U32_0
        span_record_give(ctx, at)
        at = below
    whole = span_at(at)
    store_u64(unit_entry(whole.lo), at)
    store_u64(unit_entry(whole.lo + whole.size_bytes - U64_1), at)
    bin_insert(ctx, at)
