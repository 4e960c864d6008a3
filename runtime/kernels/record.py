"""What kernels know as a record: a class whose fields mypy reads, over a numpy type for its layout.

    class Mutex(Placed, layout=MUTEX_DTYPE):
        owner: u32

    mutex_at = record_at(Mutex)                        records.py: an address becomes a record

    @kernel
    def is_owned(ctx: Context, mutex: Mutex) -> bool:  a field is one load or store at its offset
        return mutex.owner == own_word(ctx)

    Record   the Context, a thread, and what lies in them: numba's own kind of record
    Placed   a record in memory, known by its address: to numba a u64 whose fields have names, so
             it compiles to what a load at that offset compiles to; any alignment will do

A class is never made: it stands in annotations, where the decorator reads it, and in `record_at`.
A test compares the fields of each class with those of its layout, by name and width.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np


class Record:
    """What all records have: a layout."""

    layout: ClassVar[np.dtype[np.void]]

    def __init_subclass__(cls, *, layout: np.dtype[np.void] | None = None) -> None:
        if layout is not None:
            cls.layout = layout


class Placed(Record):
    """A record in memory."""
