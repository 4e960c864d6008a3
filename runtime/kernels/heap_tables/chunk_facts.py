"""What reports tell of a block: who allocated it, who freed it, and which allocation it was.

    facts     16 bytes in front of an ordinary block: the beginning of its left redzone
              in the record of its span, for a large one, whose memory is given back
              in the record of its slot, in the guarded pool
    wide row  numbers of threads from 255 on, the high half of the allocation's number; there is no
              page of these rows before one is needed (heap_records.py)

A block of a plain heap has no redzone, and no facts unless it is large or guarded.

Source: the idea is that of LLVM's asan_allocator.cpp, whose ChunkHeader lies there, and keeps what
only freed chunks have in their memory.
Deviations: the heap itself does not need them, so what overwrites them (code without checks, a run
that goes on behind a finding) takes away what is told, and nothing else.  A check value says so.
Missed: overwritten facts whose check value is right by chance, one in 65,536.
"""

from __future__ import annotations

from irsan.runtime.kernels.heap_tables.chunk_records import (
    chunk_class,
    chunk_lo,
    chunk_number,
    chunk_span,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import ChunkFacts, Context, WideChunk
from irsan.runtime.kernels.records import record_at
from irsan.runtime.kernels.scalars import u8, u16, u32, u64
from irsan.runtime.records.memory import guarded_records
from irsan.runtime.records.memory.heap_records import (
    CHECK_ALLOCATED,
    CHECK_FREED,
    CHECK_SHIFT,
    CHECK_THREAD,
    CHUNK_BITS,
    GUARDED_CLASS,
    LARGE_CLASS,
    MANY_THREADS,
    SPAN_FACTS,
    WIDE_BYTES,
    WIDE_LO,
)

facts_at = record_at(ChunkFacts)
wide_at = record_at(WideChunk)

MANY_ALLOCATIONS = 32  # bits of a number that fit into facts
SLOTS_FACTS = guarded_records.SLOTS_LO + guarded_records.FACTS_OFFSET
SLOT_BYTES = guarded_records.SLOT_BYTES


@kernel
def chunk_facts(ctx: Context, at: u64) -> u64:
    """Address of a chunk's facts, 0 for an ordinary block of a plain heap, which has none."""
    size_class = chunk_class(at)
    if size_class == LARGE_CLASS:
        return chunk_span(at) + SPAN_FACTS
    if size_class == GUARDED_CLASS:
        slot = (at - ctx.guarded.chunks) >> CHUNK_BITS
        return SLOTS_FACTS + slot * SLOT_BYTES
    if ctx.heap.is_plain != 0:
        return 0
    return chunk_lo(at)


@kernel
def wide_row(at: u64) -> u64:
    """Address of the row of what fits neither into the record at an address nor into its facts."""
    return WIDE_LO + chunk_number(at) * WIDE_BYTES


@kernel(outlined=True)
def number_widely(at: u64, number: u64) -> None:
    """Keep the high half of the number of an allocation."""
    wide_at(wide_row(at)).sequence_high = number >> MANY_ALLOCATIONS


@kernel(outlined=True)
def keep_allocating_thread(at: u64, tid: u64) -> None:
    """Keep the number of a thread that is one of many."""
    wide_at(wide_row(at)).alloc_tid = u32(tid)


@kernel(outlined=True)
def keep_freeing_thread(at: u64, tid: u64) -> None:
    """The same for the thread that frees."""
    wide_at(wide_row(at)).free_tid = u32(tid)


@kernel
def allocated_check(facts: ChunkFacts) -> u64:
    """The half of the check value that tells of the allocation: heap_records.facts_check."""
    word = u64(facts.alloc_stack) | u64(facts.sequence) << 32
    return (word * CHECK_ALLOCATED + (u64(facts.alloc_tid) + 1) * CHECK_THREAD) >> CHECK_SHIFT


@kernel
def freed_check(facts: ChunkFacts) -> u64:
    """The half that tells of the free, 0 before it."""
    word = u64(facts.free_stack) | u64(facts.free_tid) << 32
    return (word * CHECK_FREED) >> CHECK_SHIFT


@kernel
def are_whole(facts: ChunkFacts) -> bool:
    """Whether facts say what was written there, and not what an overflow left."""
    return u64(facts.check) == allocated_check(facts) ^ freed_check(facts)


@kernel
def write_allocation(at: u64, place: u64, number: u64, stack: u32, tid: u64) -> None:
    """Facts at `place` of the chunk `at`: allocation `number`, by a thread at a stack."""
    facts = facts_at(place)
    facts.alloc_stack = stack
    facts.free_stack = 0
    facts.sequence = u32(number)
    facts.alloc_tid = u8(min(tid, u64(MANY_THREADS)))
    facts.free_tid = 0
    facts.check = u16(allocated_check(facts))
    if tid >= MANY_THREADS:
        keep_allocating_thread(at, tid)
    if number >> MANY_ALLOCATIONS != 0:
        number_widely(at, number)


@kernel
def rewrite_allocation(ctx: Context, at: u64, stack: u32, tid: u64) -> None:
    """A live chunk counts as allocated by another thread, at another stack."""
    place = chunk_facts(ctx, at)
    if place == 0:
        return
    # Its number is no larger than what is there: the high half stays in its row.
    write_allocation(at, place, u64(facts_at(place).sequence), stack, tid)


@kernel
def write_free(at: u64, place: u64, stack: u32, tid: u64) -> None:
    """The chunk whose facts are at `place` is freed; if they were damaged, they still are."""
    facts = facts_at(place)
    facts.free_stack = stack
    facts.free_tid = u8(min(tid, u64(MANY_THREADS)))
    facts.check = u16(u64(facts.check) ^ freed_check(facts))
    if tid >= MANY_THREADS:
        keep_freeing_thread(at, tid)


@kernel
def whole_facts(ctx: Context, at: u64) -> u64:
    """Address of a chunk's facts if they say anything, else 0."""
    place = chunk_facts(ctx, at)
    if place == 0 or not are_whole(facts_at(place)):
        return 0
    return place


@kernel
def alloc_stack(ctx: Context, at: u64) -> u32:
    """Where the chunk was allocated, 0 when that is not known."""
    place = whole_facts(ctx, at)
    return facts_at(place).alloc_stack if place != 0 else u32(0)


@kernel
def free_stack(ctx: Context, at: u64) -> u32:
    """Where it was freed, 0 when it was not, or that is not known."""
    place = whole_facts(ctx, at)
    return facts_at(place).free_stack if place != 0 else u32(0)


@kernel
def alloc_tid(ctx: Context, at: u64) -> u32:
    """The thread that allocated, 0 when that is not known."""
    place = whole_facts(ctx, at)
    tid = u32(facts_at(place).alloc_tid) if place != 0 else u32(0)
    return wide_at(wide_row(at)).alloc_tid if tid == MANY_THREADS else tid


@kernel
def free_tid(ctx: Context, at: u64) -> u32:
    """The thread that freed, 0 when that is not known."""
    place = whole_facts(ctx, at)
    tid = u32(facts_at(place).free_tid) if place != 0 else u32(0)
    return wide_at(wide_row(at)).free_tid if tid == MANY_THREADS else tid
