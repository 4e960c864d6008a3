"""SHB: every HB race that can really be scheduled, by happens-before with reads-from edges.

As HB, with LW_x, the clock of the last write of x, and a tick at every write:

    read x    check; C_t := C_t join LW_x
    write x   check; LW_x := C_t; C_t[t]++

**Source**: Mathur, Kini, Viswanathan, "What Happens-After the First Race?", OOPSLA 2018.
**Deviations**: earlier accesses are kept as in `access_history`, LW_x in a row of its own that the
first write takes (`rows`).
**Soundness**: every report is a real race of some reordering of the trace; all HB races that are
schedulable after each prefix are found.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.traces.kernels.access_history import N_FREE, ROWS_PER_EVENT, check_read, check_write
from irsan.traces.kernels.hb import N_RACY
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.operations import READ, WRITE
from irsan.traces.kernels.sync_order import copy_any_clock, join_clock, synchronise

N_ROWS = 1


@kernel("i64(i32[:],i64,i64[:],i64)", inlined=True)
def row_of(rows: Any, x: Any, counts: Any, which: Any) -> Any:
    """The row of x in a store of clocks; the next free one when it has none yet."""
    if rows[x] < 0:
        rows[x] = counts[which]
        counts[which] += 1
    return np.int64(rows[x])


@kernel("i64(b1,clocks,clocks,clocks,i32[:],history,u8[:],i32[:],i32[:],i64,i64[:],i64[:])")
def shb_events(
    is_tree: Any,
    threads: Any,
    locks: Any,
    last_writes: Any,
    rows: Any,
    history: Any,
    op: Any,
    thread: Any,
    target: Any,
    first: Any,
    racy: Any,
    counts: Any,
) -> Any:
    """Analyse the events from `first` on; stops for want of rows, too, of the last writes' clocks.

    rows    int32[variables]  row in last_writes, -1 before the first write
    counts  int64[2]          N_RACY events so far, N_ROWS of last_writes in use
    """
    clk = threads.clk
    stopped = len(op)
    for i in range(first, len(op)):
        o = op[i]
        t = np.int64(thread[i])
        x = np.int64(target[i])
        if o > WRITE:
            synchronise(is_tree, threads, locks, o, t, x)
            continue
        if history.counts[N_FREE] < ROWS_PER_EVENT or counts[N_ROWS] == len(last_writes.clk):
            stopped = i
            break
        if o == READ:
            is_racy = check_read(history, x, clk, t, t, clk[t, t])
            if rows[x] >= 0:
                join_clock(is_tree, threads, t, last_writes, rows[x])
        else:
            is_racy = check_write(history, x, clk, t, t, clk[t, t])
            copy_any_clock(is_tree, last_writes, row_of(rows, x, counts, N_ROWS), threads, t)
            clk[t, t] += 1
        if is_racy:
            racy[counts[N_RACY]] = i
            counts[N_RACY] += 1
    return stopped
