"""What the living threads know, which is what bounds the common past (clocks/past_epochs.py).

    a thread that runs, or may run      knows its clock
    waits for a mutex, or on a          takes the mutex before it does anything else, so it knows
    condition, for as long as it takes  the mutex's clock, too, which only grows
    waits for another's end             will know all that the other knows: left out

Without the latter two rules a main thread that started the others and waits for them, or a worker
that has nothing to do, would keep all histories for ever.

A thread that a timer starts knows what was published when the timer was set, and no more: from the
first such timer on nothing is added (`keep_past`).

It is worked out every PERIOD switches of threads; with many of them less often, so that it costs a
few nanoseconds per switch.

Source: ours.
Soundness: what a waiting thread is said to know it knows when its wait ends.  A signal handler or
the cleanup of a cancelled thread may run in it before: their races with what was forgotten
meanwhile are missed.  No false one arises.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.clocks.clock_rows import row_size
from irsan.runtime.kernels.race.clocks.past_epochs import (
    begin_lowest,
    end_lowest,
    lower_by_both,
    lower_by_clock,
    lower_to,
)
from irsan.runtime.kernels.race.clocks.sync_types import sync_at
from irsan.runtime.kernels.race.race_types import sid_numbered
from irsan.runtime.kernels.race.sids import LIVE, newest_epoch, sid_to_thread
from irsan.runtime.kernels.race.sync_objects import find_sync
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.thread_states import BLOCKED, WAIT_CONDITION, WAIT_JOIN, WAIT_MUTEX

PERIOD = 16
COST_OF_ONE = 64  # entries of clocks to look at that are worth another switch
NEVER = 1 << 63


@kernel
def mutex_awaited(thread: Thread) -> u64:
    """Address of the mutex that a thread takes before it goes on; 0 if there is none."""
    if thread.state != BLOCKED or thread.race.ignore_sync != 0:
        return 0
    if thread.wait.kind == WAIT_CONDITION:
        return thread.wait.mutex
    is_taken = thread.wait.kind == WAIT_MUTEX and thread.wait.wake_ns == 0
    return thread.wait.addr if is_taken else u64(0)


@kernel
def waits_for_end(thread: Thread) -> bool:
    """Whether a thread waits until another one has ended, however long that takes.

    The end wakes it in the same step, so the other one lives.
    """
    return thread.state == BLOCKED and thread.wait.kind == WAIT_JOIN and thread.wait.wake_ns == 0


@kernel
def lower_by_thread(thread: Thread, n: u64) -> bool:
    """What a thread knows bounds the past of `n` sids, now or when its wait ends; false: others do.
    """
    if waits_for_end(thread):
        return False
    mutex = mutex_awaited(thread)
    obj = find_sync(mutex) if mutex != 0 else u64(0)
    n_more = u64(0)
    if obj != 0:
        row = sync_at(obj).row
        n_more = min(row_size(row), n)
        lower_by_both(thread.vc, row + 16, n_more)
    lower_by_clock(thread.vc, n_more, n)
    return True


@kernel(outlined=True)
def work_out_past(ctx: Context) -> None:
    """Add to the common past what all living threads know by now.  O(sids x threads)"""
    n, n_living = ctx.race.n_sids, u64(0)
    is_bounded = False
    begin_lowest(n)
    for index in range(n):
        sid = u64(index)
        if sid_numbered(sid).state == LIVE:
            is_bounded |= lower_by_thread(thread_at(sid_to_thread(sid)), n)
            lower_to(sid, u64(newest_epoch(ctx, sid)) - 1)
            n_living += 1
    if is_bounded:  # else all wait for each other's end
        end_lowest(n)
    ctx.race.past_due = PERIOD + n * n_living // COST_OF_ONE


@kernel
def keep_past(ctx: Context) -> None:
    """Threads will come that do not know what their creators know: the common past stays as it is.

    Whoever sets their timer knows all of it by now, and publishes that.
    """
    ctx.race.past_due = NEVER


@kernel(inlined=True)
def watch_past(ctx: Context) -> None:
    """Another thread runs from now on: now and then, what all know by now is worked out."""
    if ctx.race.past_due != 0:
        ctx.race.past_due -= 1
    elif ctx.vc != 0 and ctx.sanitize_thread != 0:
        work_out_past(ctx)
