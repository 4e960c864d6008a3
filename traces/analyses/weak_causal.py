"""WCP: what the tables of its kernel need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.kernels.access_history import vectors_needed
from irsan.traces.kernels.columns import new_table
from irsan.traces.kernels.wcp import N_PAIRS, N_SECTIONS, WcpState, wcp_events


class WeakCausallyPrecedes(Analysis):
    """All accesses that WCP leaves unordered with an earlier conflicting one."""

    def __init__(self) -> None:
        super().__init__(new_table(WcpState), wcp_events)

    def _begin_threads(self, threads: NDArray[np.intp]) -> None:
        """A thread knows its own time, which is 1."""
        self.state.weak.hb[threads, threads] = 1

    def _needed(self) -> dict[str, int]:
        state = self.state
        longest = int(state.held.n_log.max())
        return {
            "vectors": vectors_needed(state.history),
            "depth": int(state.held.n_locks.max()) + 1,
            "log": longest + 1,
            "pairs": int(state.counts[N_PAIRS]) + longest,
            "sections": int(state.counts[N_SECTIONS]) + 1,
            "passed": int(state.sections.passed.counts[0]) + 1,
        }
