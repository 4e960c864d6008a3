"""MAZ: reversible pairs of conflicting accesses."""

from __future__ import annotations

import numpy as np

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.analyses.stores import grown_clocks, grown_thread_clocks, new_thread_clocks
from irsan.traces.arrays import grown
from irsan.traces.events import Chunk
from irsan.traces.kernels.clock_rows import TOUCHED, new_clocks
from irsan.traces.kernels.maz import maz_events, new_readers
from irsan.traces.kernels.operations import NONE


class Mazurkiewicz(Analysis):
    """All accesses that could change places with an earlier conflicting one."""

    def __init__(self, *, is_tree: bool = False) -> None:
        super().__init__()
        self._is_tree = is_tree
        self.threads = new_thread_clocks(is_tree=is_tree)
        self._locks = new_clocks(1, 1, is_tree=is_tree)
        self._writes = new_clocks(1, 1, is_tree=is_tree)
        self._reads = new_clocks(1, 1, is_tree=is_tree)
        self._rows = np.full(1, NONE, np.int32)
        self._writer = np.zeros(1, np.int32)
        self._readers = new_readers(1, 1)

    def entries_touched(self) -> int:
        """Entries of clocks read or written by joins and copies so far."""
        stores = (self.threads, self._locks, self._writes, self._reads)
        return sum(int(clocks.counts[TOUCHED]) for clocks in stores)

    def _prepare(self, n_threads: int, n_locks: int, n_variables: int) -> None:
        self.threads = grown_thread_clocks(self.threads, n_threads)
        self._locks = grown_clocks(self._locks, n_locks, n_threads)
        self._writes = grown_clocks(self._writes, 1, n_threads)
        self._reads = grown_clocks(self._reads, 1, n_threads)
        self._rows = grown(self._rows, n_variables, NONE)
        first = grown(self._readers.first, n_variables, NONE)
        self._readers = self._readers._replace(first=first)

    def _advance(self, chunk: Chunk, at: int) -> int:
        stopped: int = maz_events(
            self._is_tree,
            self.threads,
            self._locks,
            self._writes,
            self._reads,
            self._rows,
            self._writer,
            self._readers,
            chunk.operations,
            chunk.threads,
            chunk.targets,
            at,
            self._racy,
            self._counts,
        )
        if stopped < len(chunk):
            self._grow_accesses()
        return stopped

    def _grow_accesses(self) -> None:
        """One row more at least of the clocks of writes and of reads; doubling does the rest."""
        n_writes, n_threads = self._writes.clk.shape
        self._writes = grown_clocks(self._writes, n_writes + 1, n_threads)
        self._writer = grown(self._writer, len(self._writes.clk))
        n_reads = len(self._reads.clk) + 1
        self._reads = grown_clocks(self._reads, n_reads, n_threads)
        n_rows = len(self._reads.clk)
        self._readers = self._readers._replace(
            next_row=grown(self._readers.next_row, n_rows, NONE),
            thread=grown(self._readers.thread, n_rows),
            time=grown(self._readers.time, n_rows),
        )
