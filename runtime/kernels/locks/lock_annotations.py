"""Locks that the program has written itself and announces: the rules of lock_rules.

    annotated_create     the lock exists, with flags     annotated_destroy  it is gone
    annotated_intent     it is wanted: order of locks
    annotated_taken      it was got: double lock, read lock of a write-locked one; clock, mutex set
    annotated_release    it is given up: bad unlock; clock, mutex set

What the lock's own code does is not known, so a lock is judged when it was acquired, not before:
one that two threads have at once, or that is read-locked during a write, has no exclusion.
A lock may be taken many times by one thread, and all of them given up at once (monitors wait so).

As in lock_rules, a call that has left a fault returns True (or NOTHING_DONE) and is made again; so
every function here reports first and changes later.

Source: tsan_interface.h (flags, recursion); ThreadSanitizer's mutex functions (tsan_rtl_mutex.cpp).
Deviation: a lock created anew while it is held stays held, as a lock without a constructor does.
May miss: read unlocks by a thread that does not hold the lock, as the original.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_rules import (
    after_create,
    after_destroy,
    after_lock,
    after_unlock,
    before_destroy,
    before_lock,
    is_held_by_somebody,
    own_word,
    tell_bad_unlock,
    tell_misuse,
    touch_lock,
)
from irsan.runtime.kernels.locks.lock_table import (
    find_held,
    find_lock,
    get_lock,
    held_at,
    lock_numbered,
)
from irsan.runtime.kernels.race.sync_clocks import (
    sync_acquire,
    sync_acquire_all,
    sync_release_read,
    sync_release_store,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.scheduler import sync_point
from irsan.runtime.records.race.lock_records import (
    BAD_READ_LOCK,
    BAD_READ_UNLOCK,
    DOUBLE_LOCK,
    IS_STATIC,
    MODE_WRITE,
    NOT_STATIC,
)

# what the program passes, tsan_interface.h
LINKER_INIT = 1 << 0
MUST_NOT_OUTLIVE = 1 << 8

NOTHING_DONE = -1

W_BAD_READ_LOCK = BAD_READ_LOCK
W_BAD_READ_UNLOCK = BAD_READ_UNLOCK
W_DOUBLE_LOCK = DOUBLE_LOCK


@kernel
def note_flags(number: u64, flags: u32) -> None:
    """Keep what the flags of a call say of a lock's life."""
    lock = lock_numbered(number)
    word = lock.flags
    if flags & LINKER_INIT != 0:
        word = u32(word | IS_STATIC)
    if flags & MUST_NOT_OUTLIVE != 0:
        word = u32(word | NOT_STATIC)
    lock.flags = word


@kernel
def annotated_create(ctx: Context, addr: u64, flags: u32) -> None:
    """A lock is made at `addr`."""
    if ctx.sanitize_thread == 0:
        return
    number = find_lock(addr)
    is_in_use = number != 0 and is_held_by_somebody(number)
    if not is_in_use and flags & LINKER_INIT == 0:
        after_create(ctx, addr)
    note_flags(get_lock(ctx, addr), flags)


@kernel
def annotated_destroy(ctx: Context, addr: u64, flags: u32) -> bool:
    """A lock is destroyed, unless it lives as long as the program.  True = call again."""
    number = find_lock(addr)
    if ctx.sanitize_thread == 0 or number == 0 or flags & LINKER_INIT != 0:
        return False
    known = lock_numbered(number).flags
    is_optional = flags & MUST_NOT_OUTLIVE != 0 and known & NOT_STATIC == 0
    if known & IS_STATIC != 0 or is_optional:
        return False
    if before_destroy(ctx, addr):
        return True
    after_destroy(ctx, addr)
    return False


@kernel
def annotated_intent(ctx: Context, addr: u64, mode: u64) -> bool:
    """The running thread will wait for a lock; mode as in lock_records.  True = call again."""
    return before_lock(ctx, addr, mode, True)


@kernel
def is_taken_wrongly(ctx: Context, addr: u64, mode: u64) -> bool:
    """Whether a fault was left: the lock that was just got is write-locked already."""
    number = find_lock(addr)
    if ctx.sanitize_thread == 0 or number == 0:
        return False
    lock = lock_numbered(number)
    owner = lock.owner
    if owner == 0:
        return False
    stack = u64(lock.newest_stack)
    if mode & MODE_WRITE == 0:
        return tell_misuse(ctx, addr, W_BAD_READ_LOCK, stack)
    return owner != own_word(ctx) and tell_misuse(ctx, addr, W_DOUBLE_LOCK, stack)


@kernel
def annotated_taken(ctx: Context, addr: u64, mode: u64, flags: u32, n_levels: i32) -> None:
    """The running thread has got a lock, `n_levels` times at once (at least 1)."""
    if ctx.sanitize_thread == 0:
        return
    number = get_lock(ctx, addr)
    note_flags(number, flags)
    thread = thread_at(ctx.thread)
    lock = lock_numbered(number)
    is_upgraded = find_held(thread, number) != 0 and lock.owner == 0
    touch_lock(ctx, addr)
    if mode & MODE_WRITE == 0:
        sync_acquire(ctx, addr)
    else:
        sync_acquire_all(ctx, addr)
        if is_upgraded:
            lock.owner = own_word(ctx)
    after_lock(ctx, addr, mode)
    held = find_held(thread, number)
    if n_levels > 1 and held != 0:
        held_at(held).depth = u32(held_at(held).depth + u32(n_levels - 1))
    sync_point(ctx)


@kernel
def release_unheld(ctx: Context, addr: u64, may_be_mine: bool) -> i32:
    """A lock that is not noted as held is given up: it may be one beyond the limits."""
    if not may_be_mine:
        return 0
    sync_release_store(ctx, addr)
    after_unlock(ctx, addr)
    sync_point(ctx)
    return 1


@kernel
def annotated_release(ctx: Context, addr: u64, is_entire: bool) -> i32:
    """The running thread gives up a write lock once, or entirely: how many levels it gave up.

    NOTHING_DONE = a fault was left, call again.
    """
    if ctx.sanitize_thread == 0:
        return 0
    number = find_lock(addr)
    is_mine = number != 0 and lock_numbered(number).owner == own_word(ctx)
    if not is_mine and tell_bad_unlock(ctx, addr, number):
        return NOTHING_DONE
    held = find_held(thread_at(ctx.thread), number) if is_mine else u64(0)
    if held == 0:
        return release_unheld(ctx, addr, is_mine or number == 0)
    depth = held_at(held).depth
    n_levels = depth if is_entire else u32(1)
    is_upgraded = held_at(held).mode & MODE_WRITE == 0
    if n_levels == depth or is_upgraded:
        sync_release_store(ctx, addr)
    if is_upgraded:
        lock_numbered(number).owner = u32(0)
        n_levels = u32(min(n_levels, depth - 1))
    held_at(held).depth = u32(depth - n_levels + 1)
    after_unlock(ctx, addr)
    sync_point(ctx)
    return i32(n_levels)


@kernel
def annotated_read_release(ctx: Context, addr: u64) -> bool:
    """The running thread gives up a read lock.  True = call again."""
    if ctx.sanitize_thread == 0:
        return False
    number = find_lock(addr)
    is_written = number != 0 and lock_numbered(number).owner != 0
    if is_written and tell_misuse(ctx, addr, W_BAD_READ_UNLOCK, 0):
        return True
    sync_release_read(ctx, addr)
    if not is_written:
        after_unlock(ctx, addr)
    sync_point(ctx)
    return False
