"""POSIX timers, the alarm and timerfds on the virtual clock: one table, and what happens when one
rings.

    signal       sent to the process or to a thread; while it waits, expirations are its overrun
    thread       a detached thread calls the function; it knows what had happened when the timer
                 was set, and nothing else
    descriptor   the kernel's own timerfd is made ready; how often it rang is up to the reader
    nothing      only asked how much time is left

ctx.signals.rings_at is when the first of them rings, 0: none is armed; then they count as one
timed wait (ctx.schedule.n_timed).  The glue calls `ring_timers` behind every question to the
scheduler.

Source: timer_create(2), timer_getoverrun(2), timerfd_create(2), alarm(2).
Deviations: clocks of processor time are the virtual clock, as they are for clock_gettime; a signal
that every thread blocks waits in the kernel, where its overrun stays what it was when it was sent.
Invariant: a row with DUE != 0 and KIND != NOTHING rings no earlier than rings_at.
"""

from __future__ import annotations

from irsan.runtime.kernels.combined.timer_threads import start_notification
from irsan.runtime.kernels.combined.timer_types import Timer, timer_numbered
from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_function,
    real_memset,
    real_poll,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.signal_queue import waits_with_facts
from irsan.runtime.kernels.threads.signals import (
    IN_KERNEL,
    LOST,
    QUEUED,
    deliver_delayed,
    send_to_process,
    send_to_thread,
    waits_in_kernel,
)
from irsan.runtime.records.threads import timer_records as tr
from irsan.runtime.records.threads.timer_records import ALARM, INFO, INFO_BYTES, N_ROWS

NEVER = 0xFFFF_FFFF_FFFF_FFFF
ROWS, ROW_BYTES, MAX_ROWS = tr.ROWS, tr.ROW_BYTES, tr.MAX_ROWS
FREE, SIGNAL, NOTHING = tr.FREE, tr.SIGNAL, tr.NOTHING
THREAD, DESCRIPTOR = tr.THREAD, tr.DESCRIPTOR
SIGALRM = 14
SI_TIMER = 0xFFFF_FFFE
SI_KERNEL = 128
MAX_OVERRUN = 0x7FFF_FFFF
READY = 1  # POLLIN
AT_ONCE_MS = 100
SETTING = tr.INFO + 512  # one struct itimerspec
POLLING = tr.INFO + 576  # one struct pollfd
real_timerfd_settime = real_function("timerfd_settime", 4)


@kernel
def set_next_ring(ctx: Context) -> None:
    """rings_at becomes the earliest time at which something happens.  O(rows)"""
    earliest = u64(NEVER)
    index = u64(0)
    while index < load_u64(N_ROWS):
        timer = timer_numbered(index)
        due = timer.due
        if timer.kind != FREE and timer.kind != NOTHING and due != 0:
            earliest = min(earliest, due)
        index += 1
    if ctx.inject.signal_due != 0:
        earliest = min(earliest, ctx.inject.signal_due)
    if ctx.signals.rings_at != 0:
        ctx.schedule.n_timed = ctx.schedule.n_timed - 1
    ctx.signals.rings_at = 0
    if earliest != NEVER:
        ctx.signals.rings_at = earliest
        ctx.schedule.n_timed = ctx.schedule.n_timed + 1
        set_fuel(ctx, 0)


@kernel
def new_timer(kind: u64) -> u64:
    """Address of a row that is free no more, and all zero but its kind; 0 when all are taken."""
    index = u64(1)
    while index < MAX_ROWS:
        timer = timer_numbered(index)
        if index >= load_u64(N_ROWS) or timer.kind == FREE:
            real_memset(addr_of(timer), 0, ROW_BYTES)
            timer.kind = kind
            store_u64(N_ROWS, max(load_u64(N_ROWS), index + 1))
            return addr_of(timer)
        index += 1
    return 0


@kernel
def delete_timer(ctx: Context, timer: Timer) -> None:
    """The row is free again."""
    timer.kind = FREE
    timer.due = 0
    set_next_ring(ctx)


@kernel
def time_left(ctx: Context, timer: Timer) -> u64:
    """Time until a timer rings, at least 1 ns; 0 when it is not armed."""
    due = timer.due
    if due == 0:
        return 0
    period = timer.period
    if due <= ctx.schedule.clock_ns and period != 0 and timer.kind == NOTHING:
        due += ((ctx.schedule.clock_ns - due) // period + 1) * period
    if due <= ctx.schedule.clock_ns and timer.kind == NOTHING:
        return 0
    return max(due, ctx.schedule.clock_ns + 1) - ctx.schedule.clock_ns


@kernel
def arm_timer(ctx: Context, timer: Timer, due: u64, period: u64) -> None:
    """A timer rings at `due` of virtual time, then every `period`; due 0: never, period 0: once."""
    timer.due = due
    timer.period = period
    timer.overrun = 0
    if timer.kind == DESCRIPTOR:
        real_memset(SETTING, 0, 32)
        real_timerfd_settime(timer.file, 0, SETTING, 0)
    set_next_ring(ctx)


@kernel
def set_alarm(ctx: Context, after_ns: u64, period_ns: u64) -> u64:
    """Set the alarm (after_ns 0: off); returns the ns that the old one had left, 0: it was off."""
    timer = timer_numbered(0)
    left = time_left(ctx, timer)
    timer.kind = ALARM
    timer.number = SIGALRM
    store_u64(N_ROWS, max(load_u64(N_ROWS), u64(1)))
    due = u64(0)
    if after_ns != 0:
        due = time_after_ns(ctx, after_ns)
    arm_timer(ctx, timer, due, period_ns)
    return left


@kernel
def make_info(timer: Timer) -> None:
    """The siginfo_t of a timer's signal."""
    real_memset(INFO, 0, INFO_BYTES)
    store_u32(INFO, u32(timer.number))
    if timer.kind == ALARM:
        store_u32(INFO + 8, SI_KERNEL)
        return
    store_u32(INFO + 8, SI_TIMER)
    store_u32(INFO + 16, u32((addr_of(timer) - ROWS) // ROW_BYTES))
    store_u32(INFO + 20, u32(timer.overrun))
    store_u64(INFO + 24, timer.value)


@kernel
def still_waits(ctx: Context, timer: Timer) -> bool:
    """Whether a timer's last signal waits; it may have been taken by a signalfd, or be lost."""
    where, number = timer.is_pending, timer.number
    if where == QUEUED:
        index = u64((addr_of(timer) - ROWS) // ROW_BYTES)
        return waits_with_facts(number, u64(SI_TIMER) | index << 32)
    return where == IN_KERNEL and waits_in_kernel(ctx, 1 << (number - 1))


@kernel
def send_timer_signal(ctx: Context, timer: Timer, times: u64) -> None:
    """A timer's signal, unless the last one still waits: then its overrun grows."""
    if timer.kind != ALARM and still_waits(ctx, timer):
        overrun = min(timer.overrun + times, u64(MAX_OVERRUN))
        timer.overrun = overrun
        return
    timer.overrun = min(times - 1, u64(MAX_OVERRUN))
    make_info(timer)
    target, where = timer.target, u64(LOST)
    if target == 0:
        where = send_to_process(ctx, timer.number, INFO)
    else:
        tid = timer.target_tid
        where = send_to_thread(ctx, target, tid, timer.number, INFO)
    timer.is_pending = where


@kernel
def make_ready(ctx: Context, timer: Timer, times: u64) -> None:
    """The kernel's timerfd rings at once, so that whoever waits for it sees it."""
    real_memset(SETTING, 0, 32)
    store_u64(SETTING + 24, 1)
    file = timer.file
    errno = load_u32(ctx.c_library.errno_addr)
    if u32(real_timerfd_settime(file, 0, SETTING, 0)) == 0:
        timer.overrun = timer.overrun + times
        store_u64(POLLING, file | u64(READY) << 32)
        real_poll(POLLING, 1, AT_ONCE_MS)
    else:
        timer.due = 0  # closed in some other way
    store_u32(ctx.c_library.errno_addr, errno)
    ctx.outside.try_streak = 0


@kernel
def ring_one(ctx: Context, timer: Timer) -> None:
    """A timer that is due: its next time, and what it does."""
    due, period, times = timer.due, timer.period, u64(1)
    next_due = u64(0)
    if period != 0:
        times = u64((ctx.schedule.clock_ns - due) // period) + 1
        next_due = due + times * period
    timer.due = next_due
    kind = timer.kind
    if kind == THREAD:
        start_notification(ctx, timer)
    elif kind == DESCRIPTOR:
        make_ready(ctx, timer, times)
    else:
        send_timer_signal(ctx, timer, times)


@kernel
def ring_timers(ctx: Context) -> bool:
    """Ring every timer that is due, in the order of their times; true when there was one."""
    if ctx.signals.rings_at == 0 or ctx.signals.rings_at > ctx.schedule.clock_ns:
        return False
    while ctx.signals.rings_at != 0 and ctx.signals.rings_at <= ctx.schedule.clock_ns:
        if ctx.inject.signal_due == ctx.signals.rings_at:
            deliver_delayed(ctx)
        index = u64(0)
        while index < load_u64(N_ROWS):
            timer = timer_numbered(index)
            is_armed = timer.kind != FREE and timer.kind != NOTHING
            if is_armed and timer.due == ctx.signals.rings_at:
                ring_one(ctx, timer)
            index += 1
        set_next_ring(ctx)
    return True


@kernel
def tell_overrun(_ctx: Context, info: u64) -> None:
    """A signal is taken: if it is a timer's, its siginfo_t gets the overrun, and none waits."""
    if u32(load_u64(info + 8)) != SI_TIMER:
        return
    index = load_u64(info + 16) & 0xFFFF_FFFF
    timer = timer_numbered(index)
    if index == 0 or index >= load_u64(N_ROWS) or timer.kind != SIGNAL:
        return
    overrun = timer.overrun
    store_u32(info + 20, u32(overrun))
    timer.told_overrun = overrun
    timer.overrun = 0
    timer.is_pending = 0
