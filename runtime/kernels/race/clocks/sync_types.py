"""Sync objects and their clocks, as kernels see them: see sync_records.py."""

from __future__ import annotations

from irsan.runtime.kernels.race.clocks.race_words import SYNC_OBJECTS
from irsan.runtime.kernels.record import Placed
from irsan.runtime.kernels.records import record_at, record_in
from irsan.runtime.kernels.scalars import Vector, u32, u64
from irsan.runtime.records.race import sync_records


class SyncObject(Placed, layout=sync_records.SYNC_OBJECT_DTYPE):
    """What is known of an address that threads acquire and release."""

    address: u64
    row: u64
    read_row: u64
    next: u32
    release_epoch: u32
    releasing_tid: u64
    lock: u32
    spare: Vector[u32]


class ClockRow(Placed, layout=sync_records.CLOCK_ROW_DTYPE):
    """The head of a clock."""

    size_class: u32
    n: u32
    root: u64


sync_at = record_at(SyncObject)
sync_numbered = record_in(SyncObject, SYNC_OBJECTS)
row_at = record_at(ClockRow)
