"""The plain layout of kept extents: no numba, so that programs' code can be made from it.

    table   EXTENT_DTYPE per place at EXTENTS, in the second half of the Context's own memory, which
            instructions reach by an offset of 32 bits
    place   a question's own: bytes into the table, from its number modulo N_PLACES, a power of 2
            (instrument/bounds/object_extents.py), or one behind it that the root chooses
"""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np

from irsan.runtime.layout.memory_map import CONTEXT_ADDR, CONTEXT_SIZE

EXTENTS: Final = CONTEXT_ADDR + CONTEXT_SIZE // 2
N_PLACES: Final = 4096
PLACE_BYTES: Final = 32
TABLE_BYTES: Final = N_PLACES * PLACE_BYTES

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
