"""What is kept of a schedule that is explored: of the run, and of each thread."""

from __future__ import annotations

from typing import Final

from irsan.runtime.records.subsystems import record

_U64 = "u8"

MAX_SITES: Final = 16
MAX_CHANGES: Final = 16
MAX_ADDRESSES: Final = 64  # a power of two
MAX_PAIRS: Final = 8
MAX_WRITERS: Final = 256  # a power of two

#: a schedule that is explored: see schedulers/exploring.py and layout/explore_words.py
EXPLORE_DTYPE = record(
    [
        ("is_on", _U64),  # 1: each event is a point
        ("rng", _U64),  # state of the strategy's own generator
        ("steps", _U64),  # points so far: events before which several threads could go on
        ("limit", _U64),  # points after which the run makes no progress, 0 = never
        ("is_tracing", _U64),  # 1: events are left in EVENTS, with who could run
        ("has_tries", _U64),  # 1: the program may try to lock, so giving up a lock is an event
        ("behind", _U64),  # by which it is drawn behind what others may go on, 0 = behind nothing
        ("n_idle", _U64),  # points since the last event: threads only spin, yield or compute
        ("chosen", _U64),  # slot + 1 of the thread that goes on when this one is switched out
        ("order_hash", _U64),  # of all events so far, to tell interleavings apart
        ("n_events", _U64),
        ("n_switches", _U64),  # choices that the default rule does not make
        ("depth", _U64),
        ("length", _U64),
        ("n_rest", _U64),  # words at REST_WORDS
        ("next_pair", _U64),  # of the script
        ("intended", _U64),  # slot + 1 of the thread drawn for the next watched event (surw)
        ("made", _U64),  # bits of the reads-from pairs that the schedule has had (rff)
        ("lowest", _U64),  # score of the last thread that was lowered
        ("is_spinning", _U64),  # 1: the running thread has to make way
        ("last_slot", _U64),  # of the thread that did the last event
        ("last_site", _U64),
        ("in_row", _U64),  # events of that thread in a row
        ("at_place", _U64),  # those at one site
        ("n_sites", _U64),
        ("n_changes", _U64),
        ("sites", _U64, (MAX_SITES,)),  # whose accesses are events
        ("addresses", _U64, (MAX_ADDRESSES,)),  # granules that were touched at one of `sites`
        ("objects", _U64, (MAX_WRITERS,)),  # that were written (rff),
        ("writers", _U64, (MAX_WRITERS,)),  # and the site of each one's newest write
        ("changes", _U64, (MAX_CHANGES,)),  # points at which the order of threads changes
    ]
)

#: what a thread does next, to who explores: see schedulers/pending.py
POINT_DTYPE = record(
    [
        ("object", _U64),  # address of what the event touches
        ("kind", _U64),
        ("site", _U64),
        ("score", _U64),
        ("left", _U64),  # events left to the thread, 0 = not known yet
        ("needs", _U64),  # address of a word that is 0 where the event would not wait, 0 = never
        ("asks_again", _U64),  # 1: the call comes again, and its question was answered
    ]
)
