"""HB and FastTrack: the clocks of threads and locks, and the history of every variable."""

from __future__ import annotations

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.analyses.stores import (
    grown_clocks,
    grown_history,
    grown_thread_clocks,
    new_thread_clocks,
    with_more_vectors,
)
from irsan.traces.events import Chunk
from irsan.traces.kernels.access_history import new_history
from irsan.traces.kernels.clock_rows import TOUCHED, new_clocks
from irsan.traces.kernels.fasttrack import fasttrack_events
from irsan.traces.kernels.hb import hb_events


class HappensBefore(Analysis):
    """All accesses unordered with an earlier conflicting one."""

    def __init__(self, *, is_tree: bool = False) -> None:
        super().__init__()
        self._is_tree = is_tree
        self.threads = new_thread_clocks(is_tree=is_tree)
        self.locks = new_clocks(1, 1, is_tree=is_tree)
        self.history = new_history(1, 1, 64)

    def entries_touched(self) -> int:
        """Entries of clocks read or written by joins and copies so far."""
        return int(self.threads.counts[TOUCHED] + self.locks.counts[TOUCHED])

    def _prepare(self, n_threads: int, n_locks: int, n_variables: int) -> None:
        self.threads = grown_thread_clocks(self.threads, n_threads)
        self.locks = grown_clocks(self.locks, n_locks, n_threads)
        self.history = grown_history(self.history, n_variables, n_threads)

    def _advance(self, chunk: Chunk, at: int) -> int:
        stopped = self._run(chunk, at)
        if stopped < len(chunk):
            self.history = with_more_vectors(self.history)
        return stopped

    def _run(self, chunk: Chunk, at: int) -> int:
        return hb_events(  # type: ignore[no-any-return]
            self._is_tree,
            self.threads,
            self.locks,
            self.history,
            chunk.operations,
            chunk.threads,
            chunk.targets,
            at,
            self._racy,
            self._counts,
        )


class FastTrack(HappensBefore):
    """The epoch algorithm: the first race of each variable, and what its rules see after that."""

    def _run(self, chunk: Chunk, at: int) -> int:
        return fasttrack_events(  # type: ignore[no-any-return]
            self.threads,
            self.locks,
            self.history,
            chunk.operations,
            chunk.threads,
            chunk.targets,
            at,
            self._racy,
            self._counts,
        )
