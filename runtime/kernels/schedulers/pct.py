"""PCT: the thread of the highest priority runs, and at d - 1 points it loses that priority.

Each thread draws its priority when it is first asked for.  The d - 1 change points are drawn from
the first `length` points of the run; at the i-th one the running thread's priority becomes i, which
is below all drawn ones.  A bug of depth d, in a run of n threads and k points, is found with a
probability of at least 1 / (n * k^(d-1)).

Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic
guarantees of finding bugs", ASPLOS 2010, section 3.
Deviations: k is an estimate (earlier schedules of the same program); a thread that spins or yields
gets the lowest priority (exploring.py), without which such a program would never end; a point with
one runnable thread is none.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.schedulers.draws import draw_below
from irsan.runtime.kernels.schedulers.pending import best_place
from irsan.runtime.layout.explore_words import LOWERED_SCORE
from irsan.runtime.records.explore_records import MAX_CHANGES


@kernel
def draw_changes(ctx: Context) -> None:
    """Draw the depth - 1 points of a run, from 1 to its expected length, at which it changes."""
    ctx.explore.n_changes = min(max(ctx.explore.depth, u64(1)) - 1, u64(MAX_CHANGES))
    i = u64(0)
    while i < ctx.explore.n_changes:
        ctx.explore.changes[i] = draw_below(ctx, max(ctx.explore.length, u64(1))) + 1
        i += 1


@kernel
def change_at(ctx: Context) -> u64:
    """Number from 1 on of the change that lies at this point, 0 when none does."""
    i = u64(0)
    while i < ctx.explore.n_changes:
        if ctx.explore.changes[i] == ctx.explore.steps:
            return i + 1
        i += 1
    return u64(0)


@kernel
def pct_place(ctx: Context) -> u64:
    """Place of the thread with the highest priority, behind the change of this point."""
    change = change_at(ctx)
    if change != 0:
        thread_at(ctx.thread).point.score = LOWERED_SCORE + change
    return best_place(ctx)
