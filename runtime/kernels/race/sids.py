"""Which thread owns which sid: allocation, reuse that misses no race, the journal for reports.

    sid table   32 bytes each   {state u32, last epoch u32, finish stamp u64, owner slot u64, -}
    journal     64 bytes each   {first epoch u32, creation stack u32, tid u64, parent tid u64,
                                 finished u64, name 32 bytes}; one entry per ownership of a sid

    UNUSED -> LIVE -> FINISHED -> LIVE ...        EXHAUSTED: no clock value left

A finished thread's sid may go to a new thread, which continues one above its last epoch.  The new
thread then counts everything the old one did as its own past.  That is true, and so exact, iff the
old thread's end happens before the new one's start: iff `last epoch <= clock[sid]`.  So sids are
taken in this order: a finished one whose end the creator knows; a fresh one; the finished one that
ended longest ago, counted in N_INEXACT_SIDS (races between those two threads are missed, no others,
and no false ones arise).

Source: FastTrack2's tid reuse (keep the maximal epoch, start one above; section 8.1 of the notes);
the happens-before condition is ours.
Soundness: exact while N_INEXACT_SIDS is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_memcpy,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    CAP_JOURNAL,
    FINISH_STAMP,
    JOURNAL_ADDR,
    JOURNAL_ENTRY_BYTES,
    MAX_SIDS,
    N_INEXACT_SIDS,
    N_JOURNAL,
    N_JOURNAL_LOST,
    N_SIDS,
    SID_ENTRY_BYTES,
    SIDS_ADDR,
    U64_0,
    U64_1,
    U64_4,
    U64_8,
    U64_16,
    U64_24,
    U64_32,
    U64_CLOCK_BITS,
    U64_CLOCK_MAX,
    U64_NONE,
)
from irsan.runtime.kernels.records import record_to_addr, thread_at
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.records.context import THREAD_DTYPE, field_offset

UNUSED = 0
LIVE = 1
FINISHED = 2
EXHAUSTED = 3

U32_LIVE = np.uint32(LIVE)
U32_FINISHED = np.uint32(FINISHED)
U32_EXHAUSTED = np.uint32(EXHAUSTED)
U64_SIDS = np.uint64(SIDS_ADDR)
U64_SID_ENTRY = np.uint64(SID_ENTRY_BYTES)
U64_MAX_SIDS = np.uint64(MAX_SIDS)
U64_JOURNAL = np.uint64(JOURNAL_ADDR)
U64_JOURNAL_ENTRY = np.uint64(JOURNAL_ENTRY_BYTES)
U64_CAP_JOURNAL = np.uint64(CAP_JOURNAL)
NAME_OFFSET = np.uint64(field_offset(THREAD_DTYPE, "name"))


@kernel("u64(u64)")
def sid_to_entry(sid: Any) -> Any:
    """Address of a sid's table entry."""
    return U64_SIDS + sid * U64_SID_ENTRY


@kernel("u64(u64)", inlined=True)
def sid_to_thread(sid: Any) -> Any:
    """Address of the record of the thread that owns a LIVE sid."""
    return slot_to_thread(load_u64(sid_to_entry(sid) + U64_16))


@kernel("u32(ctx,u64)")
def newest_epoch(ctx: Any, sid: Any) -> Any:
    """The newest epoch of a sid: that of the thread that owns it, or the last one it had."""
    entry = sid_to_entry(sid)
    if load_u32(entry) != U32_LIVE:
        return load_u32(entry + U64_4)
    owner = sid_to_thread(sid)
    return ctx.epoch if owner == ctx.thread else np.uint32(thread_at(owner).epoch)


@kernel("u64(u64)")
def first_epoch(sid: Any) -> Any:
    """The epoch at which the next owner of a sid that find_sid gave starts."""
    entry = sid_to_entry(sid)
    if load_u32(entry) == U32_FINISHED:
        return np.uint64(load_u32(entry + U64_4)) + U64_1
    return (sid << U64_CLOCK_BITS) + U64_1


@kernel("u64(ctx,u64)")
def find_known_sid(ctx: Any, clock: Any) -> Any:
    """A finished sid whose end happens before the owner of `clock`, or all ones.  O(sids)."""
    for index in range(ctx.race[N_SIDS]):
        sid = np.uint64(index)
        entry = sid_to_entry(sid)
        if load_u32(entry) != U32_FINISHED:
            continue
        if load_u32(entry + U64_4) <= load_u32(clock + sid * U64_4):
            return sid
    return U64_NONE


@kernel("u64(ctx)")
def find_oldest_sid(ctx: Any) -> Any:
    """The finished sid that ended longest ago, or all ones.  O(sids)."""
    best = U64_NONE
    best_stamp = U64_NONE
    for index in range(ctx.race[N_SIDS]):
        sid = np.uint64(index)
        entry = sid_to_entry(sid)
        stamp = load_u64(entry + U64_8)
        if load_u32(entry) == U32_FINISHED and stamp < best_stamp:
            best = sid
            best_stamp = stamp
    return best


@kernel("u64(ctx,u64)")
def find_sid(ctx: Any, clock: Any) -> Any:
    """A sid for a new owner that starts with `clock`, or all ones when every sid is in use."""
    sid = find_known_sid(ctx, clock)
    if sid != U64_NONE:
        return sid
    if ctx.race[N_SIDS] < U64_MAX_SIDS:
        ctx.race[N_SIDS] += U64_1
        return ctx.race[N_SIDS] - U64_1
    sid = find_oldest_sid(ctx)
    if sid != U64_NONE:
        ctx.race[N_INEXACT_SIDS] += U64_1
    return sid


@kernel("void(ctx,thread)")
def append_journal(ctx: Any, thread: Any) -> Any:
    """Note that thread.epoch is the first epoch of a sid that `thread` owns from now on."""
    if ctx.race[N_JOURNAL] == U64_CAP_JOURNAL:
        ctx.race[N_JOURNAL_LOST] += U64_1
        return
    entry = U64_JOURNAL + ctx.race[N_JOURNAL] * U64_JOURNAL_ENTRY
    ctx.race[N_JOURNAL] += U64_1
    store_u32(entry, np.uint32(thread.epoch))
    store_u32(entry + U64_4, np.uint32(thread.creation_stack))
    store_u64(entry + U64_8, thread.tid)
    store_u64(entry + U64_16, thread.parent_tid)
    store_u64(entry + U64_24, U64_0)


@kernel("u64(ctx,u64,thread)")
def take_sid(ctx: Any, sid: Any, thread: Any) -> Any:
    """Make `thread` the owner of a sid that find_sid gave; returns its first epoch.

    Writes the epoch to the thread's record and clock, and an entry to the journal.
    """
    entry = sid_to_entry(sid)
    epoch = first_epoch(sid)
    store_u32(entry, U32_LIVE)
    store_u64(entry + U64_16, thread.slot)
    store_u32(thread.vc + sid * U64_4, np.uint32(epoch))
    thread.epoch = epoch
    append_journal(ctx, thread)
    return epoch


@kernel("void(ctx,u64)")
def finish_sid(ctx: Any, epoch: Any) -> Any:
    """The owner of `epoch`'s sid stops using it; nobody has used it beyond `epoch`."""
    entry = sid_to_entry(epoch >> U64_CLOCK_BITS)
    state = U32_FINISHED
    if epoch & U64_CLOCK_MAX == U64_CLOCK_MAX:
        state = U32_EXHAUSTED
    store_u32(entry, state)
    store_u32(entry + U64_4, np.uint32(epoch))
    store_u64(entry + U64_8, ctx.race[FINISH_STAMP])
    ctx.race[FINISH_STAMP] += U64_1


@kernel("void(ctx,thread)")
def close_journal(ctx: Any, thread: Any) -> Any:
    """Keep a finished thread's name in its newest journal entry: its record may be reused."""
    index = ctx.race[N_JOURNAL]
    while index != U64_0:
        index -= U64_1
        entry = U64_JOURNAL + index * U64_JOURNAL_ENTRY
        if load_u64(entry + U64_8) != thread.tid:
            continue
        store_u64(entry + U64_24, U64_1)
        real_memcpy(entry + U64_32, record_to_addr(thread) + NAME_OFFSET, U64_32)
        return
