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

from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    DONTNEED,
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
from irsan.runtime.kernels.race.clocks.past_epochs import forget_past
from irsan.runtime.kernels.race.clocks.race_words import (
    ALONE_FUEL,
    ALONE_OVER,
    CLOCK_BITS,
    CLOCK_MAX,
    CLOCK_ROW_BYTES,
    CLOCKS,
    CLOCKS_SIZE,
    EXPANDED_PAGES,
    FENCED,
    FOREIGN_LINE_BITS,
    FULL_CREDIT,
    LOW32,
    MAX_SIDS,
    NONE,
    PAGES_SIZE,
    RECORDS_ADDR,
    RECORDS_SIZE,
    ROW_CLASS_SIZE,
    ROWS_ADDR,
    SIDS_ADDR,
    SINGLE,
    SYNC_LINES,
    SYNC_LINES_SIZE,
    SYNC_OBJECTS,
    SYNC_OBJECTS_SIZE,
    SYNC_PAGES,
)
from irsan.runtime.kernels.race.clocks.vclock import slot_to_clock
from irsan.runtime.kernels.race.ignoring import set_ignored
from irsan.runtime.kernels.race.race_types import sid_numbered
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sids import (
    LIVE,
    append_journal,
    close_journal,
    find_sid,
    finish_sid,
    first_epoch,
    sid_to_thread,
    take_sid,
)
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout.memory_map import RACE_SHADOW, RACE_SHADOW_SIZE
from irsan.runtime.records.race import trace_records
from irsan.runtime.records.subsystems import N_RECORD_CLASSES, N_ROW_CLASSES

OP_FORK = trace_records.FORK
OP_JOIN = trace_records.JOIN
OP_THREAD_END = trace_records.THREAD_END
BARE = 3 * CLOCK_ROW_BYTES
SIDS_SIZE = 32 * MAX_SIDS
ALL_LINES_BYTES = SYNC_LINES_SIZE + (4 << FOREIGN_LINE_BITS)
ROWS_SIZE = N_ROW_CLASSES * ROW_CLASS_SIZE


@kernel
def clear_thread_clock(ctx: Context, thread: Thread) -> None:
    """Give a thread record the zero clock of its slot, no fences, nothing ignored.  O(sids)"""
    clock = slot_to_clock(thread.slot)
    n_bytes = ctx.race.n_sids * 4  # columns beyond are zero everywhere
    real_memset(clock, 0, n_bytes)
    if load_u64(clock + FENCED) != 0:
        real_memset(clock + CLOCK_ROW_BYTES, 0, n_bytes)
        real_memset(clock + CLOCK_ROW_BYTES + CLOCK_ROW_BYTES, 0, n_bytes)
    store_u64(clock + BARE, 0)
    store_u64(clock + FENCED, 0)
    thread.vc = clock
    thread.race.ignore_sync = 0
    thread.race.acquire_pending = 0
    thread.race.release_epoch = 0


@kernel
def race_start(ctx: Context) -> None:
    """Make the running thread the first one of the race detector; call once, before any access."""
    thread = thread_at(ctx.thread)
    ctx.race.n_sids = 1
    clear_thread_clock(ctx, thread)
    ctx.race.dedupe = 1
    ctx.race.transition_credit = MAX_CREDIT
    ctx.race.mark_credit = FULL_CREDIT
    ctx.vc = thread.vc
    ctx.epoch = u32(take_sid(ctx, 0, thread))
    lamport_next(ctx, thread.epoch, 0)
    begin_generation(ctx)
    set_ignored(ctx, ctx.ignore_depth | SINGLE)


@kernel
def forget_accesses(ctx: Context) -> None:
    """Give back all race shadow and expanded cells."""
    real_madvise(RACE_SHADOW, RACE_SHADOW_SIZE, DONTNEED)
    real_madvise(RECORDS_ADDR, RECORDS_SIZE, DONTNEED)
    real_madvise(EXPANDED_PAGES, PAGES_SIZE, DONTNEED)
    forget_sharing()
    forget_transitions()
    forget_all_mapped()
    ctx.race.n_expanded = 0
    ctx.race.record_bump = 0
    for size_class in range(N_RECORD_CLASSES):
        ctx.race.record_free[size_class] = 0


@kernel
def alone_for_long(ctx: Context) -> None:
    """Fuel has run out: the only thread has been watched for long enough, or goes on a bit longer.

    Nothing that it has recorded can matter: it happens before all that other threads will do.
    """
    left = ctx.race.alone
    if left == 0 or left == ALONE_OVER:
        return
    ctx.race.alone = left - 1
    set_fuel(ctx, ALONE_FUEL)
    if left == 1:
        forget_accesses(ctx)
        set_ignored(ctx, ctx.ignore_depth | SINGLE)
        ctx.race.alone = ALONE_OVER


@kernel
def forget_history(ctx: Context) -> None:
    """Give back all race shadow, expanded cells and sync objects."""
    forget_accesses(ctx)
    real_madvise(SYNC_PAGES, PAGES_SIZE, DONTNEED)
    real_madvise(SYNC_LINES, ALL_LINES_BYTES, DONTNEED)
    real_madvise(SYNC_OBJECTS, SYNC_OBJECTS_SIZE, DONTNEED)
    real_madvise(ROWS_ADDR, ROWS_SIZE, DONTNEED)
    ctx.race.n_sync = 0
    ctx.race.sync_bump = 0
    ctx.race.sync_free = 0
    ctx.race.sync_full = 0
    for size_class in range(N_ROW_CLASSES):
        ctx.race.row_bump[size_class] = 0
    for size_class in range(N_ROW_CLASSES):
        ctx.race.row_free[size_class] = 0


@kernel
def start_anew(ctx: Context, sid: u64, thread_addr: u64) -> None:
    """After a flush: the thread owns `sid` from clock 1 on and knows no other thread."""
    thread = thread_at(thread_addr)
    epoch = (sid << CLOCK_BITS) + 1
    owned = sid_numbered(sid)
    owned.state = u32(LIVE)
    owned.owner_slot = thread.slot
    store_u32(thread.vc + sid * 4, u32(epoch))
    know_only(ctx, thread.vc, sid)
    thread.epoch = epoch
    append_journal(ctx, thread)


@kernel
def race_flush(ctx: Context) -> None:
    """Forget all history; every living thread starts anew at clock 1 of a sid of its own.

    O(threads ever live at once).  Changes ctx.epoch.
    """
    ctx.race.n_flushes += 1
    forget_history(ctx)
    forget_past()
    time = lamport_now(ctx)
    real_madvise(CLOCKS, CLOCKS_SIZE, DONTNEED)
    for index in range(ctx.schedule.n_threads):
        thread_at(slot_to_thread(u64(index))).race.release_epoch = 0
    n_live = u64(0)
    for index in range(ctx.race.n_sids):
        if sid_numbered(u64(index)).state != LIVE:
            continue
        start_anew(ctx, n_live, sid_to_thread(u64(index)))
        lamport_restart(ctx, (n_live << CLOCK_BITS) + 1, time)
        n_live += 1
    ctx.race.n_sids = n_live
    rest = addr_of(sid_numbered(n_live))
    real_memset(rest, 0, u64(SIDS_ADDR) + SIDS_SIZE - rest)
    ctx.epoch = u32(thread_at(ctx.thread).epoch)
    begin_generation(ctx)


@kernel
def race_change_sid(ctx: Context) -> u32:
    """The running thread's sid has no clock value left: go on under another, or flush.

    Or there is little room left for sync objects: flush.
    """
    if ctx.race.sync_full != 0:
        race_flush(ctx)
        return ctx.epoch
    ctx.race.n_clock_overflows += 1
    sid = find_sid(ctx, ctx.vc)
    if sid == NONE:
        race_flush(ctx)
        return ctx.epoch
    old = u64(ctx.epoch)
    finish_sid(ctx, old)
    go_on_as(ctx, sid, first_epoch(sid))
    ctx.epoch = u32(take_sid(ctx, sid, thread_at(ctx.thread)))
    lamport_next(ctx, u64(ctx.epoch), old)
    begin_generation(ctx)
    return ctx.epoch


@kernel(inlined=True)
def race_tick(ctx: Context) -> u32:
    """Start the running thread's next epoch: what it does from here on is not yet released."""
    epoch = u64(ctx.epoch)
    if epoch & CLOCK_MAX != CLOCK_MAX and ctx.race.sync_full == 0:
        epoch += 1
        store_u32(ctx.vc + (epoch >> CLOCK_BITS) * 4, u32(epoch))
        ctx.epoch = u32(epoch)
        lamport_next(ctx, epoch, epoch - 1)
        begin_generation(ctx)
        return ctx.epoch
    return race_change_sid(ctx)


@kernel
def thread_fork(ctx: Context, child_addr: u64) -> bool:
    """The running thread creates the thread with record `child_addr` (slot, tid and parent set).

    Gives the child a clock and an epoch.  False when 4096 threads live already: the creation must
    fail then, because the edges of a thread without a clock would be lost.
    """
    child = thread_at(child_addr)
    child.vc = 0
    child.epoch = 0
    child.ignore_depth = SINGLE
    if ctx.sanitize_thread == 0:
        return True
    sid = find_sid(ctx, ctx.vc)
    if sid == NONE:
        race_flush(ctx)
        sid = find_sid(ctx, ctx.vc)
    if sid == NONE:
        return False
    set_ignored(ctx, ctx.ignore_depth & LOW32)
    ctx.race.alone = ALONE_OVER
    child.ignore_depth = 0
    clear_thread_clock(ctx, child)
    inherit_clock(ctx, child_addr, sid, first_epoch(sid))
    take_sid(ctx, sid, child)
    note(ctx, OP_FORK, child.tid, 0)
    lamport_next(ctx, child.epoch, u64(ctx.epoch))
    race_tick(ctx)
    return True


@kernel
def thread_join_edge(ctx: Context, child_addr: u64) -> None:
    """The running thread has joined a finished thread: all of that is its past now.

    Call before the child's slot is given to another thread.
    """
    child = thread_at(child_addr)
    if child.vc != 0:
        note(ctx, OP_JOIN, child.tid, 0)
        learn_thread(ctx, child_addr)


@kernel
def thread_finish(ctx: Context) -> None:
    """The running thread does its last step: its sid may be reused."""
    if ctx.vc == 0 or ctx.epoch == 0:
        return
    note(ctx, OP_THREAD_END, 0, 0)
    finish_sid(ctx, u64(ctx.epoch))
    close_journal(ctx, thread_at(ctx.thread))


@kernel
def race_ignore_begin(ctx: Context) -> None:
    """Accesses of the running thread are not recorded until the matching race_ignore_end."""
    set_ignored(ctx, ctx.ignore_depth + 1)


@kernel
def race_ignore_end(ctx: Context) -> None:
    """End of race_ignore_begin; does nothing without one."""
    if ctx.ignore_depth & LOW32 != 0:
        set_ignored(ctx, ctx.ignore_depth - 1)


@kernel(inlined=True)
def ignores_sync(ctx: Context) -> bool:
    """Whether synchronisation of the running thread makes no order: asked for, or no need."""
    if ctx.ignore_depth >= SINGLE:
        return True
    return thread_at(ctx.thread).race.ignore_sync != 0


@kernel
def sync_ignore_begin(ctx: Context) -> None:
    """What the running thread acquires and releases is not recorded until the matching end."""
    thread_at(ctx.thread).race.ignore_sync += 1


@kernel
def sync_ignore_end(ctx: Context) -> None:
    """End of sync_ignore_begin; does nothing without one."""
    thread = thread_at(ctx.thread)
    if thread.race.ignore_sync != 0:
        thread.race.ignore_sync -= 1
