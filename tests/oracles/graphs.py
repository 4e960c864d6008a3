"""Naive questions about small directed graphs: node -> successors, node 0 is the entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def reachable_from_entry(
    edges: Mapping[int, Sequence[int]], starts: Iterable[int] = (0,)
) -> set[int]:
    """Everything that can be reached from `starts`, by repeating until nothing is new."""
    found = set(starts)
    while True:
        more = {target for node in found for target in edges[node]} - found
        if not more:
            return found
        found |= more


def cycles_without(edges: Mapping[int, Sequence[int]], removed: set[int]) -> set[int]:
    """Reachable nodes that lie on a cycle which avoids every node of `removed`."""
    reachable = reachable_from_entry(edges)
    left = {
        node: [target for target in targets if target not in removed]
        for node, targets in edges.items()
        if node in reachable and node not in removed
    }
    return {node for node in left if node in _reached(left, left[node])}


def _reached(edges: Mapping[int, Sequence[int]], starts: Iterable[int]) -> set[int]:
    return reachable_from_entry(edges, starts)
