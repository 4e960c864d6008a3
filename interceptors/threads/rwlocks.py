"""Reader-writer locks; state in the guest's own object.

Clocks: a writer's unlock publishes on the lock's address, a reader's on address + 8, so that
readers are not ordered among themselves.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EBUSY, EDEADLK, EINVAL, ETIMEDOUT, OK
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.shared_mutexes import (
    destroy_shared_rwlock,
    init_shared_rwlock,
    lock_shared_rwlock,
    try_shared_rwlock,
    unlock_shared_rwlock,
)
from irsan.runtime.kernels.combined.object_uses import RWLOCK_BYTES, is_time_bad, is_use_bad
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
from irsan.runtime.kernels.memory import store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release, sync_release_store
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.event_points import release_is_left, wants_switch
from irsan.runtime.kernels.threads.pthread_types import RwLock, rwlock_at
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    sync_point,
    take_resuming,
    wake_waiters,
)
from irsan.runtime.kernels.threads.shared_memory import is_shared_memory
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME, deadline_to_wake_ns
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.thread_states import WAIT_READ_LOCK, WAIT_TIMED_OUT
from irsan.runtime.records.race.lock_records import MODE_TRIED, MODE_WRITE

ALL = 1 << 32
W_LOCK = WAIT_READ_LOCK
TIMED_OUT = WAIT_TIMED_OUT
CLOCK_REALTIME = libc.constant("CLOCK_REALTIME")
READ = 0
WRITE = MODE_WRITE
TRIED = MODE_TRIED


@kernel
def try_read_lock(ctx: Context, lock: RwLock, mode: u64) -> bool:
    """Become a reader unless a writer holds the lock."""
    if lock.writer != 0:
        return False
    lock.n_readers = u32(lock.n_readers + 1)
    touch_lock(ctx, addr_of(lock))
    sync_acquire(ctx, addr_of(lock))
    after_lock(ctx, addr_of(lock), mode)
    return True


@kernel
def try_write_lock(ctx: Context, lock: RwLock, mode: u64) -> bool:
    """Become the writer if no thread holds the lock."""
    if lock.writer != 0 or lock.n_readers != 0:
        return False
    lock.writer = own_word(ctx)
    touch_lock(ctx, addr_of(lock))
    sync_acquire(ctx, addr_of(lock))
    sync_acquire(ctx, addr_of(lock) + 8)
    after_lock(ctx, addr_of(lock), mode)
    return True


@kernel
def lock_shared_until(ctx: Context, lock: RwLock, wake_ns: u64, is_write: bool) -> i32:
    """Take a reader-writer lock, blocking until wake_ns (0: for ever)."""
    ended = take_resuming(ctx)
    mode = u64(WRITE) if is_write else u64(READ)
    if wake_ns != 0:
        mode |= TRIED
    if ended == 0:
        if wants_switch(ctx, addr_of(lock), 0) or is_use_bad(ctx, addr_of(lock), RWLOCK_BYTES):
            return OK
        if before_lock(ctx, addr_of(lock), mode, False):
            return OK
    if is_shared_memory(ctx, addr_of(lock)):
        return lock_shared_rwlock(ctx, lock, mode, ended, wake_ns)
    sync_point(ctx)
    taken = try_write_lock(ctx, lock, mode) if is_write else try_read_lock(ctx, lock, mode)
    if taken:
        return OK
    if ended == W_LOCK and thread_at(ctx.thread).wait.status == TIMED_OUT:
        return ETIMEDOUT
    if lock.writer == own_word(ctx):
        return EDEADLK
    if wake_ns == NO_TIME:
        return EINVAL
    block_current(ctx, W_LOCK, addr_of(lock), wake_ns)
    return OK


@kernel
def i_rwlock_rdlock(ctx: Context, lock: u64) -> i32:
    """pthread_rwlock_rdlock."""
    return lock_shared_until(ctx, rwlock_at(lock), 0, False)


@kernel
def i_rwlock_wrlock(ctx: Context, lock: u64) -> i32:
    """pthread_rwlock_wrlock."""
    return lock_shared_until(ctx, rwlock_at(lock), 0, True)


@kernel
def i_rwlock_timedrdlock(ctx: Context, lock: u64, deadline: u64) -> i32:
    """pthread_rwlock_timedrdlock."""
    if is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME)
    return lock_shared_until(ctx, rwlock_at(lock), wake_ns, False)


@kernel
def i_rwlock_timedwrlock(ctx: Context, lock: u64, deadline: u64) -> i32:
    """pthread_rwlock_timedwrlock."""
    if is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME)
    return lock_shared_until(ctx, rwlock_at(lock), wake_ns, True)


@kernel
def i_rwlock_clockrdlock(ctx: Context, lock: u64, clock_id: i32, deadline: u64) -> i32:
    """pthread_rwlock_clockrdlock."""
    if is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, u64(clock_id))
    return lock_shared_until(ctx, rwlock_at(lock), wake_ns, False)


@kernel
def i_rwlock_clockwrlock(ctx: Context, lock: u64, clock_id: i32, deadline: u64) -> i32:
    """pthread_rwlock_clockwrlock."""
    if is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, u64(clock_id))
    return lock_shared_until(ctx, rwlock_at(lock), wake_ns, True)


@kernel
def i_rwlock_tryrdlock(ctx: Context, addr: u64) -> i32:
    """pthread_rwlock_tryrdlock."""
    lock = rwlock_at(addr)
    if wants_switch(ctx, addr, 0) or is_use_bad(ctx, addr, RWLOCK_BYTES):
        return OK
    sync_point(ctx)
    if is_shared_memory(ctx, addr):
        return try_shared_rwlock(ctx, lock, TRIED)
    if try_read_lock(ctx, lock, TRIED):
        return OK
    return EBUSY


@kernel
def i_rwlock_trywrlock(ctx: Context, addr: u64) -> i32:
    """pthread_rwlock_trywrlock."""
    lock = rwlock_at(addr)
    if wants_switch(ctx, addr, 0) or is_use_bad(ctx, addr, RWLOCK_BYTES):
        return OK
    sync_point(ctx)
    if is_shared_memory(ctx, addr):
        return try_shared_rwlock(ctx, lock, u64(WRITE) | TRIED)
    if try_write_lock(ctx, lock, u64(WRITE) | TRIED):
        return OK
    return EBUSY


@kernel
def i_rwlock_unlock(ctx: Context, addr: u64) -> i32:
    """pthread_rwlock_unlock, by the writer or by one reader."""
    lock = rwlock_at(addr)
    if release_is_left(ctx, addr) or is_use_bad(ctx, addr, RWLOCK_BYTES):
        return OK
    if before_unlock(ctx, addr):
        return OK
    if is_shared_memory(ctx, addr):
        return unlock_shared_rwlock(ctx, lock)
    if lock.writer != 0:
        sync_release_store(ctx, addr)
        lock.writer = 0
    elif lock.n_readers != 0:
        sync_release(ctx, addr + 8)
        lock.n_readers = u32(lock.n_readers - 1)
    after_unlock(ctx, addr)
    if lock.n_readers == 0:
        wake_waiters(ctx, W_LOCK, addr, ALL)
    release_point(ctx)
    return OK


@kernel
def i_rwlock_init(ctx: Context, lock: u64, attributes: u64) -> i32:
    """pthread_rwlock_init; attributes (preference, sharing) change nothing here."""
    if is_use_bad(ctx, lock, RWLOCK_BYTES):
        return OK
    if is_shared_memory(ctx, lock):
        after_create(ctx, lock)
        return init_shared_rwlock(rwlock_at(lock), attributes)
    for offset in range(0, 56, 8):
        store_u64(lock + u64(offset), 0)
    after_create(ctx, lock)
    return OK


@kernel
def i_rwlock_destroy(ctx: Context, addr: u64) -> i32:
    """pthread_rwlock_destroy: EBUSY while held."""
    lock = rwlock_at(addr)
    if is_use_bad(ctx, addr, RWLOCK_BYTES) or before_destroy(ctx, addr):
        return OK
    if is_shared_memory(ctx, addr):
        after_destroy(ctx, addr)
        return destroy_shared_rwlock(lock)
    if lock.n_readers != 0 or lock.writer != 0:
        return EBUSY
    after_destroy(ctx, addr)
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
