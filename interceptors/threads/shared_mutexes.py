"""Mutexes and reader-writer locks in memory that other processes have: glibc's own do the work.

All green threads are one thread to glibc, so its calls that never wait are made, and who of this
process holds a lock is noted beside it:

    pthread_mutex_t    u32 at +20, where only elided and adaptive ones have something: tid + 1
    pthread_rwlock_t   u32 at +16, padding: tid + 1 of the writer

Robust mutexes are in glibc's list, so the kernel itself gives them up when a process is killed.
The clocks of a lock order the threads of one process.

Sources: struct_mutex.h, struct_rwlock.h of glibc; get_robust_list(2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import (
    EBUSY,
    EDEADLK,
    EINVAL,
    EOWNERDEAD,
    EPERM,
    ETIMEDOUT,
    OK,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_rules import (
    after_lock,
    after_unlock,
    before_unlock,
    own_word,
    touch_lock,
)
from irsan.runtime.kernels.memory import load_u32, real_function, real_getpid, store_u32
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release, sync_release_store
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.scheduler import TRY_STREAK, sync_point
from irsan.runtime.kernels.threads.shared_memory import block_shared, wake_shared
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME
from irsan.runtime.layout.thread_states import WAIT_SHARED_LOCK, WAIT_SHARED_MUTEX, WAIT_TIMED_OUT
from irsan.runtime.records.lock_records import MODE_WRITE

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_20 = np.uint64(20)
U64_24 = np.uint64(24)
U64_ALL = np.uint64(1 << 32)
KIND_MASK = np.uint32(3)
RECURSIVE = np.uint32(1)
ERRORCHECK = np.uint32(2)
ROBUST = np.uint32(16)
INCONSISTENT = np.uint32(0x7FFF_FFFF)  # glibc's owner of a mutex whose last one has died
TID_MASK = np.uint32(0x3FFF_FFFF)
WRITE = np.uint64(MODE_WRITE)
W_SHARED_MUTEX = np.uint64(WAIT_SHARED_MUTEX)
W_SHARED_LOCK = np.uint64(WAIT_SHARED_LOCK)
TIMED_OUT = np.uint64(WAIT_TIMED_OUT)

real_mutex_init = real_function("pthread_mutex_init", 2)
real_mutex_trylock = real_function("pthread_mutex_trylock", 1)
real_mutex_unlock = real_function("pthread_mutex_unlock", 1)
real_mutex_consistent = real_function("pthread_mutex_consistent", 1)
real_rwlock_init = real_function("pthread_rwlock_init", 2)
real_rwlock_destroy = real_function("pthread_rwlock_destroy", 1)
real_tryrdlock = real_function("pthread_rwlock_tryrdlock", 1)
real_trywrlock = real_function("pthread_rwlock_trywrlock", 1)
real_rwlock_unlock = real_function("pthread_rwlock_unlock", 1)


@kernel("i32(u64)")
def as_status(word: Any) -> Any:
    """The int that a function of the C library returned."""
    return np.int32(np.uint32(word))


@kernel("b1(u64)")
def is_held_here(mutex: Any) -> Any:
    """Whether some thread of this process holds a mutex in shared memory."""
    process = np.uint32(real_getpid())
    owner = load_u32(mutex + U64_8)
    return owner == process or (
        owner == INCONSISTENT and load_u32(mutex) & TID_MASK == process
    )


@kernel("b1(ctx,u64)", outlined=True)
def holds_shared_mutex(ctx: Any, mutex: Any) -> Any:
    """Whether the running thread does."""
    return load_u32(mutex + U64_20) == own_word(ctx) and is_held_here(mutex)


@kernel("i32(ctx,u64,u64)", outlined=True)
def try_shared_mutex(ctx: Any, mutex: Any, mode: Any) -> Any:
    """pthread_mutex_trylock: its status; EDEADLK when the running thread has it already."""
    kind = load_u32(mutex + U64_16) & KIND_MASK
    if is_held_here(mutex):
        if load_u32(mutex + U64_20) != own_word(ctx):
            return EBUSY
        if kind != RECURSIVE:
            return EDEADLK
        return as_status(real_mutex_trylock(mutex))
    status = as_status(real_mutex_trylock(mutex))
    if status == OK or status == EOWNERDEAD:
        store_u32(mutex + U64_20, own_word(ctx))
        ctx.outside[TRY_STREAK] = U64_0
        touch_lock(ctx, mutex)
        sync_acquire(ctx, mutex)
        after_lock(ctx, mutex, mode)
    return status


@kernel("b1(ctx,u64,u64)")
def is_too_late(ctx: Any, ended: Any, wake_ns: Any) -> Any:
    """Whether the deadline of a wait for shared memory has come; ended: what has just ended."""
    if wake_ns == U64_0 or wake_ns == NO_TIME:
        return False
    is_timed_out = ended != U64_0 and thread_at(ctx.thread).wait_status == TIMED_OUT
    return is_timed_out or wake_ns <= ctx.clock_ns


@kernel("i32(ctx,u64,u64,u64,u64)", outlined=True)
def lock_shared_mutex(ctx: Any, mutex: Any, mode: Any, ended: Any, wake_ns: Any) -> Any:
    """Lock, waiting until wake_ns (0: for ever); 0 or an errno value."""
    sync_point(ctx)
    status = try_shared_mutex(ctx, mutex, mode)
    if status == EDEADLK and load_u32(mutex + U64_16) & KIND_MASK != ERRORCHECK:
        status = EBUSY
    if status != EBUSY:
        return status
    if is_too_late(ctx, ended, wake_ns):
        return ETIMEDOUT
    if wake_ns == NO_TIME:
        return EINVAL
    block_shared(ctx, W_SHARED_MUTEX, mutex, wake_ns)
    return OK


@kernel("i32(ctx,u64)", outlined=True)
def unlock_shared_mutex(ctx: Any, mutex: Any) -> Any:
    """pthread_mutex_unlock."""
    kind = load_u32(mutex + U64_16)
    if not holds_shared_mutex(ctx, mutex):
        if before_unlock(ctx, mutex):
            return OK
        if kind & (KIND_MASK | ROBUST) != U32_0 or not is_held_here(mutex):
            return EPERM
    elif kind & KIND_MASK == RECURSIVE and load_u32(mutex + U64_4) > np.uint32(1):
        return as_status(real_mutex_unlock(mutex))
    sync_release_store(ctx, mutex)
    after_unlock(ctx, mutex)
    store_u32(mutex + U64_20, U32_0)
    status = as_status(real_mutex_unlock(mutex))
    wake_shared(ctx, W_SHARED_MUTEX, mutex, U64_1)
    sync_point(ctx)
    return status


@kernel("i32(u64,u64)", outlined=True)
def init_shared_mutex(mutex: Any, attributes: Any) -> Any:
    """pthread_mutex_init."""
    return as_status(real_mutex_init(mutex, attributes))


@kernel("i32(u64)", outlined=True)
def make_shared_consistent(mutex: Any) -> Any:
    """pthread_mutex_consistent."""
    return as_status(real_mutex_consistent(mutex))


@kernel("i32(ctx,u64,u64)", outlined=True)
def try_shared_rwlock(ctx: Any, lock: Any, mode: Any) -> Any:
    """pthread_rwlock_tryrdlock or trywrlock."""
    is_write = mode & WRITE != U64_0
    found = real_trywrlock(lock) if is_write else real_tryrdlock(lock)
    status = as_status(found)
    if status != OK:
        return status
    ctx.outside[TRY_STREAK] = U64_0
    touch_lock(ctx, lock)
    sync_acquire(ctx, lock)
    if is_write:
        store_u32(lock + U64_16, own_word(ctx))
        sync_acquire(ctx, lock + U64_8)
    after_lock(ctx, lock, mode)
    return OK


@kernel("b1(ctx,u64)")
def writes_shared_rwlock(ctx: Any, lock: Any) -> Any:
    """Whether the running thread is the writer of a lock in shared memory."""
    is_here = load_u32(lock + U64_24) == np.uint32(real_getpid())
    return is_here and load_u32(lock + U64_16) == own_word(ctx)


@kernel("i32(ctx,u64,u64,u64,u64)", outlined=True)
def lock_shared_rwlock(ctx: Any, lock: Any, mode: Any, ended: Any, wake_ns: Any) -> Any:
    """Take a reader-writer lock, waiting until wake_ns (0: for ever); 0 or an errno value."""
    sync_point(ctx)
    status = try_shared_rwlock(ctx, lock, mode)
    if status != EBUSY:
        return status
    if is_too_late(ctx, ended, wake_ns):
        return ETIMEDOUT
    if writes_shared_rwlock(ctx, lock):
        return EDEADLK
    if wake_ns == NO_TIME:
        return EINVAL
    block_shared(ctx, W_SHARED_LOCK, lock, wake_ns)
    return OK


@kernel("i32(ctx,u64)", outlined=True)
def unlock_shared_rwlock(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_unlock."""
    if load_u32(lock + U64_24) == np.uint32(real_getpid()):
        sync_release_store(ctx, lock)
        store_u32(lock + U64_16, U32_0)
    else:
        sync_release(ctx, lock + U64_8)
    status = as_status(real_rwlock_unlock(lock))
    after_unlock(ctx, lock)
    wake_shared(ctx, W_SHARED_LOCK, lock, U64_ALL)
    sync_point(ctx)
    return status


@kernel("i32(u64,u64)", outlined=True)
def init_shared_rwlock(lock: Any, attributes: Any) -> Any:
    """pthread_rwlock_init."""
    return as_status(real_rwlock_init(lock, attributes))


@kernel("i32(u64)", outlined=True)
def destroy_shared_rwlock(lock: Any) -> Any:
    """pthread_rwlock_destroy."""
    return as_status(real_rwlock_destroy(lock))


EXPORTS = ()
