"""Naive twin of the leak search: blocks and pointers as dicts, reachability as a set that grows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def reached_from(roots: Iterable[int], pointers: Mapping[int, Iterable[int]]) -> set[int]:
    """Blocks that the roots reach; `pointers`: block -> blocks its words point to."""
    reached = set(roots)
    while True:
        more = {other for block in reached for other in pointers.get(block, ())} - reached
        if not more:
            return reached
        reached |= more


def leaks(
    blocks: Iterable[int],
    roots: Iterable[int],
    pointers: Mapping[int, Iterable[int]],
    ignored: Iterable[int] = (),
) -> tuple[set[int], set[int]]:
    """(direct, indirect) leaks: indirect is what another leak points to."""
    safe = reached_from([*roots, *ignored], pointers)
    lost = set(blocks) - safe
    indirect = {
        other for block in lost for other in pointers.get(block, ()) if other in lost - {block}
    }
    return lost - indirect, indirect
