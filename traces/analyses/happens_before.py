"""HB and FastTrack: the clocks of threads and locks, and the history of every variable."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irsan.traces.analyses.analysis import Analysis, Loop
from irsan.traces.kernels.access_history import vectors_needed
from irsan.traces.kernels.clock_rows import NODE_WORDS, TOUCHED, Clocks
from irsan.traces.kernels.columns import new_table
from irsan.traces.kernels.fasttrack import fasttrack_events
from irsan.traces.kernels.hb import HbState, hb_events


class ClockAnalysis(Analysis):
    """An analysis of which the state has `threads`, their clocks, as vectors or as trees."""

    def __init__(self, kind: type[Any], loop: Loop, *, is_tree: bool) -> None:
        super().__init__(new_table(kind, node_words=NODE_WORDS if is_tree else 0), loop)

    def entries_touched(self) -> int:
        """Entries of clocks read or written by joins and copies so far."""
        return sum(int(clocks.counts[TOUCHED]) for clocks in self._stores())

    def _stores(self) -> tuple[Clocks, ...]:
        return (self.state.threads, self.state.locks)

    def _begin_threads(self, threads: NDArray[np.intp]) -> None:
        """A thread knows its own time, which is 1."""
        self.state.threads.clk[threads, threads] = 1
        self.state.threads.root[threads] = threads


class HappensBefore(ClockAnalysis):
    """All accesses unordered with an earlier conflicting one."""

    def __init__(self, *, is_tree: bool = False, loop: Loop = hb_events) -> None:
        super().__init__(HbState, loop, is_tree=is_tree)

    def _needed(self) -> dict[str, int]:
        return {"vectors": vectors_needed(self.state.history)}


class FastTrack(HappensBefore):
    """The epoch algorithm: the first race of each variable, and what its rules see after that."""

    def __init__(self, *, is_tree: bool = False) -> None:
        super().__init__(is_tree=is_tree, loop=fasttrack_events)
