"""The layout of what is known of pointers that programs keep outside of their objects.

    pointers   N_SETS sets of N_WAYS words each at OUTSIDE: kept pointers; 0: none
    holders    N_HOLDERS words at HOLDERS: first bytes of objects in which one of them lies, for
               objects that were asked about; 0: none

Both are behind the kept extents, in the Context's own memory.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.records.memory.extent_records import EXTENTS, TABLE_BYTES

N_SETS: Final = 128  # a power of two
N_WAYS: Final = 8
N_HOLDERS: Final = 256  # a power of two
OUTSIDE: Final = EXTENTS + TABLE_BYTES
HOLDERS: Final = OUTSIDE + 8 * N_SETS * N_WAYS
