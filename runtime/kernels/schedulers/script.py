"""A script: the switches of an earlier schedule, and nothing drawn.

    REST_WORDS   pairs (step, slot), by step: at this point the thread in this slot goes on

At all other points the default rule holds: no preemption (bounded.py).  Any schedule is such a
script, of the switches that it has left in SWITCHES; taking pairs away makes a simpler schedule.
A pair whose thread cannot run is passed over.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.schedulers.bounded import default_place
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.layout.explore_words import REST_WORDS
from irsan.runtime.layout.thread_states import RUNNABLE


@kernel
def script_place(ctx: Context) -> u64:
    """Place of the thread that the script names at this point, or that of the default rule."""
    here = ctx.explore.next_pair
    while here + 1 < ctx.explore.n_rest and load_u64(REST_WORDS + here * 8) < ctx.explore.steps:
        here += 2
    ctx.explore.next_pair = here
    if here + 1 >= ctx.explore.n_rest or load_u64(REST_WORDS + here * 8) != ctx.explore.steps:
        return default_place(ctx)
    slot = load_u64(REST_WORDS + here * 8 + 8)
    if slot >= ctx.schedule.n_threads or thread_at(slot_to_thread(slot)).state != RUNNABLE:
        return default_place(ctx)
    return thread_at(slot_to_thread(slot)).run_index
