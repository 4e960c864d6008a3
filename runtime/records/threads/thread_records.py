"""Who created each thread that ever ran: the plain layout, no numba, so that the host reads it.

    CREATIONS   u32 pairs by thread number: number of the creator + 1, creation stack

A thread record is used again when its thread has been joined; a report may name the thread later.
"""

from __future__ import annotations

import ctypes
from typing import Final

from irsan.runtime.layout import memory_map

CREATION_BYTES: Final = 8
MAX_CREATIONS: Final = memory_map.GIB // CREATION_BYTES
CREATIONS: Final = memory_map.table("thread creations", MAX_CREATIONS * CREATION_BYTES)


def creation_of(tid: int) -> tuple[int, int] | None:
    """Number of the thread that created `tid` and the stack id of that, if it was noted."""
    if not 0 <= tid < MAX_CREATIONS:
        return None
    parent, stack = (ctypes.c_uint32 * 2).from_address(CREATIONS + tid * CREATION_BYTES)
    return (parent - 1, stack) if parent else None
