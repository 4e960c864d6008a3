"""The plain layout of the access counter: no numba, so that the report reads the same table.

    TABLE   ENTRY_WORDS words per entry: address (0: empty), accesses, site of the first access
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

ENTRY_BITS: Final = 24
N_ENTRIES: Final = 1 << ENTRY_BITS
MAX_ADDRESSES: Final = N_ENTRIES * 7 // 8
ENTRY_WORDS: Final = 3
ADDRESS, COUNT, SITE = range(ENTRY_WORDS)
TABLE: Final = memory_map.table("access counts", 8 * ENTRY_WORDS * N_ENTRIES)

