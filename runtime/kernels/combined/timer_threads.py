"""Threads that timers start (SIGEV_THREAD).

The thread that happens to run when a timer rings, or has ended just now, is not its creator: the
new one knows what was published when the timer was set (`begin_notification`), and no more.

Source: timer_create(2).  Deviation: each notification has a thread of its own at once; a
notification for which no thread is left is lost, as natively.
"""

from __future__ import annotations

from irsan.runtime.kernels.combined.thread_life import (
    S_FINISHED,
    cancel_start,
    note_creation,
    start_thread,
)
from irsan.runtime.kernels.combined.timer_types import Timer
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_memset, store_u32
from irsan.runtime.kernels.race.clocks.clock_forms import know_only
from irsan.runtime.kernels.race.clocks.race_words import (
    ALONE_OVER,
    CLOCK_BITS,
    CLOCK_SLOT_BYTES,
    LOW32,
)
from irsan.runtime.kernels.race.ignoring import set_ignored
from irsan.runtime.kernels.race.past_of_threads import keep_past
from irsan.runtime.kernels.race.sync_clocks import sync_acquire
from irsan.runtime.kernels.race.thread_clocks import thread_fork
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.kernels.threads.scheduler import S_BLOCKED, S_FREE
from irsan.runtime.kernels.threads.switching import load_thread, save_thread


@kernel
def expect_threads(ctx: Context) -> None:
    """What the only thread does from now on is recorded: it is not all before the first start.

    And what all threads know by then is not all that the new ones know.
    """
    if ctx.sanitize_thread != 0:
        set_ignored(ctx, ctx.ignore_depth & LOW32)
        ctx.race.alone = ALONE_OVER
        keep_past(ctx)


@kernel
def living_thread(ctx: Context) -> u64:
    """The running thread, or one that waits when that has ended; 0: none is left."""
    state = thread_at(ctx.thread).state
    if state != S_FREE and state != S_FINISHED:
        return ctx.thread
    slot = u64(0)
    while slot < ctx.schedule.n_threads:
        if thread_at(slot_to_thread(slot)).state == S_BLOCKED:
            return slot_to_thread(slot)
        slot += 1
    return 0


@kernel
def forget_creator(ctx: Context, child_addr: u64) -> None:
    """A new thread knows nothing but its own beginning."""
    if ctx.sanitize_thread == 0:
        return
    child = thread_at(child_addr)
    sid = child.epoch >> CLOCK_BITS
    real_memset(child.vc, 0, CLOCK_SLOT_BYTES)
    store_u32(child.vc + sid * 4, u32(child.epoch))
    know_only(ctx, child.vc, sid)


@kernel
def start_notified(ctx: Context, timer: Timer) -> None:
    """Start a detached thread that calls a timer's function."""
    value = timer.value
    child = start_thread(ctx, ctx.entry_points.timer_notify, value, 1, timer.stack_bytes)
    if child == 0:
        return
    if not thread_fork(ctx, child):
        cancel_start(ctx, child)
        return
    forget_creator(ctx, child)
    thread = thread_at(child)
    thread.parent_tid = timer.creator
    thread.creation_stack = timer.creation_stack
    note_creation(thread.tid, thread.parent_tid, thread.creation_stack)
    thread.wait.retry_word = timer.function
    thread.wait.retry_count = addr_of(timer)


@kernel
def start_notification(ctx: Context, timer: Timer) -> None:
    """The same, also when the running thread has ended: its slot is not given away meanwhile."""
    ended = ctx.thread
    acting = living_thread(ctx)
    if acting == ended:
        start_notified(ctx, timer)
        return
    if acting == 0:
        return
    state = thread_at(ended).state
    thread_at(ended).state = S_FINISHED
    save_thread(ctx, ended)
    load_thread(ctx, acting)
    start_notified(ctx, timer)
    save_thread(ctx, acting)
    load_thread(ctx, ended)
    thread_at(ended).state = state


@kernel
def begin_notification(ctx: Context) -> u64:
    """The running thread was started by a timer: the function that it calls."""
    thread = thread_at(ctx.thread)
    sync_acquire(ctx, thread.wait.retry_count)
    function = thread.wait.retry_word
    thread.wait.retry_word = 0
    thread.wait.retry_count = 0
    return function
