"""What an analysis is to the driver: fed with chunks, asked for racy events at the end."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from irsan.traces.arrays import grown
from irsan.traces.events import Chunk, Names


class Analysis(ABC):
    """One analysis of one trace.

    A subclass gives `_prepare`, which makes room for the names seen so far, and `_advance`, which
    runs its kernel from an event of the chunk on and returns where it stopped: at the end, or at an
    event for which there was no room, after making room.
    """

    def __init__(self) -> None:
        self.racy_events: list[int] = []
        self._racy = np.zeros(1, np.int64)
        self._counts = np.zeros(4, np.int64)

    def feed(self, chunk: Chunk, names: Names) -> list[int]:
        """Analyse the next chunk; returns the indices in it of racy events."""
        self._prepare(len(names.threads), len(names.locks), len(names.variables))
        self._racy = grown(self._racy, len(chunk))
        self._counts[0] = 0
        at = 0
        while at < len(chunk):
            at = self._advance(chunk, at)
        racy: list[int] = self._racy[: int(self._counts[0])].tolist()
        self.racy_events += [chunk.first_event + i for i in racy]
        return racy

    @abstractmethod
    def _prepare(self, n_threads: int, n_locks: int, n_variables: int) -> None: ...

    @abstractmethod
    def _advance(self, chunk: Chunk, at: int) -> int: ...
