"""Which thread owns which sid: allocation, reuse that misses no race, the journal for reports.

    sid table   a Sid each
    journal     a JournalEntry per ownership of a sid

    UNUSED -> LIVE -> FINISHED -> LIVE ...        EXHAUSTED: no clock value left

A finished thread's sid may go to a new thread, which continues one above its last epoch.  The new
thread then counts everything the old one did as its own past.  That is true, and so exact, iff the
old thread's end happens before the new one's start: iff `last epoch <= clock[sid]`.  So sids are
taken in this order: a finished one whose end the creator knows; a fresh one; the finished one that
ended longest ago, counted in N_INEXACT_SIDS (races between those two threads are missed, no others,
and no false ones arise).

Source: FastTrack2's tid reuse (keep the maximal epoch, start one above);
the happens-before condition is ours.
Soundness: exact while N_INEXACT_SIDS is 0.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    real_memcpy,
    store_u32,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    CAP_JOURNAL,
    CLOCK_BITS,
    CLOCK_MAX,
    MAX_SIDS,
    NONE,
)
from irsan.runtime.kernels.race.race_types import journal_numbered, sid_numbered
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.context import THREAD_DTYPE
from irsan.runtime.records.race.race_records import JOURNAL_DTYPE

UNUSED = 0
LIVE = 1
FINISHED = 2
EXHAUSTED = 3

NAME_OFFSET = field_offset(THREAD_DTYPE, "name")
NAME_IN_JOURNAL = field_offset(JOURNAL_DTYPE, "name")


@kernel(inlined=True)
def sid_to_thread(sid: u64) -> u64:
    """Address of the record of the thread that owns a LIVE sid."""
    return slot_to_thread(sid_numbered(sid).owner_slot)


@kernel
def newest_epoch(ctx: Context, sid: u64) -> u32:
    """The newest epoch of a sid: that of the thread that owns it, or the last one it had."""
    entry = sid_numbered(sid)
    if entry.state != LIVE:
        return entry.newest_epoch
    owner = sid_to_thread(sid)
    return ctx.epoch if owner == ctx.thread else u32(thread_at(owner).epoch)


@kernel
def first_epoch(sid: u64) -> u64:
    """The epoch at which the next owner of a sid that find_sid gave starts."""
    entry = sid_numbered(sid)
    if entry.state == FINISHED:
        return u64(entry.newest_epoch) + 1
    return (sid << CLOCK_BITS) + 1


@kernel
def find_known_sid(ctx: Context, clock: u64) -> u64:
    """A finished sid whose end happens before the owner of `clock`, or all ones.  O(sids)."""
    for index in range(ctx.race.n_sids):
        sid = u64(index)
        entry = sid_numbered(sid)
        if entry.state != FINISHED:
            continue
        if entry.newest_epoch <= load_u32(clock + sid * 4):
            return sid
    return NONE


@kernel
def find_oldest_sid(ctx: Context) -> u64:
    """The finished sid that ended longest ago, or all ones.  O(sids)."""
    best = u64(NONE)
    best_stamp = u64(NONE)
    for index in range(ctx.race.n_sids):
        sid = u64(index)
        entry = sid_numbered(sid)
        stamp = entry.finish_stamp
        if entry.state == FINISHED and stamp < best_stamp:
            best = sid
            best_stamp = stamp
    return best


@kernel
def find_sid(ctx: Context, clock: u64) -> u64:
    """A sid for a new owner that starts with `clock`, or all ones when every sid is in use."""
    sid = find_known_sid(ctx, clock)
    if sid != NONE:
        return sid
    if ctx.race.n_sids < MAX_SIDS:
        ctx.race.n_sids += 1
        return ctx.race.n_sids - 1
    sid = find_oldest_sid(ctx)
    if sid != NONE:
        ctx.race.n_inexact_sids += 1
    return sid


@kernel
def append_journal(ctx: Context, thread: Thread) -> None:
    """Note that thread.epoch is the first epoch of a sid that `thread` owns from now on."""
    if ctx.race.n_journal == CAP_JOURNAL:
        ctx.race.n_journal_lost += 1
        return
    journal = journal_numbered(ctx.race.n_journal)
    ctx.race.n_journal += 1
    journal.first_epoch = u32(thread.epoch)
    journal.creation_stack = u32(thread.creation_stack)
    journal.tid = thread.tid
    journal.parent_tid = thread.parent_tid
    journal.finished = 0


@kernel
def take_sid(ctx: Context, sid: u64, thread: Thread) -> u64:
    """Make `thread` the owner of a sid that find_sid gave; returns its first epoch.

    Writes the epoch to the thread's record and clock, and an entry to the journal.
    """
    entry = sid_numbered(sid)
    epoch = first_epoch(sid)
    entry.state = LIVE
    entry.owner_slot = thread.slot
    store_u32(thread.vc + sid * 4, u32(epoch))
    thread.epoch = epoch
    append_journal(ctx, thread)
    return epoch


@kernel
def finish_sid(ctx: Context, epoch: u64) -> None:
    """The owner of `epoch`'s sid stops using it; no thread has used it beyond `epoch`."""
    entry = sid_numbered(epoch >> CLOCK_BITS)
    state = u32(FINISHED)
    if epoch & CLOCK_MAX == CLOCK_MAX:
        state = u32(EXHAUSTED)
    entry.state = state
    entry.newest_epoch = u32(epoch)
    entry.finish_stamp = ctx.race.finish_stamp
    ctx.race.finish_stamp += 1


@kernel
def close_journal(ctx: Context, thread: Thread) -> None:
    """Keep a finished thread's name in its newest journal entry: its record may be reused."""
    index = ctx.race.n_journal
    while index != 0:
        index -= 1
        journal = journal_numbered(index)
        if journal.tid != thread.tid:
            continue
        journal.finished = 1
        real_memcpy(addr_of(journal) + NAME_IN_JOURNAL, addr_of(thread) + NAME_OFFSET, 32)
        return
