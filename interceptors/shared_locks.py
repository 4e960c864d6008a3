"""Reader-writer locks, barriers and semaphores; state in the guest's own objects.

    pthread_rwlock_t   u32 readers +0, u32 writer (tid + 1) +4
    pthread_barrier_t  u32 needed +0, u32 arrived +4, u32 generation +8
    sem_t              u32 value +0

Clocks: a writer's unlock publishes on the lock's address, a reader's on address + 8, so that
readers are not ordered among themselves.  A barrier joins all arrivals and hands the join to all
leavers, one clock per parity of the generation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import (
    EAGAIN,
    EBUSY,
    EDEADLK,
    EINVAL,
    EOVERFLOW,
    ETIMEDOUT,
    OK,
    fail_with_errno,
)
from irsan.interceptors.mutexes import current_owner_word
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32, store_u64
from irsan.runtime.kernels.race.lock_rules import (
    after_create,
    after_destroy,
    after_lock,
    after_unlock,
    before_destroy,
    before_lock,
    before_unlock,
)
from irsan.runtime.kernels.race.object_lives import is_use_racy, life_changed
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release, sync_release_store
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    sync_point,
    take_resuming,
    wake_waiters,
    wants_switch,
)
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME, deadline_to_wake_ns
from irsan.runtime.lock_records import MODE_TRIED, MODE_WRITE
from irsan.runtime.thread_states import (
    WAIT_BARRIER,
    WAIT_READ_LOCK,
    WAIT_SEMAPHORE,
    WAIT_SIGNALLED,
    WAIT_TIMED_OUT,
)

U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_ALL = np.uint64(1 << 32)
W_LOCK = np.uint64(WAIT_READ_LOCK)
W_BARRIER = np.uint64(WAIT_BARRIER)
W_SEMAPHORE = np.uint64(WAIT_SEMAPHORE)
SIGNALLED = np.uint64(WAIT_SIGNALLED)
TIMED_OUT = np.uint64(WAIT_TIMED_OUT)
CLOCK_REALTIME = np.uint64(0)
READ = np.uint64(0)
WRITE = np.uint64(MODE_WRITE)
TRIED = np.uint64(MODE_TRIED)
SERIAL_THREAD = np.int32(-1)
SEM_VALUE_MAX = np.uint32(0x7FFF_FFFF)


@kernel("b1(ctx,u64,u64)")
def try_read_lock(ctx: Any, lock: Any, mode: Any) -> Any:
    """Become a reader unless a writer holds the lock."""
    if load_u32(lock + U64_4) != U32_0:
        return False
    store_u32(lock, load_u32(lock) + U32_1)
    sync_acquire(ctx, lock)
    after_lock(ctx, lock, mode)
    return True


@kernel("b1(ctx,u64,u64)")
def try_write_lock(ctx: Any, lock: Any, mode: Any) -> Any:
    """Become the writer if nobody holds the lock."""
    if load_u32(lock + U64_4) != U32_0 or load_u32(lock) != U32_0:
        return False
    store_u32(lock + U64_4, current_owner_word(ctx))
    sync_acquire(ctx, lock)
    sync_acquire(ctx, lock + U64_8)
    after_lock(ctx, lock, mode)
    return True


@kernel("i32(ctx,u64,u64,b1)")
def lock_shared_until(ctx: Any, lock: Any, wake_ns: Any, is_write: Any) -> Any:
    """Take a reader-writer lock, blocking until wake_ns (0: for ever)."""
    ended = take_resuming(ctx)
    mode = WRITE if is_write else READ
    if wake_ns != U64_0:
        mode |= TRIED
    if ended == U64_0 and (wants_switch(ctx) or before_lock(ctx, lock, mode, False)):
        return OK
    sync_point(ctx)
    taken = try_write_lock(ctx, lock, mode) if is_write else try_read_lock(ctx, lock, mode)
    if taken:
        return OK
    if ended == W_LOCK and thread_at(ctx.thread).wait_status == TIMED_OUT:
        return ETIMEDOUT
    if load_u32(lock + U64_4) == current_owner_word(ctx):
        return EDEADLK
    if wake_ns == NO_TIME:
        return EINVAL
    block_current(ctx, W_LOCK, lock, wake_ns)
    return OK


@kernel("i32(ctx,u64)")
def i_rwlock_rdlock(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_rdlock."""
    return lock_shared_until(ctx, lock, U64_0, False)


@kernel("i32(ctx,u64)")
def i_rwlock_wrlock(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_wrlock."""
    return lock_shared_until(ctx, lock, U64_0, True)


@kernel("i32(ctx,u64,u64)")
def i_rwlock_timedrdlock(ctx: Any, lock: Any, deadline: Any) -> Any:
    """pthread_rwlock_timedrdlock."""
    wake_ns = deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME)
    return lock_shared_until(ctx, lock, wake_ns, False)


@kernel("i32(ctx,u64,u64)")
def i_rwlock_timedwrlock(ctx: Any, lock: Any, deadline: Any) -> Any:
    """pthread_rwlock_timedwrlock."""
    wake_ns = deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME)
    return lock_shared_until(ctx, lock, wake_ns, True)


@kernel("i32(ctx,u64,i32,u64)")
def i_rwlock_clockrdlock(ctx: Any, lock: Any, clock_id: Any, deadline: Any) -> Any:
    """pthread_rwlock_clockrdlock."""
    wake_ns = deadline_to_wake_ns(ctx, deadline, np.uint64(clock_id))
    return lock_shared_until(ctx, lock, wake_ns, False)


@kernel("i32(ctx,u64,i32,u64)")
def i_rwlock_clockwrlock(ctx: Any, lock: Any, clock_id: Any, deadline: Any) -> Any:
    """pthread_rwlock_clockwrlock."""
    wake_ns = deadline_to_wake_ns(ctx, deadline, np.uint64(clock_id))
    return lock_shared_until(ctx, lock, wake_ns, True)


@kernel("i32(ctx,u64)")
def i_rwlock_tryrdlock(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_tryrdlock."""
    if wants_switch(ctx):
        return OK
    sync_point(ctx)
    if try_read_lock(ctx, lock, TRIED):
        return OK
    return EBUSY


@kernel("i32(ctx,u64)")
def i_rwlock_trywrlock(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_trywrlock."""
    if wants_switch(ctx):
        return OK
    sync_point(ctx)
    if try_write_lock(ctx, lock, WRITE | TRIED):
        return OK
    return EBUSY


@kernel("i32(ctx,u64)")
def i_rwlock_unlock(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_unlock, by the writer or by one reader."""
    if before_unlock(ctx, lock):
        return OK
    if load_u32(lock + U64_4) != U32_0:
        sync_release_store(ctx, lock)
        store_u32(lock + U64_4, U32_0)
    elif load_u32(lock) != U32_0:
        sync_release(ctx, lock + U64_8)
        store_u32(lock, load_u32(lock) - U32_1)
    after_unlock(ctx, lock)
    if load_u32(lock) == U32_0:
        wake_waiters(ctx, W_LOCK, lock, U64_ALL)
    sync_point(ctx)
    return OK


@kernel("i32(ctx,u64,u64)")
def i_rwlock_init(ctx: Any, lock: Any, attributes: Any) -> Any:
    """pthread_rwlock_init; attributes (preference, sharing) change nothing here."""
    for offset in range(0, 56, 8):
        store_u64(lock + np.uint64(offset), U64_0)
    after_create(ctx, lock)
    return OK


@kernel("i32(ctx,u64)")
def i_rwlock_destroy(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_destroy: EBUSY while held."""
    if before_destroy(ctx, lock):
        return OK
    if load_u32(lock) != U32_0 or load_u32(lock + U64_4) != U32_0:
        return EBUSY
    after_destroy(ctx, lock)
    return OK


@kernel("i32(ctx,u64,u64,u32)")
def i_barrier_init(ctx: Any, barrier: Any, attributes: Any, count: Any) -> Any:
    """pthread_barrier_init."""
    if count == U32_0:
        return EINVAL
    store_u64(barrier, np.uint64(count))
    store_u64(barrier + U64_8, U64_0)
    store_u64(barrier + U64_16, U64_0)
    life_changed(ctx, barrier)
    return OK


@kernel("i32(ctx,u64)")
def i_barrier_wait(ctx: Any, barrier: Any) -> Any:
    """pthread_barrier_wait: the last to arrive is the serial thread."""
    if take_resuming(ctx) == W_BARRIER:
        sync_acquire(ctx, thread_at(ctx.thread).retry_word)
        return OK
    if wants_switch(ctx) or is_use_racy(ctx, barrier):
        return OK
    sync_point(ctx)
    generation = load_u32(barrier + U64_8)
    clock_key = barrier + np.uint64(generation & U32_1) * U64_8
    sync_release(ctx, clock_key)
    arrived = load_u32(barrier + U64_4) + U32_1
    if arrived < load_u32(barrier):
        store_u32(barrier + U64_4, arrived)
        thread_at(ctx.thread).retry_word = clock_key
        block_current(ctx, W_BARRIER, barrier, U64_0)
        return OK
    store_u32(barrier + U64_4, U32_0)
    store_u32(barrier + U64_8, generation + U32_1)
    sync_acquire(ctx, clock_key)
    wake_waiters(ctx, W_BARRIER, barrier, U64_ALL)
    return SERIAL_THREAD


@kernel("i32(ctx,u64)")
def i_barrier_destroy(ctx: Any, barrier: Any) -> Any:
    """pthread_barrier_destroy: EBUSY while threads wait."""
    if load_u32(barrier + U64_4) != U32_0:
        return EBUSY
    life_changed(ctx, barrier)
    return OK


@kernel("i32(ctx,u64,i32,u32)")
def i_sem_init(ctx: Any, semaphore: Any, shared: Any, value: Any) -> Any:
    """sem_init; EINVAL above SEM_VALUE_MAX."""
    if value > SEM_VALUE_MAX:
        return fail_with_errno(ctx, EINVAL)
    store_u64(semaphore, np.uint64(value))
    store_u64(semaphore + U64_8, U64_0)
    return OK


@kernel("i32(ctx,u64,u64)")
def wait_semaphore_until(ctx: Any, semaphore: Any, wake_ns: Any) -> Any:
    """Decrement, blocking until wake_ns (0: for ever); 0 or an errno value."""
    ended, ending = take_resuming(ctx), thread_at(ctx.thread).wait_status
    is_posted = ended == W_SEMAPHORE and ending == SIGNALLED
    if not is_posted and cancel_due(ctx):
        return OK
    if ended == U64_0 and wants_switch(ctx):
        return OK
    sync_point(ctx)
    value = load_u32(semaphore)
    if value != U32_0:
        store_u32(semaphore, value - U32_1)
        sync_acquire(ctx, semaphore)
        return OK
    if is_posted and cancel_due(ctx):
        return OK
    if ended == W_SEMAPHORE and ending == TIMED_OUT:
        return ETIMEDOUT
    if wake_ns == NO_TIME:
        return EINVAL
    block_current(ctx, W_SEMAPHORE, semaphore, wake_ns)
    return OK


@kernel("i32(ctx,u64)")
def i_sem_wait(ctx: Any, semaphore: Any) -> Any:
    """sem_wait."""
    return wait_semaphore_until(ctx, semaphore, U64_0)


@kernel("i32(ctx,u64,u64)")
def i_sem_timedwait(ctx: Any, semaphore: Any, deadline: Any) -> Any:
    """sem_timedwait."""
    wake_ns = deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME)
    return fail_with_errno(ctx, wait_semaphore_until(ctx, semaphore, wake_ns))


@kernel("i32(ctx,u64,i32,u64)")
def i_sem_clockwait(ctx: Any, semaphore: Any, clock_id: Any, deadline: Any) -> Any:
    """sem_clockwait."""
    wake_ns = deadline_to_wake_ns(ctx, deadline, np.uint64(clock_id))
    return fail_with_errno(ctx, wait_semaphore_until(ctx, semaphore, wake_ns))


@kernel("i32(ctx,u64)")
def i_sem_trywait(ctx: Any, semaphore: Any) -> Any:
    """sem_trywait."""
    if wants_switch(ctx):
        return OK
    sync_point(ctx)
    value = load_u32(semaphore)
    if value == U32_0:
        return fail_with_errno(ctx, EAGAIN)
    store_u32(semaphore, value - U32_1)
    sync_acquire(ctx, semaphore)
    return OK


@kernel("i32(ctx,u64)")
def i_sem_post(ctx: Any, semaphore: Any) -> Any:
    """sem_post; EOVERFLOW above SEM_VALUE_MAX."""
    if load_u32(semaphore) >= SEM_VALUE_MAX:
        return fail_with_errno(ctx, EOVERFLOW)
    sync_release(ctx, semaphore)
    store_u32(semaphore, load_u32(semaphore) + U32_1)
    wake_waiters(ctx, W_SEMAPHORE, semaphore, U64_1)
    sync_point(ctx)
    return OK


@kernel("i32(ctx,u64,u64)")
def i_sem_getvalue(ctx: Any, semaphore: Any, target: Any) -> Any:
    """sem_getvalue."""
    sync_acquire(ctx, semaphore)
    store_u32(target, load_u32(semaphore))
    return OK


@kernel("i32(ctx,u64)")
def i_sem_destroy(ctx: Any, semaphore: Any) -> Any:
    """sem_destroy."""
    return OK


EXPORTS = (
    Export("i32 pthread_rwlock_init(ptr,ptr)", kernel="i_rwlock_init"),
    Export("i32 pthread_rwlock_destroy(ptr)", kernel="i_rwlock_destroy"),
    Export("i32 pthread_rwlock_rdlock(ptr)", kernel="i_rwlock_rdlock"),
    Export("i32 pthread_rwlock_wrlock(ptr)", kernel="i_rwlock_wrlock"),
    Export("i32 pthread_rwlock_tryrdlock(ptr)", kernel="i_rwlock_tryrdlock"),
    Export("i32 pthread_rwlock_trywrlock(ptr)", kernel="i_rwlock_trywrlock"),
    Export("i32 pthread_rwlock_timedrdlock(ptr,ptr)", kernel="i_rwlock_timedrdlock"),
    Export("i32 pthread_rwlock_timedwrlock(ptr,ptr)", kernel="i_rwlock_timedwrlock"),
    Export("i32 pthread_rwlock_clockrdlock(ptr,i32,ptr)", kernel="i_rwlock_clockrdlock"),
    Export("i32 pthread_rwlock_clockwrlock(ptr,i32,ptr)", kernel="i_rwlock_clockwrlock"),
    Export("i32 pthread_rwlock_unlock(ptr)", kernel="i_rwlock_unlock"),
    Export("i32 pthread_barrier_init(ptr,ptr,u32)", kernel="i_barrier_init"),
    Export("i32 pthread_barrier_wait(ptr)", kernel="i_barrier_wait"),
    Export("i32 pthread_barrier_destroy(ptr)", kernel="i_barrier_destroy"),
    Export("i32 sem_init(ptr,i32,u32)", kernel="i_sem_init"),
    Export("i32 sem_wait(ptr)", kernel="i_sem_wait"),
    Export("i32 sem_timedwait(ptr,ptr)", kernel="i_sem_timedwait"),
    Export("i32 sem_clockwait(ptr,i32,ptr)", kernel="i_sem_clockwait"),
    Export("i32 sem_trywait(ptr)", kernel="i_sem_trywait"),
    Export("i32 sem_post(ptr)", kernel="i_sem_post"),
    Export("i32 sem_getvalue(ptr,ptr)", kernel="i_sem_getvalue"),
    Export("i32 sem_destroy(ptr)", kernel="i_sem_destroy"),
)
