"""What may be done with a lock: the rules that mutexes, reader-writer locks and annotations share.

    before_lock    double lock; lock order          before_unlock   unlock by who does not hold it
    after_lock     who holds it, since where        after_unlock    it is free, or held once less
    before_destroy destroy of a locked mutex        after_destroy   the address has no past

A `before_*` answers True when it has left a fault: the caller returns at once, the host tells the
user, and the call is made again, as if for the first time (event_result 1).  A lock that was told
about is BROKEN and never told about again, so the second call goes on: as natively, a thread that
locks its own mutex once more then waits for ever.

Every lock and unlock is also an atomic read of the lock's first byte, a creation or destruction a
plain write: so a race on the life of a lock is a data race like any other.

Source: the rules of ThreadSanitizer's mutex functions (notes 8.6), kinds of misuse included.
Deviations: a double lock is told when a thread locks again what it holds itself; locks of other
threads are known by who holds them, not by the result of the native call.
May miss: the misuse of a lock whose record was lost in a flush of the race history (race_threads).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.callstack import recent_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_order import note_order
from irsan.runtime.kernels.locks.lock_table import (
    U64_12,
    drop_held,
    find_held,
    find_lock,
    get_lock,
    lock_record,
    push_held,
)
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.clocks.race_words import N_FLUSHES
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.race.thread_clocks import IGNORE_SYNC
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout import options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records import trace_records
from irsan.runtime.records.lock_records import (
    BAD_READ_LOCK,
    BAD_UNLOCK,
    BROKEN,
    DESTROY_LOCKED,
    DESTROYED,
    DOUBLE_LOCK,
    FLAGS,
    MODE_TRIED,
    MODE_WRITE,
    NEWEST_STACK,
    OWNER,
    READERS,
)

OP_LOCKED = np.uint64(trace_records.LOCKED)
OP_UNLOCKED = np.uint64(trace_records.UNLOCKED)
DETECT_DEADLOCKS = options.DETECT_DEADLOCKS

U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U32_BROKEN = np.uint32(BROKEN)
U32_DESTROYED = np.uint32(DESTROYED)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_ATOMIC_READ = np.uint64(2)
U64_PLAIN_WRITE = np.uint64(1)
U64_OWNER = np.uint64(OWNER)
U64_READERS = np.uint64(READERS)
U64_FLAGS = np.uint64(FLAGS)
U64_NEWEST_STACK = np.uint64(NEWEST_STACK)
U64_WRITE = np.uint64(MODE_WRITE)
U64_TRIED = np.uint64(MODE_TRIED)
W_DESTROY_LOCKED = np.uint64(DESTROY_LOCKED)
W_DOUBLE_LOCK = np.uint64(DOUBLE_LOCK)
W_BAD_UNLOCK = np.uint64(BAD_UNLOCK)
W_BAD_READ_LOCK = np.uint64(BAD_READ_LOCK)
MUTEX_MISUSE = np.uint64(FaultKind.MUTEX_MISUSE)


@kernel("u32(ctx)")
def own_word(ctx: Any) -> Any:
    """What an owner field holds when the running thread owns the lock: tid + 1."""
    return np.uint32(thread_at(ctx.thread).tid + U64_1)


@kernel("b1(ctx,u64,u64,u64)", outlined=True)
def tell_misuse(ctx: Any, addr: Any, which: Any, other_stack: Any) -> Any:
    """Leave the fault MUTEX_MISUSE, once for each lock; whether it was left now."""
    if ctx.sanitize_thread == U64_0:
        return False
    number = get_lock(ctx, addr)
    flags = lock_record(number) + U64_FLAGS
    if number == U64_0 or load_u32(flags) & U32_BROKEN != U32_0:
        return False
    store_u32(flags, load_u32(flags) | U32_BROKEN)
    report_fault(ctx, MUTEX_MISUSE, addr, U64_0, U64_0)
    ctx.fault[6] = which
    ctx.fault[7] = other_stack
    ctx.fault[8] = number
    return True


@kernel("b1(ctx,u64,u64,b1)", outlined=True)
def before_lock(ctx: Any, addr: Any, mode: Any, is_reentrant: Any) -> Any:
    """The running thread wants a lock; mode as in lock_records.  True = return and call again."""
    if ctx.sanitize_thread == U64_0 or mode & U64_TRIED != U64_0:
        return False
    thread = thread_at(ctx.thread)
    if thread.n_held == U64_0:
        return False
    number = get_lock(ctx, addr)
    if number == U64_0:
        return False
    record = lock_record(number)
    if load_u32(record + U64_OWNER) == own_word(ctx):
        if is_reentrant:
            return False
        which = W_DOUBLE_LOCK if mode & U64_WRITE != U64_0 else W_BAD_READ_LOCK
        return tell_misuse(ctx, addr, which, np.uint64(load_u32(record + U64_NEWEST_STACK)))
    if ctx.options[DETECT_DEADLOCKS] == U64_0 or find_held(thread, number) != U64_0:
        return False
    note_order(ctx, number, recent_stack_id(ctx), mode)
    return ctx.action != actions.NONE


@kernel("void(ctx,u64)", outlined=True)
def touch_lock(ctx: Any, addr: Any) -> None:
    """A lock is free and about to be taken.

    It is read before anything is learned from its clock: whoever made it must have said so.
    """
    if ctx.sanitize_thread != U64_0:
        race_access_slow(ctx, addr, U64_1, U64_ATOMIC_READ)


@kernel("void(ctx,u64,u64)", outlined=True)
def after_lock(ctx: Any, addr: Any, mode: Any) -> None:
    """The running thread has got a lock (its clock is joined already)."""
    if ctx.sanitize_thread == U64_0:
        return
    number = get_lock(ctx, addr)
    if number == U64_0:
        return
    record = lock_record(number)
    held = find_held(thread_at(ctx.thread), number)
    if held != U64_0:
        store_u32(held + U64_12, load_u32(held + U64_12) + U32_1)
        return
    if mode & U64_WRITE != U64_0:
        store_u32(record + U64_OWNER, own_word(ctx))
    else:
        store_u32(record + U64_READERS, load_u32(record + U64_READERS) + U32_1)
    stack = recent_stack_id(ctx)
    store_u32(record + U64_NEWEST_STACK, stack)
    push_held(ctx, number, stack, mode)
    if thread_at(ctx.thread).spare[IGNORE_SYNC] == U64_0:
        note(ctx, OP_LOCKED, addr, mode)


@kernel("b1(u64)")
def is_held_by_somebody(number: Any) -> Any:
    """Whether any thread holds a lock."""
    record = lock_record(number)
    return load_u32(record + U64_OWNER) != U32_0 or load_u32(record + U64_READERS) != U32_0


@kernel("b1(ctx,u64,u64)")
def tell_bad_unlock(ctx: Any, addr: Any, number: Any) -> Any:
    """Tell that a lock is given up by who does not hold it; number 0: no such lock is known.

    A flush of the race history forgets locks, so an unknown one says nothing after that.
    """
    if number == U64_0 and ctx.race[N_FLUSHES] != U64_0:
        return False
    return tell_misuse(ctx, addr, W_BAD_UNLOCK, U64_0)


@kernel("b1(ctx,u64)", outlined=True)
def before_unlock(ctx: Any, addr: Any) -> Any:
    """The running thread gives a lock up.  True = return and call again."""
    if ctx.sanitize_thread == U64_0:
        return False
    number = find_lock(addr)
    if number != U64_0 and find_held(thread_at(ctx.thread), number) != U64_0:
        return False
    return tell_bad_unlock(ctx, addr, number)


@kernel("u64(ctx,u32)")
def owner_to_thread(ctx: Any, owner: Any) -> Any:
    """Address of the thread that an owner word names; 0 when it is gone."""
    for slot in range(ctx.n_threads):
        addr = slot_to_thread(np.uint64(slot))
        if np.uint32(thread_at(addr).tid + U64_1) == owner:
            return addr
    return U64_0


@kernel("void(ctx,u64)", outlined=True)
def after_unlock(ctx: Any, addr: Any) -> None:
    """A lock was given up once; by the wrong thread, it is taken from its owner."""
    if ctx.sanitize_thread == U64_0:
        return
    number = find_lock(addr)
    if number == U64_0:
        return
    record = lock_record(number)
    owner = load_u32(record + U64_OWNER)
    holder = ctx.thread
    held = find_held(thread_at(holder), number)
    if held == U64_0:
        holder = owner_to_thread(ctx, owner)
        if owner == U32_0 or holder == U64_0:
            return
    elif load_u32(held + U64_12) != U32_1:
        store_u32(held + U64_12, load_u32(held + U64_12) - U32_1)
        return
    drop_held(ctx, holder, number)
    if owner != U32_0:
        note(ctx, OP_UNLOCKED, addr, np.uint64(owner) - U64_1)
        store_u32(record + U64_OWNER, U32_0)
    else:
        store_u32(record + U64_READERS, load_u32(record + U64_READERS) - U32_1)


@kernel("b1(ctx,u64)")
def before_destroy(ctx: Any, addr: Any) -> Any:
    """A lock is destroyed.  True = return and call again."""
    number = find_lock(addr)
    if ctx.sanitize_thread == U64_0 or number == U64_0 or not is_held_by_somebody(number):
        return False
    stack = np.uint64(load_u32(lock_record(number) + U64_NEWEST_STACK))
    return tell_misuse(ctx, addr, W_DESTROY_LOCKED, stack)


@kernel("void(ctx,u64)")
def after_destroy(ctx: Any, addr: Any) -> None:
    """A lock is gone, or about to be made anew: its address has no past."""
    if ctx.sanitize_thread == U64_0:
        return
    number = find_lock(addr)
    if number != U64_0:
        flags = lock_record(number) + U64_FLAGS
        store_u32(flags, load_u32(flags) | U32_DESTROYED)
        drop_held(ctx, ctx.thread, number)
    race_access_slow(ctx, addr, U64_1, U64_PLAIN_WRITE)
    sync_forget(ctx, addr)


@kernel("void(ctx,u64)")
def after_create(ctx: Any, addr: Any) -> None:
    """A lock was made at `addr`, here."""
    if ctx.sanitize_thread == U64_0:
        return
    sync_forget(ctx, addr)
    get_lock(ctx, addr)
    race_access_slow(ctx, addr, U64_1, U64_PLAIN_WRITE)
