"""The loop: which events an analysis gets, where it stops, what it calls racy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from irsan.traces.analyses.analysis import Analysis
from irsan.traces.catalogue import make_analysis
from irsan.traces.events import Chunk, Names
from irsan.traces.kernels.columns import column, new_table
from irsan.traces.kernels.event_loop import Events, Found
from irsan.traces.kernels.operations import READ, WRITE


class Room(NamedTuple):
    """A state with room for some events."""

    events: Any = column("i64", "rows")


class Recorder(Analysis):
    """Stops whenever its room is used up; calls writes racy."""

    def __init__(self, n_more: int) -> None:
        super().__init__(new_table(Room), self.run)
        self.n_more = n_more
        self.seen: list[int] = []

    def run(self, state: Room, events: Events, first: int, found: Found) -> int:
        last = min(len(events.operation), len(state.events))
        for i in range(first, last):
            self.seen.append(i)
            if events.operation[i] == WRITE:
                found.racy[found.count[0]] = i
                found.count[0] += 1
        return last

    def _needed(self) -> dict[str, int]:
        return {"rows": len(self.state.events) + self.n_more}


def chunk_of(operations: list[int]) -> Chunk:
    column = np.zeros(len(operations), np.int32)
    return Chunk(11, np.array(operations, np.uint8), column, column, column)


def test_every_event_is_seen_once_however_often_the_state_grows() -> None:
    analysis = Recorder(1)
    assert analysis.feed(chunk_of([READ, WRITE, READ, WRITE, WRITE]), Names.empty()) == [1, 3, 4]
    assert analysis.seen == [0, 1, 2, 3, 4]
    assert analysis.racy_events == [12, 14, 15]


def test_a_state_that_does_not_grow_enough_is_an_error_and_no_endless_loop() -> None:
    with pytest.raises(AssertionError, match="not grown enough"):
        Recorder(0).feed(chunk_of([READ, READ]), Names.empty())


def test_loops_of_analyses_are_kernels_of_their_own_modules() -> None:
    """What they are made from names the folder that they are kept in."""
    loops = {name: make_analysis(name, "vector")._loop for name in ("hb", "fasttrack")}
    for name, loop in loops.items():
        function: Any = loop.py_func  # type: ignore[attr-defined]
        assert function.__module__ == f"irsan.traces.kernels.{name}"
        assert function.__name__ == f"{name}_events"
