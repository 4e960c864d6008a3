"""Cells that are accessed alike share records, and what one of them learnt is true for all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race import thread_clocks
from irsan.runtime.kernels.race.cells import (
    cell_transitions,
    cell_words,
    fasttrack,
    record_sharing,
)
from irsan.runtime.kernels.race.clocks import generations
from irsan.runtime.kernels.race.clocks import race_words as words
from tests.support.cell_history import load
from tests.support.race_pair import BASE, RacePair, Step

N_CELLS = 6
START: list[Step] = [("fork", 0)] * 4
TIDS = st.integers(0, 4)
SITES = st.integers(1, 2)
LOCKS = st.integers(0, 1)
RELAXED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def sweep(tid: int, cells: range, size: int, kind: int, site: int) -> list[Step]:
    """The same access to one cell after the other."""
    return [("access", tid, 4 * cell, size, kind, site) for cell in cells]


SWEEP = st.builds(
    sweep,
    TIDS,
    st.sampled_from([range(N_CELLS), range(N_CELLS), range(3), range(2, N_CELLS)]),
    st.sampled_from([4, 4, 4, 1, 2]),
    st.sampled_from([0, 0, 0, 0, 1]),
    SITES,
)
ONE = st.one_of(
    st.tuples(st.sampled_from(["lock", "unlock", "read_lock", "read_unlock"]), TIDS, LOCKS),
    st.tuples(st.sampled_from(["post", "wait"]), TIDS, LOCKS),
    st.tuples(st.sampled_from(["load", "store", "rmw"]), TIDS, st.sampled_from([0, 8, 20]),
              st.just(4), st.integers(0, 5), SITES),
    st.tuples(st.sampled_from(["free", "malloc"]), TIDS, st.sampled_from([0, 8]),
              st.sampled_from([4, 10, 24]), SITES),
    st.tuples(st.just("range"), TIDS, st.just(0), st.sampled_from([12, 24]), st.integers(0, 1),
              SITES),
).map(lambda step: [step])  # fmt: skip
PROGRAM = st.lists(st.one_of(SWEEP, SWEEP, ONE), max_size=30)


def cells_by_record(n_cells: int) -> Counter[int]:
    """How many of the first cells from BASE on have each record."""
    first = int(cell_words.addr_to_cell(BASE))
    halves = [(load(first + 16 * i), load(first + 16 * i + 8)) for i in range(n_cells)]
    return Counter(int(cell_words.record_of(w)) for w, r in halves if cell_words.is_expanded(r))


def check_shares(pair: RacePair, n_cells: int) -> None:
    """Each record counts its cells."""
    counted = cells_by_record(n_cells)
    assert pair.ctx["race"]["n_expanded"] == sum(counted.values())
    for index, n in counted.items():
        assert load(record_sharing.record_to_sharing(index)) & words.STACK_MASK == n - 1


@RELAXED
@given(PROGRAM)
def test_sweeps_agree_with_the_naive_detector(new_guest: Callable[[], Any], program: Any) -> None:
    pair = RacePair(new_guest())
    pair.run(START + [step for part in program for step in part])
    check_shares(pair, 4 * N_CELLS)


def phase(rng: random.Random) -> list[Step]:
    """All threads read everything in some order; then one writes it, rarely without an order."""
    steps: list[Step] = []
    n_posts = 0
    for tid in rng.sample(range(5), 5):
        kind = int(rng.random() < 0.005)
        steps += sweep(tid, range(rng.randrange(2), N_CELLS), 4, kind, rng.randrange(1, 3))
        if rng.random() < 0.98:
            steps.append(("post", tid, 0))
            n_posts += 1
    writer = rng.randrange(5)
    steps += [("wait", writer, 0)] * n_posts
    steps += sweep(writer, range(N_CELLS), 4, 1, 1)
    for tid in {*range(5)} - {writer}:
        steps += [("post", writer, 1), ("wait", tid, 1)]
    return steps


def test_long_programs_of_sweeps(new_guest: Callable[[], Any]) -> None:
    n_races = n_followed = 0
    for seed in range(30):
        rng = random.Random(seed)
        pair = RacePair(new_guest())
        pair.run(START + [step for _ in range(30) for step in phase(rng)])
        check_shares(pair, N_CELLS)
        n_races += pair.n_races
        n_followed += int(pair.ctx["race"]["n_transitions_followed"])
    assert n_races > 20
    assert n_followed > 1000


def swept(guest: Any, n_threads: int, n_cells: int) -> RacePair:
    """Memory of that many cells which all threads have read in turn, ordered with nothing."""
    pair = RacePair(guest, max_threads=n_threads + 1)
    pair.run([("fork", 0)] * n_threads)
    for tid in range(1, n_threads + 1):
        pair.run(sweep(tid, range(n_cells), 4, 0, 1))
    return pair


def test_what_all_threads_read_has_one_record(guest: Any) -> None:
    pair = swept(guest, 9, 100)
    assert list(cells_by_record(100).values()) == [100]
    assert pair.ctx["race"]["n_transitions_followed"] >= 8 * 98
    check_shares(pair, 100)


def test_a_write_to_one_cell_leaves_the_others_alone(guest: Any) -> None:
    pair = swept(guest, 4, 10)
    for tid in range(1, 5):
        pair.run([("post", tid, 0), ("wait", 0, 0)])
    pair.run([("access", 0, 12, 4, 1, 1)])
    assert list(cells_by_record(10).values()) == [9]
    pair.run([("access", 2, 12, 4, 0, 1), ("access", 0, 16, 4, 1, 1)])
    assert pair.n_races == 4  # the bytes that thread 2 reads too late
    check_shares(pair, 10)


def test_all_cells_are_written_through_one_transition(guest: Any) -> None:
    pair = swept(guest, 4, 50)
    for tid in range(1, 5):
        pair.run([("post", tid, 0), ("wait", 0, 0)])
    before = int(pair.ctx["race"]["n_transitions_followed"])
    pair.run(sweep(0, range(50), 4, 1, 1))
    assert int(pair.ctx["race"]["n_transitions_followed"]) >= before + 48
    assert pair.ctx["race"]["n_expanded"] == 0


def test_a_race_is_told_for_every_cell(guest: Any) -> None:
    pair = swept(guest, 4, 10)
    pair.run(sweep(1, range(10), 4, 1, 1))
    assert pair.n_races == 40


def test_a_read_by_another_site_in_the_same_epoch_changes_nothing(guest: Any) -> None:
    pair = swept(guest, 4, 10)
    [index] = cells_by_record(10)
    pair.ctx["generation"] += 1  # no thread is known as a reader any more
    generations.note_reader(pair.ctx)
    for tid in (1, 2):
        pair.run(sweep(tid, range(10), 4, 0, 2))
    assert cells_by_record(10) == {index: 10}


def test_looks_that_find_nothing_are_given_up_until_one_finds_something(guest: Any) -> None:
    pair = swept(guest, 2, 1)
    ctx, race = pair.ctx, pair.ctx["race"]
    race["n_missed_looks"] = 0
    looks = []
    for _ in range(cell_transitions.PATIENCE + 40):
        looks.append(bool(cell_transitions.is_worth_a_look(ctx)))
        cell_transitions.note_missed_look(ctx)
    assert all(looks[: cell_transitions.PATIENCE])
    assert looks[cell_transitions.PATIENCE :] == [i % 16 == 0 for i in range(40)]
    cell_transitions.credit_success(ctx)
    assert cell_transitions.is_worth_a_look(ctx)


def test_after_a_flush_nothing_is_remembered(guest: Any) -> None:
    pair = swept(guest, 4, 10)
    thread_clocks.race_flush(pair.ctx)
    followed = int(pair.ctx["race"]["n_transitions_followed"])
    for tid in (1, 2, 3):
        pair.guest.switch_to(pair.records[tid])
        fasttrack.cell_access(pair.ctx, cell_words.addr_to_cell(BASE), 15, 0, 1)
    assert pair.ctx["race"]["n_transitions_followed"] == followed
    check_shares(pair, 10)


def test_without_stamps_nothing_is_remembered(guest: Any) -> None:
    guest.ctx["race"]["n_stamps"] = (1 << 36) - 1
    pair = swept(guest, 5, 10)
    assert pair.ctx["race"]["n_transitions_followed"] == 0
    assert list(cells_by_record(10).values()) == [1] * 10
    pair.run(sweep(1, range(10), 4, 1, 1))
    assert pair.n_races == 40


@pytest.mark.parametrize("n_cells", [1, 2, 3])
def test_owners_copy_and_the_last_one_frees(guest: Any, n_cells: int) -> None:
    pair = swept(guest, 3, n_cells)
    pair.run([("forget", 0, 0, 4 * n_cells)])
    assert pair.ctx["race"]["n_expanded"] == 0
    assert any(pair.ctx["race"]["record_free"])
    assert not cells_by_record(n_cells)
