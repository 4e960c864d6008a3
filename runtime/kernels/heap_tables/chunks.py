"""Chunk records and the arithmetic from any heap address to its chunk.

    span    = unit table [(addr - HEAP_LO) >> 16]
    index   = (addr - span.lo) * span.inverse >> 40      exact for offsets below 1 MiB
    record  = span.chunks + 8 * index

Nothing is searched, so a free costs two dependent loads before it knows its chunk.

Source: the fixed-size class regions of LLVM's SizeClassAllocator64, where the same division by
multiplication is used; here classes share the heap in spans (spans.py), which keeps it dense.
Invariants: chunk_lo(record) = span.lo + index * block_bytes; records beyond n_carved are all zero,
which is what a block that was never used has.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import HEAP_REDZONE, fill_shadow
from irsan.runtime.kernels.heap_tables.chunk_records import (
    chunk_at,
    chunk_class,
    chunk_number,
    chunk_span,
    next_chunk,
    set_chunk_state,
)
from irsan.runtime.kernels.heap_tables.heap_classes import class_to_size
from irsan.runtime.kernels.heap_tables.span_pages import populate_span
from irsan.runtime.kernels.heap_tables.spans import (
    addr_to_span,
    chunk_records_take,
    span_at,
    span_give,
    span_take,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.records.memory.heap_records import (
    AVAILABLE,
    CHUNK_BYTES,
    CLASS_SPAN,
    LARGE_CLASS,
    LARGE_SPAN,
    NEVER_USED,
)

# (largest block, span): at least eight blocks to a span, small spans for small programs.
SMALL_BLOCK = 2048
SMALL_SPAN = 64 << 10
MIDDLE_BLOCK = 16 << 10
MIDDLE_SPAN = 256 << 10
BIG_SPAN = 1 << 20
# The end of a span is always redzone, so that no user byte touches the next one.
SPAN_TAIL = 16


@kernel
def block_to_span_bytes(block_bytes: u64) -> u64:
    """Size of the spans that blocks of this size are carved from."""
    if block_bytes <= SMALL_BLOCK:
        return SMALL_SPAN
    if block_bytes <= MIDDLE_BLOCK:
        return MIDDLE_SPAN
    return BIG_SPAN


@kernel
def addr_to_chunk(ctx: Context, addr: u64) -> u64:
    """Record of the block that holds `addr`, redzones included; 0 if none was ever handed out."""
    at = addr_to_span(ctx, addr)
    if at == 0:
        return 0
    span = span_at(at)
    index = ((addr - span.lo) * span.inverse) >> 40
    if index >= u64(span.n_carved):
        return 0
    return span.chunks + index * CHUNK_BYTES


@kernel
def chunk_to_block_bytes(at: u64) -> u64:
    """Bytes of the block of a chunk, redzones included."""
    return span_at(chunk_span(at)).block_bytes


@kernel
def class_span_take(ctx: Context, size_class: u64) -> u64:
    """A fresh span for a class, wholly redzone; 0 when the heap is full."""
    block_bytes = class_to_size(size_class)
    span_bytes = block_to_span_bytes(block_bytes)
    n_blocks = (span_bytes - SPAN_TAIL) // block_bytes
    at = span_take(ctx, span_bytes)
    if at == 0:
        return 0
    chunks = chunk_records_take(ctx, at, n_blocks)
    if chunks == 0:
        span_give(ctx, at)
        return 0
    span = span_at(at)
    span.kind = CLASS_SPAN
    span.size_class = u32(size_class)
    span.block_bytes = block_bytes
    span.inverse = (u64(1) << 40) // block_bytes + 1
    span.chunks = chunks
    span.n_blocks = u32(n_blocks)
    span.n_carved = 0
    if ctx.heap.class_spans[size_class] != 0 and block_bytes <= SMALL_BLOCK:
        populate_span(ctx, span.lo, span.size_bytes)
    ctx.heap.class_spans[size_class] = at
    if ctx.heap.is_poisoning != 0:
        fill_shadow(ctx, span.lo, span.size_bytes, HEAP_REDZONE)
    return at


@kernel
def chunk_carve(ctx: Context, size_class: u64) -> u64:
    """The next never-used block of a class; 0 when the heap is full."""
    at = ctx.heap.class_spans[size_class]
    if at == 0 or span_at(at).n_carved == span_at(at).n_blocks:
        at = class_span_take(ctx, size_class)
        if at == 0:
            return 0
    span = span_at(at)
    index = u64(span.n_carved)
    span.n_carved = u32(index + 1)
    return span.chunks + index * CHUNK_BYTES


@kernel
def chunk_take(ctx: Context, size_class: u64) -> u64:
    """A block of a class: the newest free one, else a never-used one; 0 when the heap is full."""
    at = ctx.heap.class_free[size_class]
    if at == 0:
        return chunk_carve(ctx, size_class)
    ctx.heap.class_free[size_class] = next_chunk(chunk_at(at))
    return at


@kernel
def chunk_give(ctx: Context, at: u64) -> None:
    """Put a block of a class on its free list.  Its memory stays poisoned, its facts readable."""
    set_chunk_state(at, u64(AVAILABLE))
    size_class = chunk_class(at)
    chunk_at(at).next = u32(chunk_number(ctx.heap.class_free[size_class]))
    ctx.heap.class_free[size_class] = at


@kernel
def large_take(ctx: Context, block_bytes: u64) -> u64:
    """A block in a span of its own, reading as zero; 0 when the heap is full."""
    at = span_take(ctx, block_bytes)
    if at == 0:
        return 0
    span = span_at(at)
    if span.own_chunk == 0:
        span.own_chunk = chunk_records_take(ctx, at, 1)
        if span.own_chunk == 0:
            span_give(ctx, at)
            return 0
    span.kind = LARGE_SPAN
    span.size_class = LARGE_CLASS
    span.block_bytes = span.size_bytes
    span.inverse = 0
    span.chunks = span.own_chunk
    span.n_blocks = 1
    span.n_carved = 1
    set_chunk_state(span.own_chunk, u64(NEVER_USED))
    return span.own_chunk
