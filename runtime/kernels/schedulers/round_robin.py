"""Round robin: each thread in turn, in the order in which threads were made, for one slice.

No choice is drawn, so a program has one schedule, whatever the seed: for teaching, and to compare
with.  A slice is `preempt_mean` safepoints, more in a calm run (fuel.py); operations that others
can see cost fuel as in a long run, and a new thread waits for its turn.

It finds less than a random walk: where one thread must be delayed past several others it never is.
"""

from __future__ import annotations

from irsan.runtime.kernels.fuel import mean_slice
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i64, u64
from irsan.runtime.layout.memory_map import RUN_LIST


@kernel
def robin_place(ctx: Context) -> u64:
    """Place of the runnable thread with the next higher slot; behind the highest, of the lowest.

    O(runnable threads).
    """
    after = thread_at(ctx.thread).slot + 1
    place = u64(0)
    nearest = u64(0) - 1
    i = u64(0)
    while i < ctx.schedule.n_runnable:
        distance = u64(load_u32(RUN_LIST + i * 4)) - after  # a lower slot wraps: very far
        if distance <= nearest:
            nearest = distance
            place = i
        i += 1
    return place


@kernel(inlined=True)
def robin_slice(ctx: Context) -> i64:
    """Safepoints until the next question."""
    return i64(mean_slice(ctx))


@kernel(inlined=True)
def robin_waiter(ctx: Context) -> u64:
    """The slot behind the running thread's: from there on threads that wait are woken."""
    slot = thread_at(ctx.thread).slot + 1
    return slot if slot < ctx.schedule.n_threads else u64(0)
