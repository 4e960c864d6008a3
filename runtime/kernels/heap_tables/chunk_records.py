"""What a chunk record says: 32 bytes for each block that the program or the quarantine has.

    place      | size >> 32 | begin - lo | begin |      7, 17 and 40 bits
    next       number of the next freed chunk; a live chunk has mark, family and alignment there
    wide row   numbers of threads from 255 on, the high half of the allocation's number; there is no
               page of these rows before one is needed (heap_records.py)

A large block may begin anywhere in its span, for an alignment; its span says where it lies.

Source: the idea is that of LLVM's asan_allocator.cpp, whose ChunkHeader has 16 bytes and keeps what
only freed chunks have in their memory.
Deviations: everything is out of line.
"""

from __future__ import annotations

from irsan.runtime.kernels.heap_tables.heap_classes import MAX_BLOCK_BYTES, floor_log2
from irsan.runtime.kernels.heap_tables.spans import addr_to_span, span_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Chunk, Context, WideChunk
from irsan.runtime.kernels.records import record_at
from irsan.runtime.kernels.scalars import u8, u32, u64
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.records.memory.heap_records import (
    ALLOCATED,
    BEGIN_BITS,
    BEGIN_MASK,
    CHUNK_BITS,
    CHUNKS_LO,
    LARGE_CLASS,
    MANY_THREADS,
    OFFSET_MASK,
    QUARANTINED,
    SIZE_SHIFT,
    WIDE_BYTES,
    WIDE_LO,
)

chunk_at = record_at(Chunk)
wide_at = record_at(WideChunk)

MANY_ALLOCATIONS = 32  # bits of a number that fit into a record

if MAX_BLOCK_BYTES > 1 << hr.OFFSET_BITS:
    raise AssertionError("a chunk record cannot say where in its block a chunk begins")


@kernel
def chunk_begin(chunk: Chunk) -> u64:
    """First byte of what the program got."""
    return chunk.place & BEGIN_MASK


@kernel
def chunk_bytes(chunk: Chunk) -> u64:
    """How many bytes the program asked for."""
    return u64(chunk.size_low) | (chunk.place >> SIZE_SHIFT) << 32


@kernel
def chunk_lo(ctx: Context, chunk: Chunk) -> u64:
    """First byte of the block."""
    begin = chunk_begin(chunk)
    if chunk.size_class == LARGE_CLASS:
        return span_at(addr_to_span(ctx, begin)).lo
    return begin - ((chunk.place >> BEGIN_BITS) & OFFSET_MASK)


@kernel
def chunk_place(chunk: Chunk, lo: u64, begin: u64, size_bytes: u64) -> None:
    """The program gets [begin, begin + size_bytes) of the block at `lo`; the class is set."""
    offset = begin - lo
    if chunk.size_class == LARGE_CLASS:
        offset = u64(0)
    chunk.place = begin | offset << BEGIN_BITS | (size_bytes >> 32) << SIZE_SHIFT
    chunk.size_low = u32(size_bytes)


@kernel
def chunk_number(at: u64) -> u64:
    """Number of the record at an address, from 1; 0 for 0."""
    if at == 0:
        return 0
    return (at - CHUNKS_LO) >> CHUNK_BITS


@kernel
def next_chunk(chunk: Chunk) -> u64:
    """Address of the record that follows a freed one in its list, or 0."""
    number = u64(chunk.next)
    if number == 0:
        return 0
    return CHUNKS_LO + (number << CHUNK_BITS)


@kernel
def wide_row(at: u64) -> u64:
    """Address of the row of what does not fit into the record at an address."""
    return WIDE_LO + chunk_number(at) * WIDE_BYTES


@kernel(outlined=True)
def number_widely(at: u64, number: u64) -> None:
    """Keep the high half of the number of an allocation."""
    wide_at(wide_row(at)).sequence_high = number >> MANY_ALLOCATIONS


@kernel(outlined=True)
def keep_allocating_thread(at: u64, tid: u64) -> None:
    """Keep the number of a thread that is one of many."""
    chunk_at(at).alloc_tid = MANY_THREADS
    wide_at(wide_row(at)).alloc_tid = u32(tid)


@kernel(outlined=True)
def keep_freeing_thread(at: u64, tid: u64) -> None:
    """The same for the thread that frees."""
    chunk_at(at).free_tid = MANY_THREADS
    wide_at(wide_row(at)).free_tid = u32(tid)


@kernel
def set_alloc_tid(at: u64, tid: u64) -> None:
    """Which thread allocated."""
    if tid >= MANY_THREADS:
        keep_allocating_thread(at, tid)
        return
    chunk_at(at).alloc_tid = u8(tid)


@kernel
def set_free_tid(at: u64, tid: u64) -> None:
    """Which thread freed."""
    if tid >= MANY_THREADS:
        keep_freeing_thread(at, tid)
        return
    chunk_at(at).free_tid = u8(tid)


@kernel
def alloc_tid(at: u64) -> u32:
    """The thread that allocated."""
    tid = u32(chunk_at(at).alloc_tid)
    if tid == MANY_THREADS:
        return wide_at(wide_row(at)).alloc_tid
    return tid


@kernel
def free_tid(at: u64) -> u32:
    """The thread that freed."""
    tid = u32(chunk_at(at).free_tid)
    if tid == MANY_THREADS:
        return wide_at(wide_row(at)).free_tid
    return tid


@kernel
def begin_life(at: u64, number: u64, alignment: u64, family: u64) -> None:
    """A chunk is live: allocation `number`, whose mark is 0."""
    chunk = chunk_at(at)
    chunk.next = 0
    chunk.state = ALLOCATED
    chunk.family = u8(family)
    if alignment >= 8:
        chunk.align_log = u8(floor_log2(alignment))
    chunk.free_stack = 0
    chunk.sequence = u32(number)
    if number >> MANY_ALLOCATIONS != 0:
        number_widely(at, number)


@kernel
def end_life(chunk: Chunk) -> None:
    """A chunk is freed and in no list; what only live ones have is gone."""
    chunk.state = QUARANTINED
    chunk.next = 0
