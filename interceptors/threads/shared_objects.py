"""Semaphores, conditions, barriers and spinlocks in memory that other processes have.

Semaphores and spinlocks are glibc's, by its calls that never wait, so processes that irsan does
not run can be peers.  Conditions and barriers have a protocol of their own, which all processes
that irsan runs share:

    pthread_cond_t     u32 +0 counts signals and broadcasts; either wakes all who wait
    pthread_barrier_t  as in barriers.py, arrivals counted atomically

Deviations: a signal wakes every waiter, which POSIX allows; a process outside irsan cannot take
part in waiting for a condition or a barrier.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import EINTR, EINVAL, ETIMEDOUT, OK
from irsan.interceptors.threads.shared_mutexes import as_status, is_too_late
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    fetch_add_u32,
    load_u32,
    real_function,
    store_u32,
)
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.scheduler import TRY_STREAK, sync_point
from irsan.runtime.kernels.threads.shared_memory import (
    block_shared,
    is_shared_memory,
    note_shared,
    shared_row,
    wake_shared,
)
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME
from irsan.runtime.kernels.threads.waiting import BY_ENDING, HANDLED, ended_by_handler
from irsan.runtime.layout.thread_states import (
    WAIT_BARRIER,
    WAIT_CONDITION,
    WAIT_INPUT,
    WAIT_INTERRUPTED,
    WAIT_SEMAPHORE,
    WAIT_SIGNALLED,
    WAIT_SPIN,
    WAIT_TIMED_OUT,
)

U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_32 = np.uint64(32)
U64_ALL = np.uint64(1 << 32)
U64_PAGE = np.uint64(4096)
W_SEMAPHORE = np.uint64(WAIT_SEMAPHORE)
W_CONDITION = np.uint64(WAIT_CONDITION)
W_BARRIER = np.uint64(WAIT_BARRIER)
W_SPIN = np.uint64(WAIT_SPIN)
W_INPUT = np.uint64(WAIT_INPUT)
SIGNALLED = np.uint64(WAIT_SIGNALLED)
TIMED_OUT = np.uint64(WAIT_TIMED_OUT)
INTERRUPTED = np.uint64(WAIT_INTERRUPTED)
STILL_WAITS = np.uint64(100)  # in retry_word: the condition has not come yet
SERIAL_THREAD = np.int32(-1)

add_atomically: Any = fetch_add_u32
real_sem_init = real_function("sem_init", 3)
real_sem_trywait = real_function("sem_trywait", 1)
real_sem_post = real_function("sem_post", 1)
real_spin_init = real_function("pthread_spin_init", 2)
real_spin_trylock = real_function("pthread_spin_trylock", 1)
real_spin_unlock = real_function("pthread_spin_unlock", 1)


@kernel("i32(u64,i32,u32)", outlined=True)
def init_shared_semaphore(semaphore: Any, shared: Any, value: Any) -> Any:
    """sem_init."""
    return as_status(real_sem_init(semaphore, np.uint64(shared), np.uint64(value)))


@kernel("b1(ctx,u64)", outlined=True)
def take_shared_semaphore(ctx: Any, semaphore: Any) -> Any:
    """sem_trywait, with errno as it was."""
    errno = load_u32(ctx.errno_addr)
    status = as_status(real_sem_trywait(semaphore))
    store_u32(ctx.errno_addr, errno)
    if status != OK:
        return False
    ctx.outside[TRY_STREAK] = U64_0
    sync_acquire(ctx, semaphore)
    return True


@kernel("i32(ctx,u64,u64,u64)", outlined=True)
def await_shared_semaphore(ctx: Any, semaphore: Any, ended: Any, wake_ns: Any) -> Any:
    """Decrement, waiting until wake_ns (0: for ever); 0 or an errno value."""
    thread = thread_at(ctx.thread)
    if ended == U64_0:
        thread.spare[HANDLED] = U64_0
    sync_point(ctx)
    if take_shared_semaphore(ctx, semaphore):
        return OK
    is_interrupted = ended == W_SEMAPHORE and thread.wait_status == INTERRUPTED
    if is_interrupted or ended_by_handler(ctx, BY_ENDING):
        return EINTR
    if is_too_late(ctx, ended, wake_ns):
        return ETIMEDOUT
    if wake_ns == NO_TIME:
        return EINVAL
    block_shared(ctx, W_SEMAPHORE, semaphore, wake_ns)
    return OK


@kernel("i32(ctx,u64)", outlined=True)
def post_shared_semaphore(ctx: Any, semaphore: Any) -> Any:
    """sem_post."""
    sync_release(ctx, semaphore)
    status = as_status(real_sem_post(semaphore))
    wake_shared(ctx, W_SEMAPHORE, semaphore, U64_1)
    sync_point(ctx)
    return status


@kernel("void(ctx,u64)")
def semaphore_opened(ctx: Any, semaphore: Any) -> None:
    """sem_open: the page that glibc has mapped, each of them once."""
    if semaphore == U64_0 or shared_row(ctx, semaphore) != U64_0:
        return
    page = semaphore & ~(U64_PAGE - U64_1)
    note_shared(ctx, page, page + U64_PAGE, U64_1)


@kernel("void(ctx,u64)", outlined=True)
def signal_shared_condition(ctx: Any, condition: Any) -> None:
    """Wake everybody who waits on the condition, in all processes."""
    add_atomically(condition, U32_1)
    wake_shared(ctx, W_CONDITION, condition, U64_ALL)


@kernel("u64(ctx,u64,u64)")
def shared_condition_word(ctx: Any, condition: Any, count: Any) -> Any:
    """What retry_count holds while a thread waits: count of its mutex, signals so far."""
    signals = U64_0
    if is_shared_memory(ctx, condition):
        signals = np.uint64(load_u32(condition))
    return count | signals << U64_32


@kernel("b1(ctx,u64,u64,u64)", outlined=True)
def waits_for_signal(ctx: Any, condition: Any, ended: Any, wake_ns: Any) -> Any:
    """Whether a thread that was woken must go on waiting: then it is blocked again.

    How the wait ended goes to retry_word.
    """
    thread = thread_at(ctx.thread)
    thread.retry_word = thread.wait_status
    if ended != W_INPUT or thread.cancel_pending != U64_0:
        return False
    if np.uint32(thread.retry_count >> U64_32) != load_u32(condition):
        thread.retry_word = SIGNALLED
        return False
    if is_too_late(ctx, ended, wake_ns):
        thread.retry_word = TIMED_OUT
        return False
    thread.retry_word = STILL_WAITS
    block_shared(ctx, W_CONDITION, condition, wake_ns)
    return True


@kernel("i32(ctx,u64)", outlined=True)
def arrive_at_shared_barrier(ctx: Any, barrier: Any) -> Any:
    """pthread_barrier_wait: a first call."""
    thread = thread_at(ctx.thread)
    generation = load_u32(barrier + U64_8)
    clock_key = barrier + np.uint64(generation & U32_1) * U64_8
    sync_release(ctx, clock_key)
    arrived = add_atomically(barrier + U64_4, U32_1) + U32_1
    if arrived < load_u32(barrier):
        thread.retry_word = clock_key
        thread.retry_count = np.uint64(generation)
        block_shared(ctx, W_BARRIER, barrier, U64_0)
        return OK
    store_u32(barrier + U64_4, U32_0)
    add_atomically(barrier + U64_8, U32_1)
    sync_acquire(ctx, clock_key)
    wake_shared(ctx, W_BARRIER, barrier, U64_ALL)
    return SERIAL_THREAD


@kernel("i32(ctx,u64)", outlined=True)
def stay_at_shared_barrier(ctx: Any, barrier: Any) -> Any:
    """pthread_barrier_wait once more."""
    thread = thread_at(ctx.thread)
    if load_u32(barrier + U64_8) == np.uint32(thread.retry_count):
        block_shared(ctx, W_BARRIER, barrier, U64_0)
        return OK
    ctx.outside[TRY_STREAK] = U64_0
    sync_acquire(ctx, thread.retry_word)
    return OK


@kernel("i32(u64,i32)", outlined=True)
def init_shared_spin(lock: Any, shared: Any) -> Any:
    """pthread_spin_init."""
    return as_status(real_spin_init(lock, np.uint64(shared)))


@kernel("b1(ctx,u64)", outlined=True)
def take_shared_spin(ctx: Any, lock: Any) -> Any:
    """pthread_spin_trylock."""
    if as_status(real_spin_trylock(lock)) != OK:
        return False
    ctx.outside[TRY_STREAK] = U64_0
    return True


@kernel("void(ctx,u64)", outlined=True)
def release_shared_spin(ctx: Any, lock: Any) -> None:
    """pthread_spin_unlock."""
    real_spin_unlock(lock)
    wake_shared(ctx, W_SPIN, lock, U64_1)


EXPORTS = ()
