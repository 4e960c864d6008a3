"""What SURW watches: objects that several threads share, by the sites that touch them."""

from __future__ import annotations

from irsan.engine.guest.explored_schedule import Event
from irsan.explore.shared_objects import MAX_OBJECTS, sites_of_objects
from irsan.runtime.layout.explore_words import READS, STARTS, WRITES
from irsan.runtime.records.explore_records import MAX_SITES

LOCK, FLAG, OWN, CONSTANT = 100, 200, 300, 400


def test_objects_of_several_threads_with_a_write_most_events_first() -> None:
    events = [
        Event(1, WRITES, 10, FLAG), Event(2, READS, 11, FLAG),
        Event(1, WRITES, 12, LOCK), Event(2, WRITES, 13, LOCK), Event(2, WRITES, 12, LOCK),
        Event(1, WRITES, 14, OWN), Event(1, READS, 15, OWN),
        Event(1, READS, 16, CONSTANT), Event(2, READS, 16, CONSTANT),
        Event(1, STARTS, 17, 0), Event(2, STARTS, 18, 0),
    ]  # fmt: skip
    assert sites_of_objects(events) == [(12, 13), (10, 11)]


def test_objects_that_sites_do_not_tell_apart_are_one() -> None:
    events = [Event(tid, WRITES, 10, lock) for lock in (1, 2, 3) for tid in (1, 2)]
    assert sites_of_objects(events) == [(10,)]


def test_objects_and_their_sites_are_bounded() -> None:
    many = [Event(tid, WRITES, site, site) for site in range(1, 60) for tid in (1, 2)]
    wide = [Event(site % 2, WRITES, site, LOCK) for site in range(1000, 1001 + MAX_SITES)]
    assert len(sites_of_objects(many)) == MAX_OBJECTS and sites_of_objects(wide) == []
