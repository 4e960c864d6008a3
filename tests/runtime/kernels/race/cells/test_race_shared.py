"""The in-place way through expanded cells agrees with the exact way and the naive detector."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race.cells import (
    cell_words,
    fasttrack,
    race_shared,
)
from irsan.runtime.kernels.race.clocks.generations import note_reader
from irsan.runtime.kernels.race.thread_clocks import race_tick
from tests.support.cell_history import entries_of
from tests.support.race_pair import BASE, RacePair, Step

TIDS = st.integers(0, 4)
OFFSETS = st.sampled_from([0, 0, 0, 4, 1, 2])
SIZES = st.sampled_from([4, 4, 8, 8, 2, 1])
SITES = st.integers(1, 2)
LOCKS = st.integers(0, 1)
SHARED_STEP = st.one_of(
    st.tuples(st.just("access"), TIDS, OFFSETS, SIZES, st.just(0), SITES),
    st.tuples(st.just("access"), TIDS, OFFSETS, SIZES, st.just(0), SITES),
    st.tuples(st.sampled_from(["load", "store", "rmw"]), TIDS, OFFSETS, SIZES,
              st.integers(0, 5), SITES),
    st.tuples(st.just("access"), TIDS, OFFSETS, SIZES, st.integers(0, 3), SITES),
    st.tuples(st.sampled_from(["lock", "unlock", "read_lock", "read_unlock"]), TIDS, LOCKS),
    st.tuples(st.sampled_from(["post", "wait"]), TIDS, LOCKS),
)  # fmt: skip
START: list[Step] = [("fork", 0)] * 4
RELAXED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def guest_with(new_guest: Callable[[], Any], *, has_bits: bool) -> Any:
    """A guest whose threads have reader bits, or whose entries stand at their homes instead."""
    guest = new_guest()
    if not has_bits:
        guest.ctx["generation"] = 0xFFFF_FFFF
        note_reader(guest.ctx)
    return guest


@pytest.mark.parametrize("has_bits", [True, False])
@RELAXED
@given(steps=st.lists(SHARED_STEP, max_size=60))
def test_agrees_with_the_naive_detector(
    new_guest: Callable[[], Any], has_bits: bool, steps: list[Step]
) -> None:
    RacePair(guest_with(new_guest, has_bits=has_bits)).run(START + steps)


@pytest.mark.parametrize("has_bits", [True, False])
def test_long_shared_programs(new_guest: Callable[[], Any], has_bits: bool) -> None:
    n_races = 0
    for seed in range(40):
        rng = random.Random(seed)
        pair = RacePair(guest_with(new_guest, has_bits=has_bits))
        pair.run(START + [step for _ in range(60) for step in shared_round(rng)])
        n_races += pair.n_races
        assert pair.ctx["race"]["n_lost_cells"] == 0
    assert n_races > 20


def shared_round(rng: random.Random) -> list[Step]:
    """Mostly readers under a lock and atomics; now and then a write, guarded or not."""
    tid, site, choice = rng.randrange(5), rng.randrange(1, 3), rng.random()
    size = rng.choice([4, 8])
    if choice < 0.5:
        read = ("access", tid, 0, size, 0, site)
        return [("read_lock", tid, 0), read, ("read_unlock", tid, 0)]
    if choice < 0.6:
        write = ("access", tid, 0, size, 1, site)
        return [("lock", tid, 0), write, ("unlock", tid, 0)]
    if choice < 0.98:
        return [(rng.choice(["load", "store", "rmw"]), tid, 16, size, rng.randrange(6), site)]
    return [("access", tid, rng.choice([0, 16]), size, rng.randrange(2), site)]


@RELAXED
@given(st.lists(SHARED_STEP, max_size=40), TIDS, st.sampled_from([2, 3]), st.integers(1, 15))
def test_what_repeats_the_newest_access_adds_nothing(
    new_guest: Callable[[], Any], steps: list[Step], tid: int, kind: int, mask: int
) -> None:
    pair = RacePair(new_guest())
    pair.run(START + steps)
    pair.guest.switch_to(pair.records[tid])
    cell = int(cell_words.addr_to_cell(BASE))
    if not race_shared.newest_covers(pair.ctx, cell, mask, kind):
        return
    before = set(entries_of(cell))
    pair.ctx["race"]["n_found"] = 0
    fasttrack.cell_access(pair.ctx, cell, mask, kind, 1)
    for entry in pair.found():  # only what the access that is repeated had found
        assert {entry.addr + i for i in range(4) if entry.mask >> i & 1} <= pair.naive.raced
    assert set(entries_of(cell)) <= before
    race_tick(pair.ctx)
    assert not race_shared.newest_covers(pair.ctx, cell, mask, kind)
