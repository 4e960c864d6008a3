"""Potential deadlocks: cycles in the order of locks that some schedule can close.

An edge says: `tid`, holding `held` (and the gates), took `taken`.  Edges e1 .. en are a deadlock
that can happen when each takes what the next one holds, round in a circle, and

    their threads are all different       one thread alone cannot wait for itself here
    their gate locks are disjoint         a common outer lock lets only one of them in
    each waits for the next one           a lock shared by two readers keeps neither waiting

First the edges on any cycle with a new edge are picked out (those reachable from its end that reach
its beginning, array operations over all edges), and of them those of other threads; the conditions
are then tried on those few only.

Source: Goodlock (Havelund, SPIN 2000); gate locks and single-threaded cycles as in Agarwal et al.
(HVC 2005).
Falsely reported: a cycle whose edges can never overlap in time for other reasons than gate locks
(all of one thread's edges happen before the other thread starts).
May miss: cycles of more than LONGEST_CYCLE locks, or beyond MAX_STEPS steps of the search.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

LONGEST_CYCLE = 16
MAX_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class LockEdge:
    """One step of the lock order; locks by number, stacks by id."""

    held: int
    taken: int
    tid: int
    gates: frozenset[int] = frozenset()
    held_for_write: bool = True
    taken_for_write: bool = True
    held_stack: int = 0
    taken_stack: int = 0


Cycle = tuple[LockEdge, ...]


class LockGraph:
    """The cycles of the lock order that were found so far, each reported once.

    edge_at  the edge with an index
    """

    def __init__(self, edge_at: Callable[[int], LockEdge]) -> None:
        self._edge_at = functools.cache(edge_at)
        self._told: set[frozenset[int]] = set()
        self.in_cycle: set[int] = set()  # locks on cycles, deadlocks or not

    def new_cycles(self, held: Any, taken: Any, tids: Any, n_before: int) -> list[Cycle]:
        """Deadlocks closed by the edges from index `n_before` on, each as its edges in order.

        held, taken, tids   int arrays[n]: the locks and the thread of all edges so far; the new
                            ones are of one acquisition: they have one taken lock and one thread
        """
        start, tid = int(taken[-1]), tids[-1]
        on_cycles = edges_on_cycles(held, taken, start, set(held[n_before:].tolist()))
        self.in_cycle.update(held[on_cycles].tolist())
        others = on_cycles[tids[on_cycles] != tid]
        if not len(others):
            return []
        found = []
        for index in range(n_before, len(held)):
            ways = edges_on_cycles(held[others], taken[others], start, {int(held[index])})
            edges = [self._edge_at(each) for each in others[ways].tolist()]
            cycle = next(self._deadlocks(self._edge_at(index), edges), None)
            if cycle is not None:
                self._told.add(locks_of(cycle))
                found.append(cycle)
        return found

    def _deadlocks(self, first: LockEdge, edges: list[LockEdge]) -> Iterator[Cycle]:
        """Every deadlock through an edge, and others of other threads, that is not reported yet."""
        after: defaultdict[int, list[LockEdge]] = defaultdict(list)
        for edge in edges:
            after[edge.held].append(edge)
        paths: list[Cycle] = [(first,)]
        for _ in range(MAX_STEPS):
            if not paths:
                return
            path = paths.pop()
            for edge in after[path[-1].taken]:
                if not fits(path, edge):
                    continue
                longer = (*path, edge)
                if edge.taken != first.held:
                    if len(longer) < LONGEST_CYCLE:
                        paths.append(longer)
                elif waits(edge, first) and locks_of(longer) not in self._told:
                    yield longer


def edges_on_cycles(held: Any, taken: Any, start: int, ends: set[int]) -> Any:
    """Indices of all edges on paths from lock `start` to one of `ends`; empty when there is none.

    held, taken   int arrays[n], n > 0: the locks of all edges
    """
    forward = _reachable(held, taken, {start})
    reached = forward & ends
    if not reached:
        return held[:0].astype(int)
    backward = _reachable(taken, held, reached)
    n_locks = int(max(held.max(), taken.max())) + 1
    on_path = _as_mask(forward & backward, n_locks)
    return (on_path[held] & on_path[taken]).nonzero()[0]


def _reachable(source: Any, target: Any, starts: set[int]) -> set[int]:
    """Locks that can be reached along edges source -> target, `starts` included."""
    n_locks = int(max(source.max(), target.max(), *starts)) + 1
    seen = set(starts)
    frontier = starts
    while frontier:
        mask = _as_mask(frontier, n_locks)
        frontier = set(target[mask[source]].tolist()) - seen
        seen |= frontier
    return seen


def _as_mask(locks: set[int], n_locks: int) -> Any:
    import numpy as np

    mask = np.zeros(n_locks, dtype=bool)
    mask[list(locks)] = True
    return mask


def fits(path: Cycle, edge: LockEdge) -> bool:
    """Whether an edge can be in one deadlock with all edges of a path that leads to it."""
    if not waits(path[-1], edge) or any(edge.taken == other.taken for other in path):
        return False
    return all(edge.tid != other.tid and not edge.gates & other.gates for other in path)


def waits(edge: LockEdge, holder: LockEdge) -> bool:
    """Whether what an edge takes can be kept from it by the next edge's thread."""
    return edge.taken_for_write or holder.held_for_write


def locks_of(cycle: Cycle) -> frozenset[int]:
    """The locks of a cycle."""
    return frozenset(edge.held for edge in cycle)
