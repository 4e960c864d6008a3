"""HB: all accesses that are concurrent with an earlier conflicting one, by happens-before.

**Source**: Lamport (1978); Djit+ (PPoPP 2003) for the race check; conventions of RAPID: analysis
goes on after a race as if nothing had been, and every further access that is unordered with some
earlier one is reported.
**Soundness**: the first report of a trace is a real race; later ones may depend on earlier ones
(SHB distinguishes them).  Complete for the observed trace.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import i64
from irsan.traces.kernels.access_history import History, check_access, has_vectors
from irsan.traces.kernels.clock_rows import Clocks
from irsan.traces.kernels.columns import part
from irsan.traces.kernels.event_loop import event_loop
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.operations import WRITE
from irsan.traces.kernels.sync_order import synchronise


@table
class HbState(NamedTuple):
    """Clocks of threads and locks, and the earlier accesses of every variable."""

    threads: Clocks = part(Clocks, rows="threads")
    locks: Clocks = part(Clocks, rows="locks")
    history: History = part(History)


@kernel(inlined=True)
def hb_has_room(state: HbState, operation: i64, t: i64, x: i64) -> bool:
    """Room for one more event."""
    return has_vectors(state.history)


@kernel(inlined=True)
def hb_step(state: HbState, operation: i64, t: i64, x: i64) -> bool:
    """One event; returns whether it races."""
    if operation > WRITE:
        synchronise(state.threads, state.locks, operation, t, x)
        return False
    clk = state.threads.clk
    return check_access(state.history, operation, x, clk, t, i64(clk[t, t]))


hb_events = event_loop(HbState, hb_has_room, hb_step)
