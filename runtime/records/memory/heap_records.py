"""The plain layout of the allocator's tables: no numba, so that reports and leak search read them.

    UNIT_TABLE           unit table   u64 per 64 KiB of heap: address of its span record, 0 = none
    SPANS_LO             span records SPAN_DTYPE
    CHUNKS_LO            chunk records CHUNK_DTYPE, 8 bytes: what the heap itself relies on
    OWNERS_LO            u32 per 32 chunk records: which span has them
    WIDE_LO              what fits into no record WIDE_DTYPE, one row for each chunk

A span is a run of units: blocks of one size class, one large block, or free space.  A chunk is the
record of one block; what the program got is [begin, begin + size_bytes) inside
[lo, lo + block bytes).

    |<- lo        begin                 begin + size           block end ->|
    | left redzone |  what the program asked for  | rest of the block: redzone |
    | facts, 16 bytes

Where a block lies, how much of it is the program's, whether it lives and which freed one follows
is out of line: an overflow cannot damage it.  What only reports tell (who allocated it and who
freed it, FACTS_DTYPE) begins the left redzone; a check value says when code without checks has
written there, and then nothing is told.  A large block has its place, size and facts in the record
of its span, since its memory is given back; a slot of the guarded pool has facts in its record.
A plain heap has no redzones, and no facts of ordinary blocks.

Numbers of threads from MANY_THREADS on and allocations after the first 2^32 are in the rows of
WIDE_LO, where no page exists before one is needed.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from irsan.runtime.layout import memory_map
from irsan.runtime.layout.field_offsets import field_offset

UNIT_BITS: Final = 16
UNIT_BYTES: Final = 1 << UNIT_BITS
CHUNK_BYTES: Final = 8
CHUNK_BITS: Final = 3
OWNER_BITS: Final = 8  # chunk records by so many bytes are of one span

MAX_UNITS: Final = (memory_map.HEAP_HI - memory_map.HEAP_LO) >> UNIT_BITS
UNIT_TABLE: Final = memory_map.table("heap units", 8 * MAX_UNITS)
SPANS_LO: Final = memory_map.table("heap spans", 0)
SPANS_HI: Final = SPANS_LO + memory_map.room("heap spans")
MAX_CHUNKS: Final = 1 << 32  # chunk.next is 32 bits; number 0 is none
CHUNKS_LO: Final = memory_map.table("heap chunks", MAX_CHUNKS * CHUNK_BYTES)
CHUNKS_HI: Final = CHUNKS_LO + MAX_CHUNKS * CHUNK_BYTES
OWNERS_LO: Final = memory_map.table("chunk owners", (MAX_CHUNKS * CHUNK_BYTES >> OWNER_BITS) * 4)
SPAN_NUMBER_BITS: Final = 3  # an owner is (span record - SPANS_LO) >> this

# The state of a chunk, in chunk.shape.
NEVER_USED: Final = 0  # its memory, too, and so it reads as zero
ALLOCATED: Final = 1
QUARANTINED: Final = 2
AVAILABLE: Final = 3  # has left the quarantine

# chunk.shape
SIZE_MASK: Final = (1 << 17) - 1  # bytes that the program asked for; a large block: 0
OFFSET_SHIFT: Final = 17
OFFSET_MASK: Final = (1 << 13) - 1  # begin - lo, in 16 bytes, of a guarded slot in bytes
STATE_SHIFT: Final = 30
OFFSET_UNIT_BITS: Final = 4

MANY_THREADS: Final = 255  # facts.alloc_tid, free_tid: the number is in the row of WIDE_LO

# chunk.family and the family passed to free
MALLOC: Final = 1
NEW: Final = 2
NEW_ARRAY: Final = 3

# span.kind
SPARE_SPAN: Final = 0
CLASS_SPAN: Final = 1
LARGE_SPAN: Final = 2
FREE_SPAN: Final = 3

LARGE_CLASS: Final = 255
GUARDED_CLASS: Final = 254  # slots of the guarded pool: a span of blocks, none of a size class

SPAN_DTYPE = np.dtype(
    [
        ("lo", "u8"),
        ("size_bytes", "u8"),
        ("block_bytes", "u8"),
        ("inverse", "u8"),  # ceil(2^40 / block_bytes), 0 for a single block
        ("chunks", "u8"),  # address of the first chunk record
        ("own_chunk", "u8"),  # the record this span uses when it is one large block
        ("next", "u8"),
        ("previous", "u8"),
        ("dead_bytes", "u8"),  # freed since its race shadow was looked at (dead_history.py)
        ("dead_lo", "u8"),  # where: in [dead_lo, dead_hi), if dead_bytes is not 0
        ("dead_hi", "u8"),
        ("fresh_bytes", "u8"),  # of blocks that will be freed for the first time, no less
        ("large_begin", "u8"),  # what the program got of a large block
        ("large_bytes", "u8"),
        ("facts_low", "u8"),  # and its facts, as FACTS_DTYPE
        ("facts_high", "u8"),
        ("n_blocks", "u4"),
        ("n_carved", "u4"),
        ("kind", "u4"),
        ("size_class", "u4"),
    ],
    align=True,
)

SPAN_FACTS: Final = field_offset(SPAN_DTYPE, "facts_low")

_CHUNK_FIELDS: Final = (
    ("shape", "u4", 0),  # size, offset and state
    ("next", "u4", 4),  # of a freed chunk: number of the next in free list or quarantine
    ("mark", "u1", 4),  # of a live chunk: owned by the leak search
    ("family", "u1", 5),
    ("align_log", "u1", 6),  # alignment the program asked for, 0 = none
)
CHUNK_DTYPE = np.dtype(
    {
        "names": [name for name, _, _ in _CHUNK_FIELDS],
        "formats": [kind for _, kind, _ in _CHUNK_FIELDS],
        "offsets": [offset for _, _, offset in _CHUNK_FIELDS],
        "itemsize": CHUNK_BYTES,
    }
)

FACTS_DTYPE = np.dtype(
    [
        ("alloc_stack", "u4"),
        ("sequence", "u4"),  # number of the allocation, from 1: its low bits
        ("free_stack", "u4"),
        ("alloc_tid", "u1"),
        ("free_tid", "u1"),
        ("check", "u2"),  # of all others; see facts_check
    ]
)
FACTS_BYTES: Final = FACTS_DTYPE.itemsize

WIDE_DTYPE = np.dtype(
    [
        ("sequence_high", "u8"),  # number of the allocation >> 32
        ("alloc_tid", "u4"),
        ("free_tid", "u4"),
    ]
)
WIDE_BYTES: Final = WIDE_DTYPE.itemsize
WIDE_LO: Final = memory_map.table("wide chunks", MAX_CHUNKS * WIDE_BYTES)

# Odd numbers without a pattern; what they are does not matter.
CHECK_ALLOCATED: Final = 0x9E37_79B9_7F4A_7C15
CHECK_THREAD: Final = 0xC2B2_AE3D_27D4_EB4F
CHECK_FREED: Final = 0x1656_67B1_9E37_79F9
CHECK_SHIFT: Final = 48


def facts_check(rows: Any) -> Any:
    """The check value of facts: of a row of FACTS_DTYPE or of each of an array of them, u64.

    Two halves, so that who frees need not trust what was there.  Zeroes have another one.
    """
    stack, number = rows["alloc_stack"].astype(np.uint64), rows["sequence"].astype(np.uint64)
    freed, freer = rows["free_stack"].astype(np.uint64), rows["free_tid"].astype(np.uint64)
    high, shift = np.uint64(32), np.uint64(CHECK_SHIFT)
    with np.errstate(over="ignore"):
        thread = (rows["alloc_tid"].astype(np.uint64) + np.uint64(1)) * np.uint64(CHECK_THREAD)
        allocated = (stack | number << high) * np.uint64(CHECK_ALLOCATED) + thread
        given_back = (freed | freer << high) * np.uint64(CHECK_FREED)
    return (allocated >> shift) ^ (given_back >> shift)
