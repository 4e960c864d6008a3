"""All that any thread has done so far becomes one thread's past: a managed heap's finalizer.

The others go on in new epochs.  Else what they do next in the present ones would be taken for
known: races would be missed, and what they learn before they publish these epochs would be skipped
as known, so that false ones were found.

Source: ThreadSanitizer's AcquireGlobal.
Deviation: there the others stay in their epochs, whose later accesses count as known.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.clocks.clock_forms import learn_epoch
from irsan.runtime.kernels.race.clocks.generations import begin_generation
from irsan.runtime.kernels.race.clocks.lamport import lamport_learned, lamport_next
from irsan.runtime.kernels.race.clocks.race_words import (
    CLOCK_BITS,
    CLOCK_MAX,
)
from irsan.runtime.kernels.race.race_types import sid_numbered
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sids import LIVE, newest_epoch, sid_to_thread
from irsan.runtime.kernels.race.thread_clocks import ignores_sync
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.records.race import trace_records

OP_FINALIZE = trace_records.FINALIZE


@kernel
def leave_epoch(ctx: Context, thread_addr: u64) -> None:
    """Another thread, which does not run now, goes on in a new epoch.

    At its last clock value it stays where it is, which is counted as an inexact sid.
    """
    thread = thread_at(thread_addr)
    if thread.epoch & CLOCK_MAX == CLOCK_MAX:
        ctx.race.n_inexact_sids += 1
        return
    thread.epoch += 1
    store_u32(thread.vc + (thread.epoch >> CLOCK_BITS) * 4, u32(thread.epoch))
    lamport_next(ctx, thread.epoch, thread.epoch - 1)


@kernel(outlined=True)
def learn_everything(ctx: Context) -> None:
    """All that any thread has done so far is the running thread's past.  O(sids)"""
    if ignores_sync(ctx):
        return
    note(ctx, OP_FINALIZE, 0, 0)
    for index in range(ctx.race.n_sids):
        sid = u64(index)
        epoch = newest_epoch(ctx, sid)
        if epoch <= load_u32(ctx.vc + sid * 4):
            continue
        learn_epoch(ctx, u64(epoch))
        if sid_numbered(sid).state == LIVE:
            leave_epoch(ctx, sid_to_thread(sid))
    lamport_learned(ctx)
    begin_generation(ctx)
