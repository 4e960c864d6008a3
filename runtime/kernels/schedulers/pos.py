"""POS, partial order sampling: each pending event draws a score, the highest one happens.

Behind an event its thread's next one draws anew, and so do the pending events of other threads that
conflict with it (one object, one of the two writes).  Events that do not conflict keep their
scores, so orders that matter are drawn more evenly than by a random walk.  No parameter.

Source: Yuan, Yang, Gu, "Partial order aware concurrency sampling", CAV 2018, algorithm 1.
Deviation: a thread that spins or yields gets the lowest score for its next event.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.schedulers.pending import conflict, place_to_thread


@kernel
def pos_event(ctx: Context, thread: Thread) -> None:
    """A thread's event happens: what races with it draws anew, and so will the thread."""
    place = u64(0)
    while place < ctx.schedule.n_runnable:
        if conflict(thread, thread_at(place_to_thread(place))):
            thread_at(place_to_thread(place)).point.score = 0
        place += 1
    thread.point.score = 0
