"""SyncP: what the tables of its kernel need."""

from __future__ import annotations

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.kernels.columns import new_table
from irsan.traces.kernels.sync_closure import N_ACQUIRES, N_POOL
from irsan.traces.kernels.sync_closure import N_LISTS as N_LOCK_LISTS
from irsan.traces.kernels.syncp import N_ACCESSES, N_LISTS, N_ROWS, SyncpState, syncp_events


class SyncPreserving(Analysis):
    """All sync-preserving races."""

    def __init__(self) -> None:
        super().__init__(new_table(SyncpState), syncp_events)

    def _needed(self) -> dict[str, int]:
        state, locks = self.state, self.state.acquires.counts
        n_threads = len(state.order.row_of)
        return {
            "clock_rows": int(state.counts[N_ROWS]) + 1,
            "accesses": int(state.counts[N_ACCESSES]) + 1,
            "lists": int(state.counts[N_LISTS]) + 1,
            "passed": int(state.accesses.passed.counts[0]) + 2 * n_threads,
            "acquires": int(locks[N_ACQUIRES]) + 1,
            "lock_lists": int(locks[N_LOCK_LISTS]) + 1,
            "lock_pool": int(locks[N_POOL]) + 2 * int(locks[N_ACQUIRES]) + 4,
        }
