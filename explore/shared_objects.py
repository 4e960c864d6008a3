"""Objects that several threads touch: SURW counts the events on one of them in each schedule.

An object is what an event touches: a lock, an atomic variable, or memory with racing accesses.  One
that is only read, or by one thread only, decides nothing.  Objects that are touched at the same
sites are one, as sites are what a schedule can watch.

Source: Zhao, Xu, Fu, Zhang, "Selectively uniform concurrency testing", ASPLOS 2025: the events on
one chosen location at a time.  Deviation: locations take turns, they are not drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from irsan.engine.guest.explored_schedule import Event, shares_of
from irsan.explore.schedules import Shares, Watched
from irsan.runtime.layout.explore_words import READS, WRITES
from irsan.runtime.records.explore_records import MAX_SITES

MAX_OBJECTS: Final = 20


def shares_with_objects(events: Sequence[Event]) -> Shares:
    """The shares of threads in all events, and in those on each object that matters."""
    objects = (Watched(each, shares_of(events, each)) for each in sites_of_objects(events))
    return Shares(shares_of(events), tuple(objects))


def sites_of_objects(events: Iterable[Event]) -> list[tuple[int, ...]]:
    """By object that matters, those with the most events first, the sites that touch it."""
    touches: defaultdict[int, list[Event]] = defaultdict(list)
    for event in events:
        if event.touched and event.kind in (READS, WRITES):
            touches[event.touched].append(event)
    shared = sorted(filter(_is_shared, touches.values()), key=len, reverse=True)
    sites = dict.fromkeys(tuple(sorted({event.site for event in each})) for each in shared)
    return [each for each in sites if len(each) <= MAX_SITES][:MAX_OBJECTS]


def _is_shared(events: Sequence[Event]) -> bool:
    writes = any(event.kind == WRITES for event in events)
    return writes and len({event.tid for event in events}) > 1
