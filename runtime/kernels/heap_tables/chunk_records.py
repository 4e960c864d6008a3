"""What the heap relies on of a block: a record of 8 bytes, out of line.

    shape   | state | begin - lo | size |      2, 13 and 17 bits
    next    number of the next freed chunk; a live chunk has mark, family and alignment there

    record -> span   OWNERS[record >> 8]         32 records of one span share an entry
    record -> lo     span.lo + index * block_bytes,    index = (record - span.chunks) / 8

A large block may begin anywhere in its span, for an alignment, and be of any size: both are in the
record of the span.  What reports tell of a block is elsewhere: chunk_facts.py.

Source: what LLVM's asan_allocator.cpp has in its ChunkHeader, which lies in the left redzone.
Deviations: out of line, so that no overflow makes the heap lose its way.
"""

from __future__ import annotations

from irsan.runtime.kernels.heap_tables.heap_classes import MAX_BLOCK_BYTES, floor_log2
from irsan.runtime.kernels.heap_tables.spans import span_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.record_types import Chunk
from irsan.runtime.kernels.records import record_at
from irsan.runtime.kernels.scalars import u8, u32, u64
from irsan.runtime.records.memory import guarded_records
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.records.memory.heap_records import (
    ALLOCATED,
    CHUNK_BITS,
    CHUNKS_LO,
    GUARDED_CLASS,
    LARGE_CLASS,
    OFFSET_MASK,
    OFFSET_SHIFT,
    OFFSET_UNIT_BITS,
    OWNER_BITS,
    OWNERS_LO,
    QUARANTINED,
    SIZE_MASK,
    SPAN_NUMBER_BITS,
    SPANS_LO,
    STATE_SHIFT,
)

chunk_at = record_at(Chunk)

SHAPE_MASK = (1 << hr.STATE_SHIFT) - 1

if MAX_BLOCK_BYTES > (hr.OFFSET_MASK + 1) << hr.OFFSET_UNIT_BITS:
    raise AssertionError("a chunk record cannot say where in its block a chunk begins")
if guarded_records.BLOCK_BYTES > hr.OFFSET_MASK + 1 or MAX_BLOCK_BYTES > hr.SIZE_MASK + 1:
    raise AssertionError("a chunk record cannot say how large a chunk is")


@kernel
def chunk_span(at: u64) -> u64:
    """Record of the span that a chunk record belongs to."""
    number = u64(load_u32(OWNERS_LO + ((at - CHUNKS_LO) >> OWNER_BITS) * 4))
    return SPANS_LO + (number << SPAN_NUMBER_BITS)


@kernel
def chunk_class(at: u64) -> u64:
    """Size class of the block, LARGE_CLASS or GUARDED_CLASS."""
    return u64(span_at(chunk_span(at)).size_class)


@kernel
def chunk_lo(at: u64) -> u64:
    """First byte of the block."""
    span = span_at(chunk_span(at))
    return span.lo + ((at - span.chunks) >> CHUNK_BITS) * span.block_bytes


@kernel
def chunk_state(at: u64) -> u64:
    """NEVER_USED, ALLOCATED, QUARANTINED or AVAILABLE."""
    return u64(chunk_at(at).shape) >> STATE_SHIFT


@kernel
def set_chunk_state(at: u64, state: u64) -> None:
    """A chunk is in another state; what else its record says stays."""
    chunk = chunk_at(at)
    chunk.shape = u32((u64(chunk.shape) & SHAPE_MASK) | state << STATE_SHIFT)


@kernel
def shape_to_offset(shape: u64) -> u64:
    """begin - lo of a block of a size class."""
    return ((shape >> OFFSET_SHIFT) & OFFSET_MASK) << OFFSET_UNIT_BITS


@kernel
def chunk_begin(at: u64) -> u64:
    """First byte of what the program got."""
    span = span_at(chunk_span(at))
    if span.size_class == LARGE_CLASS:
        return span.large_begin
    shape = u64(chunk_at(at).shape)
    if span.size_class == GUARDED_CLASS:
        return chunk_lo(at) + ((shape >> OFFSET_SHIFT) & OFFSET_MASK)
    return chunk_lo(at) + shape_to_offset(shape)


@kernel
def chunk_bytes(at: u64) -> u64:
    """How many bytes the program asked for."""
    span = span_at(chunk_span(at))
    if span.size_class == LARGE_CLASS:
        return span.large_bytes
    return u64(chunk_at(at).shape) & SIZE_MASK


@kernel
def chunk_place(at: u64, lo: u64, begin: u64, size_bytes: u64) -> None:
    """The program gets [begin, begin + size_bytes) of the block at `lo`, and it is allocated."""
    span = span_at(chunk_span(at))
    shape = u64(ALLOCATED) << STATE_SHIFT
    if span.size_class == LARGE_CLASS:
        span.large_begin = begin
        span.large_bytes = size_bytes
    elif span.size_class == GUARDED_CLASS:
        shape |= (begin - lo) << OFFSET_SHIFT | size_bytes
    else:
        shape |= ((begin - lo) >> OFFSET_UNIT_BITS) << OFFSET_SHIFT | size_bytes
    chunk_at(at).shape = u32(shape)


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
def begin_life(at: u64, alignment: u64, family: u64, mark: u8) -> None:
    """A chunk that has its place is live."""
    chunk = chunk_at(at)
    chunk.next = 0
    chunk.family = u8(family)
    chunk.mark = mark
    if alignment >= 8:
        chunk.align_log = u8(floor_log2(alignment))


@kernel
def end_life(at: u64) -> None:
    """A chunk is freed and in no list; what only live ones have is gone."""
    set_chunk_state(at, u64(QUARANTINED))
    chunk_at(at).next = 0
