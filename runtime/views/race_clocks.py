"""Logical times of the accesses of a race, for reports: the flag `print_clocks`.

    5@T1        the access was made at time 5 of thread T1: an epoch, as in the FastTrack paper
    Lamport 6   Lamport's scalar time of that epoch (runtime/kernels/race/clocks/lamport.py)
    known       what the later access's thread knew then: its vector clock, by thread

Time of a thread goes on with each of its releases.  An access at 5@T1 happens before what T2 does
iff T2 knows T1 up to 5 or more.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from irsan.reports.model.report import AccessClock, KnownTime
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.options import CLOCK, CLOCK_LAMPORT
from irsan.runtime.records.race.clock_records import LAMPORTS
from irsan.runtime.views.race_journal import epoch_to_owner

_CLOCK_BITS = 32 - memory_map.SID_BITS
_CLOCK_MASK = (1 << _CLOCK_BITS) - 1


def wants_clocks(ctx: Any) -> bool:
    """Whether reports show logical times."""
    return bool(int(ctx["options"][CLOCK]) & CLOCK_LAMPORT)


def epoch_to_clock(epoch: int, known: tuple[KnownTime, ...] = ()) -> AccessClock:
    """Times of an access that was made in `epoch`."""
    lamport = ctypes.c_uint32.from_address(LAMPORTS + 4 * epoch).value
    return AccessClock(epoch & _CLOCK_MASK, lamport, known)


def known_times(ctx: Any, own_epoch: int) -> Iterator[KnownTime]:
    """What the running thread knows of all others, by the numbers of its detector (sids)."""
    n_journal = int(ctx["race"]["n_journal"])
    row = (ctypes.c_uint32 * int(ctx["race"]["n_sids"])).from_address(int(ctx["vc"]))
    for sid, epoch in enumerate(row):
        if epoch and sid != own_epoch >> _CLOCK_BITS:
            owner = epoch_to_owner(epoch, n_journal)
            yield KnownTime(f"T{owner.tid}", epoch & _CLOCK_MASK)
