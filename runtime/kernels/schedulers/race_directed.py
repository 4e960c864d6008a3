"""Race-directed: a thread that comes to a racy access waits there until another one meets it.

At the given sites, where races were found, a thread is put off while others can run.  When the
pending events of two threads conflict, a drawn one of the two goes on: in half of the schedules the
race goes the one way, in half the other, so the program shows what each does to it.  Where all
threads are put off, one is drawn.

Source: Sen, "Race directed random testing of concurrent programs", PLDI 2008.
Deviation: sites are put off all together, not one pair per campaign.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import b1, u64
from irsan.runtime.kernels.schedulers.draws import draw_below
from irsan.runtime.kernels.schedulers.pending import (
    best_place,
    conflict,
    is_event_watched,
    place_to_thread,
)
from irsan.runtime.layout.explore_words import GOES_ON
from irsan.runtime.layout.thread_states import RUNNABLE


@kernel
def is_met(ctx: Context, place: u64) -> b1:
    """Whether another thread's pending event conflicts with that of the thread at a place."""
    thread = thread_at(place_to_thread(place))
    other = u64(0)
    while other < ctx.schedule.n_runnable:
        if other != place and conflict(thread, thread_at(place_to_thread(other))):
            return True
        other += 1
    return False


@kernel
def directed_rank(ctx: Context, place: u64) -> u64:
    """Who goes on first: 2 at a race that is met, 1 anywhere else, 0 put off."""
    if not is_event_watched(ctx, thread_at(place_to_thread(place))):
        return u64(1)
    return u64(2) if is_met(ctx, place) else u64(0)


@kernel
def directed_place(ctx: Context) -> u64:
    """Place of a drawn thread among those of the highest rank.  O(square of runnable threads).

    One that spins may wait for a thread that is put off: then any other goes on.  Behind an
    operation by which others may go on any of them does, or who is put off never would.
    """
    if ctx.explore.is_spinning != 0:
        return best_place(ctx)
    current = thread_at(ctx.thread)
    if current.point.kind == GOES_ON and current.state == RUNNABLE:
        return draw_below(ctx, ctx.schedule.n_runnable)
    best = u64(0)
    n_best = u64(0)
    place = u64(0)
    while place < ctx.schedule.n_runnable:
        rank = directed_rank(ctx, place)
        if rank > best:
            best = rank
            n_best = u64(0)
        n_best += u64(rank == best)
        place += 1
    drawn = draw_below(ctx, n_best)
    place = u64(0)
    while drawn != 0 or directed_rank(ctx, place) != best:
        drawn -= u64(directed_rank(ctx, place) == best)
        place += 1
    return place
