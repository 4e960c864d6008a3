"""POSIX timers, the alarm and timerfds on the virtual clock: one table, and what happens when one
rings.

    signal       sent to the process or to a thread; while it waits, expirations are its overrun
    thread       a detached thread calls the function; it knows what had happened when the timer
                 was set, and nothing else
    descriptor   the kernel's own timerfd is made ready; how often it rang is told by the reader
    nothing      only asked how much time is left

ctx.signals[RINGS_AT] is when the first of them rings, 0: none is armed; then they count as one
timed wait (ctx.n_timed).  The glue calls `ring_timers` behind every question to the scheduler.

Source: timer_create(2), timer_getoverrun(2), timerfd_create(2), alarm(2).
Deviations: clocks of processor time are the virtual clock, as they are for clock_gettime; a signal
that every thread blocks waits in the kernel, where its overrun stays what it was when it was sent.
Invariant: a row with DUE != 0 and KIND != NOTHING rings no earlier than RINGS_AT.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.combined.timer_threads import start_notification
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
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.scheduler import TRY_STREAK
from irsan.runtime.kernels.threads.signal_queue import waits_with_facts
from irsan.runtime.kernels.threads.signals import (
    IN_KERNEL,
    LOST,
    QUEUED,
    send_to_process,
    send_to_thread,
    waits_in_kernel,
)
from irsan.runtime.records import timer_records as tr
from irsan.runtime.records.signal_records import RINGS_AT

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_20 = np.uint64(20)
U64_24 = np.uint64(24)
U64_32 = np.uint64(32)
NEVER = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
ROWS, ROW_BYTES, MAX_ROWS = np.uint64(tr.ROWS), np.uint64(tr.ROW_BYTES), np.uint64(tr.MAX_ROWS)
N_ROWS = np.uint64(tr.N_ROWS)
INFO = np.uint64(tr.INFO)
U64_INFO_BYTES = np.uint64(tr.INFO_BYTES)
FREE, SIGNAL, NOTHING = np.uint64(tr.FREE), np.uint64(tr.SIGNAL), np.uint64(tr.NOTHING)
THREAD, DESCRIPTOR = np.uint64(tr.THREAD), np.uint64(tr.DESCRIPTOR)
ALARM = np.uint64(tr.ALARM)
DUE, PERIOD, NUMBER = np.uint64(tr.DUE), np.uint64(tr.PERIOD), np.uint64(tr.NUMBER)
VALUE, TARGET, FILE = np.uint64(tr.VALUE), np.uint64(tr.TARGET), np.uint64(tr.FILE)
TARGET_TID, IS_PENDING = np.uint64(tr.TARGET_TID), np.uint64(tr.IS_PENDING)
OVERRUN, TOLD_OVERRUN = np.uint64(tr.OVERRUN), np.uint64(tr.TOLD_OVERRUN)
SIGALRM = np.uint64(14)
SI_TIMER = np.uint32(0xFFFF_FFFE)
SI_KERNEL = np.uint32(128)
MAX_OVERRUN = np.uint64(0x7FFF_FFFF)
READY = np.uint64(1)  # POLLIN
AT_ONCE_MS = np.uint64(100)
SETTING = np.uint64(tr.INFO + 512)  # one struct itimerspec
POLLING = np.uint64(tr.INFO + 576)  # one struct pollfd
real_timerfd_settime = real_function("timerfd_settime", 4)


@kernel("u64(u64)")
def row_at(index: Any) -> Any:
    """Address of a row."""
    return ROWS + index * ROW_BYTES


@kernel("void(ctx)")
def set_next_ring(ctx: Any) -> None:
    """RINGS_AT becomes the earliest time at which something happens.  O(rows)"""
    earliest = NEVER
    index = U64_0
    while index < load_u64(N_ROWS):
        row = row_at(index)
        due = load_u64(row + DUE)
        if load_u64(row) != FREE and load_u64(row) != NOTHING and due != U64_0:
            earliest = min(earliest, due)
        index += U64_1
    if ctx.signals[RINGS_AT] != U64_0:
        ctx.n_timed = ctx.n_timed - U64_1
    ctx.signals[RINGS_AT] = U64_0
    if earliest != NEVER:
        ctx.signals[RINGS_AT] = earliest
        ctx.n_timed = ctx.n_timed + U64_1
        set_fuel(ctx, np.int64(0))


@kernel("u64(u64)")
def new_timer(kind: Any) -> Any:
    """Address of a row that is free no more, and all zero but its kind; 0 when all are taken."""
    index = U64_1
    while index < MAX_ROWS:
        row = row_at(index)
        if index >= load_u64(N_ROWS) or load_u64(row) == FREE:
            real_memset(row, U64_0, ROW_BYTES)
            store_u64(row, kind)
            store_u64(N_ROWS, max(load_u64(N_ROWS), index + U64_1))
            return row
        index += U64_1
    return U64_0


@kernel("void(ctx,u64)")
def delete_timer(ctx: Any, row: Any) -> None:
    """The row is free again."""
    store_u64(row, FREE)
    store_u64(row + DUE, U64_0)
    set_next_ring(ctx)


@kernel("u64(ctx,u64)")
def time_left(ctx: Any, row: Any) -> Any:
    """Time until a timer rings, at least 1 ns; 0 when it is not armed."""
    due = load_u64(row + DUE)
    if due == U64_0:
        return U64_0
    period = load_u64(row + PERIOD)
    if due <= ctx.clock_ns and period != U64_0 and load_u64(row) == NOTHING:
        due += ((ctx.clock_ns - due) // period + U64_1) * period
    if due <= ctx.clock_ns and load_u64(row) == NOTHING:
        return U64_0
    return max(due, ctx.clock_ns + U64_1) - ctx.clock_ns


@kernel("void(ctx,u64,u64,u64)")
def arm_timer(ctx: Any, row: Any, due: Any, period: Any) -> None:
    """A timer rings at `due` of virtual time, then every `period`; due 0: never, period 0: once."""
    store_u64(row + DUE, due)
    store_u64(row + PERIOD, period)
    store_u64(row + OVERRUN, U64_0)
    if load_u64(row) == DESCRIPTOR:
        real_memset(SETTING, U64_0, U64_32)
        real_timerfd_settime(load_u64(row + FILE), U64_0, SETTING, U64_0)
    set_next_ring(ctx)


@kernel("u64(ctx,u64,u64)")
def set_alarm(ctx: Any, after_ns: Any, period_ns: Any) -> Any:
    """Set the alarm (after_ns 0: off); returns the ns that the old one had left, 0: it was off."""
    row = row_at(U64_0)
    left = time_left(ctx, row)
    store_u64(row, ALARM)
    store_u64(row + NUMBER, SIGALRM)
    store_u64(N_ROWS, max(load_u64(N_ROWS), U64_1))
    due = U64_0
    if after_ns != U64_0:
        due = time_after_ns(ctx, after_ns)
    arm_timer(ctx, row, due, period_ns)
    return left


@kernel("void(u64)")
def make_info(row: Any) -> None:
    """The siginfo_t of a timer's signal."""
    real_memset(INFO, U64_0, U64_INFO_BYTES)
    store_u32(INFO, np.uint32(load_u64(row + NUMBER)))
    if load_u64(row) == ALARM:
        store_u32(INFO + U64_8, SI_KERNEL)
        return
    store_u32(INFO + U64_8, SI_TIMER)
    store_u32(INFO + U64_16, np.uint32((row - ROWS) // ROW_BYTES))
    store_u32(INFO + U64_20, np.uint32(load_u64(row + OVERRUN)))
    store_u64(INFO + U64_24, load_u64(row + VALUE))


@kernel("b1(ctx,u64)")
def still_waits(ctx: Any, row: Any) -> Any:
    """Whether a timer's last signal waits; it may have been taken by a signalfd, or be lost."""
    where, number = load_u64(row + IS_PENDING), load_u64(row + NUMBER)
    if where == QUEUED:
        index = np.uint64((row - ROWS) // ROW_BYTES)
        return waits_with_facts(number, np.uint64(SI_TIMER) | index << U64_32)
    return where == IN_KERNEL and waits_in_kernel(ctx, U64_1 << (number - U64_1))


@kernel("void(ctx,u64,u64)")
def send_timer_signal(ctx: Any, row: Any, times: Any) -> None:
    """A timer's signal, unless the last one still waits: then its overrun grows."""
    if load_u64(row) != ALARM and still_waits(ctx, row):
        overrun = min(load_u64(row + OVERRUN) + times, MAX_OVERRUN)
        store_u64(row + OVERRUN, overrun)
        return
    store_u64(row + OVERRUN, min(times - U64_1, MAX_OVERRUN))
    make_info(row)
    target, where = load_u64(row + TARGET), LOST
    if target == U64_0:
        where = send_to_process(ctx, load_u64(row + NUMBER), INFO)
    else:
        tid = load_u64(row + TARGET_TID)
        where = send_to_thread(ctx, target, tid, load_u64(row + NUMBER), INFO)
    store_u64(row + IS_PENDING, where)


@kernel("void(ctx,u64,u64)")
def make_ready(ctx: Any, row: Any, times: Any) -> None:
    """The kernel's timerfd rings at once, so that whoever waits for it sees it."""
    real_memset(SETTING, U64_0, U64_32)
    store_u64(SETTING + U64_24, U64_1)
    file = load_u64(row + FILE)
    errno = load_u32(ctx.errno_addr)
    if np.uint32(real_timerfd_settime(file, U64_0, SETTING, U64_0)) == U32_0:
        store_u64(row + OVERRUN, load_u64(row + OVERRUN) + times)
        store_u64(POLLING, file | READY << U64_32)
        real_poll(POLLING, U64_1, AT_ONCE_MS)
    else:
        store_u64(row + DUE, U64_0)  # closed in some other way
    store_u32(ctx.errno_addr, errno)
    ctx.outside[TRY_STREAK] = U64_0


@kernel("void(ctx,u64)")
def ring_one(ctx: Any, row: Any) -> None:
    """A timer that is due: its next time, and what it does."""
    due, period, times = load_u64(row + DUE), load_u64(row + PERIOD), U64_1
    next_due = U64_0
    if period != U64_0:
        times = np.uint64((ctx.clock_ns - due) // period) + U64_1
        next_due = due + times * period
    store_u64(row + DUE, next_due)
    kind = load_u64(row)
    if kind == THREAD:
        start_notification(ctx, row)
    elif kind == DESCRIPTOR:
        make_ready(ctx, row, times)
    else:
        send_timer_signal(ctx, row, times)


@kernel("b1(ctx)")
def ring_timers(ctx: Any) -> Any:
    """Ring every timer that is due, in the order of their times; true when there was one."""
    if ctx.signals[RINGS_AT] == U64_0 or ctx.signals[RINGS_AT] > ctx.clock_ns:
        return False
    while ctx.signals[RINGS_AT] != U64_0 and ctx.signals[RINGS_AT] <= ctx.clock_ns:
        index = U64_0
        while index < load_u64(N_ROWS):
            row = row_at(index)
            is_armed = load_u64(row) != FREE and load_u64(row) != NOTHING
            if is_armed and load_u64(row + DUE) == ctx.signals[RINGS_AT]:
                ring_one(ctx, row)
            index += U64_1
        set_next_ring(ctx)
    return True


@kernel("void(ctx,u64)")
def tell_overrun(_ctx: Any, info: Any) -> None:
    """A signal is taken: if it is a timer's, its siginfo_t gets the overrun, and none waits."""
    if np.uint32(load_u64(info + U64_8)) != SI_TIMER:
        return
    index = load_u64(info + U64_16) & np.uint64(0xFFFF_FFFF)
    row = row_at(index)
    if index == U64_0 or index >= load_u64(N_ROWS) or load_u64(row) != SIGNAL:
        return
    overrun = load_u64(row + OVERRUN)
    store_u32(info + U64_20, np.uint32(overrun))
    store_u64(row + TOLD_OVERRUN, overrun)
    store_u64(row + OVERRUN, U64_0)
    store_u64(row + IS_PENDING, U64_0)
