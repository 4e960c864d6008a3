"""Threads as the race detector sees them: start, fork, join, end, the tick, and the flush.

    fork    child's clock := parent's; the child gets a sid; the parent ticks
    join    joiner's clock := maximum with the finished child's
    tick    the running thread's epoch + 1, at each release; at the last clock value (2^20 - 1) the
            thread goes on under another sid and the old entry stays in its clock

The flush is the last resort, when neither a sid nor a clock value is left (4096 sids of a million
ticks each): all shadow and all sync clocks are forgotten and the living threads start anew at clock
1.  N_FLUSHES counts it.  A race between an access before and one after a flush is missed; no false
one arises, because everything unordered after it happened after it.

While one thread only has ever existed nothing needs recording: the first fork orders it before
everything.  That state is the bit SINGLE in ctx.ignore_depth.  It never comes back once a second
thread has existed; before that a free may suspend it for a while (race_ranges.py).  With race
detection off (ctx.sanitize_thread == 0) the bit stays for ever.

Source: fork and join of FastTrack (PLDI 2009, figure 5; FT2: a join does not tick the child).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    U64_DONTNEED,
    load_u32,
    load_u64,
    real_madvise,
    real_memset,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.cells.cell_transitions import MAX_CREDIT, forget_transitions
from irsan.runtime.kernels.race.cells.mapping_marks import forget_all_mapped
from irsan.runtime.kernels.race.cells.record_sharing import forget_sharing
from irsan.runtime.kernels.race.clocks.clock_forms import (
    go_on_as,
    inherit_clock,
    know_only,
    learn_thread,
)
from irsan.runtime.kernels.race.clocks.generations import begin_generation
from irsan.runtime.kernels.race.clocks.lamport import lamport_next, lamport_now, lamport_restart
from irsan.runtime.kernels.race.clocks.race_words import (
    ALONE,
    ALONE_FUEL,
    ALONE_OVER,
    CLOCK_ROW_BYTES,
    CLOCKS,
    CLOCKS_SIZE,
    DEDUPE,
    EXPANDED_PAGES,
    FENCED,
    FOREIGN_LINE_BITS,
    MAX_SIDS,
    N_CLOCK_OVERFLOWS,
    N_EXPANDED,
    N_FLUSHES,
    N_RECORD_CLASSES,
    N_ROW_CLASSES,
    N_SIDS,
    N_SYNC,
    PAGES_SIZE,
    RECORD_BUMP,
    RECORD_FREE,
    RECORDS_ADDR,
    RECORDS_SIZE,
    ROW_BUMP,
    ROW_CLASS_SIZE,
    ROW_FREE,
    ROWS_ADDR,
    SIDS_ADDR,
    SYNC_BUMP,
    SYNC_FREE,
    SYNC_FULL,
    SYNC_LINES,
    SYNC_LINES_SIZE,
    SYNC_OBJECTS,
    SYNC_OBJECTS_SIZE,
    SYNC_PAGES,
    TRANSITION_CREDIT,
    U64_0,
    U64_1,
    U64_4,
    U64_16,
    U64_CLOCK_BITS,
    U64_CLOCK_MAX,
    U64_LOW32,
    U64_NONE,
    U64_RACE_SHADOW,
    U64_RACE_SHADOW_SIZE,
    U64_SINGLE,
)
from irsan.runtime.kernels.race.clocks.vclock import slot_to_clock
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sids import (
    LIVE,
    append_journal,
    close_journal,
    find_sid,
    finish_sid,
    first_epoch,
    sid_to_entry,
    sid_to_thread,
    take_sid,
)
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.records import trace_records

# Words of thread.spare owned by the race kernels.
IGNORE_SYNC = 22  # > 0: synchronisation of this thread is ignored
ACQUIRE_PENDING = 30  # 1 = relaxed loads have seen released clocks since the last acquire fence
RELEASE_EPOCH = 31  # epoch of the last release fence, 0 = none

OP_FORK = np.uint64(trace_records.FORK)
OP_JOIN = np.uint64(trace_records.JOIN)
OP_THREAD_END = np.uint64(trace_records.THREAD_END)
U32_LIVE = np.uint32(LIVE)
U64_ROW_BYTES = np.uint64(CLOCK_ROW_BYTES)
U64_BARE = np.uint64(3 * CLOCK_ROW_BYTES)
U64_FENCED = np.uint64(FENCED)
U64_CLOCKS = np.uint64(CLOCKS)
U64_CLOCKS_SIZE = np.uint64(CLOCKS_SIZE)
U64_SIDS = np.uint64(SIDS_ADDR)
U64_SIDS_SIZE = np.uint64(32 * MAX_SIDS)
U64_RECORDS = np.uint64(RECORDS_ADDR)
U64_RECORDS_SIZE = np.uint64(RECORDS_SIZE)
U64_EXPANDED_PAGES = np.uint64(EXPANDED_PAGES)
U64_SYNC_PAGES = np.uint64(SYNC_PAGES)
U64_PAGES_SIZE = np.uint64(PAGES_SIZE)
U64_SYNC_LINES = np.uint64(SYNC_LINES)
U64_SYNC_LINES_SIZE = np.uint64(SYNC_LINES_SIZE + (4 << FOREIGN_LINE_BITS))
U64_SYNC_OBJECTS = np.uint64(SYNC_OBJECTS)
U64_SYNC_OBJECTS_SIZE = np.uint64(SYNC_OBJECTS_SIZE)
U64_ROWS = np.uint64(ROWS_ADDR)
U64_ROWS_SIZE = np.uint64(N_ROW_CLASSES * ROW_CLASS_SIZE)
U64_ALONE_OVER = np.uint64(ALONE_OVER)
I64_ALONE_FUEL = np.int64(ALONE_FUEL)


@kernel("void(ctx,thread)")
def clear_thread_clock(ctx: Any, thread: Any) -> Any:
    """Give a thread record the zero clock of its slot, no fences, nothing ignored.  O(sids)"""
    clock = slot_to_clock(thread.slot)
    n_bytes = ctx.race[N_SIDS] * U64_4  # columns beyond are zero everywhere
    real_memset(clock, U64_0, n_bytes)
    if load_u64(clock + U64_FENCED) != U64_0:
        real_memset(clock + U64_ROW_BYTES, U64_0, n_bytes)
        real_memset(clock + U64_ROW_BYTES + U64_ROW_BYTES, U64_0, n_bytes)
    store_u64(clock + U64_BARE, U64_0)
    store_u64(clock + U64_FENCED, U64_0)
    thread.vc = clock
    thread.spare[IGNORE_SYNC] = U64_0
    thread.spare[ACQUIRE_PENDING] = U64_0
    thread.spare[RELEASE_EPOCH] = U64_0


@kernel("void(ctx)")
def race_start(ctx: Any) -> Any:
    """Make the running thread the first one of the race detector; call once, before any access."""
    thread = thread_at(ctx.thread)
    ctx.race[N_SIDS] = U64_1
    clear_thread_clock(ctx, thread)
    ctx.race[DEDUPE] = U64_1
    ctx.race[TRANSITION_CREDIT] = MAX_CREDIT
    ctx.vc = thread.vc
    ctx.epoch = np.uint32(take_sid(ctx, U64_0, thread))
    lamport_next(ctx, thread.epoch, U64_0)
    begin_generation(ctx)
    ctx.ignore_depth |= U64_SINGLE


@kernel("void(ctx)")
def forget_accesses(ctx: Any) -> Any:
    """Give back all race shadow and expanded cells."""
    real_madvise(U64_RACE_SHADOW, U64_RACE_SHADOW_SIZE, U64_DONTNEED)
    real_madvise(U64_RECORDS, U64_RECORDS_SIZE, U64_DONTNEED)
    real_madvise(U64_EXPANDED_PAGES, U64_PAGES_SIZE, U64_DONTNEED)
    forget_sharing()
    forget_transitions()
    forget_all_mapped()
    ctx.race[N_EXPANDED] = U64_0
    ctx.race[RECORD_BUMP] = U64_0
    for index in range(RECORD_FREE, RECORD_FREE + N_RECORD_CLASSES):
        ctx.race[index] = U64_0


@kernel("void(ctx)")
def alone_for_long(ctx: Any) -> Any:
    """Fuel has run out: the only thread has been watched for long enough, or goes on a bit longer.

    Nothing that it has recorded can matter: it happens before all that other threads will do.
    """
    left = ctx.race[ALONE]
    if left == U64_0 or left == U64_ALONE_OVER:
        return
    ctx.race[ALONE] = left - U64_1
    set_fuel(ctx, I64_ALONE_FUEL)
    if left == U64_1:
        forget_accesses(ctx)
        ctx.ignore_depth |= U64_SINGLE
        ctx.race[ALONE] = U64_ALONE_OVER


@kernel("void(ctx)")
def forget_history(ctx: Any) -> Any:
    """Give back all race shadow, expanded cells and sync objects."""
    forget_accesses(ctx)
    real_madvise(U64_SYNC_PAGES, U64_PAGES_SIZE, U64_DONTNEED)
    real_madvise(U64_SYNC_LINES, U64_SYNC_LINES_SIZE, U64_DONTNEED)
    real_madvise(U64_SYNC_OBJECTS, U64_SYNC_OBJECTS_SIZE, U64_DONTNEED)
    real_madvise(U64_ROWS, U64_ROWS_SIZE, U64_DONTNEED)
    ctx.race[N_SYNC] = U64_0
    ctx.race[SYNC_BUMP] = U64_0
    ctx.race[SYNC_FREE] = U64_0
    ctx.race[SYNC_FULL] = U64_0
    for index in range(ROW_BUMP, ROW_BUMP + N_ROW_CLASSES):
        ctx.race[index] = U64_0
    for index in range(ROW_FREE, ROW_FREE + N_ROW_CLASSES):
        ctx.race[index] = U64_0


@kernel("void(ctx,u64,u64)")
def start_anew(ctx: Any, sid: Any, thread_addr: Any) -> Any:
    """After a flush: the thread owns `sid` from clock 1 on and knows of nobody else."""
    thread = thread_at(thread_addr)
    epoch = (sid << U64_CLOCK_BITS) + U64_1
    entry = sid_to_entry(sid)
    store_u32(entry, U32_LIVE)
    store_u64(entry + U64_16, thread.slot)
    store_u32(thread.vc + sid * U64_4, np.uint32(epoch))
    know_only(ctx, thread.vc, sid)
    thread.epoch = epoch
    append_journal(ctx, thread)


@kernel("void(ctx)")
def race_flush(ctx: Any) -> Any:
    """Forget all history; every living thread starts anew at clock 1 of a sid of its own.

    O(threads ever live at once).  Changes ctx.epoch.
    """
    ctx.race[N_FLUSHES] += U64_1
    forget_history(ctx)
    time = lamport_now(ctx)
    real_madvise(U64_CLOCKS, U64_CLOCKS_SIZE, U64_DONTNEED)
    for index in range(ctx.n_threads):
        thread_at(slot_to_thread(np.uint64(index))).spare[RELEASE_EPOCH] = U64_0
    n_live = U64_0
    for index in range(ctx.race[N_SIDS]):
        entry = sid_to_entry(np.uint64(index))
        if load_u32(entry) != U32_LIVE:
            continue
        start_anew(ctx, n_live, sid_to_thread(np.uint64(index)))
        lamport_restart(ctx, (n_live << U64_CLOCK_BITS) + U64_1, time)
        n_live += U64_1
    ctx.race[N_SIDS] = n_live
    rest = sid_to_entry(n_live)
    real_memset(rest, U64_0, U64_SIDS + U64_SIDS_SIZE - rest)
    ctx.epoch = np.uint32(thread_at(ctx.thread).epoch)
    begin_generation(ctx)


@kernel("u32(ctx)")
def race_change_sid(ctx: Any) -> Any:
    """The running thread's sid has no clock value left: go on under another, or flush.

    Or there is little room left for sync objects: flush.
    """
    if ctx.race[SYNC_FULL] != U64_0:
        race_flush(ctx)
        return ctx.epoch
    ctx.race[N_CLOCK_OVERFLOWS] += U64_1
    sid = find_sid(ctx, ctx.vc)
    if sid == U64_NONE:
        race_flush(ctx)
        return ctx.epoch
    old = np.uint64(ctx.epoch)
    finish_sid(ctx, old)
    go_on_as(ctx, sid, first_epoch(sid))
    ctx.epoch = np.uint32(take_sid(ctx, sid, thread_at(ctx.thread)))
    lamport_next(ctx, np.uint64(ctx.epoch), old)
    begin_generation(ctx)
    return ctx.epoch


@kernel("u32(ctx)", inlined=True)
def race_tick(ctx: Any) -> Any:
    """Start the running thread's next epoch: what it does from here on is not yet released."""
    epoch = np.uint64(ctx.epoch)
    if epoch & U64_CLOCK_MAX != U64_CLOCK_MAX and ctx.race[SYNC_FULL] == U64_0:
        epoch += U64_1
        store_u32(ctx.vc + (epoch >> U64_CLOCK_BITS) * U64_4, np.uint32(epoch))
        ctx.epoch = np.uint32(epoch)
        lamport_next(ctx, epoch, epoch - U64_1)
        begin_generation(ctx)
        return ctx.epoch
    return race_change_sid(ctx)


@kernel("b1(ctx,u64)")
def thread_fork(ctx: Any, child_addr: Any) -> Any:
    """The running thread creates the thread with record `child_addr` (slot, tid and parent set).

    Gives the child a clock and an epoch.  False when 4096 threads live already: the creation must
    fail then, because the edges of a thread without a clock would be lost.
    """
    child = thread_at(child_addr)
    child.vc = U64_0
    child.epoch = U64_0
    child.ignore_depth = U64_SINGLE
    if ctx.sanitize_thread == U64_0:
        return True
    sid = find_sid(ctx, ctx.vc)
    if sid == U64_NONE:
        race_flush(ctx)
        sid = find_sid(ctx, ctx.vc)
    if sid == U64_NONE:
        return False
    ctx.ignore_depth &= U64_LOW32
    ctx.race[ALONE] = U64_ALONE_OVER
    child.ignore_depth = U64_0
    clear_thread_clock(ctx, child)
    inherit_clock(ctx, child_addr, sid, first_epoch(sid))
    take_sid(ctx, sid, child)
    note(ctx, OP_FORK, child.tid, U64_0)
    lamport_next(ctx, child.epoch, np.uint64(ctx.epoch))
    race_tick(ctx)
    return True


@kernel("void(ctx,u64)")
def thread_join_edge(ctx: Any, child_addr: Any) -> Any:
    """The running thread has joined a finished thread: all of that is its past now.

    Call before the child's slot is given to another thread.
    """
    child = thread_at(child_addr)
    if child.vc != U64_0:
        note(ctx, OP_JOIN, child.tid, U64_0)
        learn_thread(ctx, child_addr)


@kernel("void(ctx)")
def thread_finish(ctx: Any) -> Any:
    """The running thread does its last step: its sid may be reused."""
    if ctx.vc == U64_0 or ctx.epoch == np.uint32(0):
        return
    note(ctx, OP_THREAD_END, U64_0, U64_0)
    finish_sid(ctx, np.uint64(ctx.epoch))
    close_journal(ctx, thread_at(ctx.thread))


@kernel("void(ctx)")
def race_ignore_begin(ctx: Any) -> Any:
    """Accesses of the running thread are not recorded until the matching race_ignore_end."""
    ctx.ignore_depth += U64_1


@kernel("void(ctx)")
def race_ignore_end(ctx: Any) -> Any:
    """End of race_ignore_begin; does nothing without one."""
    if ctx.ignore_depth & U64_LOW32 != U64_0:
        ctx.ignore_depth -= U64_1


@kernel("b1(ctx)", inlined=True)
def ignores_sync(ctx: Any) -> Any:
    """Whether synchronisation of the running thread makes no order: asked for, or no need."""
    if ctx.ignore_depth >= U64_SINGLE:
        return True
    return thread_at(ctx.thread).spare[IGNORE_SYNC] != U64_0


@kernel("void(ctx)")
def sync_ignore_begin(ctx: Any) -> Any:
    """What the running thread acquires and releases is not recorded until the matching end."""
    thread_at(ctx.thread).spare[IGNORE_SYNC] += U64_1


@kernel("void(ctx)")
def sync_ignore_end(ctx: Any) -> Any:
    """End of sync_ignore_begin; does nothing without one."""
    thread = thread_at(ctx.thread)
    if thread.spare[IGNORE_SYNC] != U64_0:
        thread.spare[IGNORE_SYNC] -= U64_1
