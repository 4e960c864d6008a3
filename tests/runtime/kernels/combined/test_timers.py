"""Timers on the virtual clock: when they ring, what their signals tell, who gets them."""

from __future__ import annotations

import ctypes
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.engine.guest.guest_timers import forget_timers
from irsan.runtime import arena
from irsan.runtime.kernels.combined import timers
from irsan.runtime.kernels.threads import scheduler, signals
from irsan.runtime.layout.thread_states import WAIT_SLEEP
from irsan.runtime.records.threads import timer_records as tr
from tests.conftest import thread_addr
from tests.oracles.signals import NaiveTimer
from tests.support.green import SCRATCH

SIGALRM_BIT = 1 << 13
SIGUSR1 = 10
SI_TIMER = -2


def make_threads(guest: Any, n: int) -> list[Any]:
    """The main thread and n - 1 more, all runnable."""
    guest.ctx["schedule"]["preempt_mean"] = 1000
    guest.ctx["c_library"]["errno_addr"] = SCRATCH - 64
    threads = [guest.main, *(guest.new_thread(tid) for tid in range(1, n))]
    for thread in threads:
        scheduler.make_runnable(guest.ctx, thread_addr(thread))
    return threads


def new_timer(guest: Any, due: int, period: int, number: int = SIGUSR1) -> int:
    row = timers.new_timer(tr.SIGNAL)
    arena.view_record(int(row), tr.TIMER_DTYPE)["number"] = number
    timers.arm_timer(guest.ctx, row, due, period)
    return int(row)


def put(address: int, word: int) -> None:
    ctypes.c_uint64.from_address(address).value = word


def taken_overrun(guest: Any, number: int = SIGUSR1) -> int | None:
    """The main thread takes its signal: the overrun in its siginfo_t."""
    if not signals.take_signal(guest.ctx, 1 << number - 1):
        return None
    from irsan.runtime.kernels.threads.signal_queue import take_queued

    assert take_queued(guest.ctx, number, SCRATCH)
    timers.tell_overrun(guest.ctx, SCRATCH)
    assert ctypes.c_int32.from_address(SCRATCH + 8).value == SI_TIMER
    return ctypes.c_int32.from_address(SCRATCH + 20).value


def test_the_alarm_rings_once_in_the_first_thread_that_takes_it(guest: Any) -> None:
    main, worker = make_threads(guest, 2)
    main["sigmask"] = SIGALRM_BIT
    guest.ctx["schedule"]["clock_ns"] = 100
    assert timers.set_alarm(guest.ctx, 50, 0) == 0
    assert guest.ctx["schedule"]["n_timed"] == 1
    assert not timers.ring_timers(guest.ctx)
    guest.ctx["schedule"]["clock_ns"] = 150
    assert timers.ring_timers(guest.ctx)
    assert (int(main["signals"]), int(worker["signals"])) == (0, SIGALRM_BIT)
    assert not timers.ring_timers(guest.ctx)
    assert guest.ctx["schedule"]["n_timed"] == 0


def test_an_alarm_that_nobody_takes_is_noted_and_a_period_rings_again(guest: Any) -> None:
    (main,) = make_threads(guest, 1)
    main["sigmask"] = SIGALRM_BIT
    guest.ctx["schedule"]["clock_ns"] = 100
    timers.set_alarm(guest.ctx, 10, 30)
    guest.ctx["schedule"]["clock_ns"] = 115
    assert timers.ring_timers(guest.ctx)
    assert int(guest.ctx["signals"]["noted"]) == SIGALRM_BIT
    assert timers.set_alarm(guest.ctx, 0, 0) == 25
    assert guest.ctx["schedule"]["n_timed"] == 0


def test_the_clock_jumps_to_the_alarm_when_all_sleep(guest: Any) -> None:
    (main,) = make_threads(guest, 1)
    guest.ctx["schedule"]["clock_ns"] = 1
    timers.set_alarm(guest.ctx, 5000, 0)
    scheduler.block_current(guest.ctx, WAIT_SLEEP, 0, 0)
    assert scheduler.schedule_next(guest.ctx) == 0
    assert timers.ring_timers(guest.ctx)
    assert int(guest.ctx["schedule"]["clock_ns"]) >= 5001
    assert scheduler.schedule_next(guest.ctx) == thread_addr(main)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(
    due=st.integers(1, 50),
    period=st.sampled_from([0, 1, 7, 30]),
    steps=st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=20),
)
def test_overruns_are_those_of_one_expiration_after_the_other(
    new_guest: Any, due: int, period: int, steps: list[tuple[int, bool]]
) -> None:
    guest, naive = new_guest(), NaiveTimer(due, period)
    make_threads(guest, 1)
    new_timer(guest, due, period)
    now = 0
    for span, takes in steps:
        now += span
        guest.ctx["schedule"]["clock_ns"] = now
        timers.ring_timers(guest.ctx)
        naive.advance(now)
        if takes:
            assert taken_overrun(guest) == naive.take()
        assert int(guest.ctx["signals"]["rings_at"]) == naive.due


def test_several_timers_count_as_one_wait_and_the_earliest_rings_first(guest: Any) -> None:
    make_threads(guest, 1)
    guest.ctx["schedule"]["clock_ns"] = 1
    late, early = new_timer(guest, 90, 0), new_timer(guest, 40, 0)
    assert guest.ctx["schedule"]["n_timed"] == 1
    assert int(guest.ctx["signals"]["rings_at"]) == 40
    timers.delete_timer(guest.ctx, early)
    assert int(guest.ctx["signals"]["rings_at"]) == 90
    assert timers.time_left(guest.ctx, late) == 89
    timers.delete_timer(guest.ctx, late)
    assert guest.ctx["schedule"]["n_timed"] == 0
    assert timers.new_timer(tr.SIGNAL) in (late, early)


def test_a_timer_that_tells_nobody_wakes_nobody(guest: Any) -> None:
    make_threads(guest, 1)
    guest.ctx["schedule"]["clock_ns"] = 1
    row = timers.new_timer(tr.NOTHING)
    timers.arm_timer(guest.ctx, row, 11, 20)
    assert guest.ctx["schedule"]["n_timed"] == 0
    guest.ctx["schedule"]["clock_ns"] = 35
    assert timers.time_left(guest.ctx, row) == 16
    timers.arm_timer(guest.ctx, row, 40, 0)
    guest.ctx["schedule"]["clock_ns"] = 50
    assert timers.time_left(guest.ctx, row) == 0


def test_real_time_signals_of_two_timers_are_both_taken(guest: Any) -> None:
    make_threads(guest, 1)
    for number in (34, 34, SIGUSR1, SIGUSR1):
        new_timer(guest, 5, 0, number)
    guest.ctx["schedule"]["clock_ns"] = 9
    timers.ring_timers(guest.ctx)
    found = [taken_overrun(guest, number) for number in (34, 34, 34, SIGUSR1, SIGUSR1)]
    assert found == [0, 0, None, 0, None]


def test_a_timer_whose_signal_was_lost_rings_again(guest: Any) -> None:
    make_threads(guest, 1)
    for _ in range(2):
        new_timer(guest, 5, 10)
    found = []
    for now in (5, 15, 25):
        guest.ctx["schedule"]["clock_ns"] = now
        timers.ring_timers(guest.ctx)
        found.append((taken_overrun(guest), taken_overrun(guest)))
    assert found == [(0, None)] * 3


def test_one_timer_too_many_is_refused(guest: Any) -> None:
    make_threads(guest, 1)
    for row in range(tr.ROWS, tr.ROWS + tr.MAX_ROWS * tr.ROW_BYTES, tr.ROW_BYTES):
        put(row, tr.NOTHING)
    put(tr.N_ROWS, tr.MAX_ROWS)
    assert timers.new_timer(tr.SIGNAL) == 0
    timers.delete_timer(guest.ctx, tr.ROWS + 77 * tr.ROW_BYTES)
    assert timers.new_timer(tr.SIGNAL) == tr.ROWS + 77 * tr.ROW_BYTES


def test_a_child_has_no_timers(guest: Any) -> None:
    make_threads(guest, 1)
    new_timer(guest, 5, 5)
    forget_timers(guest.ctx)
    guest.ctx["schedule"]["clock_ns"] = 9
    assert not timers.ring_timers(guest.ctx)
