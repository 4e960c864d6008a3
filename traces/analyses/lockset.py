"""Lockset: variables that no lock protects."""

from __future__ import annotations

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.kernels.columns import capacity, new_table
from irsan.traces.kernels.lockset import Protection, lockset_events


class Lockset(Analysis):
    """All accesses of shared, modified variables that no lock has always protected."""

    def __init__(self) -> None:
        super().__init__(new_table(Protection), lockset_events)

    def _needed(self) -> dict[str, int]:
        """One lock more to hold; and in the pool all that then fit, as an access may share them."""
        depth = capacity(self.state.held.shape[1], int(self.state.n_held.max()) + 1)
        return {"depth": depth, "pool": int(self.state.n_pool[0]) + depth}
