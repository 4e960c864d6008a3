"""Turns: at which points of a run other threads go on, and what they may still do at its end.

Uses three words of ctx.turns for the points of a run that is young:

    ATTENTION          points left that are looked at closely: FIRST_ATTENTION of a run, and those
                       of one window for each thread that is made later
    IS_EAGER           mood of the present window of ATTENTION_WINDOW points

Most races of a program lie between its first operations, and a thread of a few lines has few.  So
while there is attention it is drawn at each point, by a share of 16, whether another thread goes
on.  The shares are large before an operation that others can see, and behind it, for there the
order matters; small where nothing is given away; and small when a thread is made, which natively
begins a little later.  One window in 16 is not eager: its points cost fuel as those of a longer
run do, so that one thread may be far ahead of the others.

    EXITS              record of the thread that runs exit(), 0 = none
    EXIT_DEADLINE_NS   virtual time at which the program is over
    EXIT_LEFT          safepoints that the others have until then; 0 = no thread waits for them

Deviation: the shares are ours, tried out on updates that are lost between two atomic operations
and on loops that end before or after another thread's whole life.
"""

from __future__ import annotations

from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.random import random_below
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i64, u64
from irsan.runtime.layout import thread_states as ts
from irsan.runtime.layout.thread_states import (
    EXPLORED_SWITCHES,
    LATE_SYNC_FUEL,
    SYNC_FUEL,
    UNCONTENDED_FUEL,
    WATCHED_FUEL,
)

ATTENTION, IS_EAGER = ts.ATTENTION, ts.IS_EAGER
EXIT_DEADLINE_NS, EXIT_LEFT = ts.EXIT_DEADLINE_NS, ts.EXIT_LEFT
LOOK_SHARE = 1  # of 16: another thread goes on
WRITE_SHARE = 16
RELEASE_SHARE = 13
CREATION_SHARE = 1
N_MOODS = 16  # and one of them is not eager
WINDOW = ts.ATTENTION_WINDOW
SLEEP_COST = 1 << 10  # safepoints that count for a question while everybody sleeps,
PAUSE_COST = 1 << 17  # and for one after which the process has slept for real
N_TRYING = 0  # word of ctx.outside
S_RUNNABLE = ts.RUNNABLE


@kernel(inlined=True)
def refuel(ctx: Context) -> None:
    """Draw the number of safepoints until the scheduler is asked again."""
    if ctx.n_runnable <= 1 and ctx.n_timed != 0:
        set_fuel(ctx, WATCHED_FUEL)
        return
    if ctx.n_runnable <= 1 or ctx.preempt_mean == 0:
        set_fuel(ctx, UNCONTENDED_FUEL)
        return
    set_fuel(ctx, i64(random_below(ctx, ctx.preempt_mean * 2)) + 1)


@kernel
def attend(ctx: Context, share: u64) -> None:
    """One point of a young run: the fuel is gone when another thread goes on."""
    left = ctx.turns[ATTENTION] - 1
    ctx.turns[ATTENTION] = left
    if left & (u64(WINDOW) - 1) == u64(WINDOW) - 1:
        ctx.turns[IS_EAGER] = min(random_below(ctx, N_MOODS), u64(1))
    if left == 0:
        ctx.turns[IS_EAGER] = 0
    if ctx.turns[IS_EAGER] == 0:
        ctx.fuel = ctx.fuel - SYNC_FUEL
    elif random_below(ctx, 16) < share:
        set_fuel(ctx, 0)
    elif ctx.fuel <= 0:
        refuel(ctx)


@kernel(inlined=True)
def attend_to_thread(ctx: Context) -> None:
    """A thread was made: its first points, and what its maker does now, are looked at closely."""
    if ctx.preempt_mean != 0:
        ctx.turns[ATTENTION] = max(ctx.turns[ATTENTION], u64(WINDOW))


@kernel(inlined=True)
def draw_place(ctx: Context) -> u64:
    """Place of the next thread among several runnable ones; one of the others in an eager mood."""
    current = thread_at(ctx.thread)
    if ctx.turns[IS_EAGER] == 0 or current.state != S_RUNNABLE:
        return random_below(ctx, ctx.n_runnable)
    place = random_below(ctx, ctx.n_runnable - 1)
    if place >= current.run_index:
        place = place + 1
    return place


@kernel(inlined=True)
def take_point(ctx: Context, share: u64) -> None:
    """A point at which others may go on: drawn by its share of 16, or it costs fuel."""
    if ctx.turns[ATTENTION] != 0 and ctx.n_runnable > 1:
        attend(ctx, share)
        return
    fuel = i64(SYNC_FUEL)
    if ctx.n_switches >= EXPLORED_SWITCHES:
        fuel = i64(LATE_SYNC_FUEL)
    set_fuel(ctx, ctx.fuel - fuel)


@kernel
def write_point(ctx: Context) -> None:
    """An atomic operation that may write comes next."""
    take_point(ctx, WRITE_SHARE)


@kernel
def written_point(ctx: Context) -> None:
    """An atomic operation has written, in a young run: others may look at it now."""
    if ctx.n_runnable > 1:
        attend(ctx, RELEASE_SHARE)


@kernel
def creation_point(ctx: Context) -> None:
    """The running thread has made another, which may begin now; most often it begins later."""
    if ctx.preempt_mean != 0 and random_below(ctx, 16) < CREATION_SHARE:
        ctx.action = YIELD
    else:
        refuel(ctx)


@kernel
def hasten_exit(ctx: Context) -> None:
    """The program has ended and its other threads go on: after so many safepoints time is up."""
    spent = ctx.preempt_mean
    if ctx.n_runnable == 0:
        spent = u64(PAUSE_COST) if ctx.outside[N_TRYING] != 0 else u64(SLEEP_COST)
    elif ctx.n_runnable == 1:
        spent = u64(WATCHED_FUEL)
    elif spent == 0:
        spent = u64(UNCONTENDED_FUEL)
    if ctx.turns[EXIT_LEFT] > spent:
        ctx.turns[EXIT_LEFT] = ctx.turns[EXIT_LEFT] - spent
        return
    ctx.turns[EXIT_LEFT] = 0
    ctx.clock_ns = max(ctx.clock_ns, ctx.turns[EXIT_DEADLINE_NS])
