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
from irsan.runtime.kernels.memory import real_function, real_getpid
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release, sync_release_store
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.pthread_types import Mutex, RwLock
from irsan.runtime.kernels.threads.scheduler import sync_point
from irsan.runtime.kernels.threads.shared_memory import block_shared, wake_shared
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME
from irsan.runtime.layout.thread_states import WAIT_SHARED_LOCK, WAIT_SHARED_MUTEX, WAIT_TIMED_OUT
from irsan.runtime.records.race.lock_records import MODE_WRITE

ALL = 1 << 32
KIND_MASK = 3
RECURSIVE = 1
ERRORCHECK = 2
ROBUST = 16
INCONSISTENT = 0x7FFF_FFFF  # glibc's owner of a mutex whose last one has died
TID_MASK = 0x3FFF_FFFF
WRITE = MODE_WRITE
W_SHARED_MUTEX = WAIT_SHARED_MUTEX
W_SHARED_LOCK = WAIT_SHARED_LOCK
TIMED_OUT = WAIT_TIMED_OUT

real_mutex_init = real_function("pthread_mutex_init", 2)
real_mutex_trylock = real_function("pthread_mutex_trylock", 1)
real_mutex_unlock = real_function("pthread_mutex_unlock", 1)
real_mutex_consistent = real_function("pthread_mutex_consistent", 1)
real_rwlock_init = real_function("pthread_rwlock_init", 2)
real_rwlock_destroy = real_function("pthread_rwlock_destroy", 1)
real_tryrdlock = real_function("pthread_rwlock_tryrdlock", 1)
real_trywrlock = real_function("pthread_rwlock_trywrlock", 1)
real_rwlock_unlock = real_function("pthread_rwlock_unlock", 1)


@kernel
def as_status(word: u64) -> i32:
    """The int that a function of the C library returned."""
    return i32(u32(word))


@kernel
def is_held_here(mutex: Mutex) -> bool:
    """Whether some thread of this process holds a mutex in shared memory."""
    process = u32(real_getpid())
    owner = mutex.owner
    return owner == process or (
        owner == INCONSISTENT and mutex.lock & TID_MASK == process
    )


@kernel(outlined=True)
def holds_shared_mutex(ctx: Context, mutex: Mutex) -> bool:
    """Whether the running thread does."""
    return mutex.holder_here == own_word(ctx) and is_held_here(mutex)


@kernel(outlined=True)
def try_shared_mutex(ctx: Context, mutex: Mutex, mode: u64) -> i32:
    """pthread_mutex_trylock: its status; EDEADLK when the running thread has it already."""
    kind = mutex.kind & KIND_MASK
    if is_held_here(mutex):
        if mutex.holder_here != own_word(ctx):
            return EBUSY
        if kind != RECURSIVE:
            return EDEADLK
        return as_status(real_mutex_trylock(addr_of(mutex)))
    status = as_status(real_mutex_trylock(addr_of(mutex)))
    if status == OK or status == EOWNERDEAD:
        mutex.holder_here = own_word(ctx)
        ctx.outside.try_streak = 0
        touch_lock(ctx, addr_of(mutex))
        sync_acquire(ctx, addr_of(mutex))
        after_lock(ctx, addr_of(mutex), mode)
    return status


@kernel
def is_too_late(ctx: Context, ended: u64, wake_ns: u64) -> bool:
    """Whether the deadline of a wait for shared memory has come; ended: what has just ended."""
    if wake_ns == 0 or wake_ns == NO_TIME:
        return False
    is_timed_out = ended != 0 and thread_at(ctx.thread).wait.status == TIMED_OUT
    return is_timed_out or wake_ns <= ctx.schedule.clock_ns


@kernel(outlined=True)
def lock_shared_mutex(ctx: Context, mutex: Mutex, mode: u64, ended: u64, wake_ns: u64) -> i32:
    """Lock, waiting until wake_ns (0: for ever); 0 or an errno value."""
    sync_point(ctx)
    status = try_shared_mutex(ctx, mutex, mode)
    if status == EDEADLK and mutex.kind & KIND_MASK != ERRORCHECK:
        status = i32(EBUSY)
    if status != EBUSY:
        return status
    if is_too_late(ctx, ended, wake_ns):
        return ETIMEDOUT
    if wake_ns == NO_TIME:
        return EINVAL
    block_shared(ctx, W_SHARED_MUTEX, addr_of(mutex), wake_ns)
    return OK


@kernel(outlined=True)
def unlock_shared_mutex(ctx: Context, mutex: Mutex) -> i32:
    """pthread_mutex_unlock."""
    kind = mutex.kind
    if not holds_shared_mutex(ctx, mutex):
        if before_unlock(ctx, addr_of(mutex)):
            return OK
        if kind & (u32(KIND_MASK) | ROBUST) != 0 or not is_held_here(mutex):
            return EPERM
    elif kind & KIND_MASK == RECURSIVE and mutex.count > 1:
        return as_status(real_mutex_unlock(addr_of(mutex)))
    sync_release_store(ctx, addr_of(mutex))
    after_unlock(ctx, addr_of(mutex))
    mutex.holder_here = 0
    status = as_status(real_mutex_unlock(addr_of(mutex)))
    wake_shared(ctx, W_SHARED_MUTEX, addr_of(mutex), 1)
    sync_point(ctx)
    return status


@kernel(outlined=True)
def init_shared_mutex(mutex: Mutex, attributes: u64) -> i32:
    """pthread_mutex_init."""
    return as_status(real_mutex_init(addr_of(mutex), attributes))


@kernel(outlined=True)
def make_shared_consistent(mutex: Mutex) -> i32:
    """pthread_mutex_consistent."""
    return as_status(real_mutex_consistent(addr_of(mutex)))


@kernel(outlined=True)
def try_shared_rwlock(ctx: Context, lock: RwLock, mode: u64) -> i32:
    """pthread_rwlock_tryrdlock or trywrlock."""
    is_write = mode & WRITE != 0
    found = real_trywrlock(addr_of(lock)) if is_write else real_tryrdlock(addr_of(lock))
    status = as_status(found)
    if status != OK:
        return status
    ctx.outside.try_streak = 0
    touch_lock(ctx, addr_of(lock))
    sync_acquire(ctx, addr_of(lock))
    if is_write:
        lock.writer_here = own_word(ctx)
        sync_acquire(ctx, addr_of(lock) + 8)
    after_lock(ctx, addr_of(lock), mode)
    return OK


@kernel
def writes_shared_rwlock(ctx: Context, lock: RwLock) -> bool:
    """Whether the running thread is the writer of a lock in shared memory."""
    is_here = lock.writing_process == u32(real_getpid())
    return is_here and lock.writer_here == own_word(ctx)


@kernel(outlined=True)
def lock_shared_rwlock(ctx: Context, lock: RwLock, mode: u64, ended: u64, wake_ns: u64) -> i32:
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
    block_shared(ctx, W_SHARED_LOCK, addr_of(lock), wake_ns)
    return OK


@kernel(outlined=True)
def unlock_shared_rwlock(ctx: Context, lock: RwLock) -> i32:
    """pthread_rwlock_unlock."""
    if lock.writing_process == u32(real_getpid()):
        sync_release_store(ctx, addr_of(lock))
        lock.writer_here = 0
    else:
        sync_release(ctx, addr_of(lock) + 8)
    status = as_status(real_rwlock_unlock(addr_of(lock)))
    after_unlock(ctx, addr_of(lock))
    wake_shared(ctx, W_SHARED_LOCK, addr_of(lock), ALL)
    sync_point(ctx)
    return status


@kernel(outlined=True)
def init_shared_rwlock(lock: RwLock, attributes: u64) -> i32:
    """pthread_rwlock_init."""
    return as_status(real_rwlock_init(addr_of(lock), attributes))


@kernel(outlined=True)
def destroy_shared_rwlock(lock: RwLock) -> i32:
    """pthread_rwlock_destroy."""
    return as_status(real_rwlock_destroy(addr_of(lock)))


EXPORTS = ()
