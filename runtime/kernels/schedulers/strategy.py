"""The seam of schedulers: what a strategy is asked, and which one answers.

    place     which of several runnable threads goes on
    slice     after how many safepoints that is asked again
    point     an operation that others can see, in a young run: do they go on here?
    begins    does a new thread begin before its maker goes on?
    waiter    from which slot on the threads that wait for one thing are woken

Strategies that explore answer one question instead, before each event (exploring.py); of these only
`waiter` is asked, which is not their choice.

A strategy is a file beside this one, with a kernel for each question that it answers in its own
way; its name stands in `SCHEDULERS` (runtime/layout/options.py), and here is its branch.  Who may
run at all, time and waiting are the same for all (threads/scheduler.py, threads/turns.py), and what
was chosen is in `ctx.schedule.hash`.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.random import random_below
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import b1, i64, u64
from irsan.runtime.kernels.schedulers.random_walk import (
    walk_begins,
    walk_place,
    walk_point,
    walk_slice,
)
from irsan.runtime.kernels.schedulers.round_robin import robin_place, robin_slice, robin_waiter
from irsan.runtime.layout.options import SCHEDULER, SCHEDULERS
from irsan.runtime.layout.thread_states import SYNC_FUEL

ROUND_ROBIN = SCHEDULERS.index("round_robin")


@kernel(inlined=True)
def choose_place(ctx: Context) -> u64:
    """Place in the runnable list of the thread that goes on; there are several."""
    if ctx.options[SCHEDULER] == ROUND_ROBIN:
        return robin_place(ctx)
    return walk_place(ctx)


@kernel(inlined=True)
def choose_slice(ctx: Context) -> i64:
    """Safepoints until the scheduler is asked again; several threads can run."""
    if ctx.options[SCHEDULER] == ROUND_ROBIN:
        return robin_slice(ctx)
    return walk_slice(ctx)


@kernel
def choose_at_point(ctx: Context, share: u64) -> None:
    """A point of a young run, share of 16: the fuel is gone when others go on."""
    if ctx.options[SCHEDULER] == ROUND_ROBIN:
        ctx.fuel = ctx.fuel - SYNC_FUEL
    else:
        walk_point(ctx, share)


@kernel(inlined=True)
def begins_now(ctx: Context, share: u64) -> b1:
    """Whether a thread that was just made begins at once."""
    if ctx.options[SCHEDULER] == ROUND_ROBIN:
        return False
    return walk_begins(ctx, share)


@kernel(inlined=True)
def choose_waiter(ctx: Context) -> u64:
    """Slot from which on threads that wait for one thing are woken."""
    if ctx.options[SCHEDULER] == ROUND_ROBIN:
        return robin_waiter(ctx)
    return random_below(ctx, ctx.schedule.n_threads)
