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

from irsan.runtime.kernels.checks.shadow import HEAP_REDZONE, fill_shadow, unpoison_range
from irsan.runtime.kernels.heap.packed_traces import pack_trace, stack_to_frames
from irsan.runtime.kernels.heap_tables.chunk_facts import (
    alloc_stack,
    alloc_tid,
    free_stack,
    free_tid,
)
from irsan.runtime.kernels.heap_tables.chunk_records import (
    chunk_begin,
    chunk_bytes,
    chunk_lo,
    chunk_place,
    end_life,
)
from irsan.runtime.kernels.heap_tables.spans import chunk_records_take, span_at, span_take
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_mprotect, store_u32
from irsan.runtime.kernels.random import mixed_u64
from irsan.runtime.kernels.record_types import Context, GuardedSlot
from irsan.runtime.kernels.records import record_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.options import GUARDED_RIGHT_ALIGN, GUARDED_SAMPLE_RATE, GUARDED_SLOTS
from irsan.runtime.records.memory import guarded_records as gr
from irsan.runtime.records.memory.guarded_records import (
    ALLOC_TRACE_OFFSET,
    ALLOCATED,
    BLOCK_BYTES,
    FREE_SLOTS,
    FREE_TRACE_OFFSET,
    FREED,
    PAGE_BYTES,
    SITES_BUFFER,
    SLOT_BYTES,
    SLOTS_LO,
    TRACE_BYTES,
)
from irsan.runtime.records.memory.heap_records import (
    CHUNK_BYTES,
    CLASS_SPAN,
    GUARDED_CLASS,
)

slot_at = record_at(GuardedSlot)


LOW32 = 0xFFFF_FFFF
BLOCK_BITS = gr.BLOCK_BYTES.bit_length() - 1
PROT_NONE = 0
PROT_READ_WRITE = 3
# The increment of splitmix64, and a number to set its seed apart.
GOLDEN = 0x9E37_79B9_7F4A_7C15
MIX_1 = 0xBF58_476D_1CE4_E5B9


@kernel
def pool_random_below(ctx: Context, bound: u64) -> u64:
    """A number in [0, bound), bound below 2^32, from the pool's own generator: splitmix64.

    The schedule's generator is left alone: a pool must not change when threads take turns.
    """
    state = ctx.guarded.rng + GOLDEN
    ctx.guarded.rng = state
    return ((mixed_u64(state) >> 32) * bound) >> 32


@kernel
def draw_countdown(ctx: Context) -> None:
    """Allocations until the next sampled one: 1 .. 2N, each as likely as any other; 1 for N=1."""
    rate = ctx.options[GUARDED_SAMPLE_RATE]
    if rate <= 1:
        ctx.guarded.countdown = 1
        return
    ctx.guarded.countdown = 1 + pool_random_below(ctx, rate * 2)


@kernel(inlined=True)
def is_guarded(ctx: Context, addr: u64) -> bool:
    """Whether an address lies in the pool, guard pages included: one unsigned compare."""
    return addr - ctx.guarded.pool_lo < ctx.guarded.pool_bytes


@kernel
def slot_to_addr(ctx: Context, slot: u64) -> u64:
    """First byte of the page of a slot."""
    return ctx.guarded.pool_lo + slot * BLOCK_BYTES + PAGE_BYTES


@kernel
def addr_to_block(ctx: Context, addr: u64) -> u64:
    """Number of the block (guard page and slot) that holds an address of the pool."""
    return (addr - ctx.guarded.pool_lo) >> BLOCK_BITS


@kernel
def slot_to_record(slot: u64) -> u64:
    """Address of the record of a slot."""
    return SLOTS_LO + slot * SLOT_BYTES


@kernel
def protect_page(page: u64, protection: u64) -> bool:
    """mprotect one page; False when the system refuses (too many mappings)."""
    return (real_mprotect(page, PAGE_BYTES, protection) & LOW32) == 0


@kernel
def forget_pool(ctx: Context) -> None:
    """No pool, as at the start of a run."""
    ctx.guarded.countdown = 0
    ctx.guarded.pool_lo = 0
    ctx.guarded.pool_bytes = 0
    ctx.guarded.n_slots = 0
    ctx.guarded.n_used = 0
    ctx.guarded.n_free = 0
    ctx.guarded.rng = 0
    ctx.guarded.chunks = 0
    ctx.guarded.n_sampled = 0
    ctx.guarded.n_full = 0
    ctx.guarded.span = 0


@kernel
def guarded_init(ctx: Context) -> None:
    """Start an empty pool of ctx.options[GUARDED_SLOTS] slots; none leaves everything off.

    Call it on an empty heap with ctx.schedule.rng seeded: the pool is the heap's first span.
    """
    forget_pool(ctx)
    n_slots = ctx.options[GUARDED_SLOTS]
    if n_slots == 0:
        return
    at = span_take(ctx, n_slots * BLOCK_BYTES + PAGE_BYTES)
    if at == 0:
        return
    span = span_at(at)
    if (real_mprotect(span.lo, span.size_bytes, PROT_NONE) & LOW32) != 0:
        return
    span.kind = CLASS_SPAN
    span.size_class = GUARDED_CLASS
    span.block_bytes = BLOCK_BYTES
    span.inverse = (u64(1) << 40) // BLOCK_BYTES + 1
    span.chunks = chunk_records_take(ctx, at, n_slots)
    span.n_blocks = u32(n_slots)
    ctx.guarded.pool_lo = span.lo
    ctx.guarded.pool_bytes = span.size_bytes
    ctx.guarded.n_slots = n_slots
    ctx.guarded.chunks = span.chunks
    ctx.guarded.span = at
    ctx.guarded.rng = ctx.schedule.rng[0] ^ MIX_1
    if ctx.heap.is_poisoning != 0:
        fill_shadow(ctx, span.lo, span.size_bytes, HEAP_REDZONE)
    draw_countdown(ctx)


@kernel
def slot_take(ctx: Context) -> u64:
    """A slot: the next one never used, else a random free one; N_SLOTS when all are in use."""
    used = ctx.guarded.n_used
    n_slots = ctx.guarded.n_slots
    if used < n_slots:
        ctx.guarded.n_used = used + 1
        return used
    n_free = ctx.guarded.n_free
    if n_free == 0:
        return n_slots
    place = FREE_SLOTS + pool_random_below(ctx, n_free) * 4
    slot = u64(load_u32(place))
    store_u32(place, load_u32(FREE_SLOTS + (n_free - 1) * 4))
    ctx.guarded.n_free = n_free - 1
    return slot


@kernel
def slot_give(ctx: Context, slot: u64) -> None:
    """Put a slot on the free list."""
    n_free = ctx.guarded.n_free
    store_u32(FREE_SLOTS + n_free * 4, u32(slot))
    ctx.guarded.n_free = n_free + 1


@kernel
def slot_retire(ctx: Context, slot: u64) -> None:
    """Take a slot off the free list for good, if it is there.  O(free slots)."""
    n_free = ctx.guarded.n_free
    for index in range(n_free):
        place = FREE_SLOTS + u64(index) * 4
        if u64(load_u32(place)) == slot:
            store_u32(place, load_u32(FREE_SLOTS + (n_free - 1) * 4))
            ctx.guarded.n_free = n_free - 1
            return


@kernel
def right_alignment(ctx: Context, size_bytes: u64, alignment: u64) -> u64:
    """What the start of a right-aligned block is a multiple of."""
    if alignment > 1:
        return alignment
    if ctx.options[GUARDED_RIGHT_ALIGN] != 0:
        return 1
    aligned = u64(1)
    while aligned < size_bytes and aligned < 16:
        aligned += aligned
    return aligned


@kernel
def place_block(ctx: Context, page: u64, size_bytes: u64, alignment: u64) -> u64:
    """Where in a slot's page a block begins: at its start or against its end, by chance."""
    if pool_random_below(ctx, 2) == 0:
        return page
    end = page + PAGE_BYTES - max(size_bytes, u64(1))
    return end & ~(right_alignment(ctx, size_bytes, alignment) - 1)


@kernel(outlined=True)
def guarded_take(ctx: Context, size_bytes: u64, alignment: u64) -> u64:
    """Chunk record of a slot for a sampled request, its page accessible; 0 to let the heap serve.

    That is so for more than a page, when all slots are in use, or when the system refuses.  Draws
    the next countdown in every case.
    """
    draw_countdown(ctx)
    if size_bytes > PAGE_BYTES or alignment > PAGE_BYTES:
        return 0
    slot = slot_take(ctx)
    if slot == ctx.guarded.n_slots:
        ctx.guarded.n_full += 1
        return 0
    page = slot_to_addr(ctx, slot)
    if not protect_page(page, PROT_READ_WRITE):
        slot_give(ctx, slot)
        return 0
    ctx.guarded.n_sampled += 1
    at = ctx.guarded.chunks + slot * CHUNK_BYTES
    begin = place_block(ctx, page, size_bytes, alignment)
    chunk_place(at, page - PAGE_BYTES, begin, size_bytes)
    span = span_at(ctx.guarded.span)
    span.n_carved = max(span.n_carved, u32(slot + 1))
    return at


@kernel
def pack_stack(ctx: Context, stack_id: u32, out: u64) -> u64:
    """Pack the frames of a stack into a slot's record; returns bytes written."""
    n_frames = stack_to_frames(stack_id, SITES_BUFFER)
    return pack_trace(SITES_BUFFER, n_frames, out, TRACE_BYTES)


@kernel(outlined=True)
def record_guarded_allocation(ctx: Context, at: u64) -> None:
    """Keep the facts of a slot just allocated, whose chunk record is complete."""
    record = slot_to_record(addr_to_block(ctx, chunk_lo(at)))
    slot = slot_at(record)
    slot.begin = chunk_begin(at)
    slot.size_bytes = chunk_bytes(at)
    slot.alloc_tid = alloc_tid(ctx, at)
    slot.state = ALLOCATED
    slot.alloc_trace_bytes = u32(pack_stack(ctx, alloc_stack(ctx, at), record + ALLOC_TRACE_OFFSET))
    slot.free_trace_bytes = 0


@kernel(outlined=True)
def guarded_give(ctx: Context, at: u64) -> None:
    """Close the page of a chunk just freed and let its slot be used again, unless it has crashed.

    The chunk's free stack is set; its shadow says freed when there is one.
    """
    end_life(at)
    number = addr_to_block(ctx, chunk_lo(at))
    record = slot_to_record(number)
    slot = slot_at(record)
    slot.free_tid = free_tid(ctx, at)
    slot.state = FREED
    slot.free_trace_bytes = u32(pack_stack(ctx, free_stack(ctx, at), record + FREE_TRACE_OFFSET))
    if slot.has_crashed != 0:
        return
    protect_page(slot_to_addr(ctx, number), PROT_NONE)
    slot_give(ctx, number)


@kernel(outlined=True)
def is_crashed_slot(ctx: Context, addr: u64) -> bool:
    """Whether an address of the pool lies in a block whose slot has been reported."""
    return is_guarded(ctx, addr) and (
        slot_at(slot_to_record(addr_to_block(ctx, addr))).has_crashed != 0
    )


@kernel
def nearest_slot(ctx: Context, addr: u64) -> u64:
    """The slot that holds an address of the pool, or whose page is nearer to that of a guard."""
    offset = addr - ctx.guarded.pool_lo
    slot = offset >> BLOCK_BITS
    in_page = offset & (u64(PAGE_BYTES) - 1)
    is_guard = (offset & PAGE_BYTES) == 0
    if is_guard and slot > 0 and in_page <= u64(PAGE_BYTES) // 2:
        slot -= 1
    return min(slot, ctx.guarded.n_slots - 1)


@kernel(outlined=True)
def guarded_recover(ctx: Context, addr: u64) -> None:
    """After a reported fault at `addr` of the pool: let its page be touched, use the slot no more.

    What made the fault then goes on as if nothing had happened, and is not reported twice.
    """
    number = nearest_slot(ctx, addr)
    slot_at(slot_to_record(number)).has_crashed = 1
    slot_retire(ctx, number)
    page = addr & ~(u64(PAGE_BYTES) - 1)
    protect_page(page, PROT_READ_WRITE)
    if ctx.heap.is_poisoning != 0:
        unpoison_range(ctx, page, PAGE_BYTES)
