"""The race detector's facts about what is acquired and released: no numba here.

SYNC_OBJECT   at SYNC_OBJECTS + index * 64, by the address that it is of
CLOCK_ROW     what a clock of an object begins with; its entries follow
"""

from __future__ import annotations

from typing import Final

import numpy as np

SYNC_OBJECT_DTYPE: Final = np.dtype(
    [
        ("address", "u8"),  # of one that is free: the index of the next free one
        ("row", "u8"),  # the clock that releases have made, 0 = none
        ("read_row", "u8"),  # of readers, who are not ordered among themselves
        ("next", "u4"),  # index of the next object of the same line
        ("release_epoch", "u4"),  # see kernels/race/sync_objects.py
        ("releasing_tid", "u8"),
        ("lock", "u4"),  # number of the lock there, 0 = none
        ("spare", "u4", (5,)),
    ],
    align=True,
)

CLOCK_ROW_DTYPE: Final = np.dtype(
    [
        ("size_class", "u4"),
        ("n", "u4"),  # entries that are stored
        ("root", "u8"),  # sid + 1 of a tree clock's root, 0: a vector; of a free row: the next one
    ],
    align=True,
)
