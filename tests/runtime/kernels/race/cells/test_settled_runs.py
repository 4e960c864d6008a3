"""Accesses that a thread repeats in new epochs: renewed only where nothing can race with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race.cells import cell_words, race_records, settled_runs
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.kernels.race.thread_clocks import race_tick
from tests.support.cell_history import entries_of, load
from tests.support.race_pair import BASE, RacePair, Step

TIDS = st.integers(0, 4)
PLACES = st.sampled_from([(0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (2, 2), (0, 4), (0, 8), (4, 4)])
KINDS = st.sampled_from([0, 0, 0, 0, 0, 1])
SYNC = st.sampled_from([("post", 0), ("wait", 0), ("post", 1), ("wait", 1)])
ROUND = st.tuples(TIDS, st.lists(st.tuples(PLACES, KINDS, st.integers(1, 3)), max_size=5),
                  st.lists(SYNC, max_size=2), st.integers(1, 3))  # fmt: skip
ATOMICS = st.tuples(st.sampled_from(["load", "store", "rmw"]), TIDS, st.sampled_from([0, 4]),
                    st.sampled_from([4, 8]), st.integers(0, 5), st.integers(1, 2))  # fmt: skip
PROGRAMS = st.lists(st.one_of(ROUND, ROUND, ROUND, ATOMICS), max_size=12)
START: list[Step] = [("fork", 0)] * 4
RELAXED = settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
EVERYONE_READS: list[Step] = [("access", tid, 0, 4, 0, 1) for tid in range(5)]
CREDITS = st.sampled_from([0, 0, 1 << 16])
ATOMIC_OR_READ = st.sampled_from([0, 0, 2, 3])
Program = list[Any]


def steps_of(program: Program) -> list[Step]:
    """Each round is repeated: a thread accesses the same bytes in epoch after epoch."""
    steps: list[Step] = []
    for one in program:
        if isinstance(one[0], str):
            steps.append(one)
            continue
        tid, accesses, syncs, times = one
        for _ in range(times):
            steps += [("access", tid, *place, kind, site) for place, kind, site in accesses]
            steps += [(verb, tid, number) for verb, number in syncs]
    return steps


def pair_of(guest: Any, credit: int = 0) -> RacePair:
    """A pair that does not look for equal records, unless it has credit."""
    pair = RacePair(guest)
    pair.ctx["race"]["transition_credit"] = credit
    return pair


@RELAXED
@given(PROGRAMS, CREDITS)
def test_agrees_with_the_naive_detector(
    new_guest: Callable[[], Any], program: Program, credit: int
) -> None:
    pair_of(new_guest(), credit).run(START + steps_of(program))


@RELAXED
@given(PROGRAMS, CREDITS, TIDS, st.sampled_from([1, 2, 4, 8, 3, 12, 15]), ATOMIC_OR_READ)
def test_what_is_renewed_races_with_no_entry(
    new_guest: Callable[[], Any], program: Program, credit: int, tid: int, mask: int, kind: int
) -> None:
    pair = pair_of(new_guest(), credit)
    pair.run([*START, *EVERYONE_READS, *steps_of(program)])
    if tid not in pair.records or tid in pair.finished:
        return
    pair.guest.switch_to(pair.records[tid])
    race_tick(pair.ctx)
    cell = int(cell_words.addr_to_cell(BASE))
    if not cell_words.is_expanded(load(cell + 8, 8)):
        return
    before = entries_of(cell)
    if not settled_runs.repeats_own(pair.ctx, cell, mask, kind, 77):
        return
    for half, old in before:
        epoch, shares = half & 0xFFFF_FFFF, half >> 60 & mask
        knows = epoch <= load(int(pair.ctx["vc"]) + (epoch >> words.CLOCK_BITS) * 4, 4)
        assert knows or not shares or not race_records.conflicts(old, kind)
    renewed = (int(pair.ctx["epoch"]) | mask << 60 | 77 << 32, kind)
    now = entries_of(cell)
    assert renewed in now
    gone = [one for one in before if one not in now]
    assert len(now) == len(before)
    assert [(half >> 60, old) for half, old in gone] == [(mask, kind)]


@pytest.mark.parametrize("kind", [0, 2, 3])
def test_the_newest_atomic_is_renewed_until_another_comes_and_reads_always_are(
    new_guest: Callable[[], Any], kind: int
) -> None:
    pair = pair_of(new_guest())
    touch = [
        step for tid in range(1, 5) for step in (("post", tid, 0), ("access", tid, 0, 4, kind, 1))
    ]
    pair.run([*START, *touch, *touch])
    cell = int(cell_words.addr_to_cell(BASE))
    answers = []
    for tid in (4, 4, 3):
        pair.guest.switch_to(pair.records[tid])
        race_tick(pair.ctx)
        answers.append(bool(settled_runs.repeats_own(pair.ctx, cell, 15, kind, 77)))
    assert answers == [True, True, kind == 0]


def test_a_thread_renews_what_it_read_byte_by_byte_beside_a_write(
    new_guest: Callable[[], Any],
) -> None:
    """The record holds another thread's write, so that only its run says that nothing races."""
    pair = pair_of(new_guest())
    written, read = ("access", 1, 0, 1, 1, 1), [("access", 2, at, 1, 0, at + 1) for at in (1, 2)]
    pair.run([*START, written, *read, ("post", 2, 0), *read])
    cell = int(cell_words.addr_to_cell(BASE))
    assert len(entries_of(cell)) == 3
    pair.guest.switch_to(pair.records[2])
    race_tick(pair.ctx)
    asked = [settled_runs.repeats_own(pair.ctx, cell, mask, 0, 77) for mask in (2, 4, 1)]
    assert list(map(bool, asked)) == [True, True, False]
    pair.guest.switch_to(pair.records[1])
    race_tick(pair.ctx)
    assert not settled_runs.repeats_own(pair.ctx, cell, 1, 0, 77)


def test_a_read_beside_an_atomic_write_is_not_renewed(new_guest: Callable[[], Any]) -> None:
    """An atomic write leaves plain reads before it in the record, and races with later ones."""
    pair = pair_of(new_guest())
    store = [("post", 1, 0), ("wait", 2, 0), ("store", 2, 0, 4, 0, 1)]
    pair.run([*START, ("access", 1, 0, 4, 0, 1), ("access", 2, 0, 4, 0, 1), *store])
    pair.run([("access", 2, 1, 1, 0, 2)])
    cell = int(cell_words.addr_to_cell(BASE))
    assert any(kind == words.ATOMIC | words.WRITE for _, kind in entries_of(cell))
    pair.guest.switch_to(pair.records[1])
    race_tick(pair.ctx)
    assert not settled_runs.repeats_own(pair.ctx, cell, 15, 0, 77)


@pytest.mark.parametrize("n_threads", [5, 9])
def test_a_record_of_two_cells_is_not_renewed_for_one(
    new_guest: Callable[[], Any], n_threads: int
) -> None:
    pair = pair_of(new_guest(), credit=1 << 16)
    everyone = [("access", tid, 0, 8, 0, 1) for tid in range(n_threads)]
    again = [step for tid in (4, 4) for step in (("post", tid, 0), ("access", tid, 0, 8, 0, 1))]
    pair.run([*[("fork", 0)] * (n_threads - 1), *everyone, *again])
    cell = int(cell_words.addr_to_cell(BASE))
    assert load(cell, 8) >> 32 & words.STACK_MASK == load(cell + 16, 8) >> 32 & words.STACK_MASK
    pair.guest.switch_to(pair.records[4])
    race_tick(pair.ctx)
    assert not settled_runs.repeats_own(pair.ctx, cell, 15, 0, 77)
