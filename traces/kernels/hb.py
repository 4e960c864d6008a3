"""HB: all accesses that are concurrent with an earlier conflicting one, by happens-before.

**Source**: Lamport (1978); Djit+ (PPoPP 2003) for the race check; conventions of RAPID: analysis
goes on after a race as if nothing had been, and every further access that is unordered with some
earlier one is reported.
**Soundness**: the first report of a trace is a real race; later ones may depend on earlier ones
(SHB tells them apart).  Complete for the observed trace.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.traces.kernels.access_history import N_FREE, ROWS_PER_EVENT, check_read, check_write
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.operations import READ, WRITE
from irsan.traces.kernels.sync_order import synchronise

N_RACY = 0


@kernel("i64(b1,clocks,clocks,history,u8[:],i32[:],i32[:],i64,i64[:],i64[:])")
def hb_events(
    is_tree: Any,
    threads: Any,
    locks: Any,
    history: Any,
    op: Any,
    thread: Any,
    target: Any,
    first: Any,
    racy: Any,
    counts: Any,
) -> Any:
    """Analyse the events from `first` on; returns where it stopped, for want of rows or at the end.

    racy    int64[n]  out: indices of racy events; counts int64[1]: N_RACY of them so far
    """
    clk = threads.clk
    n_racy = counts[N_RACY]
    stopped = len(op)
    for i in range(first, len(op)):
        o = op[i]
        t = np.int64(thread[i])
        x = np.int64(target[i])
        if o > WRITE:
            synchronise(is_tree, threads, locks, o, t, x)
            continue
        if history.counts[N_FREE] < ROWS_PER_EVENT:
            stopped = i
            break
        if o == READ:
            is_racy = check_read(history, x, clk, t, t, clk[t, t])
        else:
            is_racy = check_write(history, x, clk, t, t, clk[t, t])
        if is_racy:
            racy[n_racy] = i
            n_racy += 1
    counts[N_RACY] = n_racy
    return stopped
