"""SHB: happens-before with reads-from edges."""

from __future__ import annotations

from irsan.traces.analyses.happens_before import ClockAnalysis
from irsan.traces.kernels.access_history import vectors_needed
from irsan.traces.kernels.clock_rows import Clocks
from irsan.traces.kernels.shb import ShbState, shb_events


class SchedulableHappensBefore(ClockAnalysis):
    """All HB races that some reordering of the trace really shows."""

    def __init__(self, *, is_tree: bool = False) -> None:
        super().__init__(ShbState, shb_events, is_tree=is_tree)

    def _stores(self) -> tuple[Clocks, ...]:
        return (*super()._stores(), self.state.writes.clocks)

    def _needed(self) -> dict[str, int]:
        n_written = int(self.state.writes.count[0]) + 1
        return {"vectors": vectors_needed(self.state.history), "written": n_written}
