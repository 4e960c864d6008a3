"""URW and SURW: threads are drawn by the share of events that they have left.

    urw    a thread is drawn with a probability proportional to the events left to it and to the
           threads that it will make: every interleaving is then equally likely
    surw   only events at the given sites count.  The thread that does the next of these is drawn
           by what it has left of them; others go on freely, by scores that are drawn for each
           event, until they would do such an event themselves

    REST_WORDS   for each thread, by the order in which threads are made: its events and those of
                 the threads that it makes, as an earlier schedule had them

Source: Zhao, Xu, Fu, Zhang, "Selectively uniform concurrency testing", ASPLOS 2025.
Deviations: a thread that the counts do not know has one event left, and no count falls below 1;
where the drawn thread waits, any other may do its event.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import b1, u64
from irsan.runtime.kernels.schedulers.draws import draw_below, draw_u64
from irsan.runtime.kernels.schedulers.pending import (
    best_place,
    is_event_watched,
    place_to_thread,
    score_of,
)
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout.explore_words import REST_WORDS
from irsan.runtime.layout.thread_states import RUNNABLE


@kernel
def expected_events(ctx: Context, tid: u64) -> u64:
    """Events of a thread and of those that it makes, as an earlier schedule had; at least 1."""
    if tid >= ctx.explore.n_rest:
        return u64(1)
    return max(load_u64(REST_WORDS + tid * 8), u64(1))


@kernel
def give_share(ctx: Context, tid: u64, parent_tid: u64) -> u64:
    """The share of a new thread, which its maker has no more."""
    share = expected_events(ctx, tid)
    slot = u64(0)
    while slot < ctx.schedule.n_threads:
        maker = thread_at(slot_to_thread(slot))
        if maker.tid == parent_tid and tid != 0 and maker.point.left != 0:
            maker.point.left = max(maker.point.left, share + 1) - share
        slot += 1
    return share


@kernel
def share_of(ctx: Context, place: u64) -> u64:
    """Events that the thread at a place has left."""
    thread = thread_at(place_to_thread(place))
    if thread.point.left == 0:
        thread.point.left = give_share(ctx, thread.tid, thread.parent_tid)
    return thread.point.left


@kernel
def urw_place(ctx: Context) -> u64:
    """Place of a runnable thread, drawn by shares.  O(runnable threads)."""
    place = u64(0)
    while place < ctx.schedule.n_runnable:  # a new thread takes its share from its maker's
        share_of(ctx, place)
        place += 1
    total = u64(0)
    place = u64(0)
    while place < ctx.schedule.n_runnable:
        total += share_of(ctx, place)
        place += 1
    drawn = draw_u64(ctx) % total
    place = u64(0)
    while drawn >= share_of(ctx, place):
        drawn -= share_of(ctx, place)
        place += 1
    return place


@kernel(inlined=True)
def spend_share(thread: Thread) -> None:
    """An event of a thread that counts has happened."""
    if thread.point.left > 1:
        thread.point.left = thread.point.left - 1


@kernel(inlined=True)
def must_wait(ctx: Context, place: u64) -> b1:
    """Whether the thread at a place would do an event that another one was drawn for."""
    if thread_at(place_to_thread(place)).slot + 1 == ctx.explore.intended:
        return False
    return is_event_watched(ctx, thread_at(place_to_thread(place)))


@kernel
def surw_place(ctx: Context) -> u64:
    """Place of the thread that goes on; the one drawn for the next watched event may do it.

    Where one spins it may wait for a thread that waits for its turn: then any other goes on.
    """
    if ctx.explore.is_spinning != 0:
        ctx.explore.intended = 0
        return best_place(ctx)
    slot = ctx.explore.intended - 1
    if ctx.explore.intended == 0 or thread_at(slot_to_thread(slot)).state != RUNNABLE:
        place = urw_place(ctx)
        ctx.explore.intended = thread_at(place_to_thread(place)).slot + 1
    best = u64(0)
    found = draw_below(ctx, ctx.schedule.n_runnable)
    place = u64(0)
    while place < ctx.schedule.n_runnable:
        if not must_wait(ctx, place) and score_of(ctx, place) > best:
            best = score_of(ctx, place)
            found = place
        place += 1
    return found


@kernel
def surw_event(ctx: Context, thread: Thread) -> None:
    """An event happens: behind a watched one another thread is drawn for the next."""
    thread.point.score = 0
    if is_event_watched(ctx, thread):
        spend_share(thread)
        ctx.explore.intended = 0
