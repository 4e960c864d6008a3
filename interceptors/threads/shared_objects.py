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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.pthread_types import Barrier, Condition, Semaphore, Spinlock
from irsan.runtime.kernels.threads.scheduler import sync_point
from irsan.runtime.kernels.threads.shared_memory import (
    block_shared,
    is_shared_memory,
    note_shared,
    shared_row,
    wake_shared,
)
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME
from irsan.runtime.kernels.threads.waiting import BY_ENDING, ended_by_handler
from irsan.runtime.layout.field_offsets import field_offset
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
from irsan.runtime.records.threads.pthread_records import BARRIER_DTYPE

ALL = 1 << 32
PAGE = 4096
W_SEMAPHORE = WAIT_SEMAPHORE
W_CONDITION = WAIT_CONDITION
W_BARRIER = WAIT_BARRIER
W_SPIN = WAIT_SPIN
W_INPUT = WAIT_INPUT
SIGNALLED = WAIT_SIGNALLED
TIMED_OUT = WAIT_TIMED_OUT
INTERRUPTED = WAIT_INTERRUPTED
STILL_WAITS = 100  # in retry_word: the condition has not come yet
SERIAL_THREAD = -1
# What other processes change at the same time is changed by address.
N_ARRIVED = field_offset(BARRIER_DTYPE, "n_arrived")
GENERATION = field_offset(BARRIER_DTYPE, "generation")

add_atomically: Any = fetch_add_u32
real_sem_init = real_function("sem_init", 3)
real_sem_trywait = real_function("sem_trywait", 1)
real_sem_post = real_function("sem_post", 1)
real_spin_init = real_function("pthread_spin_init", 2)
real_spin_trylock = real_function("pthread_spin_trylock", 1)
real_spin_unlock = real_function("pthread_spin_unlock", 1)


@kernel(outlined=True)
def init_shared_semaphore(semaphore: Semaphore, shared: i32, value: u32) -> i32:
    """sem_init."""
    return as_status(real_sem_init(addr_of(semaphore), u64(shared), u64(value)))


@kernel(outlined=True)
def take_shared_semaphore(ctx: Context, semaphore: Semaphore) -> bool:
    """sem_trywait, with errno as it was."""
    errno = load_u32(ctx.c_library.errno_addr)
    status = as_status(real_sem_trywait(addr_of(semaphore)))
    store_u32(ctx.c_library.errno_addr, errno)
    if status != OK:
        return False
    ctx.outside.try_streak = 0
    sync_acquire(ctx, addr_of(semaphore))
    return True


@kernel(outlined=True)
def await_shared_semaphore(ctx: Context, semaphore: Semaphore, ended: u64, wake_ns: u64) -> i32:
    """Decrement, waiting until wake_ns (0: for ever); 0 or an errno value."""
    thread = thread_at(ctx.thread)
    if ended == 0:
        thread.handler.ran = 0
    sync_point(ctx)
    if take_shared_semaphore(ctx, semaphore):
        return OK
    is_interrupted = ended == W_SEMAPHORE and thread.wait.status == INTERRUPTED
    if is_interrupted or ended_by_handler(ctx, BY_ENDING):
        return EINTR
    if is_too_late(ctx, ended, wake_ns):
        return ETIMEDOUT
    if wake_ns == NO_TIME:
        return EINVAL
    block_shared(ctx, W_SEMAPHORE, addr_of(semaphore), wake_ns)
    return OK


@kernel(outlined=True)
def post_shared_semaphore(ctx: Context, semaphore: Semaphore) -> i32:
    """sem_post."""
    sync_release(ctx, addr_of(semaphore))
    status = as_status(real_sem_post(addr_of(semaphore)))
    wake_shared(ctx, W_SEMAPHORE, addr_of(semaphore), 1)
    sync_point(ctx)
    return status


@kernel
def semaphore_opened(ctx: Context, semaphore: u64) -> None:
    """sem_open: the page that glibc has mapped, each of them once."""
    if semaphore == 0 or shared_row(ctx, semaphore) != 0:
        return
    page = semaphore & ~(u64(PAGE) - 1)
    note_shared(ctx, page, page + PAGE, 1)


@kernel(outlined=True)
def signal_shared_condition(ctx: Context, condition: Condition) -> None:
    """Wake everybody who waits on the condition, in all processes."""
    add_atomically(addr_of(condition), 1)
    wake_shared(ctx, W_CONDITION, addr_of(condition), ALL)


@kernel
def shared_condition_word(ctx: Context, condition: Condition, count: u64) -> u64:
    """What retry_count holds while a thread waits: count of its mutex, signals so far."""
    signals = u64(0)
    if is_shared_memory(ctx, addr_of(condition)):
        signals = u64(condition.n_signals)
    return count | signals << 32


@kernel(outlined=True)
def waits_for_signal(ctx: Context, condition: Condition, ended: u64, wake_ns: u64) -> bool:
    """Whether a thread that was woken must go on waiting: then it is blocked again.

    How the wait ended goes to retry_word.
    """
    thread = thread_at(ctx.thread)
    thread.wait.retry_word = thread.wait.status
    if ended != W_INPUT or thread.cancel.pending != 0:
        return False
    if u32(thread.wait.retry_count >> 32) != condition.n_signals:
        thread.wait.retry_word = SIGNALLED
        return False
    if is_too_late(ctx, ended, wake_ns):
        thread.wait.retry_word = TIMED_OUT
        return False
    thread.wait.retry_word = STILL_WAITS
    block_shared(ctx, W_CONDITION, addr_of(condition), wake_ns)
    return True


@kernel(outlined=True)
def arrive_at_shared_barrier(ctx: Context, barrier: Barrier) -> i32:
    """pthread_barrier_wait: a first call."""
    thread = thread_at(ctx.thread)
    generation = barrier.generation
    clock_key = addr_of(barrier) + u64(generation & 1) * 8
    sync_release(ctx, clock_key)
    arrived = add_atomically(addr_of(barrier) + N_ARRIVED, 1) + 1
    if arrived < barrier.n_needed:
        thread.wait.retry_word = clock_key
        thread.wait.retry_count = u64(generation)
        block_shared(ctx, W_BARRIER, addr_of(barrier), 0)
        return OK
    barrier.n_arrived = 0
    add_atomically(addr_of(barrier) + GENERATION, 1)
    sync_acquire(ctx, clock_key)
    wake_shared(ctx, W_BARRIER, addr_of(barrier), ALL)
    return SERIAL_THREAD


@kernel(outlined=True)
def stay_at_shared_barrier(ctx: Context, barrier: Barrier) -> i32:
    """pthread_barrier_wait once more."""
    thread = thread_at(ctx.thread)
    if barrier.generation == u32(thread.wait.retry_count):
        block_shared(ctx, W_BARRIER, addr_of(barrier), 0)
        return OK
    ctx.outside.try_streak = 0
    sync_acquire(ctx, thread.wait.retry_word)
    return OK


@kernel(outlined=True)
def init_shared_spin(lock: Spinlock, shared: i32) -> i32:
    """pthread_spin_init."""
    return as_status(real_spin_init(addr_of(lock), u64(shared)))


@kernel(outlined=True)
def take_shared_spin(ctx: Context, lock: Spinlock) -> bool:
    """pthread_spin_trylock."""
    if as_status(real_spin_trylock(addr_of(lock))) != OK:
        return False
    ctx.outside.try_streak = 0
    return True


@kernel(outlined=True)
def release_shared_spin(ctx: Context, lock: Spinlock) -> None:
    """pthread_spin_unlock."""
    real_spin_unlock(addr_of(lock))
    wake_shared(ctx, W_SPIN, addr_of(lock), 1)


EXPORTS = ()
