"""The plain layout of the guarded pool: no numba, so that a fault can be explained from memory.

    pool    guard page | slot 0 | guard page | slot 1 | ... | slot n-1 | guard pages
            the first span of the heap; block i is a guard page and the slot behind it
    table   SLOT_DTYPE per slot at SLOTS_LO: who allocated it, who freed it, both stacks packed
    free    u32 per free slot at FREE_SLOTS, ctx.guarded.n_free of them, in no order

A slot is a page.  Pages of slots are accessible while they are allocated, guard pages never.
The heap has a chunk record for each slot as well, so leaks, sizes and families need no second way.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from irsan.runtime.layout import memory_map
from irsan.runtime.layout.field_offsets import field_offset

PAGE_BYTES: Final = 4096
BLOCK_BYTES: Final = 2 * PAGE_BYTES  # a guard page and a slot
MAX_SLOTS: Final = 1 << 18  # a process may have 65530 mappings; the rest is left unguarded
MAX_SAMPLE_RATE: Final = 1 << 30
TRACE_BYTES: Final = 256
MAX_TRACE_FRAMES: Final = 128

# slot.state
NEVER_USED: Final = 0
ALLOCATED: Final = 1
FREED: Final = 2

FREE_SLOTS: Final = memory_map.table("free guarded slots", 4 * MAX_SLOTS)
# The frames of one stack while it is packed.
SITES_BUFFER: Final = memory_map.table("guarded stack", memory_map.GIB // 2)

SLOT_DTYPE = np.dtype(
    [
        ("begin", "u8"),
        ("size_bytes", "u8"),
        ("alloc_tid", "u4"),
        ("free_tid", "u4"),
        ("state", "u4"),
        ("has_crashed", "u4"),  # its page stays accessible and is never handed out again
        ("alloc_trace_bytes", "u4"),
        ("free_trace_bytes", "u4"),
        ("facts_low", "u8"),  # as of any block: heap_records.FACTS_DTYPE
        ("facts_high", "u8"),
        ("alloc_trace", "u1", (TRACE_BYTES,)),
        ("free_trace", "u1", (TRACE_BYTES,)),
    ],
    align=True,
)
SLOT_BYTES: Final = SLOT_DTYPE.itemsize
SLOTS_LO: Final = memory_map.table("guarded slots", MAX_SLOTS * SLOT_BYTES)
FACTS_OFFSET: Final = field_offset(SLOT_DTYPE, "facts_low")
ALLOC_TRACE_OFFSET: Final = field_offset(SLOT_DTYPE, "alloc_trace")
FREE_TRACE_OFFSET: Final = field_offset(SLOT_DTYPE, "free_trace")
