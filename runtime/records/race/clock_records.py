"""Where tree clocks and Lamport times lie; numbers only, the host reads some.

    TREES      nodes of the clocks of threads: a clock's are as far from TREES as it is from CLOCKS
    WALK       u64 each: nodes whose children a walk over a tree has yet to see
    LAMPORTS   u32 per epoch: Lamport time of its thread then, if a flag asks for it
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

NODES_OF_THREAD_BYTES: Final = 16 * memory_map.MAX_SIDS
TREES: Final = memory_map.table("clock trees", memory_map.MAX_LIVE_THREADS * NODES_OF_THREAD_BYTES)
WALK: Final = memory_map.table("clock walk", 8 * memory_map.MAX_SIDS)
LAMPORTS: Final = memory_map.table("Lamport times", 4 << 32)
