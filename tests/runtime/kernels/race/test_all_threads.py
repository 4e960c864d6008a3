"""A finalizer knows all that was done, and nothing of what is done next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from irsan.runtime.kernels.race.clocks import race_words as words
from tests.support.race_pair import RacePair

NewGuest = Callable[[], Any]


@pytest.mark.parametrize("clock", ["vector", "tree"])
def test_what_others_did_is_ordered_and_what_they_do_next_is_not(
    new_guest: NewGuest, clock: str
) -> None:
    pair = RacePair(new_guest(), clock=clock)
    pair.run([("fork", 0), ("fork", 0), ("access", 1, 0, 4, 1, 1), ("finalize", 2)])
    pair.run([("access", 2, 0, 4, 1, 2)])
    assert pair.n_races == 0
    pair.run([("access", 1, 8, 4, 1, 1), ("access", 2, 8, 4, 1, 2)])
    assert pair.n_races == 4


@pytest.mark.parametrize("clock", ["vector", "tree"])
def test_what_is_learned_before_the_next_release_is_not_taken_for_known(
    new_guest: NewGuest, clock: str
) -> None:
    """T1 learns of T3's write after T2's finalizer ran, then tells T2: no race."""
    pair = RacePair(new_guest(), clock=clock)
    pair.run([("fork", 0)] * 3 + [("finalize", 2)])
    pair.run([("lock", 3, 1), ("access", 3, 0, 4, 1, 1), ("unlock", 3, 1)])
    pair.run([("lock", 1, 1), ("unlock", 1, 1), ("lock", 1, 0), ("unlock", 1, 0)])
    pair.run([("lock", 2, 0), ("access", 2, 0, 4, 1, 2)])
    assert pair.n_races == 0


def test_a_thread_at_its_last_clock_value_stays_there(new_guest: NewGuest) -> None:
    pair = RacePair(new_guest(), clock="tree")
    pair.run([("fork", 0), ("fork", 0)])
    last = 1 << words.CLOCK_BITS | words.CLOCK_MAX
    pair.records[1]["epoch"] = last
    pair.guest.switch_to(pair.records[1])
    pair.guest.switch_to(pair.records[0])
    pair.run([("finalize", 2)])
    assert pair.records[1]["epoch"] == last
    assert pair.ctx["race"]["n_inexact_sids"] == 1
