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
    EXIT_LEFT          safepoints that the others have until then; 0 = nobody waits for them

Deviation: the shares are ours, tried out on updates that are lost between two atomic operations
and on loops that end before or after another thread's whole life.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.random import random_below
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.layout import thread_states as ts

ATTENTION, IS_EAGER = ts.ATTENTION, ts.IS_EAGER
EXIT_DEADLINE_NS, EXIT_LEFT = ts.EXIT_DEADLINE_NS, ts.EXIT_LEFT
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_16 = np.uint64(16)
I64_0 = np.int64(0)
I64_1 = np.int64(1)
LOOK_SHARE = np.uint64(1)  # of 16: another thread goes on
WRITE_SHARE = np.uint64(16)
RELEASE_SHARE = np.uint64(13)
CREATION_SHARE = np.uint64(1)
N_MOODS = U64_16  # and one of them is not eager
WINDOW = np.uint64(ts.ATTENTION_WINDOW)
I64_SYNC_FUEL = np.int64(ts.SYNC_FUEL)
I64_LATE_SYNC_FUEL = np.int64(ts.LATE_SYNC_FUEL)
U64_EXPLORED_SWITCHES = np.uint64(ts.EXPLORED_SWITCHES)
I64_UNCONTENDED = np.int64(ts.UNCONTENDED_FUEL)
I64_WATCHED = np.int64(ts.WATCHED_FUEL)
U64_UNCONTENDED = np.uint64(ts.UNCONTENDED_FUEL)
U64_WATCHED = np.uint64(ts.WATCHED_FUEL)
SLEEP_COST = np.uint64(1 << 10)  # safepoints that count for a question while everybody sleeps,
PAUSE_COST = np.uint64(1 << 17)  # and for one after which the process has slept for real
N_TRYING = 0  # word of ctx.outside
S_RUNNABLE = np.uint64(ts.RUNNABLE)


@kernel("void(ctx)", inlined=True)
def refuel(ctx: Any) -> Any:
    """Draw the number of safepoints until the scheduler is asked again."""
    if ctx.n_runnable <= U64_1 and ctx.n_timed != U64_0:
        set_fuel(ctx, I64_WATCHED)
        return
    if ctx.n_runnable <= U64_1 or ctx.preempt_mean == U64_0:
        set_fuel(ctx, I64_UNCONTENDED)
        return
    set_fuel(ctx, np.int64(random_below(ctx, ctx.preempt_mean * U64_2)) + I64_1)


@kernel("void(ctx,u64)")
def attend(ctx: Any, share: Any) -> None:
    """One point of a young run: the fuel is gone when another thread goes on."""
    left = ctx.turns[ATTENTION] - U64_1
    ctx.turns[ATTENTION] = left
    if left & (WINDOW - U64_1) == WINDOW - U64_1:
        ctx.turns[IS_EAGER] = min(random_below(ctx, N_MOODS), U64_1)
    if left == U64_0:
        ctx.turns[IS_EAGER] = U64_0
    if ctx.turns[IS_EAGER] == U64_0:
        ctx.fuel = ctx.fuel - I64_SYNC_FUEL
    elif random_below(ctx, U64_16) < share:
        set_fuel(ctx, I64_0)
    elif ctx.fuel <= I64_0:
        refuel(ctx)


@kernel("void(ctx)", inlined=True)
def attend_to_thread(ctx: Any) -> None:
    """A thread was made: its first points, and what its maker does now, are looked at closely."""
    if ctx.preempt_mean != U64_0:
        ctx.turns[ATTENTION] = max(ctx.turns[ATTENTION], WINDOW)


@kernel("u64(ctx)", inlined=True)
def draw_place(ctx: Any) -> Any:
    """Place of the next thread among several runnable ones; one of the others in an eager mood."""
    current = thread_at(ctx.thread)
    if ctx.turns[IS_EAGER] == U64_0 or current.state != S_RUNNABLE:
        return random_below(ctx, ctx.n_runnable)
    place = random_below(ctx, ctx.n_runnable - U64_1)
    if place >= current.run_index:
        place = place + U64_1
    return place


@kernel("void(ctx,u64)", inlined=True)
def take_point(ctx: Any, share: Any) -> Any:
    """A point at which others may go on: drawn by its share of 16, or it costs fuel."""
    if ctx.turns[ATTENTION] != U64_0 and ctx.n_runnable > U64_1:
        attend(ctx, share)
        return
    fuel = I64_SYNC_FUEL
    if ctx.n_switches >= U64_EXPLORED_SWITCHES:
        fuel = I64_LATE_SYNC_FUEL
    set_fuel(ctx, ctx.fuel - fuel)


@kernel("void(ctx)")
def write_point(ctx: Any) -> Any:
    """An atomic operation that may write comes next."""
    take_point(ctx, WRITE_SHARE)


@kernel("void(ctx)")
def written_point(ctx: Any) -> Any:
    """An atomic operation has written, in a young run: others may look at it now."""
    if ctx.n_runnable > U64_1:
        attend(ctx, RELEASE_SHARE)


@kernel("void(ctx)")
def creation_point(ctx: Any) -> Any:
    """The running thread has made another, which may begin now; most often it begins later."""
    if ctx.preempt_mean != U64_0 and random_below(ctx, U64_16) < CREATION_SHARE:
        ctx.action = YIELD
    else:
        refuel(ctx)


@kernel("void(ctx)")
def hasten_exit(ctx: Any) -> None:
    """The program has ended and its other threads go on: after so many safepoints time is up."""
    spent = ctx.preempt_mean
    if ctx.n_runnable == U64_0:
        spent = PAUSE_COST if ctx.outside[N_TRYING] != U64_0 else SLEEP_COST
    elif ctx.n_runnable == U64_1:
        spent = U64_WATCHED
    elif spent == U64_0:
        spent = U64_UNCONTENDED
    if ctx.turns[EXIT_LEFT] > spent:
        ctx.turns[EXIT_LEFT] = ctx.turns[EXIT_LEFT] - spent
        return
    ctx.turns[EXIT_LEFT] = U64_0
    ctx.clock_ns = max(ctx.clock_ns, ctx.turns[EXIT_DEADLINE_NS])
