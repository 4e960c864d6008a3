"""timer_create, timerfd_create and their kin: timers on the virtual clock.

    timer_t     number of a row of the table (runtime/records/timer_records.py)
    timerfd     the kernel's own descriptor, which is never set; irsan makes it ready when its row
                is due, and says to its reader how often it rang

    struct sigevent     0 value | 8 signal u32 | 12 notify u32 | 16 function, thread u32 | 24 attr
    struct itimerspec   0 interval | 16 value

Setting a timer publishes: the thread that it starts knows what happened before.

Source: timer_create(2), timer_settime(2), timerfd_create(2).
Deviations: SIGEV_THREAD_ID names the calling thread when it says what gettid() gives, which is the
same for all; readv of a timerfd gives 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import EAGAIN, EINVAL, OK, fail_with_errno
from irsan.interceptors.memory.passed_memory import read, used, written
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.threads import DEFAULT_STACK, MAX_STACK, MIN_STACK
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.combined.timer_files import timer_of
from irsan.runtime.kernels.combined.timer_threads import expect_threads
from irsan.runtime.kernels.combined.timers import (
    FREE,
    NOTHING,
    NUMBER,
    PERIOD,
    ROW_BYTES,
    ROWS,
    SIGALRM,
    SIGNAL,
    TARGET,
    TARGET_TID,
    THREAD,
    TOLD_OVERRUN,
    VALUE,
    arm_timer,
    delete_timer,
    new_timer,
    row_at,
    time_left,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_release
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.virtual_clock import (
    NO_TIME,
    deadline_to_wake_ns,
    load_timespec_ns,
    store_timespec,
)
from irsan.runtime.records import timer_records as tr

U32_0 = np.uint32(0)
U32_64 = np.uint32(64)
I32_0 = np.int32(0)
I32_1 = np.int32(1)
I32_FAILED = np.int32(-1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_12 = np.uint64(12)
U64_16 = np.uint64(16)
U64_24 = np.uint64(24)
U64_32 = np.uint64(32)
U64_64 = np.uint64(64)
I64_NEGATIVE = np.uint64(1 << 63)
CLOCK, FUNCTION = np.uint64(tr.CLOCK), np.uint64(tr.FUNCTION)
STACK_BYTES, CREATOR = np.uint64(tr.STACK_BYTES), np.uint64(tr.CREATOR)
CREATION_STACK = np.uint64(tr.CREATION_STACK)
MAX_ROWS = np.uint64(tr.MAX_ROWS)
NOTIFY_SIGNAL, NOTIFY_NONE = np.uint32(0), np.uint32(1)
NOTIFY_THREAD, NOTIFY_THREAD_ID = np.uint32(2), np.uint32(4)
LAST_CLOCK = np.int32(11)
NO_TIMER_CLOCKS = np.uint32(1 << 4 | 1 << 5 | 1 << 6 | 1 << 10)  # RAW, the coarse ones, none


@kernel("b1(i32)")
def has_timers(clock_id: Any) -> Any:
    """Whether timers exist for a clock; negative ones are those of other processes' time."""
    if clock_id < I32_0 or clock_id > LAST_CLOCK:
        return False
    return (NO_TIMER_CLOCKS >> np.uint32(clock_id)) & np.uint32(1) == U32_0


@kernel("void(u64,u64,u64)")
def set_function(row: Any, function: Any, attributes: Any) -> None:
    """The timer starts threads, with the stack that glibc's attributes ask for."""
    store_u64(row, THREAD)
    store_u64(row + FUNCTION, function)
    stack_bytes = DEFAULT_STACK
    if attributes != U64_0 and load_u64(attributes + U64_32) != U64_0:
        stack_bytes = min(max(load_u64(attributes + U64_32), MIN_STACK), MAX_STACK)
    store_u64(row + STACK_BYTES, stack_bytes)


@kernel("b1(ctx,u64,u64)")
def set_event(ctx: Any, row: Any, event: Any) -> Any:
    """What a struct sigevent asks for; false when that is nothing known."""
    store_u64(row + NUMBER, np.uint64(load_u32(event + U64_8)))
    store_u64(row + VALUE, load_u64(event))
    notify = load_u32(event + U64_12)
    if notify == NOTIFY_NONE:
        store_u64(row, NOTHING)
        return True
    if notify == NOTIFY_THREAD:
        set_function(row, load_u64(event + U64_16), load_u64(event + U64_24))
        expect_threads(ctx)
        return True
    number = load_u32(event + U64_8)
    if notify == NOTIFY_THREAD_ID:
        store_u64(row + TARGET, ctx.thread)
        store_u64(row + TARGET_TID, thread_at(ctx.thread).tid)
    elif notify != NOTIFY_SIGNAL:
        return False
    return number != U32_0 and number <= U32_64


@kernel("void(ctx,u64)")
def event_used(ctx: Any, event: Any) -> None:
    """timer_create acts upon the kind of event, and upon what that kind has."""
    used(ctx, event + U64_12, np.uint64(4))
    if load_u32(event + U64_12) == NOTIFY_THREAD:
        used(ctx, event + U64_16, U64_16)
    elif load_u32(event + U64_12) != NOTIFY_NONE:
        used(ctx, event + U64_8, np.uint64(4))


@kernel("i32(ctx,i32,u64,u64)")
def i_timer_create(ctx: Any, clock_id: Any, event: Any, target: Any) -> Any:
    """timer_create; without an event it is SIGALRM with the timer's number as value."""
    if event != U64_0:
        read(ctx, event, U64_64)
        event_used(ctx, event)
    if not has_timers(clock_id):
        return fail_with_errno(ctx, EINVAL)
    row = new_timer(SIGNAL)
    if row == U64_0:
        return fail_with_errno(ctx, EAGAIN)
    number = np.uint64((row - ROWS) // ROW_BYTES)
    store_u64(row + CLOCK, np.uint64(clock_id))
    store_u64(row + NUMBER, SIGALRM)
    store_u64(row + VALUE, number)
    store_u64(row + CREATOR, thread_at(ctx.thread).tid)
    store_u64(row + CREATION_STACK, np.uint64(current_stack_id(ctx)))
    if event != U64_0 and not set_event(ctx, row, event):
        store_u64(row, FREE)
        return fail_with_errno(ctx, EINVAL)
    written(ctx, target, U64_8)
    store_u64(target, number)
    return OK


@kernel("u64(u64)")
def timer_row(timer: Any) -> Any:
    """Row of a timer_t; 0 when it names none."""
    if timer == U64_0 or timer >= MAX_ROWS:
        return U64_0
    row = row_at(timer)
    kind = load_u64(row)
    if kind != SIGNAL and kind != THREAD and kind != NOTHING:
        return U64_0
    return row


@kernel("void(ctx,u64,u64)")
def give_setting(ctx: Any, row: Any, target: Any) -> None:
    """Write a timer's interval and what is left of its time as a struct itimerspec."""
    written(ctx, target, U64_32)
    store_timespec(target, load_u64(row + PERIOD))
    left = time_left(ctx, row)
    store_timespec(target + U64_16, left)


@kernel("b1(u64)")
def is_setting(new: Any) -> Any:
    """Whether a struct itimerspec has two times, neither of them negative."""
    if load_timespec_ns(new) == NO_TIME or load_timespec_ns(new + U64_16) == NO_TIME:
        return False
    return ((load_u64(new) | load_u64(new + U64_16)) & I64_NEGATIVE) == U64_0


@kernel("i32(ctx,u64,i32,u64,u64)")
def set_row(ctx: Any, row: Any, flags: Any, new: Any, old: Any) -> Any:
    """Set a timer; an error number when its times are none."""
    read(ctx, new, U64_32)
    used(ctx, new, U64_32)
    if not is_setting(new):
        return EINVAL
    value, period = load_timespec_ns(new + U64_16), load_timespec_ns(new)
    if old != U64_0:
        give_setting(ctx, row, old)
    due = U64_0
    if value != U64_0 and (flags & I32_1) != I32_0:
        due = deadline_to_wake_ns(ctx, new + U64_16, load_u64(row + CLOCK))
    elif value != U64_0:
        due = time_after_ns(ctx, value)
    sync_release(ctx, row)
    arm_timer(ctx, row, due, period)
    return OK


@kernel("i32(ctx,u64,i32,u64,u64)")
def i_timer_settime(ctx: Any, timer: Any, flags: Any, new: Any, old: Any) -> Any:
    """timer_settime."""
    row = timer_row(timer)
    if row == U64_0:
        return fail_with_errno(ctx, EINVAL)
    return fail_with_errno(ctx, set_row(ctx, row, flags, new, old))


@kernel("i32(ctx,u64,u64)")
def i_timer_gettime(ctx: Any, timer: Any, target: Any) -> Any:
    """timer_gettime."""
    row = timer_row(timer)
    if row == U64_0:
        return fail_with_errno(ctx, EINVAL)
    give_setting(ctx, row, target)
    return OK


@kernel("i32(ctx,u64)")
def i_timer_getoverrun(ctx: Any, timer: Any) -> Any:
    """timer_getoverrun: of the signal that was taken last."""
    row = timer_row(timer)
    if row == U64_0:
        return fail_with_errno(ctx, EINVAL)
    return np.int32(load_u64(row + TOLD_OVERRUN))


@kernel("i32(ctx,u64)")
def i_timer_delete(ctx: Any, timer: Any) -> Any:
    """timer_delete."""
    row = timer_row(timer)
    if row == U64_0:
        return fail_with_errno(ctx, EINVAL)
    delete_timer(ctx, row)
    return OK


@kernel("b1(ctx,i32,i32,u64,u64)")
def i_timerfd_settime(ctx: Any, file: Any, flags: Any, new: Any, old: Any) -> Any:
    """timerfd_settime: false when it was done here, and true when the host must refuse it."""
    row = timer_of(file)
    if row == U64_0 or new == U64_0 or (flags & ~np.int32(3)) != I32_0:
        return True
    return set_row(ctx, row, flags, new, old) != OK


@kernel("b1(ctx,i32,u64)")
def i_timerfd_gettime(ctx: Any, file: Any, target: Any) -> Any:
    """timerfd_gettime: false when it was done here."""
    row = timer_of(file)
    if row == U64_0:
        return True
    give_setting(ctx, row, target)
    return False


EXPORTS = (
    Export("i32 timer_create(i32,ptr,ptr)", kernel="i_timer_create"),
    Export("i32 timer_settime(u64,i32,ptr,ptr)", kernel="i_timer_settime"),
    Export("i32 timer_gettime(u64,ptr)", kernel="i_timer_gettime"),
    Export("i32 timer_getoverrun(u64)", kernel="i_timer_getoverrun"),
    Export("i32 timer_delete(u64)", kernel="i_timer_delete"),
    Export("i32 timerfd_settime(i32,i32,ptr,ptr)", kernel="i_timerfd_settime", then_real=True),
    Export("i32 timerfd_gettime(i32,ptr)", kernel="i_timerfd_gettime", then_real=True),
)
