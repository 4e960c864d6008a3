"""Where anonymous mappings of the program lie while races are looked for: the end of the arena.

Memory outside the arena has no race shadow.  The zone has it, and is foreign in every other way: no
heap, no redzones, known to the checks of addresses by a row among the foreign mappings.

    ZONE_LO | mapped, or unmapped and never used again ... | ZONE_LO + used | free ... | ZONE_HI

Above it are the places that stand for file descriptors (descriptor_records.py).

Here is the plain layout for kernels and host alike, without numba.
"""

from __future__ import annotations

import ctypes
from typing import Final

from irsan.runtime.layout import memory_map

ZONE_BYTES: Final = 127 * memory_map.GIB
ZONE_LO: Final = memory_map.HEAP_HI - memory_map.GIB - ZONE_BYTES
USED: Final = memory_map.table("mapping zone", 8)  # u64: bytes of the zone handed out so far


def zone_range() -> tuple[int, int]:
    """[lo, hi) of the mappings that lie in the zone."""
    return ZONE_LO, ZONE_LO + ctypes.c_uint64.from_address(USED).value
