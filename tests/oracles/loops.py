"""Naive twins of what is known of loops: turns are made one by one, sums are worked out by number.

A node of a graph is a number, 0 the entry, as in `graphs.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MOST_TURNS = 1 << 10


def turns_one_by_one(
    predicate: str, tested: int, step: int, bound: int, width: int, *, in_latch: bool
) -> int:
    """Whole turns until the test ends the loop, with wrapping numbers; at most MOST_TURNS."""
    turns = 0
    while turns < MOST_TURNS:
        if not _holds(predicate, tested, bound, width):
            return turns + in_latch
        tested = (tested + step) % (1 << width)
        turns += 1
    return turns


def _holds(predicate: str, left: int, right: int, width: int) -> bool:
    if predicate in ("eq", "ne"):
        return (left % (1 << width) == right % (1 << width)) == (predicate == "eq")
    if predicate[0] == "s":
        half = 1 << (width - 1)
        left, right = ((one + half) % (2 * half) - half for one in (left, right))
    word = predicate[1:]
    if word in ("lt", "gt"):
        return left < right if word == "lt" else left > right
    return left <= right if word == "le" else left >= right


def on_every_way(
    edges: Mapping[int, Sequence[int]], inside: set[int], header: int, latch: int
) -> set[int]:
    """Nodes of a loop that every way from the header to the latch goes through, by leaving each
    out.
    """
    found = {header, latch}
    for node in inside - found:
        reached, waiting = {header}, [header]
        while waiting:
            for target in edges[waiting.pop()]:
                if target in inside and target != node and target not in reached:
                    reached.add(target)
                    if target != header:
                        waiting.append(target)
        if latch not in reached:
            found.add(node)
    return found


def wraps_around(predicate: str, number: int, change: int, width: int) -> bool:
    """Whether a number, read as the predicate reads it, leaves its range by a change."""
    low = -(1 << (width - 1)) if predicate[0] == "s" else 0
    start = (number - low) % (1 << width) + low
    return not low <= start + change < low + (1 << width)
