"""Sleeps that pass for synchronisation: what had happened by the time a thread woke up.

    thread.spare[SLEEP_STACK]   where the thread last slept
    SLEEPS                      epochs of all sids at that moment

A race whose earlier access lies before the sleep of the later one's thread is one that the sleep
hides in most runs: the report shows the sleep (runtime/diagnosis/diagnose_race.py).

Source: ThreadSanitizer's `As if synchronized via sleep`.
Deviation: none known; a sleep costs O(sids).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u32
from irsan.runtime.kernels.race.clocks.race_words import N_SIDS
from irsan.runtime.kernels.race.sids import newest_epoch
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.layout.thread_words import SLEEP_BYTES, SLEEP_STACK, SLEEPS

U64_0 = np.uint64(0)
U64_4 = np.uint64(4)
U64_SLEEPS = np.uint64(SLEEPS)
U64_SLEEP_BYTES = np.uint64(SLEEP_BYTES)


@kernel("void(ctx)", outlined=True)
def note_sleep(ctx: Any) -> None:
    """The running thread has slept and goes on."""
    if ctx.sanitize_thread == U64_0 or ctx.vc == U64_0:
        return
    thread = thread_at(ctx.thread)
    thread.spare[SLEEP_STACK] = np.uint64(current_stack_id(ctx))
    table = U64_SLEEPS + thread.slot * U64_SLEEP_BYTES
    for index in range(ctx.race[N_SIDS]):
        sid = np.uint64(index)
        store_u32(table + sid * U64_4, newest_epoch(ctx, sid))
