"""What is in the common past: no more than all threads know, or will before they go on."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.combined import timer_threads
from irsan.runtime.kernels.race import past_of_threads, race_free, thread_clocks
from irsan.runtime.kernels.race.cells import cell_words
from irsan.runtime.kernels.race.clocks import past_epochs
from irsan.runtime.layout.thread_states import BLOCKED, WAIT_CONDITION, WAIT_JOIN, WAIT_MUTEX
from tests.support.cell_history import exact_access, history, words_at
from tests.support.race_pair import BASE, MUTEXES, RacePair, Step
from tests.support.race_programs import START, SYNC_STEP, sync_program


def row(addr: int, n: int) -> list[int]:
    """Epochs of a clock."""
    return list((ctypes.c_uint32 * n).from_address(addr))


def past(pair: RacePair) -> list[int]:
    """The common past, by sid."""
    return row(past_epochs.COMMON_PAST, int(pair.ctx["race"]["n_sids"]))


def work_out(pair: RacePair) -> list[int]:
    """The same, brought up to date."""
    past_of_threads.work_out_past(pair.ctx)
    return past(pair)


class Watched(RacePair):
    """A pair that compares the past with what each thread knows when it runs."""

    def _switch_to(self, tid: int) -> None:
        super()._switch_to(tid)
        if tid in self.waiting:
            self._go_on(tid)
        own = int(self.ctx["epoch"]) >> 20
        known = row(int(self.ctx["vc"]), int(self.ctx["race"]["n_sids"]))
        for sid, epoch in enumerate(past(self)):
            assert epoch <= known[sid] - (sid == own), f"thread {tid} does not know {epoch:x}"


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(["vector", "tree"]), st.lists(SYNC_STEP, max_size=60))
def test_every_thread_that_goes_on_knows_the_past(
    new_guest: Callable[[], Any], clock: str, steps: list[Step]
) -> None:
    Watched(new_guest(), clock=clock, forgets_soon=True, waits=True).run(START + steps)


def test_long_programs_have_a_past(new_guest: Callable[[], Any]) -> None:
    n_known = 0
    for seed in range(30):
        pair = Watched(new_guest(), max_threads=8, forgets_soon=True, waits=seed % 2 == 0)
        pair.run(sync_program(random.Random(seed), 6, 150))
        n_known += sum(epoch & 0xFFFFF > 3 for epoch in past(pair))
    assert n_known > 30


@pytest.fixture
def pair(guest: Any) -> RacePair:
    """The main thread and two others."""
    return RacePair(guest)


def test_what_came_before_the_threads_is_in_the_past(pair: RacePair) -> None:
    pair.run([("access", 0, 0, 4, 1, 1), ("fork", 0), ("access", 0, 0, 4, 1, 1), ("fork", 0)])
    first = int(pair.ctx["epoch"]) - 2
    assert work_out(pair)[0] == first


def test_the_epoch_that_a_thread_is_in_is_not_in_the_past(pair: RacePair) -> None:
    pair.run([("fork", 0), ("finish", 1), ("join", 0, 1)])
    assert work_out(pair)[0] == int(pair.ctx["epoch"]) - 1


def set_wait(pair: RacePair, tid: int, kind: int, addr: int = 0, wake_ns: int = 0) -> None:
    """A thread waits."""
    record = pair.records[tid]
    record["state"], record["wait"]["kind"] = BLOCKED, kind
    record["wait"]["addr"] = record["wait"]["mutex"] = addr
    record["wait"]["wake_ns"] = wake_ns


def hand_over(pair: RacePair) -> int:
    """Threads 1 and 2 know of each other through a mutex; the epoch of 1 before."""
    pair.run([("fork", 0), ("fork", 0), ("lock", 1, 0)])
    epoch = int(pair.ctx["epoch"])
    pair.run([("unlock", 1, 0), ("lock", 2, 0), ("unlock", 2, 0)])
    return epoch


def test_a_thread_that_waits_for_an_end_does_not_hold_the_past_back(pair: RacePair) -> None:
    epoch = hand_over(pair)
    assert epoch not in work_out(pair)
    set_wait(pair, 0, WAIT_JOIN, wake_ns=1)
    assert epoch not in work_out(pair), "it may give up"
    set_wait(pair, 0, WAIT_JOIN)
    assert epoch in work_out(pair)


def test_threads_that_wait_for_each_others_end_know_no_more_than_before(pair: RacePair) -> None:
    pair.run([("fork", 0), ("finish", 1), ("fork", 0)])
    before = work_out(pair)
    for tid in (0, 2):
        set_wait(pair, tid, WAIT_JOIN)
    assert work_out(pair) == before


@pytest.mark.parametrize("kind", [WAIT_MUTEX, WAIT_CONDITION])
def test_a_thread_that_will_take_a_mutex_knows_its_clock(pair: RacePair, kind: int) -> None:
    epoch = hand_over(pair)
    set_wait(pair, 0, kind, MUTEXES[1])
    assert epoch not in work_out(pair), "nobody has released that one"
    set_wait(pair, 0, kind, MUTEXES[0], wake_ns=1)
    assert (epoch in work_out(pair)) == (kind == WAIT_CONDITION)
    set_wait(pair, 0, kind, MUTEXES[0])
    assert epoch in work_out(pair)


def test_a_thread_that_ignores_synchronisation_learns_nothing_by_waiting(pair: RacePair) -> None:
    epoch = hand_over(pair)
    set_wait(pair, 0, WAIT_MUTEX, MUTEXES[0])
    pair.records[0]["race"]["ignore_sync"] = 1
    assert epoch not in work_out(pair)


def is_expanded() -> bool:
    """Whether the cell has a record."""
    return bool(cell_words.is_expanded(words_at(int(cell_words.addr_to_cell(BASE)), 2)[1]))


def test_a_history_in_the_past_needs_no_record(pair: RacePair) -> None:
    hand_over(pair)
    pair.run([("access", 1, byte, 1, 1, 1 + byte) for byte in range(4)])
    assert is_expanded()
    pair.run([("lock", 1, 0), ("unlock", 1, 0), ("lock", 2, 0), ("unlock", 2, 0)])
    pair.run([("lock", 0, 0), ("unlock", 0, 0)])
    work_out(pair)
    pair.run([("access", 2, 0, 1, 0, 2)])
    assert not is_expanded()
    assert history(BASE)[0] == 0, "nothing was written that could race"


def test_a_handler_in_a_thread_that_waits_misses_what_the_others_know(pair: RacePair) -> None:
    pair.run([("fork", 0), ("fork", 0), ("lock", 1, 0), ("access", 1, 0, 8, 1, 1)])
    pair.run([("unlock", 1, 0), ("lock", 2, 0), ("unlock", 2, 0)])
    pair.guest.switch_to(pair.records[0])
    assert exact_access(pair.ctx, BASE + 4, 1, is_write=False)
    set_wait(pair, 0, WAIT_JOIN)
    work_out(pair)
    assert not exact_access(pair.ctx, BASE, 1, is_write=False)


def test_a_freed_block_that_is_dead_is_never_in_the_past(pair: RacePair) -> None:
    pair.run([("fork", 0)])
    pair.ctx["sanitize_address"] = 0
    race_free.race_free(pair.ctx, BASE, 16)
    pair.run([("finish", 1), ("join", 0, 1), ("post", 0, 0)])
    work_out(pair)
    for byte in range(3):
        assert exact_access(pair.ctx, BASE + byte, 1, is_write=byte == 2)


def test_where_timers_start_threads_the_past_stays_as_it_is(pair: RacePair) -> None:
    timer_threads.expect_threads(pair.ctx)
    hand_over(pair)
    set_wait(pair, 0, WAIT_JOIN)
    for tid in (1, 2) * past_of_threads.PERIOD:
        pair.guest.switch_to(pair.records[tid])
    assert not any(past(pair))


def test_it_is_worked_out_every_few_switches(pair: RacePair) -> None:
    epoch = hand_over(pair)
    set_wait(pair, 0, WAIT_JOIN)
    for tid in (1, 2) * past_of_threads.PERIOD:
        pair.guest.switch_to(pair.records[tid])
    assert epoch in past(pair)


def test_after_a_flush_nothing_is_in_the_past(pair: RacePair) -> None:
    hand_over(pair)
    set_wait(pair, 0, WAIT_JOIN)
    assert any(work_out(pair))
    thread_clocks.race_flush(pair.ctx)
    assert not any(past(pair))
