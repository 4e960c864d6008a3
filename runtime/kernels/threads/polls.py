"""Polls: threads that ask again and again, and do nothing else, are asked less often.

A thread that waits for others by `sched_yield` or by short sleeps has a turn for each look.  On a
real machine it looks on a processor of its own; here the threads that it waits for stand still
meanwhile, so hundreds of them leave no time for those that work.

    a poll      a yield or a sleep, after fewer than BUSY safepoints since the turn began
    PATIENCE    so many polls in a row are as any others; each of the next puts the thread off,
                for one turn of the others first, twice as long after each 8, at most for LONGEST
                turns and ROUNDS of each living thread

A sleep is at least as long as asked for, as always.

Source: ours; the exponential backoff of spin locks, by virtual time.
"""

from __future__ import annotations

from irsan.runtime.kernels.fuel import work_spent
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i64, u64
from irsan.runtime.layout.thread_states import SHARED_TICK_NS

BUSY = 256
PATIENCE = 16
DOUBLING_BITS = 3
LONGEST = 64
ROUNDS = 4
MANY_DOUBLINGS = 20


@kernel
def put_off_ns(ctx: Context) -> u64:
    """The running thread polls: for how long it is put off, in virtual ns; 0 while that is new."""
    wait = thread_at(ctx.thread).wait
    if work_spent(ctx) >= i64(BUSY) or ctx.explore.is_on != 0:
        wait.n_polls = 0
        return 0
    wait.n_polls += 1
    if wait.n_polls <= PATIENCE:
        return 0
    doublings = min((wait.n_polls - PATIENCE) >> DOUBLING_BITS, u64(MANY_DOUBLINGS))
    turns = min(u64(1) << doublings, LONGEST + ROUNDS * ctx.schedule.n_live)
    return turns * SHARED_TICK_NS << ctx.turns.stretch
