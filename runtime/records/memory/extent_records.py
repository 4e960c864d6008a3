"""The plain layout of kept extents: no numba, so that programs' code can be made from it.

    table   EXTENT_DTYPE per place at EXTENTS, in the second half of the Context's own memory, which
            instructions reach by an offset of 32 bits
    place   a question's own, from its number modulo N_OWN (instrument/bounds/object_extents.py),
            or one of the N_SHARED behind those, a power of 2, which the root chooses
"""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np

from irsan.runtime.layout.memory_map import CONTEXT_ADDR, CONTEXT_SIZE

EXTENTS: Final = CONTEXT_ADDR + CONTEXT_SIZE // 2
N_OWN: Final = 3072
N_SHARED: Final = 1024
PLACE_BYTES: Final = 32
TABLE_BYTES: Final = (N_OWN + N_SHARED) * PLACE_BYTES

EXTENT_DTYPE = np.dtype(
    [
        ("lo", "u8"),
        ("length", "u8"),  # in bytes
        ("kept_bytes", "u8"),  # length where the answer holds for every root in it, else 0
        ("to_wait", "u4"),  # answers before a redzone is looked for far away again
        ("waited", "u4"),  # what the last look far away had to wait for
    ],
    align=True,
)


def forget_kept_extents() -> None:
    """Keep no answer, as new objects lie where other ones may have been."""
    ctypes.memset(EXTENTS, 0, TABLE_BYTES)
