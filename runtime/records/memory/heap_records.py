"""The plain layout of the allocator's tables: no numba, so that reports and leak search read them.

    UNIT_TABLE           unit table   u64 per 64 KiB of heap: address of its span record, 0 = none
    SPANS_LO             span records SPAN_DTYPE
    CHUNKS_LO            chunk records CHUNK_DTYPE, 32 bytes, two to a cache line
    WIDE_LO              what does not fit into a chunk record WIDE_DTYPE, one row for each

A span is a run of units: blocks of one size class, one large block, or free space.  A chunk is the
record of one block; what the program got is [begin, begin + size_bytes) inside
[lo, lo + block bytes).

    |<- lo        begin                 begin + size           block end ->|
    | left redzone |  what the program asked for  | rest of the block: redzone |

Metadata is out of line: an overflow cannot damage it.

A record is small, since there is one for each block that the quarantine keeps.  Begin, offset and
the high bits of the size share a word; what only live blocks have lies where freed ones have their
successor.  Numbers of threads from MANY_THREADS on and allocations after the first 2^32 are in the
rows of WIDE_LO, where no page exists before one is needed.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from irsan.runtime.layout import memory_map

UNIT_BITS: Final = 16
UNIT_BYTES: Final = 1 << UNIT_BITS
CHUNK_BYTES: Final = 32
CHUNK_BITS: Final = 5

MAX_UNITS: Final = (memory_map.HEAP_HI - memory_map.HEAP_LO) >> UNIT_BITS
UNIT_TABLE: Final = memory_map.table("heap units", 8 * MAX_UNITS)
SPANS_LO: Final = memory_map.table("heap spans", 0)
SPANS_HI: Final = SPANS_LO + memory_map.room("heap spans")
MAX_CHUNKS: Final = 1 << 32  # chunk.next is 32 bits; number 0 is none
CHUNKS_LO: Final = memory_map.table("heap chunks", MAX_CHUNKS * CHUNK_BYTES)
CHUNKS_HI: Final = CHUNKS_LO + MAX_CHUNKS * CHUNK_BYTES

# chunk.state
NEVER_USED: Final = 0  # its memory, too, and so it reads as zero
ALLOCATED: Final = 1
QUARANTINED: Final = 2
AVAILABLE: Final = 3  # has left the quarantine

# chunk.place
BEGIN_BITS: Final = 40  # the begin is an address of the arena
OFFSET_BITS: Final = 17  # begin - lo; 0 for a large block, whose span knows where it is
SIZE_SHIFT: Final = BEGIN_BITS + OFFSET_BITS  # above: size_bytes >> 32
BEGIN_MASK: Final = (1 << BEGIN_BITS) - 1
OFFSET_MASK: Final = (1 << OFFSET_BITS) - 1

MANY_THREADS: Final = 255  # chunk.alloc_tid, free_tid: the number is in the row of WIDE_LO

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
        ("n_blocks", "u4"),
        ("n_carved", "u4"),
        ("kind", "u4"),
        ("size_class", "u4"),
    ],
    align=True,
)

_CHUNK_FIELDS: Final = (
    ("place", "u8", 0),  # begin, offset of begin in the block, high bits of the size
    ("size_low", "u4", 8),
    ("alloc_stack", "u4", 12),
    ("free_stack", "u4", 16),
    ("sequence", "u4", 20),  # number of the allocation, from 1: its low bits
    ("next", "u4", 24),  # of a freed chunk: number of the next in free list or quarantine
    ("mark", "u1", 24),  # of a live chunk: owned by the leak search
    ("family", "u1", 25),
    ("align_log", "u1", 26),  # alignment the program asked for, 0 = none
    ("alloc_tid", "u1", 28),
    ("free_tid", "u1", 29),
    ("state", "u1", 30),
    ("size_class", "u1", 31),
)
CHUNK_DTYPE = np.dtype(
    {
        "names": [name for name, _, _ in _CHUNK_FIELDS],
        "formats": [kind for _, kind, _ in _CHUNK_FIELDS],
        "offsets": [offset for _, _, offset in _CHUNK_FIELDS],
        "itemsize": CHUNK_BYTES,
    }
)

WIDE_DTYPE = np.dtype(
    [
        ("sequence_high", "u8"),  # number of the allocation >> 32
        ("alloc_tid", "u4"),
        ("free_tid", "u4"),
    ]
)
WIDE_BYTES: Final = WIDE_DTYPE.itemsize
WIDE_LO: Final = memory_map.table("wide chunks", MAX_CHUNKS * WIDE_BYTES)

if memory_map.ARENA_HI > 1 << BEGIN_BITS:
    raise AssertionError("a chunk record cannot say where its block begins")
