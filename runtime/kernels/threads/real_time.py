"""Virtual time is real time while another process can matter.

A timeout of the program is then as long as its peer would find it: it begins at the time of its
call, and what the call before has waited for in the host has passed.  Between two questions of the
program the clock may stay behind; it never overtakes.  When no other process can matter, virtual
time is the scheduler's alone.  Where the calendar began as the machine's, it is the
machine's again from then on, unless it is ahead: a child that asks for the date finds the same.
Only the calendar is set then: CLOCK_MONOTONIC makes no jump, so no timeout ends too early.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_function, store_u64
from irsan.runtime.kernels.out_parameters import SCRATCH_ZERO_TIME
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.threads.timer_records import REAL_START, REALTIME_START

NS_PER_S = 1_000_000_000
CLOCK_MONOTONIC = 1

real_clock_gettime = real_function("clock_gettime", 2)


@kernel
def real_ns() -> u64:
    """Real time, in ns since the machine was started."""
    real_clock_gettime(CLOCK_MONOTONIC, SCRATCH_ZERO_TIME)
    return load_u64(SCRATCH_ZERO_TIME) * NS_PER_S + load_u64(SCRATCH_ZERO_TIME + 8)


@kernel
def set_calendar(base_ns: u64) -> None:
    """The calendar is the machine's, where it began so and is behind; base_ns: real minus virtual
    time.
    """
    began = load_u64(REAL_START)
    if began != 0 and base_ns > began:
        store_u64(REALTIME_START, load_u64(REALTIME_START) + (base_ns - began))
        store_u64(REAL_START, base_ns)


@kernel
def real_elapsed_ns(ctx: Context) -> u64:
    """What virtual time would be if it were real; both begin together.

    Only while another process can matter; REAL_BASE is 0 else.
    """
    now = real_ns()
    if ctx.outside.real_base == 0:
        base_ns = now - ctx.schedule.clock_ns
        set_calendar(base_ns)
        ctx.outside.real_base = max(base_ns, u64(1))
    return now - ctx.outside.real_base


@kernel(outlined=True)
def hold_back(ctx: Context) -> None:
    """Take virtual time back to real time, if it was ahead; while another process can matter."""
    elapsed_ns = real_elapsed_ns(ctx)
    ctx.schedule.clock_ns = min(ctx.schedule.clock_ns, elapsed_ns)


@kernel(outlined=True)
def catch_up(ctx: Context) -> None:
    """Virtual time is real time; while another process can matter."""
    ctx.schedule.clock_ns = real_elapsed_ns(ctx)


@kernel
def others_more(ctx: Context, number: u64) -> None:
    """So many more reasons why another process can matter: from here on its time counts."""
    ctx.outside.others += number
    if ctx.outside.others != 0:
        hold_back(ctx)


@kernel
def others_less(ctx: Context, number: u64) -> None:
    """So many reasons why another process can matter are gone."""
    ctx.outside.others -= number
    if ctx.outside.others == 0:
        catch_up(ctx)  # no time of the others is behind the program's
        ctx.outside.real_base = 0


@kernel
def meet_real_time(ctx: Context) -> None:
    """The program asks for the time, or a timeout begins."""
    if ctx.outside.others != 0:
        catch_up(ctx)


@kernel
def time_after_ns(ctx: Context, span_ns: u64) -> u64:
    """Virtual time at which a timeout ends that begins now."""
    meet_real_time(ctx)
    return ctx.schedule.clock_ns + span_ns
