"""MAZ: reversible pairs of conflicting accesses."""

from __future__ import annotations

from irsan.traces.analyses.happens_before import ClockAnalysis
from irsan.traces.kernels.clock_rows import Clocks
from irsan.traces.kernels.maz import MazState, maz_events


class Mazurkiewicz(ClockAnalysis):
    """All accesses that could change places with an earlier conflicting one."""

    def __init__(self, *, is_tree: bool = False) -> None:
        super().__init__(MazState, maz_events, is_tree=is_tree)

    def _stores(self) -> tuple[Clocks, ...]:
        return (*super()._stores(), self.state.writes.clocks, self.state.reads.clocks)

    def _needed(self) -> dict[str, int]:
        counted = {"written": self.state.writes.count, "readers": self.state.reads.count}
        return {axis: int(count[0]) + 1 for axis, count in counted.items()}
