"""SHB: every HB race that can really be scheduled, by happens-before with reads-from edges.

As HB, with LW_x, the clock of the last write of x, and a tick at every write:

    read x    check; C_t := C_t join LW_x
    write x   check; LW_x := C_t; C_t[t]++

**Source**: Mathur, Kini, Viswanathan, "What Happens-After the First Race?", OOPSLA 2018.
**Deviations**: earlier accesses are kept as in `access_history`, LW_x in a row of its own that the
first write takes.
**Soundness**: every report is a real race of some reordering of the trace; all HB races that are
schedulable after each prefix are found.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import i64
from irsan.traces.kernels.access_history import History, check_access, has_vectors
from irsan.traces.kernels.clock_rows import Clocks
from irsan.traces.kernels.columns import part
from irsan.traces.kernels.event_loop import event_loop
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.last_writes import LastWrites, written_row
from irsan.traces.kernels.operations import NONE, READ, WRITE
from irsan.traces.kernels.sync_order import copy_clock, join_clock, synchronise


@table
class ShbState(NamedTuple):
    """As for HB, with LW."""

    threads: Clocks = part(Clocks, rows="threads")
    locks: Clocks = part(Clocks, rows="locks")
    history: History = part(History)
    writes: LastWrites = part(LastWrites)


@kernel(inlined=True)
def shb_has_room(state: ShbState, operation: i64, t: i64, x: i64) -> bool:
    """Room for one more event."""
    return has_vectors(state.history) and state.writes.count[0] < len(state.writes.clocks.root)


@kernel(inlined=True)
def shb_step(state: ShbState, operation: i64, t: i64, x: i64) -> bool:
    """One event; returns whether it races."""
    threads, writes = state.threads, state.writes
    if operation > WRITE:
        synchronise(threads, state.locks, operation, t, x)
        return False
    is_racy = check_access(state.history, operation, x, threads.clk, t, i64(threads.clk[t, t]))
    if operation == READ:
        if writes.row[x] != NONE:
            join_clock(threads, t, writes.clocks, i64(writes.row[x]))
    else:
        copy_clock(writes.clocks, written_row(writes, x), threads, t)
        threads.clk[t, t] += 1
    return is_racy


shb_events = event_loop(ShbState, shb_has_room, shb_step)
