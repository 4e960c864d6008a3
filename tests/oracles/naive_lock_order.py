"""Potential deadlocks by brute force: every tuple of edges in every order, as defined."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from irsan.runtime.views.lock_graph import LockEdge


def deadlocks(edges: Sequence[LockEdge]) -> set[frozenset[int]]:
    """The sets of locks on which some choice of edges, one per thread, can wait in a circle."""
    found = set()
    for length in range(2, len(edges) + 1):
        for chosen in permutations(edges, length):
            if is_deadlock(chosen):
                found.add(frozenset(edge.held for edge in chosen))
    return found


def is_deadlock(cycle: Sequence[LockEdge]) -> bool:
    """Whether each edge's thread can wait for the next one's, all at the same time."""
    followed = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    if any(edge.taken != after.held for edge, after in followed):
        return False
    if len({edge.tid for edge in cycle}) != len(cycle) != 0:
        return False
    if len({edge.held for edge in cycle}) != len(cycle):
        return False
    for i, edge in enumerate(cycle):
        if any(edge.gates & other.gates for other in cycle[:i]):
            return False
    return all(edge.taken_for_write or after.held_for_write for edge, after in followed)
