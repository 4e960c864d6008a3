"""Reader-writer locks call by call: errors and limits.  See test_lock_twins."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.interceptors.threads import rwlocks, sleeps, threads
from irsan.runtime.kernels.threads.virtual_clock import store_timespec
from tests.support.green import (
    REALTIME_START_NS,
    SCRATCH,
    UPTIME_NS,
    Body,
    GreenGuest,
    call_told,
    run,
)

HANDLES = SCRATCH
LOCK = SCRATCH + 0x100
TIME = SCRATCH + 0x1C0
ERRNO = SCRATCH - 64
EBUSY, EINVAL, EDEADLK, ETIMEDOUT = 16, 22, 35, 110
MS = 10**6


def test_a_writer_that_asks_again_is_told(guest: Any) -> None:
    ctx = guest.ctx
    assert rwlocks.i_rwlock_init(ctx, LOCK, 0) == 0
    assert call_told(rwlocks.i_rwlock_wrlock, ctx, LOCK) == 0
    assert call_told(rwlocks.i_rwlock_wrlock, ctx, LOCK) == EDEADLK
    assert call_told(rwlocks.i_rwlock_rdlock, ctx, LOCK) == EDEADLK
    assert call_told(rwlocks.i_rwlock_tryrdlock, ctx, LOCK) == EBUSY
    assert call_told(rwlocks.i_rwlock_destroy, ctx, LOCK) == EBUSY
    assert call_told(rwlocks.i_rwlock_unlock, ctx, LOCK) == 0
    assert call_told(rwlocks.i_rwlock_destroy, ctx, LOCK) == 0


def test_one_thread_reads_several_times(guest: Any) -> None:
    ctx = guest.ctx
    for _ in range(3):
        assert call_told(rwlocks.i_rwlock_rdlock, ctx, LOCK) == 0
    for _ in range(3):
        assert call_told(rwlocks.i_rwlock_trywrlock, ctx, LOCK) == EBUSY
        assert call_told(rwlocks.i_rwlock_unlock, ctx, LOCK) == 0
    assert call_told(rwlocks.i_rwlock_trywrlock, ctx, LOCK) == 0


@pytest.mark.parametrize("is_write", [False, True])
def test_timed_and_clocked_locks_end_in_virtual_time(green: GreenGuest, is_write: bool) -> None:
    timed = rwlocks.i_rwlock_timedwrlock if is_write else rwlocks.i_rwlock_timedrdlock
    clocked = rwlocks.i_rwlock_clockwrlock if is_write else rwlocks.i_rwlock_clockrdlock

    def holder() -> Body:
        yield rwlocks.i_rwlock_wrlock, LOCK
        yield sleeps.i_usleep, 50_000
        yield rwlocks.i_rwlock_unlock, LOCK
        return 0

    def main() -> Body:
        yield threads.i_pthread_create, HANDLES, 0, 1, 0
        yield sleeps.i_usleep, 10
        store_timespec(TIME, REALTIME_START_NS + 10 * MS)
        assert (yield timed, LOCK, TIME) == ETIMEDOUT
        assert 10 * MS <= int(green.ctx["schedule"]["clock_ns"]) < 11 * MS
        store_timespec(TIME, UPTIME_NS + 20 * MS)
        assert (yield clocked, LOCK, 1, TIME) == ETIMEDOUT
        assert 20 * MS <= int(green.ctx["schedule"]["clock_ns"]) < 21 * MS
        (ctypes.c_int64 * 2).from_address(TIME)[:] = [0, 10**9]
        assert (yield timed, LOCK, TIME) == EINVAL
        store_timespec(TIME, UPTIME_NS + 900 * MS)
        assert (yield clocked, LOCK, 1, TIME) == 0
        assert int(green.ctx["schedule"]["clock_ns"]) < 60 * MS
        return 0

    green.routines[1] = lambda _: holder()
    assert run(green, main()) == "ended"


