"""Semaphores call by call: errors and limits.  See test_lock_twins."""

from __future__ import annotations

import ctypes

from irsan.interceptors.threads import semaphores
from irsan.runtime.kernels.threads.virtual_clock import store_timespec
from tests.support.green import REALTIME_START_NS, SCRATCH, UPTIME_NS, Body, GreenGuest, run

SEMAPHORE = SCRATCH + 0x140
TIME = SCRATCH + 0x1C0
ANSWER = SCRATCH + 0x200
ERRNO = SCRATCH - 64
EAGAIN, EINVAL, EOVERFLOW, ETIMEDOUT = 11, 22, 75, 110
SEM_VALUE_MAX = 2**31 - 1
MS = 10**6


def errno() -> int:
    return ctypes.c_uint32.from_address(ERRNO).value


def test_semaphores_count_and_refuse(green: GreenGuest) -> None:
    ctx = green.ctx
    ctx["c_library"]["errno_addr"] = ERRNO
    assert semaphores.i_sem_init(ctx, SEMAPHORE, 0, SEM_VALUE_MAX + 1) == -1
    assert errno() == EINVAL
    assert semaphores.i_sem_init(ctx, SEMAPHORE, 0, SEM_VALUE_MAX) == 0
    assert semaphores.i_sem_post(ctx, SEMAPHORE) == -1
    assert errno() == EOVERFLOW
    assert semaphores.i_sem_trywait(ctx, SEMAPHORE) == 0
    assert semaphores.i_sem_post(ctx, SEMAPHORE) == 0
    assert semaphores.i_sem_getvalue(ctx, SEMAPHORE, ANSWER) == 0
    assert ctypes.c_int32.from_address(ANSWER).value == SEM_VALUE_MAX
    semaphores.i_sem_init(ctx, SEMAPHORE, 0, 0)
    assert semaphores.i_sem_trywait(ctx, SEMAPHORE) == -1
    assert errno() == EAGAIN
    assert semaphores.i_sem_destroy(ctx, SEMAPHORE) == 0


def test_timed_semaphores_end_in_virtual_time(green: GreenGuest) -> None:
    def main() -> Body:
        store_timespec(TIME, REALTIME_START_NS + 10 * MS)
        assert (yield semaphores.i_sem_timedwait, SEMAPHORE, TIME) == -1
        assert errno() == ETIMEDOUT
        assert 10 * MS <= int(green.ctx["schedule"]["clock_ns"]) < 11 * MS
        store_timespec(TIME, UPTIME_NS + 20 * MS)
        assert (yield semaphores.i_sem_clockwait, SEMAPHORE, 1, TIME) == -1
        assert 20 * MS <= int(green.ctx["schedule"]["clock_ns"]) < 21 * MS
        (ctypes.c_int64 * 2).from_address(TIME)[:] = [0, -1]
        assert (yield semaphores.i_sem_timedwait, SEMAPHORE, TIME) == -1
        assert errno() == EINVAL
        yield semaphores.i_sem_post, SEMAPHORE
        assert (yield semaphores.i_sem_timedwait, SEMAPHORE, TIME) == 0
        return 0

    assert run(green, main()) == "ended"
