"""Quarantine: freed chunks wait, poisoned, so that a late use still finds them freed.

    head -> oldest chunk -> ... -> newest chunk <- tail        linked through chunk.next

Budget in bytes of whole blocks.  After each free the oldest chunks leave until the budget is kept:
a block of a class goes to its free list, still poisoned fd; a large block gives its memory back to
the system.  A chunk larger than the budget leaves at once.

Source: Serebryany et al., "AddressSanitizer", USENIX ATC 2012, section 3.3 (a FIFO of fixed size).
Deviations: one queue, not one per thread, since all threads run on one OS thread; what counts is
the block, not the requested size, so tiny chunks cannot outgrow the budget; chunks leave one by one
and not in batches.
Soundness: a use after the chunk left AND was handed out again is missed, as in the original.
Invariants: every chunk in the list is QUARANTINED; USED_BYTES is the sum of their blocks.
"""

from __future__ import annotations

from irsan.runtime.kernels.heap.kept_extents import forget_large_extents
from irsan.runtime.kernels.heap_tables.chunk_records import (
    chunk_at,
    chunk_class,
    chunk_number,
    chunk_span,
    end_life,
    next_chunk,
    set_chunk_state,
)
from irsan.runtime.kernels.heap_tables.chunks import chunk_give, chunk_to_block_bytes
from irsan.runtime.kernels.heap_tables.spans import span_at, span_give
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import DONTNEED, real_madvise
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.records.memory.heap_records import AVAILABLE, LARGE_CLASS


@kernel
def large_give(ctx: Context, at: u64) -> None:
    """Give the memory of a large block back to the system and free its span."""
    set_chunk_state(at, u64(AVAILABLE))
    span_addr = chunk_span(at)
    span = span_at(span_addr)
    real_madvise(span.lo, span.size_bytes, DONTNEED)
    forget_large_extents(ctx)
    span_give(ctx, span_addr)


@kernel
def quarantine_evict(ctx: Context) -> None:
    """Let the oldest chunk go.  The quarantine is not empty."""
    at = ctx.heap.quarantine_head
    chunk = chunk_at(at)
    ctx.heap.quarantine_head = next_chunk(chunk)
    if chunk.next == 0:
        ctx.heap.quarantine_tail = 0
    ctx.heap.quarantine_used_bytes -= chunk_to_block_bytes(at)
    ctx.heap.n_quarantined -= 1
    if chunk_class(at) == LARGE_CLASS:
        large_give(ctx, at)
        return
    chunk_give(ctx, at)


@kernel
def quarantine_put(ctx: Context, at: u64) -> None:
    """Append a freed chunk; the oldest leave until the budget is kept.  O(1) amortised."""
    end_life(at)
    tail = ctx.heap.quarantine_tail
    if tail == 0:
        ctx.heap.quarantine_head = at
    else:
        chunk_at(tail).next = u32(chunk_number(at))
    ctx.heap.quarantine_tail = at
    ctx.heap.quarantine_used_bytes += chunk_to_block_bytes(at)
    ctx.heap.n_quarantined += 1
    while ctx.heap.quarantine_used_bytes > ctx.heap.quarantine_budget_bytes:
        quarantine_evict(ctx)
