"""Logical times in a race report: what each access was at, and why that makes no order.

      Logical times:
        access: 3@T2, Lamport 7, knows T0 up to 4, T1 up to 2
        previous access: 5@T1, Lamport 6
        T2 knows T1 only up to 2: 5@T1 is not before its access

An epoch is written as in the FastTrack paper: time 3 of thread T2 is 3@T2.
"""

from __future__ import annotations

from irsan.reports.model.report import Access, AccessClock

_MAX_KNOWN = 16  # threads of a vector clock that text reports list


def logical_times(access: Access, previous: Access) -> list[str]:
    """Lines on both accesses of a race, ending with a blank one; none without their clocks."""
    if access.clock is None or previous.clock is None:
        return []
    known = access.clock.known
    told = ", ".join(f"{entry.thread} up to {entry.time}" for entry in known[:_MAX_KNOWN])
    more = f" and {len(known) - _MAX_KNOWN} more" if len(known) > _MAX_KNOWN else ""
    return [
        "  Logical times:",
        f"    access: {_epoch(access)}, knows {told or 'no other thread'}{more}",
        f"    previous access: {_epoch(previous)}",
        f"    {_verdict(access, access.clock, previous, previous.clock)}",
        "",
    ]


def _epoch(access: Access) -> str:
    clock = access.clock
    return f"{clock.time}@{access.thread}, Lamport {clock.lamport}" if clock else ""


def _verdict(
    access: Access, clock: AccessClock, previous: Access, previous_clock: AccessClock
) -> str:
    known = max((k.time for k in clock.known if k.thread == previous.thread), default=0)
    epoch = f"{previous_clock.time}@{previous.thread}"
    if known >= previous_clock.time:
        return f"{access.thread} knows {epoch}: the accesses are ordered"
    reach = f"only up to {known}" if known else "not at all"
    return f"{access.thread} knows {previous.thread} {reach}: {epoch} is not before its access"
