"""Cancellation: at cancellation points only, no wake-up lost, cleanup handlers newest first."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.interceptors.threads import (
    barriers,
    cancellation,
    condition_variables,
    mutexes,
    once_and_keys,
    rwlocks,
    semaphores,
    sleeps,
    threads,
)
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.threads import cancellation as points
from irsan.runtime.kernels.threads.virtual_clock import store_timespec
from irsan.runtime.layout.thread_states import WAIT_CONDITION, WAIT_MUTEX, WAIT_SEMAPHORE
from tests.conftest import fresh_guest
from tests.support.green import (
    CANCELED,
    HANDLES,
    SCRATCH,
    Body,
    Call,
    GreenGuest,
    all_of,
    run_workers,
)

RESULT = SCRATCH + 0x100
MUTEX = SCRATCH + 0x200
CONDITION = SCRATCH + 0x280
SEMAPHORE = SCRATCH + 0x300
TIME = SCRATCH + 0x380
BARRIER = SCRATCH + 0x400
EINVAL, ESRCH = 22, 3
SECOND = 10**9


def word(addr: int) -> int:
    return ctypes.c_uint64.from_address(addr).value


def join(number: int) -> Body:
    yield threads.i_pthread_join, word(HANDLES + 8 * number), RESULT
    return word(RESULT)


def cancel_once_asleep(number: int = 0) -> Body:
    """Let the worker come to its wait, cancel it, give its result."""
    yield sleeps.i_usleep, 1000
    assert (yield cancellation.i_pthread_cancel, word(HANDLES + 8 * number)) == 0
    return (yield from join(number))


WAITS: dict[str, list[Call]] = {
    "sleep": [(sleeps.i_sleep, 10**6)],
    "usleep": [(sleeps.i_usleep, 10**9)],
    "nanosleep": [(sleeps.i_nanosleep, TIME, 0)],
    "clock_nanosleep": [(sleeps.i_clock_nanosleep, 1, 0, TIME, 0)],
    "clock_nanosleep until": [(sleeps.i_clock_nanosleep, 1, 1, TIME, 0)],
    "sem_wait": [(semaphores.i_sem_wait, SEMAPHORE)],
    "sem_timedwait": [(semaphores.i_sem_clockwait, SEMAPHORE, 1, TIME)],
    "cond_wait": [
        (mutexes.i_mutex_lock, MUTEX),
        (condition_variables.i_cond_wait, CONDITION, MUTEX),
    ],
    "cond_timedwait": [
        (mutexes.i_mutex_lock, MUTEX),
        (condition_variables.i_cond_clockwait, CONDITION, MUTEX, 1, TIME),
    ],
}


@pytest.mark.parametrize("name", WAITS)
def test_a_thread_that_waits_at_a_cancellation_point_ends(green: GreenGuest, name: str) -> None:
    store_timespec(TIME, 10**6 * SECOND)
    went_on = []

    def worker() -> Body:
        yield from all_of(WAITS[name])
        went_on.append(True)
        return 5

    results = []

    def main() -> Body:
        results.append((yield from cancel_once_asleep()))
        return 0

    assert run_workers(green, main(), worker()) == "ended"
    assert results == [CANCELED]
    assert not went_on
    assert int(green.ctx["schedule"]["clock_ns"]) < SECOND


@pytest.mark.parametrize("name", WAITS)
def test_a_pending_cancellation_acts_before_the_wait(green: GreenGuest, name: str) -> None:
    store_timespec(TIME, 10**6 * SECOND)

    def main() -> Body:
        me = int((yield (threads.i_pthread_self,)))
        yield from all_of(WAITS[name][:-1])
        assert (yield cancellation.i_pthread_cancel, me) == 0
        yield WAITS[name][-1]
        raise AssertionError("it went on")

    assert run_workers(green, main()) == "ended"


def test_what_is_no_cancellation_point_goes_on(green: GreenGuest) -> None:
    """Neither the locks, nor yielding, nor pthread_cancel itself."""
    reached = []

    def main() -> Body:
        me = int((yield (threads.i_pthread_self,)))
        yield barriers.i_barrier_init, BARRIER, 0, 1
        assert (yield cancellation.i_pthread_cancel, me) == 0
        calls: list[Call] = [
            (mutexes.i_mutex_lock, MUTEX), (mutexes.i_mutex_unlock, MUTEX),
            (rwlocks.i_rwlock_rdlock, RESULT), (rwlocks.i_rwlock_unlock, RESULT),
            (semaphores.i_sem_post, SEMAPHORE), (semaphores.i_sem_trywait, SEMAPHORE),
            (barriers.i_barrier_wait, BARRIER), (sleeps.i_sched_yield,),
            (condition_variables.i_cond_signal, CONDITION),
        ]  # fmt: skip
        yield from all_of(calls)
        reached.append("testcancel")
        yield (cancellation.i_testcancel,)
        reached.append("beyond")
        return 0

    assert run_workers(green, main()) == "ended"
    assert reached == ["testcancel"]


def test_a_thread_blocked_on_a_mutex_is_not_cancelled_there(green: GreenGuest) -> None:
    reached = []

    def worker() -> Body:
        yield mutexes.i_mutex_lock, MUTEX
        reached.append("locked")
        yield mutexes.i_mutex_unlock, MUTEX
        yield (cancellation.i_testcancel,)
        reached.append("beyond")
        return 0

    def main() -> Body:
        while not green.waiting(WAIT_MUTEX, MUTEX):
            yield (sleeps.i_sched_yield,)
        yield cancellation.i_pthread_cancel, word(HANDLES)
        yield sleeps.i_usleep, 10
        assert not reached
        yield mutexes.i_mutex_unlock, MUTEX
        assert (yield from join(0)) == CANCELED
        return 0

    def everything() -> Body:
        yield mutexes.i_mutex_lock, MUTEX
        yield threads.i_pthread_create, HANDLES, 0, 1, 0
        yield from main()
        return 0

    green.routines[1] = lambda _: worker()
    green.start(everything())
    assert green.run() == "ended"
    assert reached == ["locked"]


def test_disabled_means_later_and_a_sleep_is_not_cut_short(green: GreenGuest) -> None:
    log: list[object] = []

    def worker() -> Body:
        yield cancellation.i_set_cancel_state, 1, RESULT
        log.append(ctypes.c_int32.from_address(RESULT).value)
        yield sleeps.i_sleep, 60
        log.append(int(green.ctx["schedule"]["clock_ns"]) >= 60 * SECOND)
        yield cancellation.i_set_cancel_state, 0, RESULT
        log.append(ctypes.c_int32.from_address(RESULT).value)
        yield (cancellation.i_testcancel,)
        log.append("beyond")
        return 0

    def main() -> Body:
        assert (yield from cancel_once_asleep()) == CANCELED
        return 0

    assert run_workers(green, main(), worker()) == "ended"
    assert log == [0, True, 1]


def test_asynchronous_is_at_once_for_oneself(green: GreenGuest) -> None:
    def main() -> Body:
        me = int((yield (threads.i_pthread_self,)))
        assert (yield cancellation.i_set_cancel_type, 1, RESULT) == 0
        assert ctypes.c_int32.from_address(RESULT).value == 0
        assert (yield cancellation.i_set_cancel_type, 1, RESULT) == 0
        assert ctypes.c_int32.from_address(RESULT).value == 1
        assert (yield cancellation.i_set_cancel_type, 2, 0) == EINVAL
        assert (yield cancellation.i_set_cancel_state, 2, 0) == EINVAL
        yield cancellation.i_pthread_cancel, me
        raise AssertionError("it went on")

    assert run_workers(green, main()) == "ended"


def test_turning_asynchronous_meets_what_is_pending(green: GreenGuest) -> None:
    def main() -> Body:
        me = int((yield (threads.i_pthread_self,)))
        yield cancellation.i_pthread_cancel, me
        yield cancellation.i_set_cancel_type, 1, 0
        raise AssertionError("it went on")

    assert run_workers(green, main()) == "ended"


def test_nobody_and_ended_threads(green: GreenGuest) -> None:
    def worker() -> Body:
        yield (sleeps.i_sched_yield,)
        return 7

    def main() -> Body:
        assert (yield cancellation.i_pthread_cancel, 12) == ESRCH
        yield sleeps.i_usleep, 1000
        assert (yield cancellation.i_pthread_cancel, word(HANDLES)) == 0
        assert (yield from join(0)) == 7
        return 0

    assert run_workers(green, main(), worker()) == "ended"


def test_a_cancelled_condition_wait_has_its_mutex_back(green: GreenGuest) -> None:
    def worker() -> Body:
        yield mutexes.i_mutex_lock, MUTEX
        yield condition_variables.i_cond_wait, CONDITION, MUTEX
        return 0

    def main() -> Body:
        assert (yield from cancel_once_asleep()) == CANCELED
        owner = ctypes.c_uint32.from_address(MUTEX + 8).value
        assert owner == 2  # thread number + 1
        return 0

    assert run_workers(green, main(), worker()) == "ended"


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_a_posted_semaphore_is_not_lost_with_a_cancelled_thread(seed: int) -> None:
    green = GreenGuest(fresh_guest().ctx)

    def worker() -> Body:
        yield semaphores.i_sem_wait, SEMAPHORE
        return 1

    def main() -> Body:
        while len(green.waiting(WAIT_SEMAPHORE, SEMAPHORE)) < 2:
            yield (sleeps.i_sched_yield,)
        yield semaphores.i_sem_post, SEMAPHORE
        yield cancellation.i_pthread_cancel, word(HANDLES)
        results = [(yield from join(0)), (yield from join(1))]
        assert sorted(results) == [1, CANCELED] or results == [1, 1]
        return 0

    def other() -> Body:
        yield semaphores.i_sem_wait, SEMAPHORE
        return 1

    ending = run_workers(green, main(), worker(), other(), seed=seed)
    green.close()
    # Idle only when the first thread took the post, and so was not cancelled.
    if ending == "idle":
        assert green.ended_tids == [1]
        assert len(green.waiting(WAIT_SEMAPHORE, SEMAPHORE)) == 1
        assert ctypes.c_uint32.from_address(SEMAPHORE).value == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_a_signal_is_not_lost_with_a_cancelled_thread(seed: int) -> None:
    green, log = GreenGuest(fresh_guest().ctx), []

    def worker(name: str) -> Body:
        yield mutexes.i_mutex_lock, MUTEX
        yield condition_variables.i_cond_wait, CONDITION, MUTEX
        log.append(name)
        yield mutexes.i_mutex_unlock, MUTEX
        return 1

    def main() -> Body:
        while len(green.waiting(WAIT_CONDITION, CONDITION)) < 2:
            yield (sleeps.i_sched_yield,)
        yield condition_variables.i_cond_signal, CONDITION
        yield cancellation.i_pthread_cancel, word(HANDLES)
        yield sleeps.i_usleep, 1000
        return 0

    run_workers(green, main(), worker("first"), worker("second"), seed=seed)
    green.close()
    # Either the first one had the signal and goes on, or the second one has it and waits for the
    # mutex that the first one holds for ever: it has no cleanup handler.
    assert log == ["first"] or not green.waiting(WAIT_CONDITION, CONDITION)


def test_cleanup_handlers_are_taken_newest_first(guest: Any) -> None:
    ctx = guest.ctx
    buffers = [SCRATCH + 0x1000 + 0x80 * n for n in range(3)]
    for buffer in buffers:
        cancellation.i_register_cancel(ctx, buffer)
    cancellation.i_unregister_cancel(ctx, buffers[-1])
    taken = [int(cancellation.take_cancel_buffer(ctx)) for _ in range(3)]
    assert taken == [buffers[1], buffers[0], 0]


def test_a_cancelled_thread_runs_its_destructors(green: GreenGuest) -> None:
    def worker() -> Body:
        yield once_and_keys.i_cxa_thread_atexit, 100, 101, 0
        yield once_and_keys.i_key_create, RESULT, 200
        yield once_and_keys.i_setspecific, ctypes.c_uint32.from_address(RESULT).value, 201
        yield sleeps.i_sleep, 1000
        return 0

    def main() -> Body:
        assert (yield from cancel_once_asleep()) == CANCELED
        return 0

    assert run_workers(green, main(), worker()) == "ended"
    assert green.called == [(1, 100, 101), (1, 200, 201)]


def test_a_thread_is_cancelled_once(guest: Any) -> None:
    guest.main["cancel"]["pending"] = 1
    assert points.cancel_due(guest.ctx)
    assert guest.ctx["action"] == actions.CANCEL
    guest.main["cancel"]["pending"] = 1
    assert not points.cancel_due(guest.ctx)
