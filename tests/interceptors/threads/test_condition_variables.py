"""Condition variables call by call: clocks, recursive mutexes, misuse.  See test_lock_twins."""

from __future__ import annotations

import ctypes

import pytest

from irsan.interceptors.threads import c11_mutexes, condition_variables, mutexes, sleeps, threads
from irsan.runtime.kernels.threads.virtual_clock import store_timespec
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.thread_states import WAIT_CONDITION
from irsan.runtime.records.race.lock_records import WAIT_WITH_TWO_MUTEXES
from tests.support.green import REALTIME_START_NS, SCRATCH, UPTIME_NS, Body, GreenGuest, run

HANDLES = SCRATCH
MUTEX = SCRATCH + 0x100
CONDITION = SCRATCH + 0x140
ATTRIBUTES = SCRATCH + 0x180
TIME = SCRATCH + 0x1C0
EPERM, EINVAL, ETIMEDOUT = 1, 22, 110
REALTIME, MONOTONIC = 0, 1
CONDITION_BYTES = 48
MS = 10**6


@pytest.mark.parametrize("clock", [REALTIME, MONOTONIC])
def test_the_clock_is_read_as_the_c_library_writes_it(green: GreenGuest, clock: int) -> None:
    libc = ctypes.CDLL(None)
    assert libc.pthread_condattr_init(ctypes.c_void_p(ATTRIBUTES)) == 0
    assert libc.pthread_condattr_setclock(ctypes.c_void_p(ATTRIBUTES), clock) == 0
    condition_variables.i_cond_init(green.ctx, CONDITION, ATTRIBUTES)

    def main() -> Body:
        yield mutexes.i_mutex_lock, MUTEX
        store_timespec(TIME, 5 * MS + (REALTIME_START_NS if clock == REALTIME else UPTIME_NS))
        status = yield condition_variables.i_cond_timedwait, CONDITION, MUTEX, TIME
        assert status == ETIMEDOUT
        assert 5 * MS <= int(green.ctx["schedule"]["clock_ns"]) < 6 * MS
        assert ctypes.c_uint32.from_address(MUTEX + 8).value == 1
        return 0

    assert run(green, main()) == "ended"


def test_a_condition_of_zeros_uses_the_real_time(green: GreenGuest) -> None:
    def main() -> Body:
        yield mutexes.i_mutex_lock, MUTEX
        store_timespec(TIME, 5 * MS)  # 1970
        status = yield condition_variables.i_cond_timedwait, CONDITION, MUTEX, TIME
        assert status == ETIMEDOUT
        assert int(green.ctx["schedule"]["clock_ns"]) < 1 * MS
        return 0

    assert run(green, main()) == "ended"


def test_a_wait_gives_a_recursive_mutex_up_entirely(green: GreenGuest) -> None:
    ctypes.c_uint32.from_address(MUTEX + 16).value = 1

    def worker() -> Body:
        yield mutexes.i_mutex_lock, MUTEX
        yield condition_variables.i_cond_signal, CONDITION
        yield mutexes.i_mutex_unlock, MUTEX
        return 0

    def main() -> Body:
        for _ in range(3):
            yield mutexes.i_mutex_lock, MUTEX
        yield threads.i_pthread_create, HANDLES, 0, 1, 0
        assert (yield condition_variables.i_cond_wait, CONDITION, MUTEX) == 0
        for status in (0, 0, 0, EPERM):
            assert (yield mutexes.i_mutex_unlock, MUTEX) == status
        return 0

    green.routines[1] = lambda _: worker()
    assert run(green, main()) == "ended"


def test_misuse_that_can_be_told_is_told(green: GreenGuest) -> None:
    ctypes.c_uint32.from_address(MUTEX + 16).value = 2

    def main() -> Body:
        assert (yield condition_variables.i_cond_wait, CONDITION, MUTEX) == EPERM
        yield mutexes.i_mutex_lock, MUTEX
        (ctypes.c_int64 * 2).from_address(TIME)[:] = [1, -1]
        assert (yield condition_variables.i_cond_timedwait, CONDITION, MUTEX, TIME) == EINVAL
        assert (yield condition_variables.i_cond_clockwait, CONDITION, MUTEX, 1, TIME) == EINVAL
        assert (yield mutexes.i_mutex_unlock, MUTEX) == 0
        return 0

    assert run(green, main()) == "ended"


def test_a_signal_to_nobody_is_forgotten(green: GreenGuest) -> None:
    def main() -> Body:
        yield condition_variables.i_cond_signal, CONDITION
        yield condition_variables.i_cond_broadcast, CONDITION
        yield mutexes.i_mutex_lock, MUTEX
        yield condition_variables.i_cond_wait, CONDITION, MUTEX
        return 0

    assert run(green, main()) == "idle"
    assert green.waiting(WAIT_CONDITION, CONDITION) == {0}


def test_c11_conditions_speak_c11(green: GreenGuest) -> None:
    def main() -> Body:
        ctypes.memset(CONDITION, 0xFF, CONDITION_BYTES)
        assert (yield condition_variables.i_cnd_init, CONDITION) == 0
        assert ctypes.string_at(CONDITION, CONDITION_BYTES) == bytes(CONDITION_BYTES)
        yield c11_mutexes.i_mtx_init, MUTEX, 0
        yield c11_mutexes.i_mtx_lock, MUTEX
        store_timespec(TIME, REALTIME_START_NS + 5 * MS)
        assert (yield condition_variables.i_cnd_timedwait, CONDITION, MUTEX, TIME) == 4
        assert (yield condition_variables.i_cond_destroy, CONDITION) == 0
        return 0

    assert run(green, main()) == "ended"


def test_waiting_with_another_mutex_is_told(green: GreenGuest) -> None:
    other = MUTEX + 0x400

    def waiter(mutex: int) -> Body:
        yield mutexes.i_mutex_lock, mutex
        yield condition_variables.i_cond_wait, CONDITION, mutex
        yield mutexes.i_mutex_unlock, mutex
        return 0

    def main() -> Body:
        for i, mutex in enumerate((MUTEX, other)):
            yield threads.i_pthread_create, HANDLES + 8 * i, 0, 1, mutex
        yield sleeps.i_sleep, 1
        yield condition_variables.i_cond_broadcast, CONDITION
        return 0

    green.routines[1] = waiter
    green.ctx["sanitize_thread"] = 1
    assert run(green, main()) == "ended"
    told = [words for words in green.reports if words[0] == FaultKind.MUTEX_MISUSE]
    assert [words[6] for words in told] == [WAIT_WITH_TWO_MUTEXES]


def test_a_signal_after_the_end_of_a_condition_is_a_race(green: GreenGuest) -> None:
    def signaller(_argument: int) -> Body:
        yield sleeps.i_sleep, 1
        yield condition_variables.i_cond_signal, CONDITION
        return 0

    def main() -> Body:
        yield condition_variables.i_cond_init, CONDITION, 0
        yield threads.i_pthread_create, HANDLES, 0, 1, 0
        yield condition_variables.i_cond_destroy, CONDITION
        yield sleeps.i_sleep, 2
        return 0

    green.routines[1] = signaller
    green.ctx["sanitize_thread"] = 1
    assert run(green, main()) == "ended"
    (race,) = [words for words in green.reports if words[0] == FaultKind.DATA_RACE]
    assert (race[1], race[2]) == (CONDITION, 8)
