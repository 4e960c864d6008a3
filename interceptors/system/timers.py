"""timer_create, timerfd_create and similar: timers on the virtual clock.

    timer_t     number of a row of the table (runtime/records/threads/timer_records.py)
    timerfd     the kernel's own descriptor, which is never set; irsan makes it ready when its row
                is due, and says to its reader how often it rang

    struct sigevent     0 value | 8 signal u32 | 12 notify u32 | 16 function, thread u32 | 24 attr
    struct itimerspec   0 interval | 16 value

Setting a timer publishes: the thread that it starts knows what happened before.

Source: timer_create(2), timer_settime(2), timerfd_create(2).
Deviation: readv of a timerfd gives 1.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EAGAIN, EINVAL, OK, fail_with_errno
from irsan.interceptors.memory.passed_memory import read, used, written
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.thread_ids import thread_with_id
from irsan.interceptors.threads.threads import DEFAULT_STACK, MAX_STACK, MIN_STACK
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.combined.timer_files import timer_of
from irsan.runtime.kernels.combined.timer_threads import expect_threads
from irsan.runtime.kernels.combined.timer_types import Timer, timer_at, timer_numbered
from irsan.runtime.kernels.combined.timers import (
    FREE,
    NOTHING,
    ROW_BYTES,
    ROWS,
    SIGALRM,
    SIGNAL,
    THREAD,
    arm_timer,
    delete_timer,
    new_timer,
    time_left,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_release
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.virtual_clock import (
    NO_TIME,
    deadline_to_wake_ns,
    load_timespec_ns,
    store_timespec,
)
from irsan.runtime.records.threads.timer_records import MAX_ROWS

FAILED = -1
NEGATIVE = 1 << 63
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
def set_function(timer: Timer, function: u64, attributes: u64) -> None:
    """The timer starts threads, with the stack that glibc's attributes ask for."""
    timer.kind = THREAD
    timer.function = function
    stack_bytes = u64(DEFAULT_STACK)
    if attributes != 0 and load_u64(attributes + 32) != 0:
        stack_bytes = min(max(load_u64(attributes + 32), u64(MIN_STACK)), u64(MAX_STACK))
    timer.stack_bytes = stack_bytes


@kernel
def set_event(ctx: Context, timer: Timer, event: u64) -> bool:
    """What a struct sigevent asks for; false when that is nothing known."""
    timer.number = u64(load_u32(event + 8))
    timer.value = load_u64(event)
    notify = load_u32(event + 12)
    if notify == NOTIFY_NONE:
        timer.kind = NOTHING
        return True
    if notify == NOTIFY_THREAD:
        set_function(timer, load_u64(event + 16), load_u64(event + 24))
        expect_threads(ctx)
        return True
    number = load_u32(event + 8)
    if notify == NOTIFY_THREAD_ID:
        timer.target = thread_with_id(ctx, i32(0), i32(load_u32(event + 16)))
        if timer.target == 0:
            return False
        timer.target_tid = thread_at(timer.target).tid
    elif notify != NOTIFY_SIGNAL:
        return False
    return number != 0 and number <= 64


@kernel
def event_used(ctx: Context, event: u64) -> None:
    """timer_create acts upon the kind of event, and upon what that kind has."""
    used(ctx, event + 12, 4)
    if load_u32(event + 12) == NOTIFY_THREAD:
        used(ctx, event + 16, 16)
    if load_u32(event + 12) == NOTIFY_THREAD_ID:
        used(ctx, event + 16, 4)
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
    timer = timer_at(row)
    number = u64((row - ROWS) // ROW_BYTES)
    timer.clock = u64(clock_id)
    timer.number = SIGALRM
    timer.value = number
    timer.creator = thread_at(ctx.thread).tid
    timer.creation_stack = u64(current_stack_id(ctx))
    if event != 0 and not set_event(ctx, timer, event):
        timer.kind = FREE
        return fail_with_errno(ctx, EINVAL)
    written(ctx, target, 8)
    store_u64(target, number)
    return OK


@kernel
def timer_row(number: u64) -> u64:
    """Row of a timer_t; 0 when it names none."""
    if number == 0 or number >= MAX_ROWS:
        return 0
    timer = timer_numbered(number)
    kind = timer.kind
    if kind != SIGNAL and kind != THREAD and kind != NOTHING:
        return 0
    return addr_of(timer)


@kernel
def give_setting(ctx: Context, timer: Timer, target: u64) -> None:
    """Write a timer's interval and its remaining time as a struct itimerspec."""
    written(ctx, target, 32)
    store_timespec(target, timer.period)
    left = time_left(ctx, timer)
    store_timespec(target + 16, left)


@kernel
def is_setting(new: u64) -> bool:
    """Whether a struct itimerspec has two times, neither of them negative."""
    if load_timespec_ns(new) == NO_TIME or load_timespec_ns(new + 16) == NO_TIME:
        return False
    return ((load_u64(new) | load_u64(new + 16)) & NEGATIVE) == 0


@kernel
def set_row(ctx: Context, timer: Timer, flags: i32, new: u64, old: u64) -> i32:
    """Set a timer; an error number when its times are none."""
    read(ctx, new, 32)
    used(ctx, new, 32)
    if not is_setting(new):
        return EINVAL
    value, period = load_timespec_ns(new + 16), load_timespec_ns(new)
    if old != 0:
        give_setting(ctx, timer, old)
    due = u64(0)
    if value != 0 and (flags & 1) != 0:
        due = deadline_to_wake_ns(ctx, new + 16, timer.clock)
    elif value != 0:
        due = time_after_ns(ctx, value)
    sync_release(ctx, addr_of(timer))
    arm_timer(ctx, timer, due, period)
    return OK


@kernel
def i_timer_settime(ctx: Context, timer: u64, flags: i32, new: u64, old: u64) -> i32:
    """timer_settime."""
    row = timer_row(timer)
    if row == 0:
        return fail_with_errno(ctx, EINVAL)
    return fail_with_errno(ctx, set_row(ctx, timer_at(row), flags, new, old))


@kernel
def i_timer_gettime(ctx: Context, timer: u64, target: u64) -> i32:
    """timer_gettime."""
    row = timer_row(timer)
    if row == 0:
        return fail_with_errno(ctx, EINVAL)
    give_setting(ctx, timer_at(row), target)
    return OK


@kernel
def i_timer_getoverrun(ctx: Context, timer: u64) -> i32:
    """timer_getoverrun: of the signal that was taken last."""
    row = timer_row(timer)
    if row == 0:
        return fail_with_errno(ctx, EINVAL)
    return i32(timer_at(row).told_overrun)


@kernel
def i_timer_delete(ctx: Context, timer: u64) -> i32:
    """timer_delete."""
    row = timer_row(timer)
    if row == 0:
        return fail_with_errno(ctx, EINVAL)
    delete_timer(ctx, timer_at(row))
    return OK


@kernel
def i_timerfd_settime(ctx: Context, file: i32, flags: i32, new: u64, old: u64) -> bool:
    """timerfd_settime: false when it was done here, and true when the host must refuse it."""
    row = timer_of(file)
    if row == 0 or new == 0 or (flags & ~i32(3)) != 0:
        return True
    return set_row(ctx, timer_at(row), flags, new, old) != OK


@kernel
def i_timerfd_gettime(ctx: Context, file: i32, target: u64) -> bool:
    """timerfd_gettime: false when it was done here."""
    row = timer_of(file)
    if row == 0:
        return True
    give_setting(ctx, timer_at(row), target)
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
