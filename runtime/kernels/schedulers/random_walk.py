"""The random walk: who runs next is drawn from the seed, and so is when that is asked again.

The next thread is drawn uniformly from the runnable ones.  Between two preemptions lie 1 to 2*mean
safepoints, the mean being larger in a calm run (fuel.py).  In a young run it is drawn at each point
as well whether another thread goes on:

    ATTENTION    points left that are looked at closely: FIRST_ATTENTION of a run, and those of one
                 window for each thread that is made later
    IS_EAGER     mood of the present window of ATTENTION_WINDOW points

Most races of a program lie between its first operations, and a thread of a few lines has few.  The
share of a point, of 16, is large before an operation that others can see, and behind it, for there
the order matters; small where nothing is given away (threads/turns.py has the shares).  One window
in 16 is not eager: its points cost fuel as those of a longer run do, so that one thread may be far
ahead of the others.  In an eager mood another thread than the running one is drawn.

Deviation: a random walk has no probabilistic guarantee (Burckhardt et al., ASPLOS 2010, give one
for PCT); happens-before detection does not need the racy order itself to occur.  The shares are
ours, tried out on updates that are lost between two atomic operations and on loops that end before
or after another thread's whole life.
"""

from __future__ import annotations

from irsan.runtime.kernels.fuel import mean_slice, set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.random import random_below
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import b1, i64, u64
from irsan.runtime.layout.thread_states import (
    ATTENTION_WINDOW,
    RUNNABLE,
    SYNC_FUEL,
    UNCONTENDED_FUEL,
)

SHARES = 16
N_MOODS = 16  # and one of them is not eager


@kernel(inlined=True)
def walk_place(ctx: Context) -> u64:
    """Place of the next thread among several runnable ones; one of the others in an eager mood."""
    current = thread_at(ctx.thread)
    if ctx.turns.is_eager == 0 or current.state != RUNNABLE:
        return random_below(ctx, ctx.schedule.n_runnable)
    place = random_below(ctx, ctx.schedule.n_runnable - 1)
    if place >= current.run_index:
        place = place + 1
    return place


@kernel(inlined=True)
def walk_slice(ctx: Context) -> i64:
    """Safepoints until the next question."""
    return i64(random_below(ctx, mean_slice(ctx) * 2)) + 1


@kernel(inlined=True)
def walk_begins(ctx: Context, share: u64) -> b1:
    """Whether a new thread begins before its maker goes on."""
    return random_below(ctx, SHARES) < share


@kernel
def walk_point(ctx: Context, share: u64) -> None:
    """One point of a young run: the fuel is gone when another thread goes on."""
    left = ctx.turns.attention - 1
    ctx.turns.attention = left
    if left & (u64(ATTENTION_WINDOW) - 1) == u64(ATTENTION_WINDOW) - 1:
        ctx.turns.is_eager = min(random_below(ctx, N_MOODS), u64(1))
    if left == 0:
        ctx.turns.is_eager = 0
    if ctx.turns.is_eager == 0:
        ctx.fuel = ctx.fuel - SYNC_FUEL
    elif random_below(ctx, SHARES) < share:
        set_fuel(ctx, 0)
    elif ctx.fuel <= 0:
        set_fuel(ctx, walk_slice(ctx) if ctx.schedule.preempt_mean != 0 else i64(UNCONTENDED_FUEL))
