"""SHB: happens-before with reads-from edges."""

from __future__ import annotations

import numpy as np

from irsan.traces.analyses.happens_before import HappensBefore
from irsan.traces.analyses.stores import grown_clocks, with_more_vectors
from irsan.traces.arrays import grown
from irsan.traces.events import Chunk
from irsan.traces.kernels.access_history import N_FREE, ROWS_PER_EVENT
from irsan.traces.kernels.clock_rows import TOUCHED, new_clocks
from irsan.traces.kernels.shb import shb_events


class SchedulableHappensBefore(HappensBefore):
    """All HB races that some reordering of the trace really shows."""

    def __init__(self, *, is_tree: bool = False) -> None:
        super().__init__(is_tree=is_tree)
        self._last_writes = new_clocks(1, 1, is_tree=is_tree)
        self._rows = np.full(1, -1, np.int32)

    def entries_touched(self) -> int:
        """As for HB, with the clocks of last writes."""
        return super().entries_touched() + int(self._last_writes.counts[TOUCHED])

    def _prepare(self, n_threads: int, n_locks: int, n_variables: int) -> None:
        super()._prepare(n_threads, n_locks, n_variables)
        self._last_writes = grown_clocks(self._last_writes, 1, n_threads)
        self._rows = grown(self._rows, n_variables, -1)

    def _advance(self, chunk: Chunk, at: int) -> int:
        stopped = self._run(chunk, at)
        if stopped < len(chunk):
            if self.history.counts[N_FREE] < ROWS_PER_EVENT:
                self.history = with_more_vectors(self.history)
            else:
                n_rows, n_threads = self._last_writes.clk.shape
                self._last_writes = grown_clocks(self._last_writes, n_rows + 1, n_threads)
        return stopped

    def _run(self, chunk: Chunk, at: int) -> int:
        return shb_events(  # type: ignore[no-any-return]
            self._is_tree,
            self.threads,
            self.locks,
            self._last_writes,
            self._rows,
            self.history,
            chunk.operations,
            chunk.threads,
            chunk.targets,
            at,
            self._racy,
            self._counts,
        )
