"""The loop of every analysis over a chunk of events, made for each from its own two steps.

    has_room(state, operation, thread, target)   whether the state has room for what the event may
                                                 add to it; else the loop stops before the event
    step(state, operation, thread, target)       take the event in; whether it is racy

The loop is a template: `event_loop` gives it a copy of its own names in which the two steps are
those of the analysis, so each is compiled with its steps in line, as if written out.  (A closure
would do the same, but numba cannot keep what closes over kernels on disk.)
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from irsan.runtime.kernels.scalars import Vector, i32, i64, u8
from irsan.traces.kernels.columns import column
from irsan.traces.kernels.kernel import kernel, table


@table
class Events(NamedTuple):
    """The columns of a chunk that analyses look at."""

    operation: Vector[u8] = column("u8", "events")
    thread: Vector[i32] = column("i32", "events")
    target: Vector[i32] = column("i32", "events")


@table
class Found(NamedTuple):
    """Indices of racy events in the chunk; the first `count[0]` of them count."""

    racy: Vector[i64] = column("i64", "events")
    count: Vector[i64] = column("i64", 1)  # type: ignore[assignment]


def has_room(state: Any, operation: Any, thread: Any, target: Any) -> Any:
    """Stands for an analysis's own."""
    raise NotImplementedError


def step(state: Any, operation: Any, thread: Any, target: Any) -> Any:
    """Stands for an analysis's own."""
    raise NotImplementedError


def _loop(state: Any, events: Any, first: Any, found: Any) -> Any:
    n_racy = found.count[0]
    stopped = len(events.operation)
    for i in range(first, len(events.operation)):
        operation = np.int64(events.operation[i])
        thread = np.int64(events.thread[i])
        target = np.int64(events.target[i])
        if not has_room(state, operation, thread, target):
            stopped = i
            break
        if step(state, operation, thread, target):
            found.racy[n_racy] = i
            n_racy += 1
    found.count[0] = n_racy
    return stopped


def event_loop(state: type, has_room: Any, step: Any) -> Any:
    """The kernel `i64(state, events, first, found)` of an analysis, given by its steps.

    It takes the events from `first` on, adds the racy ones to `found`, and returns the number of
    the event it stopped before: for want of room, or at the end.
    """
    loop = FunctionType(_loop.__code__, {**globals(), "has_room": has_room, "step": step})
    loop.__module__ = step.py_func.__module__
    loop.__name__ = loop.__qualname__ = f"{loop.__module__.rpartition('.')[2]}_events"
    loop.__annotations__ = {
        "state": state, "events": Events, "first": i64, "found": Found, "return": i64,
    }  # fmt: skip
    return kernel(loop)
