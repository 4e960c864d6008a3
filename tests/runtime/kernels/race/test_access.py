"""The race kernels against the naive detector: the same first races, legal other sides, no more.

A quarter of the seeds is run, IRSAN_PART says which.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.irsan_runs import in_part
from tests.support.race_pair import RacePair, Step
from tests.support.race_programs import (
    START,
    STEP,
    handover_program,
    lives_program,
    message_program,
    random_program,
)

SEEDS_OF_EXPANDED = in_part(range(20), 4)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.sampled_from(["vector", "tree"]), st.booleans(), st.booleans(), st.lists(STEP, max_size=40)
)
def test_agrees_with_the_naive_detector(
    new_guest: Callable[[], Any],
    clock: str,
    frees_are_dead: bool,
    forgets_soon: bool,
    steps: list[Step],
) -> None:
    pair = RacePair(
        new_guest(),
        clock=clock,
        frees_are_dead=frees_are_dead,
        forgets_soon=forgets_soon,
        waits=forgets_soon,
    )
    pair.run(START + steps)


def test_long_random_programs(new_guest: Callable[[], Any]) -> None:
    n_races = 0
    for seed in range(120):
        clock = ("vector", "tree")[seed // 2 % 2]
        is_soon = seed // 4 % 2 == 0
        pair = RacePair(
            new_guest(), max_threads=14, clock=clock, forgets_soon=is_soon, waits=seed // 8 % 2 == 0
        )
        pair.run(random_program(random.Random(seed), 150, atomics=seed % 2 == 0))
        n_races += pair.n_races
        assert pair.ctx["race"]["n_inexact_sids"] == 0
        assert pair.ctx["race"]["n_lost_cells"] == 0
    assert n_races > 100


def test_lives_of_memory(new_guest: Callable[[], Any]) -> None:
    n_races = 0
    for seed in range(60):
        pair = RacePair(new_guest(), frees_are_dead=seed % 2 == 0)
        pair.run(lives_program(random.Random(seed), 40))
        n_races += pair.n_races
    assert n_races > 500


def test_messages_through_atomics(new_guest: Callable[[], Any]) -> None:
    n_races = 0
    for seed in range(60):
        for program in (message_program, handover_program):
            pair = RacePair(new_guest(), clock=("vector", "tree")[seed % 2])
            pair.run(program(random.Random(seed), 40))
            n_races += pair.n_races
    assert n_races > 500


def test_expanded_cells_are_given_back(new_guest: Callable[[], Any]) -> None:
    """After everything is forgotten no record and no sync object is in use."""
    for seed in SEEDS_OF_EXPANDED:
        pair = RacePair(new_guest(), max_threads=14)
        pair.run(random_program(random.Random(1000 + seed), 80, atomics=True))
        pair.run([("forget", 0, 0, 1 << 17)])
        assert pair.ctx["race"]["n_expanded"] == 0
        pair.run([("destroy", 0, lock) for lock in range(3)])
        if not pair.owners and not any(pair.readers.values()):
            assert pair.ctx["race"]["n_sync"] == 0
