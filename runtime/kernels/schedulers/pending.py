"""What each thread does next: its pending event, and scores of threads by which one is chosen.

    thread.point.object   address of what the event touches, 0 = nothing that others see
    thread.point.kind     READS, WRITES, STARTS, WAKES or GOES_ON
    thread.point.site     where it is
    thread.point.score    of strategies that choose the thread with the highest; 0 = to be drawn

A thread that is runnable has a pending event: the one before which it was asked, or STARTS.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import b1, u64
from irsan.runtime.kernels.schedulers.draws import draw_u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout.explore_words import FIRST_SCORE, GOES_ON, READS, STARTS
from irsan.runtime.layout.memory_map import RUN_LIST


@kernel(inlined=True)
def place_to_thread(place: u64) -> u64:
    """Address of the record of the thread at a place of the runnable list."""
    return slot_to_thread(u64(load_u32(RUN_LIST + place * 4)))


@kernel(inlined=True)
def score_of(ctx: Context, place: u64) -> u64:
    """Score of the thread at a place; one that has none draws it, above all lowered ones."""
    point = thread_at(place_to_thread(place)).point
    if point.score == 0:
        point.score = FIRST_SCORE + (draw_u64(ctx) >> 2)
    return point.score


@kernel
def best_place(ctx: Context) -> u64:
    """Place of the runnable thread with the highest score.  O(runnable threads)."""
    best = u64(0)
    found = u64(0)
    place = u64(0)
    while place < ctx.schedule.n_runnable:
        score = score_of(ctx, place)
        if score > best:
            best = score
            found = place
        place += 1
    return found


@kernel(inlined=True)
def lower_score(ctx: Context, thread: Thread) -> None:
    """A thread that spins or yields comes behind all others."""
    ctx.explore.lowest = ctx.explore.lowest - 1
    thread.point.score = ctx.explore.lowest


@kernel(inlined=True)
def conflict(a: Thread, b: Thread) -> b1:
    """Whether the order of two threads' events matters: one object, and one of them writes."""
    touched = a.point.object
    if touched == 0 or touched != b.point.object:
        return False
    if a.point.kind == STARTS or b.point.kind == STARTS:
        return False
    return a.point.kind != READS or b.point.kind != READS


@kernel(inlined=True)
def is_watched(ctx: Context, site: u64) -> b1:
    """Whether a site is among those that the schedule was given."""
    i = u64(0)
    while i < ctx.explore.n_sites:
        if ctx.explore.sites[i] == site:
            return True
        i += 1
    return False


@kernel(inlined=True)
def is_event_watched(ctx: Context, thread: Thread) -> b1:
    """Whether a thread's pending event is one at a given site."""
    return thread.point.kind != GOES_ON and is_watched(ctx, thread.point.site)
