"""Turns: at which points of a run other threads go on, and what they may still do at its end.

A point is an operation on threads, locks or atomics.  While a run is young (`ctx.turns.attention`)
the strategy decides at each whether another thread goes on, by the share of 16 that the point has:
large before an operation that others can see, and behind it, for there the order matters; small
where nothing is given away; and small when a thread is made, which natively begins a little later.
Later on a point costs fuel.  Of a schedule that is explored points are events (exploring.py).
"""

from __future__ import annotations

from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.fuel import end_calm, set_fuel, stretch_slice
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i64, u64
from irsan.runtime.kernels.schedulers.exploring import event_point, point_behind
from irsan.runtime.kernels.schedulers.strategy import begins_now, choose_at_point, choose_slice
from irsan.runtime.layout import thread_states as ts
from irsan.runtime.layout.explore_words import EVENT_FUEL, READS, WRITES
from irsan.runtime.layout.thread_states import (
    EXPLORED_SWITCHES,
    LATE_SYNC_FUEL,
    SYNC_FUEL,
    UNCONTENDED_FUEL,
    WATCHED_FUEL,
)

LOOK_SHARE = 1  # of 16: another thread goes on
WRITE_SHARE = 16
RELEASE_SHARE = 13
CREATION_SHARE = 1
WINDOW = ts.ATTENTION_WINDOW
SLEEP_COST = 1 << 10  # safepoints that count for a question while everybody sleeps,
PAUSE_COST = 1 << 17  # and for one after which the process has slept for real


@kernel(inlined=True)
def refuel(ctx: Context) -> None:
    """Set the number of safepoints until the scheduler is asked again."""
    if ctx.explore.is_on != 0 and ctx.schedule.n_runnable > 1:
        set_fuel(ctx, EVENT_FUEL)
        return
    if ctx.schedule.n_runnable <= 1 and ctx.schedule.n_timed != 0:
        set_fuel(ctx, WATCHED_FUEL)
        return
    if ctx.schedule.n_runnable <= 1 or ctx.schedule.preempt_mean == 0:
        set_fuel(ctx, UNCONTENDED_FUEL)
        return
    stretch_slice(ctx)
    set_fuel(ctx, choose_slice(ctx))


@kernel(inlined=True)
def attend_to_thread(ctx: Context) -> None:
    """A thread was made: its first points, and what its maker does now, are looked at closely."""
    end_calm(ctx)
    if ctx.schedule.preempt_mean != 0:
        ctx.turns.attention = max(ctx.turns.attention, u64(WINDOW))


@kernel(inlined=True)
def take_point(ctx: Context, share: u64) -> None:
    """A point at which others may go on: by its share of 16, or it costs fuel."""
    end_calm(ctx)
    if ctx.explore.is_on != 0:
        return
    if ctx.turns.attention != 0 and ctx.schedule.n_runnable > 1:
        choose_at_point(ctx, share)
        return
    fuel = i64(SYNC_FUEL)
    if ctx.schedule.n_switches >= EXPLORED_SWITCHES:
        fuel = i64(LATE_SYNC_FUEL)
    set_fuel(ctx, ctx.fuel - fuel)


@kernel
def system_call_point(ctx: Context) -> None:
    """A system call comes next: it costs fuel while a thread waits for a time."""
    if ctx.schedule.n_timed != 0 and ctx.explore.is_on == 0:
        set_fuel(ctx, ctx.fuel - i64(SYNC_FUEL))


@kernel(inlined=True)
def released_point(ctx: Context) -> None:
    """The running thread has let others go on: the fuel is gone when they do so now."""
    take_point(ctx, RELEASE_SHARE)
    if ctx.explore.is_on != 0:
        point_behind(ctx)


@kernel
def write_point(ctx: Context, addr: u64) -> None:
    """An atomic operation that may write comes next."""
    if ctx.explore.is_on != 0:
        event_point(ctx, addr, WRITES, 0)
    else:
        take_point(ctx, WRITE_SHARE)


@kernel
def load_point(ctx: Context, addr: u64) -> None:
    """An atomic load comes next."""
    if ctx.explore.is_on != 0:
        event_point(ctx, addr, READS, 0)
    else:
        take_point(ctx, LOOK_SHARE)


@kernel
def written_point(ctx: Context) -> None:
    """An atomic operation has written, in a young run: others may look at it now."""
    if ctx.explore.is_on != 0:
        point_behind(ctx)
    elif ctx.schedule.n_runnable > 1:
        choose_at_point(ctx, RELEASE_SHARE)


@kernel
def creation_point(ctx: Context) -> None:
    """The running thread has made another, which may begin now; most often it begins later."""
    if ctx.explore.is_on != 0:
        begins = point_behind(ctx)
    else:
        begins = ctx.schedule.preempt_mean != 0 and begins_now(ctx, CREATION_SHARE)
    if begins:
        ctx.action = YIELD
    else:
        refuel(ctx)


@kernel
def hasten_exit(ctx: Context) -> None:
    """The program has ended and its other threads go on: after so many safepoints time is up."""
    spent = ctx.schedule.preempt_mean
    if ctx.schedule.n_runnable == 0:
        spent = u64(PAUSE_COST) if ctx.outside.n_trying != 0 else u64(SLEEP_COST)
    elif ctx.schedule.n_runnable == 1:
        spent = u64(WATCHED_FUEL)
    elif spent == 0:
        spent = u64(UNCONTENDED_FUEL)
    if ctx.turns.exit_left > spent:
        ctx.turns.exit_left = ctx.turns.exit_left - spent
        return
    ctx.turns.exit_left = 0
    ctx.schedule.clock_ns = max(ctx.schedule.clock_ns, ctx.turns.exit_deadline_ns)
