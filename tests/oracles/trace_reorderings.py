"""Sync-preserving races by search: every reordering that keeps what the definition asks is tried.

A reordering runs prefixes of the threads; each read in it sees the write that it saw in the trace;
locks exclude each other; acquires of one lock keep their order; a child runs after its fork, and a
join after all of its child.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.oracles.trace_orders import conflict, last_write
from tests.support.traces import Events


class State(NamedTuple):
    """How far each thread has come, and the last write of each variable."""

    positions: tuple[int, ...]
    writes: tuple[tuple[str, int], ...]


def syncp(events: Events) -> list[int]:
    """Racy events, 1-based: the later ones of two that some reordering has next together."""
    by_thread = threads(events)
    names = list(by_thread)
    racy: set[int] = set()
    start = State((0,) * len(names), ())
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        done = {
            i for name, n in zip(names, state.positions, strict=True) for i in by_thread[name][:n]
        }
        coming = [
            by_thread[name][n]
            for name, n in zip(names, state.positions, strict=True)
            if n < len(by_thread[name]) and has_begun(events, done, name)
        ]
        racy |= {
            j + 1 for i in coming for j in coming if i < j and conflict(events[i], events[j])
        }
        for i in coming:
            if may_run(events, done, state, i):
                following = run(events, names, state, i)
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
    return sorted(racy)


def threads(events: Events) -> dict[str, list[int]]:
    """The events of each thread."""
    found: dict[str, list[int]] = {}
    for i, event in enumerate(events):
        found.setdefault(event.thread, []).append(i)
    return found


def has_begun(events: Events, done: set[int], thread: str) -> bool:
    """Whether the fork of a thread has been run, if there is one."""
    return all(
        i in done for i, e in enumerate(events) if e.op == "fork" and e.target == thread
    )


def may_run(events: Events, done: set[int], state: State, i: int) -> bool:
    """Whether event i may come next."""
    event = events[i]
    if event.op == "r":
        wanted = last_write(events, i)
        return dict(state.writes).get(event.target) == (wanted[0] if wanted else None)
    if event.op == "acq":
        taken = [k for k in done if events[k].op == "acq" and events[k].target == event.target]
        given = [k for k in done if events[k].op == "rel" and events[k].target == event.target]
        return len(taken) == len(given) and all(k < i for k in taken)
    if event.op == "join":
        child = [k for k, e in enumerate(events) if e.thread == event.target and k < i]
        return all(k in done for k in child)
    return True


def run(events: Events, names: list[str], state: State, i: int) -> State:
    """The state after event i."""
    event = events[i]
    positions = tuple(
        n + (name == event.thread) for name, n in zip(names, state.positions, strict=True)
    )
    writes = dict(state.writes)
    if event.op == "w":
        writes[event.target] = i
    return State(positions, tuple(sorted(writes.items())))
