"""C11's mutexes: those of pthreads with results of their own.

Source: C11, 7.26.4; the numbers of results are glibc's.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EBUSY, ETIMEDOUT, OK
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.mutexes import (
    RECURSIVE,
    i_mutex_init,
    i_mutex_lock,
    i_mutex_timedlock,
    i_mutex_trylock,
    i_mutex_unlock,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.pthread_types import mutex_at


@kernel
def i_mtx_init(ctx: Context, mutex: u64, kind: i32) -> i32:
    """mtx_init: C11 kinds are bits, 1 = recursive."""
    result = i_mutex_init(ctx, mutex, 0)
    mutex_at(mutex).kind = u32(u32(kind) & RECURSIVE)
    return result


@kernel
def errno_to_thrd(status: i32) -> i32:
    """C11 result of an errno value: success 0, busy 1, error 2, timed out 4."""
    if status == OK or status == EBUSY:
        return i32(status != OK)
    return i32(4) if status == ETIMEDOUT else i32(2)


@kernel
def i_mtx_lock(ctx: Context, mutex: u64) -> i32:
    """mtx_lock."""
    return errno_to_thrd(i_mutex_lock(ctx, mutex))


@kernel
def i_mtx_trylock(ctx: Context, mutex: u64) -> i32:
    """mtx_trylock."""
    return errno_to_thrd(i_mutex_trylock(ctx, mutex))


@kernel
def i_mtx_timedlock(ctx: Context, mutex: u64, deadline: u64) -> i32:
    """mtx_timedlock (TIME_UTC)."""
    return errno_to_thrd(i_mutex_timedlock(ctx, mutex, deadline))


@kernel
def i_mtx_unlock(ctx: Context, mutex: u64) -> i32:
    """mtx_unlock."""
    return errno_to_thrd(i_mutex_unlock(ctx, mutex))


EXPORTS = (
    Export("i32 mtx_init(ptr,i32)", kernel="i_mtx_init"),
    Export("i32 mtx_lock(ptr)", kernel="i_mtx_lock"),
    Export("i32 mtx_trylock(ptr)", kernel="i_mtx_trylock"),
    Export("i32 mtx_timedlock(ptr,ptr)", kernel="i_mtx_timedlock"),
    Export("i32 mtx_unlock(ptr)", kernel="i_mtx_unlock"),
    Export("void mtx_destroy(ptr)", kernel="i_mutex_destroy"),
)
