"""Lockset: variables that no lock protects."""

from __future__ import annotations

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.arrays import grown, reshaped
from irsan.traces.events import Chunk
from irsan.traces.kernels.lockset import N_POOL, lockset_events, new_protection


class Lockset(Analysis):
    """All accesses of shared, modified variables that no lock has always protected."""

    def __init__(self) -> None:
        super().__init__()
        self._state = new_protection(1, 1, 64, 4)

    def _prepare(self, n_threads: int, n_locks: int, n_variables: int) -> None:  # noqa: ARG002
        state = self._state
        self._state = state._replace(
            state=grown(state.state, n_variables),
            owner=grown(state.owner, n_variables),
            start=grown(state.start, n_variables),
            length=grown(state.length, n_variables),
            held=grown(state.held, n_threads),
            n_held=grown(state.n_held, n_threads),
        )

    def _advance(self, chunk: Chunk, at: int) -> int:
        state = self._state
        stopped: int = lockset_events(
            state,
            chunk.operations,
            chunk.threads,
            chunk.targets,
            at,
            self._racy,
            self._counts,
        )
        if stopped < len(chunk):
            n_threads, depth = state.held.shape
            if int(state.n_held.max()) == depth:
                self._state = state._replace(held=reshaped(state.held, (n_threads, 2 * depth)))
            needed = int(self._counts[N_POOL]) + 4 * depth
            self._state = self._state._replace(pool=grown(state.pool, needed))
        return stopped
