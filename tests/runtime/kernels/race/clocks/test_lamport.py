"""Lamport times: a walk-through, and the clock condition over random programs."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from irsan.runtime.kernels.race import thread_clocks
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.layout import options
from irsan.runtime.records.race.clock_records import LAMPORTS
from tests.support.race_pair import RacePair
from tests.support.race_programs import sync_program
from tests.support.race_trees import row, u32

NewGuest = Callable[[], Any]


def new_pair(guest: Any, clock: str, max_threads: int) -> RacePair:
    """A pair that keeps Lamport times."""
    pair = RacePair(guest, max_threads=max_threads, clock=clock)
    pair.ctx["options"][options.CLOCK] |= options.CLOCK_LAMPORT
    return pair


def lamport(epoch: int) -> int:
    """The time noted for an epoch."""
    return u32(LAMPORTS + 4 * epoch)


def now(pair: RacePair, tid: int) -> int:
    """A thread's time."""
    pair.guest.switch_to(pair.records[tid])
    return lamport(int(pair.ctx["epoch"]))


@pytest.mark.parametrize("clock", ["vector", "tree"])
def test_a_message_brings_its_senders_time_plus_one(new_guest: NewGuest, clock: str) -> None:
    pair = new_pair(new_guest(), clock, 3)
    pair.run([("fork", 0), ("fork", 0)])
    assert [now(pair, tid) for tid in range(3)] == [2, 1, 2]
    pair.run([("lock", 1, 0), ("unlock", 1, 0)] * 3)
    assert now(pair, 1) == 4
    pair.run([("lock", 2, 0)])
    assert now(pair, 2) == 4  # sent at 3, the epoch that the last unlock ended
    pair.run([("unlock", 2, 0), ("lock", 1, 0)])
    assert (now(pair, 2), now(pair, 1)) == (5, 5)
    pair.run([("unlock", 1, 0), ("lock", 0, 0)])
    assert now(pair, 0) == 6


@pytest.mark.parametrize("clock", ["vector", "tree"])
def test_times_grow_along_happens_before(new_guest: NewGuest, clock: str) -> None:
    n_checked = 0
    for seed in range(8):
        pair = new_pair(new_guest(), clock, 12)
        for step in sync_program(random.Random(seed), 12, 120):
            pair.run([step])
            n_sids = int(pair.ctx["race"]["n_sids"])
            own = int(pair.ctx["epoch"])
            for sid, epoch in enumerate(row(int(pair.ctx["vc"]), n_sids)):
                if epoch and sid != own >> words.CLOCK_BITS:
                    assert lamport(epoch) < lamport(own)
                    n_checked += 1
    assert n_checked > 5000


def test_time_goes_on_after_a_flush(new_guest: NewGuest) -> None:
    pair = new_pair(new_guest(), "vector", 3)
    pair.run([("fork", 0), ("fork", 0), *[("lock", 1, 0), ("unlock", 1, 0)] * 5])
    before = now(pair, 1)
    thread_clocks.race_flush(pair.ctx)
    assert [now(pair, tid) for tid in range(3)] == [before + 1] * 3


def test_nothing_is_kept_unless_asked_for(new_guest: NewGuest) -> None:
    pair = RacePair(new_guest(), max_threads=3)
    pair.run([("fork", 0), ("lock", 1, 0), ("unlock", 1, 0)])
    assert [now(pair, tid) for tid in range(2)] == [0, 0]
