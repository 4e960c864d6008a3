"""The plain layout of the allocator's tables: no numba, so that reports and leak search read them.

    UNIT_TABLE           unit table   u64 per 64 KiB of heap: address of its span record, 0 = none
    SPANS_LO             span records SPAN_DTYPE
    CHUNKS_LO            chunk records CHUNK_DTYPE, 64 bytes, one cache line each

A span is a run of units: blocks of one size class, one large block, or free space.  A chunk is the
record of one block; what the program got is [begin, begin + size_bytes) inside
[lo, lo + block bytes).

    |<- lo        begin                 begin + size           block end ->|
    | left redzone |  what the program asked for  | rest of the block: redzone |

Metadata is out of line: an overflow cannot damage it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from irsan.runtime.layout import memory_map

UNIT_BITS: Final = 16
UNIT_BYTES: Final = 1 << UNIT_BITS
CHUNK_BYTES: Final = 64

MAX_UNITS: Final = (memory_map.HEAP_HI - memory_map.HEAP_LO) >> UNIT_BITS
UNIT_TABLE: Final = memory_map.table("heap units", 8 * MAX_UNITS)
SPANS_LO: Final = memory_map.table("heap spans", 0)
SPANS_HI: Final = SPANS_LO + memory_map.room("heap spans")
CHUNKS_LO: Final = memory_map.table("heap chunks", 0)
CHUNKS_HI: Final = CHUNKS_LO + memory_map.room("heap chunks")

# chunk.state
AVAILABLE: Final = 0
ALLOCATED: Final = 1
QUARANTINED: Final = 2

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

CHUNK_DTYPE = np.dtype(
    [
        ("begin", "u8"),
        ("size_bytes", "u8"),
        ("next", "u8"),  # free list or quarantine
        ("sequence", "u8"),  # number of the allocation, from 1; 0 = memory never used
        ("lo", "u8"),
        ("alloc_stack", "u4"),
        ("free_stack", "u4"),
        ("alloc_tid", "u4"),
        ("free_tid", "u4"),
        ("state", "u1"),
        ("family", "u1"),
        ("align_log", "u1"),  # alignment the program asked for, 0 = none
        ("size_class", "u1"),
        ("mark", "u4"),  # owned by the leak search
    ],
    align=True,
)

if CHUNK_DTYPE.itemsize != CHUNK_BYTES:
    raise AssertionError("a chunk record must fill one cache line")
