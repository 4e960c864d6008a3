"""Locks that the program has written itself and tells about: the rules of kernels/race/lock_rules.

    annotated_create     the lock exists, with flags     annotated_destroy  it is gone
    annotated_intent     it is wanted: order of locks
    annotated_taken      it was got: double lock, read lock of a write-locked one; clock, mutex set
    annotated_release    it is given up: bad unlock; clock, mutex set

Nobody knows what the lock's own code does, so a lock is judged when it was got, not before: a lock
that two threads have at once, or that is read-locked while somebody writes, has no exclusion.
A lock may be taken many times by one thread, and all of them given up at once (monitors wait so).

As in lock_rules, a call that has left a fault returns True (or NOTHING_DONE) and is made again; so
every function here tells first and changes later.

Source: tsan_interface.h (flags, recursion); ThreadSanitizer's mutex functions (notes 8.6).
Deviation: a lock created anew while it is held stays held, as a lock without a constructor does.
May miss: read unlocks by a thread that does not hold the lock, as the original.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
    U64_8,
    U64_12,
    find_held,
    find_lock,
    get_lock,
    lock_record,
)
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.sync_clocks import (
    sync_acquire,
    sync_acquire_all,
    sync_release_read,
    sync_release_store,
)
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.scheduler import sync_point
from irsan.runtime.records.lock_records import (
    BAD_READ_LOCK,
    BAD_READ_UNLOCK,
    DOUBLE_LOCK,
    FLAGS,
    IS_STATIC,
    MODE_WRITE,
    NEWEST_STACK,
    NOT_STATIC,
    OWNER,
)

# what the program passes, tsan_interface.h
LINKER_INIT = np.uint32(1 << 0)
MUST_NOT_OUTLIVE = np.uint32(1 << 8)

NOTHING_DONE = np.int32(-1)

I32_0 = np.int32(0)
I32_1 = np.int32(1)
U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U32_IS_STATIC = np.uint32(IS_STATIC)
U32_NOT_STATIC = np.uint32(NOT_STATIC)
U32_WRITE = np.uint32(MODE_WRITE)
U64_0 = np.uint64(0)
U64_FLAGS = np.uint64(FLAGS)
U64_OWNER = np.uint64(OWNER)
U64_NEWEST_STACK = np.uint64(NEWEST_STACK)
U64_WRITE = np.uint64(MODE_WRITE)
W_BAD_READ_LOCK = np.uint64(BAD_READ_LOCK)
W_BAD_READ_UNLOCK = np.uint64(BAD_READ_UNLOCK)
W_DOUBLE_LOCK = np.uint64(DOUBLE_LOCK)


@kernel("void(u64,u32)")
def note_flags(number: Any, flags: Any) -> None:
    """Keep what the flags of a call say of a lock's life."""
    place = lock_record(number) + U64_FLAGS
    word = load_u32(place)
    if flags & LINKER_INIT != U32_0:
        word |= U32_IS_STATIC
    if flags & MUST_NOT_OUTLIVE != U32_0:
        word |= U32_NOT_STATIC
    store_u32(place, word)


@kernel("void(ctx,u64,u32)")
def annotated_create(ctx: Any, addr: Any, flags: Any) -> None:
    """A lock is made at `addr`."""
    if ctx.sanitize_thread == U64_0:
        return
    number = find_lock(addr)
    is_in_use = number != U64_0 and is_held_by_somebody(number)
    if not is_in_use and flags & LINKER_INIT == U32_0:
        after_create(ctx, addr)
    note_flags(get_lock(ctx, addr), flags)


@kernel("b1(ctx,u64,u32)")
def annotated_destroy(ctx: Any, addr: Any, flags: Any) -> Any:
    """A lock is destroyed, unless it lives as long as the program.  True = call again."""
    number = find_lock(addr)
    if ctx.sanitize_thread == U64_0 or number == U64_0 or flags & LINKER_INIT != U32_0:
        return False
    known = load_u32(lock_record(number) + U64_FLAGS)
    is_optional = flags & MUST_NOT_OUTLIVE != U32_0 and known & U32_NOT_STATIC == U32_0
    if known & U32_IS_STATIC != U32_0 or is_optional:
        return False
    if before_destroy(ctx, addr):
        return True
    after_destroy(ctx, addr)
    return False


@kernel("b1(ctx,u64,u64)")
def annotated_intent(ctx: Any, addr: Any, mode: Any) -> Any:
    """The running thread will wait for a lock; mode as in lock_records.  True = call again."""
    return before_lock(ctx, addr, mode, True)


@kernel("b1(ctx,u64,u64)")
def is_taken_wrongly(ctx: Any, addr: Any, mode: Any) -> Any:
    """Whether a fault was left: the lock that was just got is write-locked already."""
    number = find_lock(addr)
    if ctx.sanitize_thread == U64_0 or number == U64_0:
        return False
    record = lock_record(number)
    owner = load_u32(record + U64_OWNER)
    if owner == U32_0:
        return False
    stack = np.uint64(load_u32(record + U64_NEWEST_STACK))
    if mode & U64_WRITE == U64_0:
        return tell_misuse(ctx, addr, W_BAD_READ_LOCK, stack)
    return owner != own_word(ctx) and tell_misuse(ctx, addr, W_DOUBLE_LOCK, stack)


@kernel("void(ctx,u64,u64,u32,i32)")
def annotated_taken(ctx: Any, addr: Any, mode: Any, flags: Any, n_levels: Any) -> None:
    """The running thread has got a lock, `n_levels` times at once (at least 1)."""
    if ctx.sanitize_thread == U64_0:
        return
    number = get_lock(ctx, addr)
    note_flags(number, flags)
    thread = thread_at(ctx.thread)
    record = lock_record(number)
    is_upgraded = find_held(thread, number) != U64_0 and load_u32(record + U64_OWNER) == U32_0
    touch_lock(ctx, addr)
    if mode & U64_WRITE == U64_0:
        sync_acquire(ctx, addr)
    else:
        sync_acquire_all(ctx, addr)
        if is_upgraded:
            store_u32(record + U64_OWNER, own_word(ctx))
    after_lock(ctx, addr, mode)
    held = find_held(thread, number)
    if n_levels > I32_1 and held != U64_0:
        store_u32(held + U64_12, load_u32(held + U64_12) + np.uint32(n_levels - I32_1))
    sync_point(ctx)


@kernel("i32(ctx,u64,b1)")
def release_unheld(ctx: Any, addr: Any, may_be_mine: Any) -> Any:
    """A lock that is not noted as held is given up: it may be one beyond the limits."""
    if not may_be_mine:
        return I32_0
    sync_release_store(ctx, addr)
    after_unlock(ctx, addr)
    sync_point(ctx)
    return I32_1


@kernel("i32(ctx,u64,b1)")
def annotated_release(ctx: Any, addr: Any, is_entire: Any) -> Any:
    """The running thread gives up a write lock once, or entirely: how many levels it gave up.

    NOTHING_DONE = a fault was left, call again.
    """
    if ctx.sanitize_thread == U64_0:
        return I32_0
    number = find_lock(addr)
    is_mine = number != U64_0 and load_u32(lock_record(number) + U64_OWNER) == own_word(ctx)
    if not is_mine and tell_bad_unlock(ctx, addr, number):
        return NOTHING_DONE
    held = find_held(thread_at(ctx.thread), number) if is_mine else U64_0
    if held == U64_0:
        return release_unheld(ctx, addr, is_mine or number == U64_0)
    depth = load_u32(held + U64_12)
    n_levels = depth if is_entire else U32_1
    is_upgraded = load_u32(held + U64_8) & U32_WRITE == U32_0
    if n_levels == depth or is_upgraded:
        sync_release_store(ctx, addr)
    if is_upgraded:
        store_u32(lock_record(number) + U64_OWNER, U32_0)
        n_levels = min(n_levels, depth - U32_1)
    store_u32(held + U64_12, depth - n_levels + U32_1)
    after_unlock(ctx, addr)
    sync_point(ctx)
    return np.int32(n_levels)


@kernel("b1(ctx,u64)")
def annotated_read_release(ctx: Any, addr: Any) -> Any:
    """The running thread gives up a read lock.  True = call again."""
    if ctx.sanitize_thread == U64_0:
        return False
    number = find_lock(addr)
    is_written = number != U64_0 and load_u32(lock_record(number) + U64_OWNER) != U32_0
    if is_written and tell_misuse(ctx, addr, W_BAD_READ_UNLOCK, U64_0):
        return True
    sync_release_read(ctx, addr)
    if not is_written:
        after_unlock(ctx, addr)
    sync_point(ctx)
    return False
