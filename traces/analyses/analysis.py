"""What an analysis is to the driver: fed with chunks, asked for racy events at the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irsan.traces.events import Chunk, Names
from irsan.traces.kernels.columns import grown_table, new_table
from irsan.traces.kernels.event_loop import Events, Found

Loop = Callable[[Any, Events, int, Found], int]


class Analysis(ABC):
    """One analysis of one trace: the state of a kernel's event loop, and how it grows.

    A subclass says in `_needed` how much room the next event may take.
    """

    def __init__(self, state: Any, loop: Loop) -> None:
        self.racy_events: list[int] = []
        self.state = state
        self._loop = loop
        self._found = new_table(Found)
        self._n_threads = 0

    def feed(self, chunk: Chunk, names: Names) -> list[int]:
        """Analyse the next chunk; returns the indices in it of racy events."""
        self._make_room(names)
        self._found = grown_table(self._found, events=len(chunk))
        self._found.count[0] = 0
        events = Events(chunk.operations, chunk.threads, chunk.targets)
        at, refused = 0, -1
        while (at := self._loop(self.state, events, at, self._found)) < len(chunk):
            assert at > refused, "the state has not grown enough for one event"
            refused = at
            self.state = grown_table(self.state, **self._needed())
        racy: list[int] = self._found.racy[: int(self._found.count[0])].tolist()
        self.racy_events += [chunk.first_event + i for i in racy]
        return racy

    def _make_room(self, names: Names) -> None:
        n_threads = len(names.threads)
        self.state = grown_table(
            self.state, threads=n_threads, locks=len(names.locks), variables=len(names.variables)
        )
        self._begin_threads(np.arange(self._n_threads, n_threads))
        self._n_threads = n_threads

    def _begin_threads(self, threads: NDArray[np.intp]) -> None:  # noqa: B027
        """Set the clocks of threads that are mentioned for the first time; mostly they are zero."""

    @abstractmethod
    def _needed(self) -> dict[str, int]:
        """The sizes of the state's axes that are sure to hold one event more."""
