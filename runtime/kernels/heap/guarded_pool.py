"""The guarded pool: one allocation in many lies alone on a page between inaccessible pages.

    guard | slot 0 | guard | slot 1 | guard | ...      every page PROT_NONE but those in use

    sampled    a countdown drawn from 1 .. 2N hits zero: N is SampleRate
    slot       the next one never used, else a random free one, else the heap serves the request
    place      the page's start, or its end moved down to the alignment, one as likely as the other
    freed      the page becomes inaccessible until its slot is handed out again

So the processor itself finds overflows, underflows and late uses of a sampled allocation, in code
without any checks, at a cost that the other allocations do not feel: they pay one decrement.
Alignment of a right-aligned block: what was asked for, else the power of two that holds its size,
at most 16; with PerfectlyRightAlign none unless asked for.

What it misses, by design: everything about allocations that were not sampled or are larger than a
page; an overflow into the gap between the end of a right-aligned block and its page, or within the
page behind a left-aligned one; a use after free once the slot was handed out again, which is then
not seen, or blamed on the later allocation.  It never reports a correct program.

A slot is a chunk of the heap as well (a block of a guard page and a page), so the heap frees,
measures and reallocates it in its own way; this file only decides about pages and slots.

Source: Serebryany, Kennelly, Phillips et al., "GWP-ASan: Sampling-Based Detection of Memory-Safety
Bugs in Production", ICSE-SEIP 2024; LLVM's guarded_pool_allocator for slots, kinds and recovery.
Deviations: one countdown and one generator for all threads, as they share one OS thread; they start
from the run's seed; pages keep their old contents; the address shadow of a slot is exact when
address checks are on.
Invariants: slots below N_USED were allocated once; FREE_SLOTS holds those of them that are freed
and have not crashed, each once.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from irsan.runtime.kernels.checks.shadow import HEAP_REDZONE, fill_shadow, unpoison_range
from irsan.runtime.kernels.heap.packed_traces import pack_trace, stack_to_frames
from irsan.runtime.kernels.heap_tables.chunks import chunk_at
from irsan.runtime.kernels.heap_tables.spans import chunk_records_take, span_at, span_take
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_mprotect, store_u32
from irsan.runtime.kernels.records import record_at
from irsan.runtime.layout import options
from irsan.runtime.records import guarded_records as gr
from irsan.runtime.records import heap_records as hr

SLOT_TYPE = numba.from_dtype(gr.SLOT_DTYPE)
slot_at = record_at(SLOT_TYPE)

COUNTDOWN = gr.COUNTDOWN
POOL_LO = gr.POOL_LO
POOL_BYTES = gr.POOL_BYTES
N_SLOTS = gr.N_SLOTS
N_USED = gr.N_USED
N_FREE = gr.N_FREE
RNG = gr.RNG
CHUNKS = gr.CHUNKS
N_SAMPLED = gr.N_SAMPLED
N_FULL = gr.N_FULL
SPAN = gr.SPAN
POISONING = hr.POISONING
GUARDED_SLOTS = options.GUARDED_SLOTS
GUARDED_SAMPLE_RATE = options.GUARDED_SAMPLE_RATE
GUARDED_RIGHT_ALIGN = options.GUARDED_RIGHT_ALIGN

U8_QUARANTINED = np.uint8(hr.QUARANTINED)
U8_GUARDED = np.uint8(hr.GUARDED_CLASS)
U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U32_ALLOCATED = np.uint32(gr.ALLOCATED)
U32_FREED = np.uint32(gr.FREED)
U32_GUARDED_SPAN = np.uint32(hr.CLASS_SPAN)
U32_GUARDED_CLASS = np.uint32(hr.GUARDED_CLASS)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_16 = np.uint64(16)
U64_27 = np.uint64(27)
U64_30 = np.uint64(30)
U64_31 = np.uint64(31)
U64_32 = np.uint64(32)
U64_40 = np.uint64(40)
U64_LOW32 = np.uint64(0xFFFF_FFFF)
U64_BLOCK_BITS = np.uint64(gr.BLOCK_BYTES.bit_length() - 1)
U64_PAGE = np.uint64(gr.PAGE_BYTES)
U64_BLOCK = np.uint64(gr.BLOCK_BYTES)
U64_SLOT = np.uint64(gr.SLOT_BYTES)
U64_SLOTS_LO = np.uint64(gr.SLOTS_LO)
U64_FREE_SLOTS = np.uint64(gr.FREE_SLOTS)
U64_SITES = np.uint64(gr.SITES_BUFFER)
U64_CHUNK = np.uint64(hr.CHUNK_BYTES)
U64_ALLOC_TRACE = np.uint64(gr.ALLOC_TRACE_OFFSET)
U64_FREE_TRACE = np.uint64(gr.FREE_TRACE_OFFSET)
U64_TRACE_BYTES = np.uint64(gr.TRACE_BYTES)
U64_PROT_NONE = np.uint64(0)
U64_PROT_READ_WRITE = np.uint64(3)
# The increment and the two multipliers of splitmix64.
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
U64_MIX_1 = np.uint64(0xBF58_476D_1CE4_E5B9)
U64_MIX_2 = np.uint64(0x94D0_49BB_1331_11EB)


@kernel("u64(ctx,u64)")
def pool_random_below(ctx: Any, bound: Any) -> Any:
    """A number in [0, bound), bound below 2^32, from the pool's own generator: splitmix64.

    The schedule's generator is left alone: a pool must not change when threads take turns.
    """
    state = ctx.guarded[RNG] + U64_GOLDEN
    ctx.guarded[RNG] = state
    mixed = (state ^ (state >> U64_30)) * U64_MIX_1
    mixed = (mixed ^ (mixed >> U64_27)) * U64_MIX_2
    return (((mixed ^ (mixed >> U64_31)) >> U64_32) * bound) >> U64_32


@kernel("void(ctx)")
def draw_countdown(ctx: Any) -> None:
    """Allocations until the next sampled one: 1 .. 2N, each as likely as any other; 1 for N=1."""
    rate = ctx.options[GUARDED_SAMPLE_RATE]
    if rate <= U64_1:
        ctx.guarded[COUNTDOWN] = U64_1
        return
    ctx.guarded[COUNTDOWN] = U64_1 + pool_random_below(ctx, rate * U64_2)


@kernel("b1(ctx,u64)", inlined=True)
def is_guarded(ctx: Any, addr: Any) -> Any:
    """Whether an address lies in the pool, guard pages included: one unsigned compare."""
    return addr - ctx.guarded[POOL_LO] < ctx.guarded[POOL_BYTES]


@kernel("u64(ctx,u64)")
def slot_to_addr(ctx: Any, slot: Any) -> Any:
    """First byte of the page of a slot."""
    return ctx.guarded[POOL_LO] + slot * U64_BLOCK + U64_PAGE


@kernel("u64(ctx,u64)")
def addr_to_block(ctx: Any, addr: Any) -> Any:
    """Number of the block (guard page and slot) that holds an address of the pool."""
    return (addr - ctx.guarded[POOL_LO]) >> U64_BLOCK_BITS


@kernel("u64(u64)")
def slot_to_record(slot: Any) -> Any:
    """Address of the record of a slot."""
    return U64_SLOTS_LO + slot * U64_SLOT


@kernel("b1(u64,u64)")
def protect_page(page: Any, protection: Any) -> Any:
    """mprotect one page; False when the system refuses (too many mappings)."""
    return (real_mprotect(page, U64_PAGE, protection) & U64_LOW32) == U64_0


@kernel("void(ctx)")
def guarded_init(ctx: Any) -> None:
    """Start an empty pool of ctx.options[GUARDED_SLOTS] slots; none leaves everything off.

    Call it on an empty heap with ctx.rng seeded: the pool is the heap's first span.
    """
    for word in range(SPAN + 1):
        ctx.guarded[word] = U64_0
    n_slots = ctx.options[GUARDED_SLOTS]
    if n_slots == U64_0:
        return
    at = span_take(ctx, n_slots * U64_BLOCK + U64_PAGE)
    if at == U64_0:
        return
    span = span_at(at)
    if (real_mprotect(span.lo, span.size_bytes, U64_PROT_NONE) & U64_LOW32) != U64_0:
        return
    span.kind = U32_GUARDED_SPAN
    span.size_class = U32_GUARDED_CLASS
    span.block_bytes = U64_BLOCK
    span.inverse = (U64_1 << U64_40) // U64_BLOCK + U64_1
    span.chunks = chunk_records_take(ctx, n_slots)
    span.n_blocks = np.uint32(n_slots)
    ctx.guarded[POOL_LO] = span.lo
    ctx.guarded[POOL_BYTES] = span.size_bytes
    ctx.guarded[N_SLOTS] = n_slots
    ctx.guarded[CHUNKS] = span.chunks
    ctx.guarded[SPAN] = at
    ctx.guarded[RNG] = ctx.rng[0] ^ U64_MIX_1
    if ctx.heap[POISONING] != U64_0:
        fill_shadow(ctx, span.lo, span.size_bytes, HEAP_REDZONE)
    draw_countdown(ctx)


@kernel("u64(ctx)")
def slot_take(ctx: Any) -> Any:
    """A slot: the next one never used, else a random free one; N_SLOTS when all are in use."""
    used = ctx.guarded[N_USED]
    n_slots = ctx.guarded[N_SLOTS]
    if used < n_slots:
        ctx.guarded[N_USED] = used + U64_1
        return used
    n_free = ctx.guarded[N_FREE]
    if n_free == U64_0:
        return n_slots
    place = U64_FREE_SLOTS + pool_random_below(ctx, n_free) * U64_4
    slot = np.uint64(load_u32(place))
    store_u32(place, load_u32(U64_FREE_SLOTS + (n_free - U64_1) * U64_4))
    ctx.guarded[N_FREE] = n_free - U64_1
    return slot


@kernel("void(ctx,u64)")
def slot_give(ctx: Any, slot: Any) -> None:
    """Put a slot on the free list."""
    n_free = ctx.guarded[N_FREE]
    store_u32(U64_FREE_SLOTS + n_free * U64_4, np.uint32(slot))
    ctx.guarded[N_FREE] = n_free + U64_1


@kernel("void(ctx,u64)")
def slot_retire(ctx: Any, slot: Any) -> None:
    """Take a slot off the free list for good, if it is there.  O(free slots)."""
    n_free = ctx.guarded[N_FREE]
    for index in range(n_free):
        place = U64_FREE_SLOTS + np.uint64(index) * U64_4
        if np.uint64(load_u32(place)) == slot:
            store_u32(place, load_u32(U64_FREE_SLOTS + (n_free - U64_1) * U64_4))
            ctx.guarded[N_FREE] = n_free - U64_1
            return


@kernel("u64(ctx,u64,u64)")
def right_alignment(ctx: Any, size_bytes: Any, alignment: Any) -> Any:
    """What the start of a right-aligned block is a multiple of."""
    if alignment > U64_1:
        return alignment
    if ctx.options[GUARDED_RIGHT_ALIGN] != U64_0:
        return U64_1
    aligned = U64_1
    while aligned < size_bytes and aligned < U64_16:
        aligned += aligned
    return aligned


@kernel("u64(ctx,u64,u64,u64)")
def place_block(ctx: Any, page: Any, size_bytes: Any, alignment: Any) -> Any:
    """Where in a slot's page a block begins: at its start or against its end, by chance."""
    if pool_random_below(ctx, U64_2) == U64_0:
        return page
    end = page + U64_PAGE - max(size_bytes, U64_1)
    return end & ~(right_alignment(ctx, size_bytes, alignment) - U64_1)


@kernel("u64(ctx,u64,u64)", outlined=True)
def guarded_take(ctx: Any, size_bytes: Any, alignment: Any) -> Any:
    """Chunk record of a slot for a sampled request, its page accessible; 0 to let the heap serve.

    That is so for more than a page, when all slots are in use, or when the system refuses.  Draws
    the next countdown in every case.
    """
    draw_countdown(ctx)
    if size_bytes > U64_PAGE or alignment > U64_PAGE:
        return U64_0
    slot = slot_take(ctx)
    if slot == ctx.guarded[N_SLOTS]:
        ctx.guarded[N_FULL] += U64_1
        return U64_0
    page = slot_to_addr(ctx, slot)
    if not protect_page(page, U64_PROT_READ_WRITE):
        slot_give(ctx, slot)
        return U64_0
    ctx.guarded[N_SAMPLED] += U64_1
    at = ctx.guarded[CHUNKS] + slot * U64_CHUNK
    chunk = chunk_at(at)
    chunk.lo = page - U64_PAGE
    chunk.size_class = U8_GUARDED
    chunk.begin = place_block(ctx, page, size_bytes, alignment)
    span = span_at(ctx.guarded[SPAN])
    span.n_carved = max(span.n_carved, np.uint32(slot + U64_1))
    return at


@kernel("u64(ctx,u32,u64)")
def pack_stack(ctx: Any, stack_id: Any, out: Any) -> Any:
    """Pack the frames of a stack into a slot's record; returns bytes written."""
    n_frames = stack_to_frames(stack_id, U64_SITES)
    return pack_trace(U64_SITES, n_frames, out, U64_TRACE_BYTES)


@kernel("void(ctx,u64)", outlined=True)
def record_guarded_allocation(ctx: Any, at: Any) -> None:
    """Keep the facts of a slot just allocated, whose chunk record is complete."""
    chunk = chunk_at(at)
    record = slot_to_record(addr_to_block(ctx, chunk.lo))
    slot = slot_at(record)
    slot.begin = chunk.begin
    slot.size_bytes = chunk.size_bytes
    slot.alloc_tid = chunk.alloc_tid
    slot.state = U32_ALLOCATED
    slot.alloc_trace_bytes = np.uint32(
        pack_stack(ctx, chunk.alloc_stack, record + U64_ALLOC_TRACE)
    )
    slot.free_trace_bytes = U32_0


@kernel("void(ctx,u64)", outlined=True)
def guarded_give(ctx: Any, at: Any) -> None:
    """Close the page of a chunk just freed and let its slot be used again, unless it has crashed.

    The chunk's free stack is set; its shadow says freed when there is one.
    """
    chunk = chunk_at(at)
    chunk.state = U8_QUARANTINED
    number = addr_to_block(ctx, chunk.lo)
    record = slot_to_record(number)
    slot = slot_at(record)
    slot.free_tid = chunk.free_tid
    slot.state = U32_FREED
    slot.free_trace_bytes = np.uint32(pack_stack(ctx, chunk.free_stack, record + U64_FREE_TRACE))
    if slot.has_crashed != U32_0:
        return
    protect_page(slot_to_addr(ctx, number), U64_PROT_NONE)
    slot_give(ctx, number)


@kernel("b1(ctx,u64)", outlined=True)
def is_crashed_slot(ctx: Any, addr: Any) -> Any:
    """Whether an address of the pool lies in a block whose slot has been reported."""
    return is_guarded(ctx, addr) and (
        slot_at(slot_to_record(addr_to_block(ctx, addr))).has_crashed != U32_0
    )


@kernel("u64(ctx,u64)")
def nearest_slot(ctx: Any, addr: Any) -> Any:
    """The slot that holds an address of the pool, or whose page is nearer to that of a guard."""
    offset = addr - ctx.guarded[POOL_LO]
    slot = offset >> U64_BLOCK_BITS
    in_page = offset & (U64_PAGE - U64_1)
    is_guard = (offset & U64_PAGE) == U64_0
    if is_guard and slot > U64_0 and in_page <= U64_PAGE // U64_2:
        slot -= U64_1
    return min(slot, ctx.guarded[N_SLOTS] - U64_1)


@kernel("void(ctx,u64)", outlined=True)
def guarded_recover(ctx: Any, addr: Any) -> None:
    """After a reported fault at `addr` of the pool: let its page be touched, use the slot no more.

    What made the fault then goes on as if nothing had happened, and is not reported twice.
    """
    number = nearest_slot(ctx, addr)
    slot_at(slot_to_record(number)).has_crashed = U32_1
    slot_retire(ctx, number)
    page = addr & ~(U64_PAGE - U64_1)
    protect_page(page, U64_PROT_READ_WRITE)
    if ctx.heap[POISONING] != U64_0:
        unpoison_range(ctx, page, U64_PAGE)
