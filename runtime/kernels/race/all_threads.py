"""All that any thread has done so far becomes one thread's past: a managed heap's finalizer.

The others go on in new epochs.  Else what they do next in the present ones would be taken for
known: races would be missed, and what they learn before they publish these epochs would be skipped
as known, so that false ones were found.

Source: ThreadSanitizer's AcquireGlobal.
Deviation: there the others stay in their epochs, whose later accesses count as known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.clocks.clock_forms import learn_epoch
from irsan.runtime.kernels.race.clocks.generations import begin_generation
from irsan.runtime.kernels.race.clocks.lamport import lamport_learned, lamport_next
from irsan.runtime.kernels.race.clocks.race_words import (
    N_INEXACT_SIDS,
    N_SIDS,
    U64_1,
    U64_4,
    U64_CLOCK_BITS,
    U64_CLOCK_MAX,
)
from irsan.runtime.kernels.race.recording import note
from irsan.runtime.kernels.race.sids import LIVE, newest_epoch, sid_to_entry, sid_to_thread
from irsan.runtime.kernels.race.thread_clocks import ignores_sync
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.records import trace_records

OP_FINALIZE = np.uint64(trace_records.FINALIZE)
U32_LIVE = np.uint32(LIVE)
U64_0 = np.uint64(0)


@kernel("void(ctx,u64)")
def leave_epoch(ctx: Any, thread_addr: Any) -> Any:
    """Another thread, which does not run now, goes on in a new epoch.

    At its last clock value it stays where it is, which is counted as an inexact sid.
    """
    thread = thread_at(thread_addr)
    if thread.epoch & U64_CLOCK_MAX == U64_CLOCK_MAX:
        ctx.race[N_INEXACT_SIDS] += U64_1
        return
    thread.epoch += U64_1
    store_u32(thread.vc + (thread.epoch >> U64_CLOCK_BITS) * U64_4, np.uint32(thread.epoch))
    lamport_next(ctx, thread.epoch, thread.epoch - U64_1)


@kernel("void(ctx)", outlined=True)
def learn_everything(ctx: Any) -> Any:
    """All that any thread has done so far is the running thread's past.  O(sids)"""
    if ignores_sync(ctx):
        return
    note(ctx, OP_FINALIZE, U64_0, U64_0)
    for index in range(ctx.race[N_SIDS]):
        sid = np.uint64(index)
        epoch = newest_epoch(ctx, sid)
        if epoch <= load_u32(ctx.vc + sid * U64_4):
            continue
        learn_epoch(ctx, np.uint64(epoch))
        if load_u32(sid_to_entry(sid)) == U32_LIVE:
            leave_epoch(ctx, sid_to_thread(sid))
    lamport_learned(ctx)
    begin_generation(ctx)
