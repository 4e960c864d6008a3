"""Quarantine: freed chunks wait, poisoned, so that a late use still finds them freed.

    head -> oldest chunk -> ... -> newest chunk <- tail        linked through chunk.next

Budget in bytes of whole blocks and, while accesses are recorded for races, of their race shadow:
four times a block of a class; a large one has none once it is freed (race_ranges.py).  After each
free the oldest chunks leave until the budget is kept: a block of a class goes to its free list,
still poisoned fd; a large block gives its memory back to the system.  A chunk larger than the
budget leaves at once.

Source: Serebryany et al., "AddressSanitizer", USENIX ATC 2012, section 3.3 (a FIFO of fixed size).
Deviations: one queue, not one per thread, since all threads run on one OS thread; what counts is
the block, not the requested size, so tiny chunks cannot outgrow the budget; chunks leave one by one
and not in batches.
Soundness: a use after the chunk left AND was handed out again is missed, as in the original.
Invariants: every chunk in the list is QUARANTINED; USED_BYTES is the sum of their blocks, and
SMALL_BYTES of those that are of a class.
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
from irsan.runtime.kernels.race.clocks.race_words import SINGLE
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.records.memory.heap_records import AVAILABLE, LARGE_CLASS

RACE_SHADOW_SCALE = 4  # bytes of race shadow for one of the program


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
    block_bytes = chunk_to_block_bytes(at)
    ctx.heap.quarantine_used_bytes -= block_bytes
    ctx.heap.n_quarantined -= 1
    if chunk_class(at) == LARGE_CLASS:
        large_give(ctx, at)
        return
    ctx.heap.quarantine_small_bytes -= block_bytes
    chunk_give(ctx, at)


@kernel
def quarantine_held_bytes(ctx: Context) -> u64:
    """Memory that the quarantine keeps from the program: blocks and their race shadow."""
    held_bytes = ctx.heap.quarantine_used_bytes
    if ctx.ignore_depth < SINGLE:
        held_bytes += ctx.heap.quarantine_small_bytes * RACE_SHADOW_SCALE
    return held_bytes


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
    block_bytes = chunk_to_block_bytes(at)
    ctx.heap.quarantine_used_bytes += block_bytes
    if chunk_class(at) != LARGE_CLASS:
        ctx.heap.quarantine_small_bytes += block_bytes
    ctx.heap.n_quarantined += 1
    while quarantine_held_bytes(ctx) > ctx.heap.quarantine_budget_bytes:
        quarantine_evict(ctx)
