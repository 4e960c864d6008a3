"""WCP by its definition: the three rules applied until nothing is new."""

from __future__ import annotations

from itertools import combinations

from tests.oracles.trace_orders import conflict, hb_sets
from tests.support.traces import Events


def sections(events: Events) -> list[tuple[str, list[int]]]:
    """Critical sections, also open ones: the lock and the events of its thread inside."""
    found = []
    for i, event in enumerate(events):
        if event.op != "acq":
            continue
        inside = []
        for j in range(i, len(events)):
            if events[j].thread == event.thread:
                inside.append(j)
                if events[j].op == "rel" and events[j].target == event.target:
                    break
        found.append((event.target, inside))
    return found


def is_closed(events: Events, section: tuple[str, list[int]]) -> bool:
    """Whether the section ends with its release."""
    end = events[section[1][-1]]
    return end.op == "rel" and end.target == section[0]


def wcp(events: Events) -> list[int]:
    """Racy events, 1-based: conflicts that neither WCP nor the thread orders."""
    before = wcp_sets(events)
    return [
        j + 1
        for j in range(len(events))
        if any(conflict(events[i], events[j]) and not before[j] >> i & 1 for i in range(j))
    ]


def wcp_sets(events: Events) -> list[int]:
    """What is before each event in WCP."""
    happens_before = hb_sets(events)
    before = [0] * len(events)
    for i, event in enumerate(events):
        for j in range(i + 1, len(events)):
            if event.op == "fork" and event.target == events[j].thread:
                before[j] |= 1 << i
            if events[j].op == "join" and events[j].target == event.thread:
                before[j] |= 1 << i
    spans = sections(events)
    pairs = [
        (one[1], other[1], is_closed(events, other))
        for one, other in combinations(spans, 2)
        if one[0] == other[0] and is_closed(events, one)
    ]
    for one, other, _ in pairs:
        for j in other:
            if any(conflict(events[i], events[j]) for i in one):
                before[j] |= 1 << one[-1]
    while apply_rules(before, happens_before, pairs):
        pass
    return before


def apply_rules(
    before: list[int], happens_before: list[int], pairs: list[tuple[list[int], list[int], bool]]
) -> bool:
    """Rules (b) and (c) once over everything; whether they added something."""
    old = list(before)
    for one, other, has_release in pairs:
        inside = sum(1 << i for i in one)
        if has_release and any(before[j] & inside for j in other):
            before[other[-1]] |= 1 << one[-1]
    for j in range(len(before)):
        for i in range(j):
            if happens_before[j] >> i & 1:
                before[j] |= before[i]
            if before[j] >> i & 1:
                before[j] |= happens_before[i]
    return before != old
