"""Interceptors of sleeps and of yields: virtual time passes, and other threads go on.

A thread that does nothing but ask again and again is put off for longer (threads/polls.py).
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EINTR, EINVAL, OK, fail_with_errno
from irsan.interceptors.memory.passed_memory import used, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.combined.object_uses import is_time_bad
from irsan.runtime.kernels.injected import interrupts
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.sleeps import note_sleep
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.polls import put_off_ns
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.scheduler import block_current, take_resuming
from irsan.runtime.kernels.threads.virtual_clock import (
    NO_TIME,
    NS_PER_S,
    deadline_to_wake_ns,
    store_timespec,
    timespec_span_ns,
)
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.thread_states import WAIT_INTERRUPTED, WAIT_SLEEP

TIMESPEC_BYTES = libc.size("struct timespec")
W_SLEEP = WAIT_SLEEP
W_INTERRUPTED = WAIT_INTERRUPTED
TIMER_ABSTIME = libc.constant("TIMER_ABSTIME")


@kernel
def i_sched_yield(ctx: Context) -> i32:
    """sched_yield, and pthread_yield; a thread that does nothing else is put off for a while."""
    if take_resuming(ctx) == W_SLEEP:
        return OK
    pause_ns = put_off_ns(ctx)
    if pause_ns == 0:
        ctx.action = YIELD
    else:
        block_current(ctx, W_SLEEP, 0, ctx.schedule.clock_ns + pause_ns)
    return OK


@kernel
def slept_short_ns(ctx: Context) -> u64:
    """What was left of the running thread's sleep when a signal ended it."""
    wake_ns = thread_at(ctx.thread).wait.retry_word
    return max(wake_ns, ctx.schedule.clock_ns) - ctx.schedule.clock_ns


@kernel
def sleep_ns(ctx: Context, duration_ns: u64) -> i32:
    """Block for a span of virtual time; EINVAL for NO_TIME."""
    if cancel_due(ctx):
        return OK
    if duration_ns == NO_TIME:
        return EINVAL
    if take_resuming(ctx) == W_SLEEP:
        note_sleep(ctx)
        is_cut = thread_at(ctx.thread).wait.status == W_INTERRUPTED and slept_short_ns(ctx) != 0
        return i32(EINTR) if is_cut else i32(OK)
    wake_ns = max(time_after_ns(ctx, duration_ns), u64(1))
    thread_at(ctx.thread).wait.retry_word = wake_ns
    if interrupts(ctx):
        return EINTR
    block_current(ctx, W_SLEEP, 0, max(wake_ns, ctx.schedule.clock_ns + put_off_ns(ctx)))
    return OK


@kernel
def i_sleep(ctx: Context, seconds: u32) -> u32:
    """sleep."""
    if sleep_ns(ctx, u64(seconds) * NS_PER_S) != EINTR:
        return 0
    return u32(slept_short_ns(ctx) // NS_PER_S)


@kernel
def i_usleep(ctx: Context, microseconds: u32) -> i32:
    """usleep."""
    return fail_with_errno(ctx, sleep_ns(ctx, u64(microseconds) * 1000))


@kernel
def sleep_timespec(ctx: Context, duration: u64, remaining: u64) -> i32:
    """Sleep for a span of time; a signal leaves the rest of it in `remaining`, if that is given."""
    if is_time_bad(ctx, duration):
        return OK
    status = sleep_ns(ctx, timespec_span_ns(duration))
    used(ctx, duration, TIMESPEC_BYTES)
    if status == EINTR and remaining != 0:
        written(ctx, remaining, TIMESPEC_BYTES)
        store_timespec(remaining, slept_short_ns(ctx))
    return status


@kernel
def i_nanosleep(ctx: Context, duration: u64, remaining: u64) -> i32:
    """nanosleep, and thrd_sleep."""
    return fail_with_errno(ctx, sleep_timespec(ctx, duration, remaining))


@kernel
def sleep_until(ctx: Context, deadline: u64, clock_id: u64) -> i32:
    """Sleep up to a time of a clock."""
    if cancel_due(ctx) or is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, clock_id)
    if take_resuming(ctx) == W_SLEEP:
        note_sleep(ctx)
        if thread_at(ctx.thread).wait.status == W_INTERRUPTED:
            return EINTR
    if wake_ns <= ctx.schedule.clock_ns:
        return OK
    if wake_ns == NO_TIME:
        return EINVAL
    if interrupts(ctx):
        return EINTR
    block_current(ctx, W_SLEEP, 0, wake_ns)
    return OK


@kernel
def i_clock_nanosleep(
    ctx: Context, clock_id: i32, flags: i32, duration: u64, remaining: u64
) -> i32:
    """clock_nanosleep, relative or absolute."""
    if flags & TIMER_ABSTIME == 0:
        return sleep_timespec(ctx, duration, remaining)
    status = sleep_until(ctx, duration, u64(clock_id))
    used(ctx, duration, TIMESPEC_BYTES)
    return status


EXPORTS = (
    Export("i32 thrd_sleep(ptr,ptr)", kernel="i_nanosleep"),
    Export("void thrd_yield()", kernel="i_sched_yield"),
    Export("i32 sched_yield()", kernel="i_sched_yield"),
    Export("i32 pthread_yield()", kernel="i_sched_yield"),
    Export("u32 sleep(u32)", kernel="i_sleep"),
    Export("i32 usleep(u32)", kernel="i_usleep"),
    Export("i32 nanosleep(ptr,ptr)", kernel="i_nanosleep"),
    Export("i32 clock_nanosleep(i32,i32,ptr,ptr)", kernel="i_clock_nanosleep"),
)
