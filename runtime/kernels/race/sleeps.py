"""Sleeps that pass for synchronisation: what had happened by the time a thread woke up.

    thread.wait.sleep_stack   where the thread last slept
    SLEEPS                      epochs of all sids at that moment

A race whose earlier access lies before the sleep of the later one's thread is one that the sleep
hides in most runs: the report shows the sleep (runtime/diagnosis/diagnose_race.py).

Source: ThreadSanitizer's `As if synchronized via sleep`.
Deviation: none known; a sleep costs O(sids).
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u32
from irsan.runtime.kernels.race.sids import newest_epoch
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.thread_words import SLEEP_BYTES, SLEEPS


@kernel(outlined=True)
def note_sleep(ctx: Context) -> None:
    """The running thread has slept and goes on."""
    if ctx.sanitize_thread == 0 or ctx.vc == 0:
        return
    thread = thread_at(ctx.thread)
    thread.wait.sleep_stack = u64(current_stack_id(ctx))
    table = SLEEPS + thread.slot * SLEEP_BYTES
    for index in range(ctx.race.n_sids):
        sid = u64(index)
        store_u32(table + sid * 4, newest_epoch(ctx, sid))
