"""Naive twins of what the passes know: which accesses are covered, which variables escape.

Event = ("read" | "write", place, size) or ("forget",)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Event = tuple[str, int, int] | tuple[str]


def kept_race_checks(events: Sequence[Event]) -> list[int]:
    """Indices of the events whose race check stays, by looking at all pairs."""
    return [i for i, event in enumerate(events) if event[0] != "forget" and not _drop(events, i)]


def _drop(events: Sequence[Event], index: int) -> bool:
    kind, place, size = events[index]  # type: ignore[misc]
    for earlier in _reaching(events[:index][::-1]):
        other, there, room = earlier
        if there == place and room >= size and (other == "write" or kind == "read"):
            return True
    if kind == "write":
        return False
    later = _reaching(events[index + 1 :])
    return any(other == "write" and there == place and room >= size for other, there, room in later)


def _reaching(events: Sequence[Event]) -> list[tuple[str, int, int]]:
    """Events up to the next `forget`."""
    found: list[tuple[str, int, int]] = []
    for event in events:
        if event[0] == "forget":
            break
        found.append(event)  # type: ignore[arg-type]
    return found


def escaping(roots: int, flows: Sequence[tuple[int, int]], leaks: Sequence[int]) -> set[int]:
    """Roots 0..roots-1 whose value reaches a leak along `flows` (from, to), by closure."""
    reaches: Mapping[int, set[int]] = {root: {root} for root in range(roots)}
    for found in reaches.values():
        while True:
            more = {target for source, target in flows if source in found} - found
            if not more:
                break
            found |= more
    return {root for root, found in reaches.items() if found & set(leaks)}
