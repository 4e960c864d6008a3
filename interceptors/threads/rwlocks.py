"""Reader-writer locks; state in the guest's own object.

    pthread_rwlock_t   u32 readers +0, u32 writer (tid + 1) +4

Clocks: a writer's unlock publishes on the lock's address, a reader's on address + 8, so that
readers are not ordered among themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import EBUSY, EDEADLK, EINVAL, ETIMEDOUT, OK
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.shared_mutexes import (
    destroy_shared_rwlock,
    init_shared_rwlock,
    lock_shared_rwlock,
    try_shared_rwlock,
    unlock_shared_rwlock,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_rules import (
    after_create,
    after_destroy,
    after_lock,
    after_unlock,
    before_destroy,
    before_lock,
    before_unlock,
    own_word,
    touch_lock,
)
from irsan.runtime.kernels.memory import load_u32, store_u32, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release, sync_release_store
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    sync_point,
    take_resuming,
    wake_waiters,
    wants_switch,
)
from irsan.runtime.kernels.threads.shared_memory import is_shared_memory
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME, deadline_to_wake_ns
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.thread_states import WAIT_READ_LOCK, WAIT_TIMED_OUT
from irsan.runtime.records.lock_records import MODE_TRIED, MODE_WRITE

U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_ALL = np.uint64(1 << 32)
W_LOCK = np.uint64(WAIT_READ_LOCK)
TIMED_OUT = np.uint64(WAIT_TIMED_OUT)
CLOCK_REALTIME = np.uint64(libc.constant("CLOCK_REALTIME"))
READ = np.uint64(0)
WRITE = np.uint64(MODE_WRITE)
TRIED = np.uint64(MODE_TRIED)


@kernel("b1(ctx,u64,u64)")
def try_read_lock(ctx: Any, lock: Any, mode: Any) -> Any:
    """Become a reader unless a writer holds the lock."""
    if load_u32(lock + U64_4) != U32_0:
        return False
    store_u32(lock, load_u32(lock) + U32_1)
    touch_lock(ctx, lock)
    sync_acquire(ctx, lock)
    after_lock(ctx, lock, mode)
    return True


@kernel("b1(ctx,u64,u64)")
def try_write_lock(ctx: Any, lock: Any, mode: Any) -> Any:
    """Become the writer if nobody holds the lock."""
    if load_u32(lock + U64_4) != U32_0 or load_u32(lock) != U32_0:
        return False
    store_u32(lock + U64_4, own_word(ctx))
    touch_lock(ctx, lock)
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
    if is_shared_memory(ctx, lock):
        return lock_shared_rwlock(ctx, lock, mode, ended, wake_ns)
    sync_point(ctx)
    taken = try_write_lock(ctx, lock, mode) if is_write else try_read_lock(ctx, lock, mode)
    if taken:
        return OK
    if ended == W_LOCK and thread_at(ctx.thread).wait_status == TIMED_OUT:
        return ETIMEDOUT
    if load_u32(lock + U64_4) == own_word(ctx):
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
    if is_shared_memory(ctx, lock):
        return try_shared_rwlock(ctx, lock, TRIED)
    if try_read_lock(ctx, lock, TRIED):
        return OK
    return EBUSY


@kernel("i32(ctx,u64)")
def i_rwlock_trywrlock(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_trywrlock."""
    if wants_switch(ctx):
        return OK
    sync_point(ctx)
    if is_shared_memory(ctx, lock):
        return try_shared_rwlock(ctx, lock, WRITE | TRIED)
    if try_write_lock(ctx, lock, WRITE | TRIED):
        return OK
    return EBUSY


@kernel("i32(ctx,u64)")
def i_rwlock_unlock(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_unlock, by the writer or by one reader."""
    if before_unlock(ctx, lock):
        return OK
    if is_shared_memory(ctx, lock):
        return unlock_shared_rwlock(ctx, lock)
    if load_u32(lock + U64_4) != U32_0:
        sync_release_store(ctx, lock)
        store_u32(lock + U64_4, U32_0)
    elif load_u32(lock) != U32_0:
        sync_release(ctx, lock + U64_8)
        store_u32(lock, load_u32(lock) - U32_1)
    after_unlock(ctx, lock)
    if load_u32(lock) == U32_0:
        wake_waiters(ctx, W_LOCK, lock, U64_ALL)
    release_point(ctx)
    return OK


@kernel("i32(ctx,u64,u64)")
def i_rwlock_init(ctx: Any, lock: Any, attributes: Any) -> Any:
    """pthread_rwlock_init; attributes (preference, sharing) change nothing here."""
    if is_shared_memory(ctx, lock):
        after_create(ctx, lock)
        return init_shared_rwlock(lock, attributes)
    for offset in range(0, 56, 8):
        store_u64(lock + np.uint64(offset), U64_0)
    after_create(ctx, lock)
    return OK


@kernel("i32(ctx,u64)")
def i_rwlock_destroy(ctx: Any, lock: Any) -> Any:
    """pthread_rwlock_destroy: EBUSY while held."""
    if before_destroy(ctx, lock):
        return OK
    if is_shared_memory(ctx, lock):
        after_destroy(ctx, lock)
        return destroy_shared_rwlock(lock)
    if load_u32(lock) != U32_0 or load_u32(lock + U64_4) != U32_0:
        return EBUSY
    after_destroy(ctx, lock)
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
)
