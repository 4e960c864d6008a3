"""Threads that timers start (SIGEV_THREAD).

The thread that happens to run when a timer rings, or has ended just now, is not its creator: the
new one knows what was published when the timer was set (`begin_notification`), and no more.

Source: timer_create(2).  Deviation: each notification has a thread of its own at once; a
notification for which no thread is left is lost, as natively.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.combined.thread_life import (
    S_FINISHED,
    cancel_start,
    note_creation,
    start_thread,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memset, store_u32
from irsan.runtime.kernels.race.clocks.clock_forms import know_only
from irsan.runtime.kernels.race.clocks.race_words import ALONE, U64_4, U64_CLOCK_BITS, U64_LOW32
from irsan.runtime.kernels.race.clocks.vclock import U64_SLOT_BYTES
from irsan.runtime.kernels.race.sync_clocks import sync_acquire
from irsan.runtime.kernels.race.thread_clocks import U64_ALONE_OVER, thread_fork
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.kernels.threads.scheduler import S_BLOCKED, S_FREE, load_thread, save_thread
from irsan.runtime.records import timer_records as tr

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
NOTIFY = 2  # index into ctx.entry_points: __irsan_timer_notify
VALUE, FUNCTION = np.uint64(tr.VALUE), np.uint64(tr.FUNCTION)
STACK_BYTES, CREATOR = np.uint64(tr.STACK_BYTES), np.uint64(tr.CREATOR)
CREATION_STACK = np.uint64(tr.CREATION_STACK)


@kernel("void(ctx)")
def expect_threads(ctx: Any) -> None:
    """What the only thread does from now on is recorded: it is not all before the first start."""
    if ctx.sanitize_thread != U64_0:
        ctx.ignore_depth &= U64_LOW32
        ctx.race[ALONE] = U64_ALONE_OVER


@kernel("u64(ctx)")
def living_thread(ctx: Any) -> Any:
    """The running thread, or one that waits when that has ended; 0: none is left."""
    state = thread_at(ctx.thread).state
    if state != S_FREE and state != S_FINISHED:
        return ctx.thread
    slot = U64_0
    while slot < ctx.n_threads:
        if thread_at(slot_to_thread(slot)).state == S_BLOCKED:
            return slot_to_thread(slot)
        slot += U64_1
    return U64_0


@kernel("void(ctx,u64)")
def forget_creator(ctx: Any, child_addr: Any) -> None:
    """A new thread knows nothing but its own beginning."""
    if ctx.sanitize_thread == U64_0:
        return
    child = thread_at(child_addr)
    sid = child.epoch >> U64_CLOCK_BITS
    real_memset(child.vc, U64_0, U64_SLOT_BYTES)
    store_u32(child.vc + sid * U64_4, np.uint32(child.epoch))
    know_only(ctx, child.vc, sid)


@kernel("void(ctx,u64)")
def start_notified(ctx: Any, row: Any) -> None:
    """Start a detached thread that calls a timer's function."""
    value = load_u64(row + VALUE)
    child = start_thread(ctx, ctx.entry_points[NOTIFY], value, U64_1, load_u64(row + STACK_BYTES))
    if child == U64_0:
        return
    if not thread_fork(ctx, child):
        cancel_start(ctx, child)
        return
    forget_creator(ctx, child)
    thread = thread_at(child)
    thread.parent_tid = load_u64(row + CREATOR)
    thread.creation_stack = load_u64(row + CREATION_STACK)
    note_creation(thread.tid, thread.parent_tid, thread.creation_stack)
    thread.retry_word = load_u64(row + FUNCTION)
    thread.retry_count = row


@kernel("void(ctx,u64)")
def start_notification(ctx: Any, row: Any) -> None:
    """The same, also when the running thread has ended: its slot is not given away meanwhile."""
    ended = ctx.thread
    acting = living_thread(ctx)
    if acting == ended:
        start_notified(ctx, row)
        return
    if acting == U64_0:
        return
    state = thread_at(ended).state
    thread_at(ended).state = S_FINISHED
    save_thread(ctx, ended)
    load_thread(ctx, acting)
    start_notified(ctx, row)
    save_thread(ctx, acting)
    load_thread(ctx, ended)
    thread_at(ended).state = state


@kernel("u64(ctx)")
def begin_notification(ctx: Any) -> Any:
    """The running thread was started by a timer: the function that it calls."""
    thread = thread_at(ctx.thread)
    sync_acquire(ctx, thread.retry_count)
    function = thread.retry_word
    thread.retry_word = U64_0
    thread.retry_count = U64_0
    return function
