"""timer_create, timerfd_create and similar: timers on the virtual clock.

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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.virtual_clock import (
    NO_TIME,
    deadline_to_wake_ns,
    load_timespec_ns,
    store_timespec,
)
from irsan.runtime.records import timer_records as tr
from irsan.runtime.records.timer_records import CREATION_STACK, MAX_ROWS

FAILED = -1
NEGATIVE = 1 << 63
CLOCK, FUNCTION = tr.CLOCK, tr.FUNCTION
STACK_BYTES, CREATOR = tr.STACK_BYTES, tr.CREATOR
NOTIFY_SIGNAL, NOTIFY_NONE = 0, 1
NOTIFY_THREAD, NOTIFY_THREAD_ID = 2, 4
LAST_CLOCK = 11
NO_TIMER_CLOCKS = 1 << 4 | 1 << 5 | 1 << 6 | 1 << 10  # RAW, the coarse ones, none


@kernel
def has_timers(clock_id: i32) -> bool:
    """Whether timers exist for a clock; negative ones are those of other processes' time."""
    if clock_id < 0 or clock_id > LAST_CLOCK:
        return False
    return (NO_TIMER_CLOCKS >> u32(clock_id)) & 1 == 0


@kernel
def set_function(row: u64, function: u64, attributes: u64) -> None:
    """The timer starts threads, with the stack that glibc's attributes ask for."""
    store_u64(row, THREAD)
    store_u64(row + FUNCTION, function)
    stack_bytes = u64(DEFAULT_STACK)
    if attributes != 0 and load_u64(attributes + 32) != 0:
        stack_bytes = min(max(load_u64(attributes + 32), u64(MIN_STACK)), u64(MAX_STACK))
    store_u64(row + STACK_BYTES, stack_bytes)


@kernel
def set_event(ctx: Context, row: u64, event: u64) -> bool:
    """What a struct sigevent asks for; false when that is nothing known."""
    store_u64(row + NUMBER, u64(load_u32(event + 8)))
    store_u64(row + VALUE, load_u64(event))
    notify = load_u32(event + 12)
    if notify == NOTIFY_NONE:
        store_u64(row, NOTHING)
        return True
    if notify == NOTIFY_THREAD:
        set_function(row, load_u64(event + 16), load_u64(event + 24))
        expect_threads(ctx)
        return True
    number = load_u32(event + 8)
    if notify == NOTIFY_THREAD_ID:
        store_u64(row + TARGET, ctx.thread)
        store_u64(row + TARGET_TID, thread_at(ctx.thread).tid)
    elif notify != NOTIFY_SIGNAL:
        return False
    return number != 0 and number <= 64


@kernel
def event_used(ctx: Context, event: u64) -> None:
    """timer_create acts upon the kind of event, and upon what that kind has."""
    used(ctx, event + 12, 4)
    if load_u32(event + 12) == NOTIFY_THREAD:
        used(ctx, event + 16, 16)
    elif load_u32(event + 12) != NOTIFY_NONE:
        used(ctx, event + 8, 4)


@kernel
def i_timer_create(ctx: Context, clock_id: i32, event: u64, target: u64) -> i32:
    """timer_create; without an event it is SIGALRM with the timer's number as value."""
    if event != 0:
        read(ctx, event, 64)
        event_used(ctx, event)
    if not has_timers(clock_id):
        return fail_with_errno(ctx, EINVAL)
    row = new_timer(SIGNAL)
    if row == 0:
        return fail_with_errno(ctx, EAGAIN)
    number = u64((row - ROWS) // ROW_BYTES)
    store_u64(row + CLOCK, u64(clock_id))
    store_u64(row + NUMBER, SIGALRM)
    store_u64(row + VALUE, number)
    store_u64(row + CREATOR, thread_at(ctx.thread).tid)
    store_u64(row + CREATION_STACK, u64(current_stack_id(ctx)))
    if event != 0 and not set_event(ctx, row, event):
        store_u64(row, FREE)
        return fail_with_errno(ctx, EINVAL)
    written(ctx, target, 8)
    store_u64(target, number)
    return OK


@kernel
def timer_row(timer: u64) -> u64:
    """Row of a timer_t; 0 when it names none."""
    if timer == 0 or timer >= MAX_ROWS:
        return 0
    row = row_at(timer)
    kind = load_u64(row)
    if kind != SIGNAL and kind != THREAD and kind != NOTHING:
        return 0
    return row


@kernel
def give_setting(ctx: Context, row: u64, target: u64) -> None:
    """Write a timer's interval and its remaining time as a struct itimerspec."""
    written(ctx, target, 32)
    store_timespec(target, load_u64(row + PERIOD))
    left = time_left(ctx, row)
    store_timespec(target + 16, left)


@kernel
def is_setting(new: u64) -> bool:
    """Whether a struct itimerspec has two times, neither of them negative."""
    if load_timespec_ns(new) == NO_TIME or load_timespec_ns(new + 16) == NO_TIME:
        return False
    return ((load_u64(new) | load_u64(new + 16)) & NEGATIVE) == 0


@kernel
def set_row(ctx: Context, row: u64, flags: i32, new: u64, old: u64) -> i32:
    """Set a timer; an error number when its times are none."""
    read(ctx, new, 32)
    used(ctx, new, 32)
    if not is_setting(new):
        return EINVAL
    value, period = load_timespec_ns(new + 16), load_timespec_ns(new)
    if old != 0:
        give_setting(ctx, row, old)
    due = u64(0)
    if value != 0 and (flags & 1) != 0:
        due = deadline_to_wake_ns(ctx, new + 16, load_u64(row + CLOCK))
    elif value != 0:
        due = time_after_ns(ctx, value)
    sync_release(ctx, row)
    arm_timer(ctx, row, due, period)
    return OK


@kernel
def i_timer_settime(ctx: Context, timer: u64, flags: i32, new: u64, old: u64) -> i32:
    """timer_settime."""
    row = timer_row(timer)
    if row == 0:
        return fail_with_errno(ctx, EINVAL)
    return fail_with_errno(ctx, set_row(ctx, row, flags, new, old))


@kernel
def i_timer_gettime(ctx: Context, timer: u64, target: u64) -> i32:
    """timer_gettime."""
    row = timer_row(timer)
    if row == 0:
        return fail_with_errno(ctx, EINVAL)
    give_setting(ctx, row, target)
    return OK


@kernel
def i_timer_getoverrun(ctx: Context, timer: u64) -> i32:
    """timer_getoverrun: of the signal that was taken last."""
    row = timer_row(timer)
    if row == 0:
        return fail_with_errno(ctx, EINVAL)
    return i32(load_u64(row + TOLD_OVERRUN))


@kernel
def i_timer_delete(ctx: Context, timer: u64) -> i32:
    """timer_delete."""
    row = timer_row(timer)
    if row == 0:
        return fail_with_errno(ctx, EINVAL)
    delete_timer(ctx, row)
    return OK


@kernel
def i_timerfd_settime(ctx: Context, file: i32, flags: i32, new: u64, old: u64) -> bool:
    """timerfd_settime: false when it was done here, and true when the host must refuse it."""
    row = timer_of(file)
    if row == 0 or new == 0 or (flags & ~i32(3)) != 0:
        return True
    return set_row(ctx, row, flags, new, old) != OK


@kernel
def i_timerfd_gettime(ctx: Context, file: i32, target: u64) -> bool:
    """timerfd_gettime: false when it was done here."""
    row = timer_of(file)
    if row == 0:
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
