"""Virtual time is real time while another process can matter.

A timeout of the program is then as long as its peer would find it: it begins at the time of its
call, and what the call before has waited for in the host has passed.  Between two questions of the
program the clock may stay behind; it never overtakes.  When nobody else can matter, virtual time is
nobody's but the scheduler's.  Where the calendar began as the machine's, it is the
machine's again from then on, unless it is ahead: a child that asks for the date finds the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_function
from irsan.runtime.kernels.out_parameters import SCRATCH_ZERO_TIME
from irsan.runtime.layout import outside_words as ow
from irsan.runtime.records import timer_records as tr

OTHERS = ow.OTHERS
REAL_BASE = ow.REAL_BASE
REAL_START = np.uint64(tr.REAL_START)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
NS_PER_S = np.uint64(1_000_000_000)
CLOCK_MONOTONIC = np.uint64(1)

real_clock_gettime = real_function("clock_gettime", 2)


@kernel("u64()")
def real_ns() -> Any:
    """Real time, in ns since the machine was started."""
    real_clock_gettime(CLOCK_MONOTONIC, SCRATCH_ZERO_TIME)
    return load_u64(SCRATCH_ZERO_TIME) * NS_PER_S + load_u64(SCRATCH_ZERO_TIME + U64_8)


@kernel("u64(ctx)")
def real_elapsed_ns(ctx: Any) -> Any:
    """What virtual time would be if it were real; both begin together.

    Only while another process can matter; REAL_BASE is 0 else.
    """
    now = real_ns()
    if ctx.outside[REAL_BASE] == U64_0:
        began = load_u64(REAL_START)
        if began != U64_0:
            ctx.clock_ns = max(ctx.clock_ns, now - began)
        ctx.outside[REAL_BASE] = max(now - ctx.clock_ns, U64_1)
    return now - ctx.outside[REAL_BASE]


@kernel("void(ctx)", outlined=True)
def hold_back(ctx: Any) -> None:
    """Take virtual time back to real time, if it was ahead; while another process can matter."""
    elapsed_ns = real_elapsed_ns(ctx)
    ctx.clock_ns = min(ctx.clock_ns, elapsed_ns)


@kernel("void(ctx)", outlined=True)
def catch_up(ctx: Any) -> None:
    """Virtual time is real time; while another process can matter."""
    ctx.clock_ns = real_elapsed_ns(ctx)


@kernel("void(ctx,u64)")
def others_more(ctx: Any, number: Any) -> None:
    """So many more reasons why another process can matter: from here on its time counts."""
    ctx.outside[OTHERS] += number
    if ctx.outside[OTHERS] != U64_0:
        hold_back(ctx)


@kernel("void(ctx,u64)")
def others_less(ctx: Any, number: Any) -> None:
    """So many reasons why another process can matter are gone."""
    ctx.outside[OTHERS] -= number
    if ctx.outside[OTHERS] == U64_0:
        catch_up(ctx)  # no time of the others is behind the program's
        ctx.outside[REAL_BASE] = U64_0


@kernel("void(ctx)")
def meet_real_time(ctx: Any) -> None:
    """The program asks for the time, or a timeout begins."""
    if ctx.outside[OTHERS] != U64_0:
        catch_up(ctx)


@kernel("u64(ctx,u64)")
def time_after_ns(ctx: Any, span_ns: Any) -> Any:
    """Virtual time at which a timeout ends that begins now."""
    meet_real_time(ctx)
    return ctx.clock_ns + span_ns
