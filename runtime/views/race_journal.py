"""Who was it: an epoch back to the thread that owned its sid then, in plain Python.

The journal (kernels/race/sids.py) has one entry per ownership of a sid, in order of time.  The
owner of an epoch is the newest entry of its sid that starts at or before it.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from irsan.runtime.layout import memory_map
from irsan.runtime.records.race.race_records import JOURNAL_DTYPE

# As in runtime/kernels/race/clocks/race_words.py, which would bring numba to the reporting side.
_JOURNAL_ADDR = memory_map.table("race journal", 0)
_CLOCK_BITS = 32 - memory_map.SID_BITS
_ENTRY = JOURNAL_DTYPE


@dataclass(frozen=True, slots=True)
class EpochOwner:
    """The thread that an epoch belongs to; `name` is set once the thread has finished."""

    tid: int
    parent_tid: int
    creation_stack: int
    finished: bool
    name: str


def epoch_to_owner(epoch: int, n_entries: int) -> EpochOwner:
    """Owner of an epoch; `n_entries` is ctx.race.n_journal.

    Raises LookupError when no thread ever had it.
    """
    entries = _journal(n_entries)
    first = entries["first_epoch"]
    same_sid = (first >> _CLOCK_BITS) == (epoch >> _CLOCK_BITS)
    indices = np.flatnonzero(same_sid & (first <= epoch))
    if not len(indices):
        raise LookupError(f"epoch {epoch:#x} belongs to no thread")
    return _owner(entries[indices[-1]])


def tid_to_owner(tid: int, n_entries: int) -> EpochOwner:
    """Facts of a thread by its number, from its newest entry; LookupError when unknown."""
    entries = _journal(n_entries)
    indices = np.flatnonzero(entries["tid"] == tid)
    if not len(indices):
        raise LookupError(f"thread {tid} is unknown to the race detector")
    return _owner(entries[indices[-1]])


def _journal(n_entries: int) -> Any:
    raw: Any = (ctypes.c_uint8 * (n_entries * _ENTRY.itemsize)).from_address(_JOURNAL_ADDR)
    return np.frombuffer(raw, dtype=_ENTRY)


def _owner(entry: Any) -> EpochOwner:
    return EpochOwner(
        int(entry["tid"]),
        int(entry["parent_tid"]),
        int(entry["creation_stack"]),
        bool(entry["finished"]),
        bytes(entry["name"]).decode("utf-8", "replace"),
    )
