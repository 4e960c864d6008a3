"""Locks: one record per lock of the program, and which of them each thread holds.

    number   dense, from 1; in the sync object of the lock's address (sync_objects.py, byte 40).  A
             lock made anew at an old address gets a number of its own, so that no report and no
             lock order mixes two locks that were never alive together
    record   64 bytes at LOCKS + number * 64
             {address u64, creation stack u32, newest acquisition's stack u32, owner u32 (tid + 1),
              depth u32, readers u32, flags u32}
    held     16 bytes each, HELD + slot * HELD_BYTES, oldest first; thread.n_held of them
             {number u32, stack of the acquisition u32, mode u32, depth u32}
    lockset  thread.held: the same as one number, a path in the depot (depot.py) from 0 whose
             "sites" are number << 1 | is write; equal sets taken in one order are equal numbers

Locks are usually released in the reverse order of their acquisition: both lists then shrink at the
top in O(1).  Any other order closes the gap and builds the lockset anew, O(locks held).

Source: the mutex sets of ThreadSanitizer; Eraser's locksets (Savage et al., TOCS 1997, section 3).
Deviation: 65,536 locks held by a thread where ThreadSanitizer has 64 (its report set 16); what is
taken beyond them is not recorded and counted in ctx.sync[N_UNHELD].
Invariant: number 0 is no lock.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.callstack import recent_stack_id
from irsan.runtime.kernels.depot import depot_parent, depot_put
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.sync_objects import find_sync, get_sync
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.records.lock_records import (
    CREATION_STACK,
    HELD,
    HELD_BYTES,
    HELD_ENTRY_BYTES,
    LOCKS,
    MAX_HELD,
    MAX_LOCKS,
    MODE_WRITE,
    N_LOCKS,
    N_UNHELD,
    N_UNNUMBERED,
    RECORD_BYTES,
)

OBJECT_NUMBER = np.uint64(40)  # byte of a sync object that holds its lock's number

U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_12 = np.uint64(12)
U64_LOCKS = np.uint64(LOCKS)
U64_RECORD = np.uint64(RECORD_BYTES)
U64_MAX_LOCKS = np.uint64(MAX_LOCKS)
U64_CREATION_STACK = np.uint64(CREATION_STACK)
U64_HELD = np.uint64(HELD)
U64_HELD_BYTES = np.uint64(HELD_BYTES)
U64_ENTRY = np.uint64(HELD_ENTRY_BYTES)
U64_MAX_HELD = np.uint64(MAX_HELD)
U64_WRITE = np.uint64(MODE_WRITE)


@kernel("u64(u64)", inlined=True)
def lock_record(number: Any) -> Any:
    """Address of the record of a lock."""
    return U64_LOCKS + number * U64_RECORD


@kernel("u64(u64)")
def find_lock(addr: Any) -> Any:
    """Number of the lock at `addr`, 0 = none is known."""
    obj = find_sync(addr)
    if obj == U64_0:
        return U64_0
    return np.uint64(load_u32(obj + OBJECT_NUMBER))


@kernel("u64(ctx,u64)")
def get_lock(ctx: Any, addr: Any) -> Any:
    """Number of the lock at `addr`, made if there is none; 0 when all numbers are in use."""
    obj = get_sync(ctx, addr)
    number = np.uint64(load_u32(obj + OBJECT_NUMBER))
    if number != U64_0:
        return number
    if ctx.sync[N_LOCKS] >= U64_MAX_LOCKS:
        ctx.sync[N_UNNUMBERED] += U64_1
        return U64_0
    number = ctx.sync[N_LOCKS] + U64_1
    ctx.sync[N_LOCKS] = number
    store_u32(obj + OBJECT_NUMBER, np.uint32(number))
    record = lock_record(number)
    store_u64(record, addr)
    store_u32(record + U64_CREATION_STACK, recent_stack_id(ctx))
    return number


@kernel("u64(thread)", inlined=True)
def held_base(thread: Any) -> Any:
    """Address of the first lock that a thread holds."""
    return U64_HELD + thread.slot * U64_HELD_BYTES


@kernel("u64(thread,u64)")
def find_held(thread: Any, number: Any) -> Any:
    """Address of a thread's newest entry for a lock, 0 = not held.  O(locks held)."""
    base = held_base(thread)
    entry = base + thread.n_held * U64_ENTRY
    while entry != base:
        entry -= U64_ENTRY
        if np.uint64(load_u32(entry)) == number:
            return entry
    return U64_0


@kernel("u32(u64)", inlined=True)
def held_mark(entry: Any) -> Any:
    """What stands for a held lock in a lockset."""
    mode = load_u32(entry + U64_8)
    return np.uint32((np.uint64(load_u32(entry)) << U64_1) | (np.uint64(mode) & U64_WRITE))


@kernel("void(ctx,u64,u32,u64)")
def push_held(ctx: Any, number: Any, stack: Any, mode: Any) -> None:
    """The running thread has taken a lock."""
    thread = thread_at(ctx.thread)
    if thread.n_held == U64_MAX_HELD:
        ctx.sync[N_UNHELD] += U64_1
        return
    entry = held_base(thread) + thread.n_held * U64_ENTRY
    store_u32(entry, np.uint32(number))
    store_u32(entry + U64_4, stack)
    store_u32(entry + U64_8, np.uint32(mode))
    store_u32(entry + U64_12, U32_1)
    thread.n_held += U64_1
    thread.held = np.uint64(depot_put(ctx, np.uint32(thread.held), held_mark(entry)))


@kernel("void(ctx,u64,u64)")
def close_gap(ctx: Any, thread_addr: Any, entry: Any) -> None:
    """Take an entry out of the middle of a thread's list, and build its lockset anew."""
    thread = thread_at(thread_addr)
    end = held_base(thread) + thread.n_held * U64_ENTRY
    lockset = U32_0
    here = held_base(thread)
    while here + U64_ENTRY != end:
        if here >= entry:
            store_u64(here, load_u64(here + U64_ENTRY))
            store_u64(here + U64_8, load_u64(here + U64_ENTRY + U64_8))
        lockset = depot_put(ctx, lockset, held_mark(here))
        here += U64_ENTRY
    thread.n_held -= U64_1
    thread.held = np.uint64(lockset)


@kernel("void(ctx,u64,u64)")
def drop_held(ctx: Any, thread_addr: Any, number: Any) -> None:
    """A thread does not hold a lock any more; nothing happens if it did not."""
    thread = thread_at(thread_addr)
    entry = find_held(thread, number)
    if entry == U64_0:
        return
    top = held_base(thread) + (thread.n_held - U64_1) * U64_ENTRY
    if entry != top:
        close_gap(ctx, thread_addr, entry)
        return
    thread.n_held -= U64_1
    thread.held = np.uint64(depot_parent(np.uint32(thread.held)))
