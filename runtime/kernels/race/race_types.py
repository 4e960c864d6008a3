"""What the race detector keeps of memory and threads, as kernels see it: see race_records.py."""

from __future__ import annotations

from irsan.runtime.kernels.race.clocks.race_words import FOUND_ADDR, JOURNAL_ADDR, SIDS_ADDR
from irsan.runtime.kernels.record import Placed
from irsan.runtime.kernels.records import record_at, record_in
from irsan.runtime.kernels.scalars import u8, u16, u32, u64
from irsan.runtime.records.race import race_records


class Cell(Placed, layout=race_records.CELL_DTYPE):
    """The shadow of four bytes."""

    write: u64
    read: u64


class Expanded(Placed, layout=race_records.EXPANDED_DTYPE):
    """The head of an expanded cell's record."""

    n: u16
    size_class: u8
    flags: u8
    next: u32


class Entry(Placed, layout=race_records.ENTRY_DTYPE):
    """An access in the record of an expanded cell."""

    half: u64
    epoch: u32
    meta: u32
    kind: u32


class Transition(Placed, layout=race_records.TRANSITION_DTYPE):
    """What an access made of a cell."""

    write: u64
    state: u64
    access: u64
    kind: u64
    write_after: u64
    read_after: u64
    stamp: u64
    stamp_after: u64


class FoundRace(Placed, layout=race_records.FOUND_RACE_DTYPE):
    """A race of the access in progress."""

    address: u64
    mask: u32
    kind: u32
    epoch: u32
    stack: u32
    old_mask: u32
    spare: u32


class Sid(Placed, layout=race_records.SID_DTYPE):
    """A number of a thread in epochs."""

    state: u32
    newest_epoch: u32
    finish_stamp: u64
    owner_slot: u64
    spare: u64


class JournalEntry(Placed, layout=race_records.JOURNAL_DTYPE):
    """That a thread has had a sid since an epoch."""

    first_epoch: u32
    creation_stack: u32
    tid: u64
    parent_tid: u64
    finished: u64
    name: bytes


cell_at = record_at(Cell)
expanded_at = record_at(Expanded)
entry_at = record_at(Entry)
transition_at = record_at(Transition)
found_numbered = record_in(FoundRace, FOUND_ADDR)
sid_numbered = record_in(Sid, SIDS_ADDR)
journal_numbered = record_in(JournalEntry, JOURNAL_ADDR)
