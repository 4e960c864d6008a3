"""Chunk records and the arithmetic from any heap address to its chunk.

    span    = unit table [(addr - HEAP_LO) >> 16]
    index   = (addr - span.lo) * span.inverse >> 40      exact for offsets below 1 MiB
    record  = span.chunks + 64 * index

Nothing is searched, so a free costs two dependent loads before it knows its chunk.

Source: the fixed-size class regions of LLVM's SizeClassAllocator64, where the same division by
multiplication is used; here classes share the heap in spans (spans.py), which keeps it dense.
Invariants: record.lo = span.lo + index * block_bytes; records beyond n_carved are all zero.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from irsan.runtime.kernels.checks.shadow import HEAP_REDZONE, fill_shadow
from irsan.runtime.kernels.heap_tables.heap_classes import class_to_size
from irsan.runtime.kernels.heap_tables.spans import (
    addr_to_span,
    chunk_records_take,
    span_at,
    span_take,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.records import record_at
from irsan.runtime.records import heap_records as hr

CHUNK_TYPE = numba.from_dtype(hr.CHUNK_DTYPE)
chunk_at = record_at(CHUNK_TYPE)

CLASS_FREE = hr.CLASS_FREE
CLASS_SPANS = hr.CLASS_SPANS
POISONING = hr.POISONING

U8_AVAILABLE = np.uint8(hr.AVAILABLE)
U8_LARGE = np.uint8(hr.LARGE_CLASS)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_40 = np.uint64(40)
U64_CHUNK = np.uint64(hr.CHUNK_BYTES)
U64_LARGE = np.uint64(hr.LARGE_CLASS)
U32_CLASS_SPAN = np.uint32(hr.CLASS_SPAN)
U32_LARGE_SPAN = np.uint32(hr.LARGE_SPAN)
U32_LARGE_CLASS = np.uint32(hr.LARGE_CLASS)
# (largest block, span): at least eight blocks to a span, small spans for small programs.
U64_SMALL_BLOCK = np.uint64(2048)
U64_SMALL_SPAN = np.uint64(64 << 10)
U64_MIDDLE_BLOCK = np.uint64(16 << 10)
U64_MIDDLE_SPAN = np.uint64(256 << 10)
U64_BIG_SPAN = np.uint64(1 << 20)
# The end of a span is always redzone, so that no user byte touches the next one.
U64_SPAN_TAIL = np.uint64(16)


@kernel("u64(u64)")
def block_to_span_bytes(block_bytes: Any) -> Any:
    """Size of the spans that blocks of this size are carved from."""
    if block_bytes <= U64_SMALL_BLOCK:
        return U64_SMALL_SPAN
    if block_bytes <= U64_MIDDLE_BLOCK:
        return U64_MIDDLE_SPAN
    return U64_BIG_SPAN


@kernel("u64(ctx,u64)")
def addr_to_chunk(ctx: Any, addr: Any) -> Any:
    """Record of the block that holds `addr`, redzones included; 0 if none was ever handed out."""
    at = addr_to_span(ctx, addr)
    if at == U64_0:
        return U64_0
    span = span_at(at)
    index = ((addr - span.lo) * span.inverse) >> U64_40
    if index >= np.uint64(span.n_carved):
        return U64_0
    return span.chunks + index * U64_CHUNK


@kernel("u64(ctx,u64)")
def chunk_to_block_bytes(ctx: Any, at: Any) -> Any:
    """Bytes of the block of a chunk, redzones included."""
    chunk = chunk_at(at)
    if chunk.size_class != U8_LARGE:
        return class_to_size(np.uint64(chunk.size_class))
    return span_at(addr_to_span(ctx, chunk.lo)).size_bytes


@kernel("u64(ctx,u64)")
def class_span_take(ctx: Any, size_class: Any) -> Any:
    """A fresh span for a class, wholly redzone; 0 when the heap is full."""
    block_bytes = class_to_size(size_class)
    at = span_take(ctx, block_to_span_bytes(block_bytes))
    if at == U64_0:
        return U64_0
    span = span_at(at)
    n_blocks = (span.size_bytes - U64_SPAN_TAIL) // block_bytes
    span.kind = U32_CLASS_SPAN
    span.size_class = np.uint32(size_class)
    span.block_bytes = block_bytes
    span.inverse = (U64_1 << U64_40) // block_bytes + U64_1
    span.chunks = chunk_records_take(ctx, n_blocks)
    span.n_blocks = np.uint32(n_blocks)
    span.n_carved = np.uint32(0)
    ctx.heap[np.uint64(CLASS_SPANS) + size_class] = at
    if ctx.heap[POISONING] != U64_0:
        fill_shadow(ctx, span.lo, span.size_bytes, HEAP_REDZONE)
    return at


@kernel("u64(ctx,u64)")
def chunk_carve(ctx: Any, size_class: Any) -> Any:
    """The next never-used block of a class; 0 when the heap is full."""
    at = ctx.heap[np.uint64(CLASS_SPANS) + size_class]
    if at == U64_0 or span_at(at).n_carved == span_at(at).n_blocks:
        at = class_span_take(ctx, size_class)
        if at == U64_0:
            return U64_0
    span = span_at(at)
    index = np.uint64(span.n_carved)
    span.n_carved = np.uint32(index + U64_1)
    record = span.chunks + index * U64_CHUNK
    chunk = chunk_at(record)
    chunk.lo = span.lo + index * span.block_bytes
    chunk.size_class = np.uint8(size_class)
    return record


@kernel("u64(ctx,u64)")
def chunk_take(ctx: Any, size_class: Any) -> Any:
    """A block of a class: the newest free one, else a never-used one; 0 when the heap is full."""
    at = ctx.heap[np.uint64(CLASS_FREE) + size_class]
    if at == U64_0:
        return chunk_carve(ctx, size_class)
    ctx.heap[np.uint64(CLASS_FREE) + size_class] = chunk_at(at).next
    return at


@kernel("void(ctx,u64)")
def chunk_give(ctx: Any, at: Any) -> None:
    """Put a block of a class on its free list.  Its memory stays poisoned, its facts readable."""
    chunk = chunk_at(at)
    chunk.state = U8_AVAILABLE
    head = np.uint64(CLASS_FREE) + np.uint64(chunk.size_class)
    chunk.next = ctx.heap[head]
    ctx.heap[head] = at


@kernel("u64(ctx,u64)")
def large_take(ctx: Any, block_bytes: Any) -> Any:
    """A block in a span of its own, reading as zero; 0 when the heap is full."""
    at = span_take(ctx, block_bytes)
    if at == U64_0:
        return U64_0
    span = span_at(at)
    if span.own_chunk == U64_0:
        span.own_chunk = chunk_records_take(ctx, U64_1)
    span.kind = U32_LARGE_SPAN
    span.size_class = U32_LARGE_CLASS
    span.block_bytes = span.size_bytes
    span.inverse = U64_0
    span.chunks = span.own_chunk
    span.n_blocks = U32_1
    span.n_carved = U32_1
    chunk = chunk_at(span.own_chunk)
    chunk.lo = span.lo
    chunk.size_class = U8_LARGE
    chunk.sequence = U64_0
    return span.own_chunk
