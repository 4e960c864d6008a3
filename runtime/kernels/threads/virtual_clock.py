"""Virtual time: what clocks say and when timed waits end.

ctx.schedule.clock_ns starts at 1 and advances with scheduling, or with the work of an only thread
(fuel.py).  CLOCK_REALTIME is that plus the start of the run, which is the same in each run unless
asked otherwise (--clock); CLOCK_MONOTONIC and similar are that plus UPTIME_NS, as programs take a
small time for none.  Clocks of processor time add nothing.
Asking for the time costs time, so that a loop that polls a clock ends; a timer that is due by then
rings at the next safepoint.
"""

from __future__ import annotations

from irsan.runtime.kernels.fuel import count_work, set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.threads.real_time import meet_real_time
from irsan.runtime.records.threads.timer_records import REALTIME_START

NS_PER_S = 1_000_000_000
QUESTION_NS = 1000
NO_TIME = 0xFFFF_FFFF_FFFF_FFFF
MAX = 0x7FFF_FFFF_FFFF_FFFF
FAR_S = 8_000_000_000  # 253 years: no wait is longer, and sums do not overflow
FAR_NS = 8_000_000_000 * 1_000_000_000
CLOCK_REALTIME = 0
REALTIME_CLOCKS = 1 << 0 | 1 << 5 | 1 << 8 | 1 << 11  # COARSE, ALARM, TAI
UPTIME_CLOCKS = 1 << 1 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 9  # RAW, COARSE, BOOTTIME
UPTIME_NS = 1000 * 1_000_000_000  # how long the machine has been up when the run starts
CLOCK_CPUTIME = 2  # of the process


@kernel
def clock_start_ns(clock_id: u64) -> u64:
    """What a clock said when virtual time was 0; processor time began then."""
    if clock_id > 63:
        return 0
    if (REALTIME_CLOCKS >> clock_id) & 1 != 0:
        return load_u64(REALTIME_START)
    return u64(UPTIME_NS) if (UPTIME_CLOCKS >> clock_id) & 1 != 0 else u64(0)


@kernel
def clock_now_ns(ctx: Context, clock_id: u64) -> u64:
    """Virtual time of a clock, in ns; the question itself takes 1 us."""
    if ctx.schedule.n_runnable <= 1 and ctx.schedule.n_timed == 0:
        count_work(ctx)
    ctx.schedule.clock_ns = ctx.schedule.clock_ns + QUESTION_NS
    meet_real_time(ctx)
    if ctx.signals.rings_at != 0 and ctx.signals.rings_at <= ctx.schedule.clock_ns:
        set_fuel(ctx, 0)
    return clock_start_ns(clock_id) + ctx.schedule.clock_ns


@kernel
def load_timespec_ns(addr: u64) -> u64:
    """Nanoseconds in the `struct timespec` at addr: 0 for a negative one, at most FAR_NS.

    NO_TIME when its nanoseconds are not below a second.
    """
    seconds = load_u64(addr)
    if load_u64(addr + 8) >= NS_PER_S:
        return NO_TIME
    if seconds > MAX:
        return 0
    if seconds >= FAR_S:
        return FAR_NS
    return seconds * NS_PER_S + load_u64(addr + 8)


@kernel
def timespec_span_ns(addr: u64) -> u64:
    """A span of time rather than a moment: NO_TIME for a negative one, too."""
    return u64(NO_TIME) if load_u64(addr) > MAX else load_timespec_ns(addr)


@kernel
def store_timespec(addr: u64, ns: u64) -> None:
    """Write ns as a `struct timespec`."""
    seconds = u64(ns // NS_PER_S)
    store_u64(addr, seconds)
    store_u64(addr + 8, ns - seconds * NS_PER_S)


@kernel
def deadline_to_wake_ns(ctx: Context, addr: u64, clock_id: u64) -> u64:
    """Virtual wake-up time of an absolute timespec of a clock; at least 1 (0 means never).

    NO_TIME for a timespec that is none: EINVAL to who would have to wait.
    """
    ns = load_timespec_ns(addr)
    if ns == NO_TIME:
        return NO_TIME
    start_ns = clock_start_ns(clock_id)
    if ns <= start_ns:
        return 1
    return ns - start_ns
