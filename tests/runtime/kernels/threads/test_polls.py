"""Threads that only ask are put off for ever longer; those that work between are not."""

from __future__ import annotations

from errno import EINTR
from typing import Any

import pytest

from irsan.interceptors.threads import sleeps
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.threads import polls
from irsan.runtime.layout.thread_states import (
    BLOCKED,
    SHARED_TICK_NS,
    WAIT_INTERRUPTED,
    WAIT_SLEEP,
)

LIMIT = polls.LONGEST + polls.ROUNDS  # turns, with one living thread


@pytest.fixture
def ctx(guest: Any) -> Any:
    """A context whose running thread has just been given a turn."""
    guest.ctx["schedule"]["fuel_mark"] = guest.ctx["fuel"] = 1000
    return guest.ctx


def turns_put_off(ctx: Any, n: int) -> list[int]:
    """For how many turns each of `n` polls in a row puts the thread off."""
    return [int(polls.put_off_ns(ctx)) // SHARED_TICK_NS for _ in range(n)]


def test_the_first_polls_are_like_any_others(ctx: Any) -> None:
    assert turns_put_off(ctx, polls.PATIENCE) == [0] * polls.PATIENCE
    assert turns_put_off(ctx, 1) == [1]


def test_more_of_them_are_put_off_for_longer_up_to_a_limit(ctx: Any) -> None:
    found = turns_put_off(ctx, 200)
    assert found == sorted(found)
    assert set(found) == {0, 1, 2, 4, 8, 16, 32, 64, LIMIT}


def test_work_between_makes_the_next_poll_the_first_one(ctx: Any) -> None:
    turns_put_off(ctx, 100)
    ctx["fuel"] -= polls.BUSY
    assert turns_put_off(ctx, 1) == [0]
    ctx["fuel"] += polls.BUSY
    assert turns_put_off(ctx, polls.PATIENCE + 1) == [0] * polls.PATIENCE + [1]


def test_with_more_threads_a_poll_is_put_off_for_rounds_of_all(ctx: Any) -> None:
    ctx["schedule"]["n_live"] = 500
    assert turns_put_off(ctx, 200)[-1] == polls.LONGEST + 500 * polls.ROUNDS


def test_longer_turns_put_off_for_longer(ctx: Any) -> None:
    turns_put_off(ctx, polls.PATIENCE)
    ctx["turns"]["stretch"] = 3
    assert turns_put_off(ctx, 1) == [8]


def test_schedules_that_are_explored_know_no_polls(ctx: Any) -> None:
    ctx["explore"]["is_on"] = 1
    assert not any(turns_put_off(ctx, 100))


def test_a_yield_becomes_a_sleep(guest: Any, ctx: Any) -> None:
    other = guest.new_thread(1)
    for _ in range(polls.PATIENCE):
        ctx["action"] = actions.NONE
        assert sleeps.i_sched_yield(ctx) == 0
        assert ctx["action"] == actions.YIELD
    sleeps.i_sched_yield(ctx)
    assert guest.main["state"] == BLOCKED
    assert guest.main["wait"]["wake_ns"] == int(ctx["schedule"]["clock_ns"]) + SHARED_TICK_NS
    guest.switch_to(other)


def test_a_longer_sleep_that_is_cut_has_the_rest_of_the_one_asked_for(guest: Any, ctx: Any) -> None:
    turns_put_off(ctx, 200)
    assert sleeps.sleep_ns(ctx, 10_000) == 0
    woken_ns = int(ctx["schedule"]["clock_ns"]) + 4_000
    for now_ns, status, left_ns in ((woken_ns, EINTR, 6_000), (woken_ns + 6_000, 0, 0)):
        ctx["schedule"]["clock_ns"] = now_ns
        guest.main["wait"]["resuming"] = WAIT_SLEEP
        guest.main["wait"]["status"] = WAIT_INTERRUPTED
        assert sleeps.sleep_ns(ctx, 10_000) == status
        assert sleeps.slept_short_ns(ctx) == left_ns


def test_a_short_sleep_becomes_a_longer_one_and_a_long_one_stays(guest: Any, ctx: Any) -> None:
    turns_put_off(ctx, 200)
    asleep_ns = []
    for duration_ns in (1000, 10**9):
        guest.main["wait"]["resuming"] = 0
        sleeps.sleep_ns(ctx, duration_ns)
        asleep_ns.append(int(guest.main["wait"]["wake_ns"]) - int(ctx["schedule"]["clock_ns"]))
    assert asleep_ns == [LIMIT * SHARED_TICK_NS, 10**9]
