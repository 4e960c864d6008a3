"""What may be done with a lock: the rules that mutexes, reader-writer locks and annotations share.

    before_lock    double lock; lock order          before_unlock   unlock by who does not hold it
    after_lock     who holds it, since where        after_unlock    it is free, or held once less
    before_destroy destroy of a locked mutex        after_destroy   the address has no past

A `before_*` answers True when it has left a fault: the caller returns at once, the host reports
it, and the call is made again, as if for the first time (event_result 1).  A lock that was reported
is BROKEN and never reported again, so the second call goes on: as natively, a thread that
locks its own mutex once more then waits for ever.

Every lock and unlock is also an atomic read of the lock's first byte, a creation or destruction a
plain write: so a race on the life of a lock is a data race like any other.

Source: the rules of ThreadSanitizer's mutex functions (tsan_rtl_mutex.cpp), kinds of misuse
included.
Deviations: a double lock is reported when a thread locks again what it holds itself; locks of other
threads are known by who holds them, not by the result of the native call.
May miss: the misuse of a lock whose record was lost in a flush of the race history (race_threads).
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.callstack import recent_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_order import note_order
from irsan.runtime.kernels.locks.lock_table import (
    drop_held,
    find_held,
    find_lock,
    get_lock,
    held_at,
    lock_numbered,
    push_held,
)
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.race.access import clip_to_arena, race_access_slow
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell
from irsan.runtime.kernels.race.clocks import race_words
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.schedulers.event_rows import note_touch
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.options import DETECT_DEADLOCKS, RACE_DETECTOR
from irsan.runtime.records.race import trace_records
from irsan.runtime.records.race.lock_records import (
    BAD_READ_LOCK,
    BAD_UNLOCK,
    BROKEN,
    DESTROY_LOCKED,
    DESTROYED,
    DOUBLE_LOCK,
    MODE_TRIED,
    MODE_WRITE,
)

OP_LOCKED = trace_records.LOCKED
OP_UNLOCKED = trace_records.UNLOCKED

DEAD_EPOCH = race_words.DEAD_EPOCH
ATOMIC_READ = 2
PLAIN_WRITE = 1
W_DESTROY_LOCKED = DESTROY_LOCKED
W_DOUBLE_LOCK = DOUBLE_LOCK
W_BAD_UNLOCK = BAD_UNLOCK
W_BAD_READ_LOCK = BAD_READ_LOCK
MUTEX_MISUSE = int(FaultKind.MUTEX_MISUSE)


@kernel
def own_word(ctx: Context) -> u32:
    """What an owner field holds when the running thread owns the lock: tid + 1."""
    return u32(thread_at(ctx.thread).tid + 1)


@kernel(outlined=True)
def tell_misuse(ctx: Context, addr: u64, which: u64, other_stack: u64) -> bool:
    """Leave the fault MUTEX_MISUSE, once for each lock; whether it was left now."""
    if ctx.sanitize_thread == 0:
        return False
    number = get_lock(ctx, addr)
    lock = lock_numbered(number)
    if number == 0 or lock.flags & BROKEN != 0:
        return False
    lock.flags = u32(lock.flags | BROKEN)
    report_fault(ctx, MUTEX_MISUSE, addr, 0, 0)
    ctx.fault[6] = which
    ctx.fault[7] = other_stack
    ctx.fault[8] = number
    return True


@kernel(outlined=True)
def before_further_lock(ctx: Context, addr: u64, mode: u64, is_reentrant: bool) -> bool:
    """before_lock of a thread that holds locks already."""
    thread = thread_at(ctx.thread)
    number = get_lock(ctx, addr)
    if number == 0:
        return False
    lock = lock_numbered(number)
    if lock.owner == own_word(ctx):
        if is_reentrant:
            return False
        which = u64(W_DOUBLE_LOCK) if mode & MODE_WRITE != 0 else u64(W_BAD_READ_LOCK)
        return tell_misuse(ctx, addr, which, u64(lock.newest_stack))
    if ctx.options[DETECT_DEADLOCKS] == 0 or find_held(thread, number) != 0:
        return False
    note_order(ctx, number, recent_stack_id(ctx), mode)
    return ctx.action != actions.NONE


@kernel(inlined=True)
def before_lock(ctx: Context, addr: u64, mode: u64, is_reentrant: bool) -> bool:
    """The running thread wants a lock; mode as in lock_records.  True = return and call again."""
    if ctx.sanitize_thread == 0 or mode & MODE_TRIED != 0 or thread_at(ctx.thread).n_held == 0:
        return False
    return before_further_lock(ctx, addr, mode, is_reentrant)


@kernel(inlined=True)
def touch_lock(ctx: Context, addr: u64) -> None:
    """A lock is free and about to be taken.

    It is read before anything is learned from its clock: whoever made it must have said so.
    """
    if ctx.sanitize_thread != 0:
        race_access_slow(ctx, addr, 1, ATOMIC_READ)


@kernel
def touch_freed(ctx: Context, addr: u64) -> None:
    """An object is used without touching its cells; where they say that it was freed, it does.

    Freed memory says so if the thread check is alone: race_free in race_ranges.py.
    """
    if ctx.sanitize_address != 0 or ctx.sanitize_thread == 0 or ctx.options[RACE_DETECTOR] != 0:
        return
    if clip_to_arena(addr, 1) != 0 and load_u32(addr_to_cell(addr)) == DEAD_EPOCH:
        race_access_slow(ctx, addr, 1, ATOMIC_READ)


@kernel(outlined=True)
def enter_held(ctx: Context, addr: u64, mode: u64) -> None:
    """The running thread holds a lock from now on, or once more."""
    number = get_lock(ctx, addr)
    if number == 0:
        return
    lock = lock_numbered(number)
    held = find_held(thread_at(ctx.thread), number)
    if held != 0:
        held_at(held).depth = u32(held_at(held).depth + 1)
        return
    if mode & MODE_WRITE != 0:
        lock.owner = own_word(ctx)
    else:
        lock.n_readers = u32(lock.n_readers + 1)
    stack = recent_stack_id(ctx)
    lock.newest_stack = stack
    push_held(ctx, number, stack, mode)
    if thread_at(ctx.thread).race.ignore_sync == 0:
        note(ctx, OP_LOCKED, addr, mode)


@kernel(inlined=True)
def after_lock(ctx: Context, addr: u64, mode: u64) -> None:
    """The running thread has got a lock (its clock is joined already)."""
    note_touch(ctx, addr)
    if ctx.sanitize_thread != 0:
        enter_held(ctx, addr, mode)


@kernel
def is_held_by_somebody(number: u64) -> bool:
    """Whether any thread holds a lock."""
    lock = lock_numbered(number)
    return lock.owner != 0 or lock.n_readers != 0


@kernel
def tell_bad_unlock(ctx: Context, addr: u64, number: u64) -> bool:
    """Tell that a lock is given up by who does not hold it; number 0: no such lock is known.

    A flush of the race history forgets locks, so an unknown one says nothing after that.
    """
    if number == 0 and ctx.race.n_flushes != 0:
        return False
    return tell_misuse(ctx, addr, W_BAD_UNLOCK, 0)


@kernel(outlined=True)
def before_unlock(ctx: Context, addr: u64) -> bool:
    """The running thread gives a lock up.  True = return and call again."""
    if ctx.sanitize_thread == 0:
        return False
    number = find_lock(addr)
    if number != 0 and find_held(thread_at(ctx.thread), number) != 0:
        return False
    return tell_bad_unlock(ctx, addr, number)


@kernel
def owner_to_thread(ctx: Context, owner: u32) -> u64:
    """Address of the thread that an owner word names; 0 when it is gone."""
    for slot in range(ctx.schedule.n_threads):
        addr = slot_to_thread(u64(slot))
        if u32(thread_at(addr).tid + 1) == owner:
            return addr
    return 0


@kernel(outlined=True)
def leave_held(ctx: Context, addr: u64) -> None:
    """A lock is held once less; who gives up another's takes it from its owner."""
    touch_freed(ctx, addr)
    number = find_lock(addr)
    if number == 0:
        return
    lock = lock_numbered(number)
    owner = lock.owner
    holder = ctx.thread
    held = find_held(thread_at(holder), number)
    if held == 0:
        holder = owner_to_thread(ctx, owner)
        if owner == 0 or holder == 0:
            return
    elif held_at(held).depth != 1:
        held_at(held).depth = u32(held_at(held).depth - 1)
        return
    drop_held(ctx, holder, number)
    if owner != 0:
        note(ctx, OP_UNLOCKED, addr, u64(owner) - 1)
        lock.owner = 0
    else:
        lock.n_readers = u32(lock.n_readers - 1)


@kernel(inlined=True)
def after_unlock(ctx: Context, addr: u64) -> None:
    """A lock was given up once; by the wrong thread, it is taken from its owner."""
    note_touch(ctx, addr)
    if ctx.sanitize_thread != 0:
        leave_held(ctx, addr)


@kernel
def before_destroy(ctx: Context, addr: u64) -> bool:
    """A lock is destroyed.  True = return and call again."""
    number = find_lock(addr)
    if ctx.sanitize_thread == 0 or number == 0 or not is_held_by_somebody(number):
        return False
    stack = u64(lock_numbered(number).newest_stack)
    return tell_misuse(ctx, addr, W_DESTROY_LOCKED, stack)


@kernel
def after_destroy(ctx: Context, addr: u64) -> None:
    """A lock is gone, or about to be made anew: its address has no past."""
    if ctx.sanitize_thread == 0:
        return
    number = find_lock(addr)
    if number != 0:
        lock = lock_numbered(number)
        lock.flags = u32(lock.flags | DESTROYED)
        lock.newest_stack = recent_stack_id(ctx)
        drop_held(ctx, ctx.thread, number)
    race_access_slow(ctx, addr, 1, PLAIN_WRITE)
    sync_forget(ctx, addr)


@kernel
def after_create(ctx: Context, addr: u64) -> None:
    """A lock was made at `addr`, here."""
    if ctx.sanitize_thread == 0:
        return
    sync_forget(ctx, addr)
    get_lock(ctx, addr)
    race_access_slow(ctx, addr, 1, PLAIN_WRITE)
