"""Signals of green threads: who takes one, what waits, and when the alarm rings."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.threads import mutexes
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.threads import handlers, scheduler, signals
from irsan.runtime.layout.thread_states import (
    BLOCKED,
    FREE,
    RUNNABLE,
    WAIT_CONDITION,
    WAIT_INTERRUPTED,
    WAIT_SEMAPHORE,
    WAIT_SIGNALLED,
    WAIT_SLEEP,
)
from tests.conftest import thread_addr
from tests.support.green import SCRATCH


def make_threads(guest: Any, n: int) -> list[Any]:
    """The main thread and n - 1 more, all runnable."""
    guest.ctx["schedule"]["preempt_mean"] = 1000
    threads = [guest.main, *(guest.new_thread(tid) for tid in range(1, n))]
    for thread in threads:
        scheduler.make_runnable(guest.ctx, thread_addr(thread))
    guest.ctx["schedule"]["n_live"] = n
    return threads


def put_to_sleep(guest: Any, thread: Any, kind: int) -> None:
    guest.switch_to(thread)
    scheduler.block_current(guest.ctx, kind, 0, 0)
    guest.ctx["action"] = actions.NONE


NUMBERS = st.integers(1, 64)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(own=st.sets(NUMBERS), noted=st.sets(NUMBERS), blocked=st.sets(NUMBERS))
def test_signals_are_taken_lowest_first_and_once(
    new_guest: Any, own: set[int], noted: set[int], blocked: set[int]
) -> None:
    guest = new_guest()
    guest.main["signals"] = sum(1 << n - 1 for n in own)
    guest.main["sigmask"] = sum(1 << n - 1 for n in blocked)
    guest.ctx["signals"]["noted"] = sum(1 << n - 1 for n in noted)
    taken = []
    while number := signals.take_due_signal(guest.ctx):
        taken.append(number)
    assert taken == sorted([*(own - blocked), *(noted - blocked)])
    assert int(guest.main["signals"]) == sum(1 << n - 1 for n in own & blocked)


def test_a_handled_signal_for_another_thread_waits_there(guest: Any) -> None:
    _, worker = make_threads(guest, 2)
    assert signals.signal_thread(guest.ctx, thread_addr(worker), 10, True) == 0
    assert int(worker["signals"]) == 1 << 9
    assert guest.ctx["action"] == actions.YIELD


def test_what_the_host_must_raise_or_refuse(guest: Any) -> None:
    main, worker = make_threads(guest, 2)
    handle = thread_addr(worker)
    assert signals.signal_thread(guest.ctx, thread_addr(main), 10, True) == signals.RAISE
    assert signals.signal_thread(guest.ctx, handle, 10, False) == signals.RAISE
    assert signals.signal_thread(guest.ctx, handle, 0, False) == 0
    assert signals.signal_thread(guest.ctx, handle, 65, True) == signals.EINVAL
    assert signals.signal_thread(guest.ctx, 0x1234, 10, True) == signals.ESRCH
    worker["state"] = FREE
    assert signals.signal_thread(guest.ctx, handle, 10, True) == signals.ESRCH


def test_a_signal_ends_a_sleep_and_lets_other_waits_look_again(guest: Any) -> None:
    main, sleeper, waiter, masked = make_threads(guest, 4)
    masked["sigmask"] = 1 << 9
    put_to_sleep(guest, sleeper, WAIT_SLEEP)
    put_to_sleep(guest, waiter, WAIT_CONDITION)
    put_to_sleep(guest, masked, WAIT_CONDITION)
    guest.switch_to(main)
    for thread in (sleeper, waiter, masked):
        signals.post_signal(guest.ctx, thread_addr(thread), 1 << 9)
    assert sleeper["state"] == RUNNABLE and sleeper["wait"]["status"] == WAIT_INTERRUPTED
    assert waiter["state"] == RUNNABLE and waiter["wait"]["status"] == WAIT_SIGNALLED
    assert masked["state"] == BLOCKED and int(masked["signals"]) == 1 << 9


@pytest.mark.parametrize(
    ("restarts", "status"), [(True, WAIT_SIGNALLED), (False, WAIT_INTERRUPTED)]
)
def test_a_semaphore_is_told_of_handlers_that_end_calls(
    guest: Any, restarts: bool, status: int
) -> None:
    main, waiter = make_threads(guest, 2)
    ctypes.c_uint64.from_address(SCRATCH).value = 0x401000  # its handler
    for number, flag in ((9, not restarts), (10, not restarts), (10, restarts)):
        handlers.action_changed(guest.ctx, SCRATCH, number, flag)
    put_to_sleep(guest, waiter, WAIT_SEMAPHORE)
    guest.switch_to(main)
    signals.post_signal(guest.ctx, thread_addr(waiter), 1 << 9)
    assert waiter["state"] == RUNNABLE and waiter["wait"]["status"] == status


def test_a_thread_that_a_signal_wakes_is_no_waiter_of_its_mutex(guest: Any) -> None:
    main, waiter = make_threads(guest, 2)
    guest.ctx["fuel"] = 1 << 20
    assert mutexes.i_mutex_lock(guest.ctx, SCRATCH) == 0
    guest.switch_to(waiter)
    guest.ctx["fuel"] = 1 << 20
    mutexes.i_mutex_lock(guest.ctx, SCRATCH)
    guest.ctx["action"] = actions.NONE
    assert waiter["state"] == BLOCKED and n_waiters(SCRATCH) == 1
    guest.switch_to(main)
    signals.post_signal(guest.ctx, thread_addr(waiter), 1 << 9)
    assert waiter["state"] == RUNNABLE and n_waiters(SCRATCH) == 0


def n_waiters(mutex: int) -> int:
    return ctypes.c_uint32.from_address(mutex + 12).value


def test_a_blocked_signal_is_kept_for_its_thread(guest: Any) -> None:
    main, worker = make_threads(guest, 2)
    main["sigmask"] = worker["sigmask"] = 1 << 9
    for thread in (main, worker):
        assert signals.signal_thread(guest.ctx, thread_addr(thread), 10, False) == 0
    assert int(main["signals"]) == int(worker["signals"]) == 1 << 9
    assert signals.take_due_signal(guest.ctx) == 0
    assert signals.pending_signals(guest.ctx) == 1 << 9
    main["sigmask"] = 0
    assert signals.take_due_signal(guest.ctx) == 10


def test_what_a_lone_thread_blocks_is_kept_by_the_kernel(guest: Any) -> None:
    (main,) = make_threads(guest, 1)
    main["sigmask"] = 1 << 9
    assert signals.signal_thread(guest.ctx, thread_addr(main), 10, False) == -1
    assert int(main["signals"]) == 0


@pytest.mark.parametrize(
    ("masked", "chosen"), [((), 0), ((0,), 1), ((0, 1), 2), ((0, 1, 2), None)]
)
def test_a_signal_of_the_process_goes_to_main_first(
    guest: Any, masked: tuple[int, ...], chosen: int | None
) -> None:
    threads = make_threads(guest, 3)
    for index in masked:
        threads[index]["sigmask"] = 1 << 9
    guest.switch_to(threads[2])
    expected = 0 if chosen is None else thread_addr(threads[chosen])
    assert signals.process_target(guest.ctx, 1 << 9) == expected
    status = signals.signal_process(guest.ctx, 10, SCRATCH)
    is_here = chosen == 2
    assert status == (signals.NOBODY if chosen is None else signals.RAISE if is_here else 0)
    sent = [bool(int(thread["signals"])) for thread in threads]
    assert sent == [index == chosen and not is_here for index in range(3)]


def test_main_that_has_ended_gets_nothing(guest: Any) -> None:
    main, worker = make_threads(guest, 2)
    guest.switch_to(worker)
    main["state"] = FREE
    assert signals.process_target(guest.ctx, 1) == thread_addr(worker)


def test_what_was_noted_is_handed_to_main(guest: Any) -> None:
    main, worker = make_threads(guest, 2)
    guest.switch_to(worker)
    main["sigmask"] = 1 << 14
    guest.ctx["signals"]["noted"] = 1 << 14 | 1 << 9
    assert signals.take_due_signal(guest.ctx) == 15
    assert signals.take_due_signal(guest.ctx) == 0
    assert int(main["signals"]) == 1 << 9
    assert int(guest.ctx["signals"]["noted"]) == 0


def test_waiting_for_a_signal_lets_others_run_first(guest: Any) -> None:
    main, _ = make_threads(guest, 2)
    assert signals.pause_for_signal(guest.ctx, 0) == signals.PAUSED
    assert main["state"] == BLOCKED and guest.ctx["action"] == actions.RETRY


def test_alone_the_host_waits_or_time_is_up(guest: Any) -> None:
    make_threads(guest, 1)
    guest.ctx["schedule"]["clock_ns"] = 10
    assert signals.pause_for_signal(guest.ctx, 0) == signals.PAUSE_NATIVELY
    assert signals.pause_for_signal(guest.ctx, 500) == signals.TIMED_OUT
    assert int(guest.ctx["schedule"]["clock_ns"]) == 500
