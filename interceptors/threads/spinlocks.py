"""pthread spinlocks: one word of the guest, 0 or the owner (tid + 1); clocks beside it.

A spinlock that is taken blocks the green thread, as a mutex does: no thread spins.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EBUSY, OK
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.mutexes import WRITE, WRITE_TRIED
from irsan.interceptors.threads.shared_objects import (
    init_shared_spin,
    release_shared_spin,
    take_shared_spin,
)
from irsan.runtime.kernels.combined.object_uses import SPIN_BYTES, is_use_bad
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
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release_store
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.threads.event_points import release_is_left, wants_switch
from irsan.runtime.kernels.threads.pthread_types import Spinlock, spinlock_at
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    sync_point,
    take_resuming,
    wake_waiters,
)
from irsan.runtime.kernels.threads.shared_memory import block_shared, is_shared_memory
from irsan.runtime.layout.thread_states import WAIT_SPIN

W_SPIN = WAIT_SPIN


@kernel
def i_spin_init(ctx: Context, addr: u64, shared: i32) -> i32:
    """pthread_spin_init; `shared` has no meaning outside shared memory."""
    lock = spinlock_at(addr)
    if is_use_bad(ctx, addr, SPIN_BYTES):
        return OK
    after_create(ctx, addr)
    if is_shared_memory(ctx, addr):
        return init_shared_spin(lock, shared)
    lock.owner = 0
    return OK


@kernel
def take_spin(ctx: Context, lock: Spinlock) -> bool:
    """Take a spinlock unless it is taken."""
    if is_shared_memory(ctx, addr_of(lock)):
        return take_shared_spin(ctx, lock)
    if lock.owner != 0:
        return False
    lock.owner = own_word(ctx)
    return True


@kernel
def i_spin_lock(ctx: Context, lock: u64) -> i32:
    """pthread_spin_lock: blocks the green thread instead of spinning."""
    ended = take_resuming(ctx)
    if ended == 0:
        if wants_switch(ctx, lock, lock) or is_use_bad(ctx, lock, SPIN_BYTES):
            return OK
        if before_lock(ctx, lock, WRITE, False):
            return OK
    sync_point(ctx)
    if not take_spin(ctx, spinlock_at(lock)):
        if is_shared_memory(ctx, lock):
            block_shared(ctx, W_SPIN, lock, 0)
        else:
            block_current(ctx, W_SPIN, lock, 0)
        return OK
    touch_lock(ctx, lock)
    sync_acquire(ctx, lock)
    after_lock(ctx, lock, WRITE)
    return OK


@kernel
def i_spin_trylock(ctx: Context, lock: u64) -> i32:
    """pthread_spin_trylock."""
    if wants_switch(ctx, lock, 0) or is_use_bad(ctx, lock, SPIN_BYTES):
        return OK
    sync_point(ctx)
    if not take_spin(ctx, spinlock_at(lock)):
        return EBUSY
    touch_lock(ctx, lock)
    sync_acquire(ctx, lock)
    after_lock(ctx, lock, WRITE_TRIED)
    return OK


@kernel
def i_spin_unlock(ctx: Context, addr: u64) -> i32:
    """pthread_spin_unlock."""
    lock = spinlock_at(addr)
    if release_is_left(ctx, addr) or is_use_bad(ctx, addr, SPIN_BYTES):
        return OK
    if before_unlock(ctx, addr):
        return OK
    sync_release_store(ctx, addr)
    after_unlock(ctx, addr)
    if is_shared_memory(ctx, addr):
        release_shared_spin(ctx, lock)
    else:
        lock.owner = 0
        wake_waiters(ctx, W_SPIN, addr, 1)
    release_point(ctx)
    return OK


@kernel
def i_spin_destroy(ctx: Context, lock: u64) -> i32:
    """pthread_spin_destroy."""
    if is_use_bad(ctx, lock, SPIN_BYTES) or before_destroy(ctx, lock):
        return OK
    if spinlock_at(lock).owner != 0 and not is_shared_memory(ctx, lock):
        return EBUSY
    after_destroy(ctx, lock)
    return OK


EXPORTS = (
    Export("i32 pthread_spin_init(ptr,i32)", kernel="i_spin_init"),
    Export("i32 pthread_spin_lock(ptr)", kernel="i_spin_lock"),
    Export("i32 pthread_spin_trylock(ptr)", kernel="i_spin_trylock"),
    Export("i32 pthread_spin_unlock(ptr)", kernel="i_spin_unlock"),
    Export("i32 pthread_spin_destroy(ptr)", kernel="i_spin_destroy"),
)
