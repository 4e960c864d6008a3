"""C11's mutexes: the calls of pthreads, and results that only C11 has."""

from __future__ import annotations

from typing import Any

from irsan.interceptors.threads import c11_mutexes
from irsan.runtime.kernels.threads.virtual_clock import store_timespec
from tests.support.green import SCRATCH, call_told

MUTEX = SCRATCH
TIME = SCRATCH + 128
EBUSY, EINVAL = 16, 22


def test_c11_mutexes_speak_c11(guest: Any) -> None:
    ctx = guest.ctx
    success, busy, error, timed_out = 0, 1, 2, 4
    assert c11_mutexes.i_mtx_init(ctx, MUTEX, 1 | 2) == success  # mtx_recursive | mtx_timed
    assert call_told(c11_mutexes.i_mtx_lock, ctx, MUTEX) == success
    assert call_told(c11_mutexes.i_mtx_trylock, ctx, MUTEX) == success
    guest.switch_to(guest.new_thread(1))
    assert call_told(c11_mutexes.i_mtx_trylock, ctx, MUTEX) == busy
    assert call_told(c11_mutexes.i_mtx_unlock, ctx, MUTEX) == error
    assert [c11_mutexes.errno_to_thrd(status) for status in (0, EBUSY, 110, EINVAL)] == [
        success, busy, timed_out, error,
    ]  # fmt: skip
    store_timespec(TIME, 5)
    assert c11_mutexes.i_mtx_init(ctx, MUTEX, 2) == success
    assert call_told(c11_mutexes.i_mtx_timedlock, ctx, MUTEX, TIME) == success
