"""Locks: one record per lock of the program, and which of them each thread holds.

    number   dense, from 1; in the sync object of the lock's address (sync_objects.py).  A
             lock made anew at an old address gets a number of its own, so that no report and no
             lock order mixes two locks that were never alive together
    record   a Lock at LOCKS + number * RECORD_BYTES
    held     HeldLock records from HELD + slot * HELD_BYTES on, oldest first; thread.n_held of them
    lockset  thread.held: the same as one number, a path in the depot (depot.py) from 0 whose
             "sites" are number << 1 | is write; equal sets taken in one order are equal numbers

Locks are usually released in the reverse order of their acquisition: both lists then shrink at the
top in O(1).  Any other order closes the gap and builds the lockset anew, O(locks held).

Source: the mutex sets of ThreadSanitizer; Eraser's locksets (Savage et al., TOCS 1997, section 3).
Deviation: 65,536 locks held by a thread where ThreadSanitizer has 64 (its report set 16); what is
taken beyond them is not recorded and counted in ctx.locks.n_unheld.
Invariant: number 0 is no lock.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import recent_stack_id
from irsan.runtime.kernels.depot import depot_parent, depot_put
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_types import HeldLock, Lock
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.race.clocks.sync_types import sync_at
from irsan.runtime.kernels.race.sync_objects import find_sync, get_sync
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import record_at, record_in, thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.records.race.lock_records import (
    HELD,
    HELD_BYTES,
    HELD_ENTRY_BYTES,
    LOCKS,
    MAX_HELD,
    MAX_LOCKS,
    MODE_WRITE,
)

lock_numbered = record_in(Lock, LOCKS)
held_at = record_at(HeldLock)


@kernel
def find_lock(addr: u64) -> u64:
    """Number of the lock at `addr`, 0 = none is known."""
    obj = find_sync(addr)
    if obj == 0:
        return 0
    return u64(sync_at(obj).lock)


@kernel
def get_lock(ctx: Context, addr: u64) -> u64:
    """Number of the lock at `addr`, made if there is none; 0 when all numbers are in use."""
    obj = sync_at(get_sync(ctx, addr))
    number = u64(obj.lock)
    if number != 0:
        return number
    if ctx.locks.n_locks >= MAX_LOCKS:
        ctx.locks.n_unnumbered += 1
        return 0
    number = ctx.locks.n_locks + 1
    ctx.locks.n_locks = number
    obj.lock = u32(number)
    lock = lock_numbered(number)
    lock.address = addr
    lock.creation_stack = recent_stack_id(ctx)
    return number


@kernel(inlined=True)
def held_base(thread: Thread) -> u64:
    """Address of the first lock that a thread holds."""
    return HELD + thread.slot * HELD_BYTES


@kernel
def find_held(thread: Thread, number: u64) -> u64:
    """Address of a thread's newest entry for a lock, 0 = not held.  O(locks held)."""
    base = held_base(thread)
    entry = base + thread.n_held * HELD_ENTRY_BYTES
    while entry != base:
        entry -= HELD_ENTRY_BYTES
        if u64(held_at(entry).number) == number:
            return entry
    return 0


@kernel(inlined=True)
def held_mark(held: HeldLock) -> u32:
    """What stands for a held lock in a lockset."""
    return u32((u64(held.number) << 1) | (u64(held.mode) & MODE_WRITE))


@kernel
def push_held(ctx: Context, number: u64, stack: u32, mode: u64) -> None:
    """The running thread has taken a lock."""
    thread = thread_at(ctx.thread)
    if thread.n_held == MAX_HELD:
        ctx.locks.n_unheld += 1
        return
    held = held_at(held_base(thread) + thread.n_held * HELD_ENTRY_BYTES)
    held.number = u32(number)
    held.stack = stack
    held.mode = u32(mode)
    held.depth = u32(1)
    thread.n_held += 1
    thread.held = u64(depot_put(ctx, u32(thread.held), held_mark(held)))


@kernel
def close_gap(ctx: Context, thread_addr: u64, entry: u64) -> None:
    """Take an entry out of the middle of a thread's list, and build its lockset anew."""
    thread = thread_at(thread_addr)
    end = held_base(thread) + thread.n_held * HELD_ENTRY_BYTES
    lockset = u32(0)
    here = held_base(thread)
    while here + HELD_ENTRY_BYTES != end:
        if here >= entry:
            store_u64(here, load_u64(here + HELD_ENTRY_BYTES))  # a whole record in two words
            store_u64(here + 8, load_u64(here + HELD_ENTRY_BYTES + 8))
        lockset = depot_put(ctx, lockset, held_mark(held_at(here)))
        here += HELD_ENTRY_BYTES
    thread.n_held -= 1
    thread.held = u64(lockset)


@kernel
def drop_held(ctx: Context, thread_addr: u64, number: u64) -> None:
    """A thread does not hold a lock any more; nothing happens if it did not."""
    thread = thread_at(thread_addr)
    entry = find_held(thread, number)
    if entry == 0:
        return
    top = held_base(thread) + (thread.n_held - 1) * HELD_ENTRY_BYTES
    if entry != top:
        close_gap(ctx, thread_addr, entry)
        return
    thread.n_held -= 1
    thread.held = u64(depot_parent(u32(thread.held)))
