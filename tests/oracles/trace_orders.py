"""Orders on the events of a trace by their definitions: sets of predecessors, no clocks.

An event is its index; the set of all events ordered before it is the bits of one integer.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.traces import Event, Events

ACCESSES = ("r", "w")


def conflict(one: Event, other: Event) -> bool:
    """Accesses of one variable by two threads, not both reads."""
    return (
        one.op in ACCESSES
        and other.op in ACCESSES
        and "w" in (one.op, other.op)
        and one.target == other.target
        and one.thread != other.thread
    )


def with_events(before: Sequence[int], events: Sequence[int]) -> int:
    """Those events and everything before them."""
    found = 0
    for i in events:
        found |= before[i] | 1 << i
    return found


def hb_sources(events: Events, j: int) -> list[int]:
    """The earlier events that happens-before orders before event j directly."""
    now = events[j]
    return [i for i in range(j) if is_hb_edge(events[i], now)]


def is_hb_edge(old: Event, now: Event) -> bool:
    """Same thread; release to acquire; fork to the child; a child's events to its join."""
    return (
        old.thread == now.thread
        or (old.op == "rel" and now.op == "acq" and old.target == now.target)
        or (old.op == "fork" and old.target == now.thread)
        or (now.op == "join" and now.target == old.thread)
    )


def unordered_conflicts(events: Events, j: int, before: int) -> bool:
    """Whether an earlier event conflicts with j and is not in the set."""
    return any(conflict(events[i], events[j]) and not before >> i & 1 for i in range(j))


def hb(events: Events) -> list[int]:
    """Racy events, 1-based, by happens-before."""
    before: list[int] = []
    racy = []
    for j in range(len(events)):
        before.append(with_events(before, hb_sources(events, j)))
        if unordered_conflicts(events, j, before[j]):
            racy.append(j + 1)
    return racy


def hb_sets(events: Events) -> list[int]:
    """What happens before each event."""
    before: list[int] = []
    for j in range(len(events)):
        before.append(with_events(before, hb_sources(events, j)))
    return before


def last_write(events: Events, j: int) -> list[int]:
    """The write that event j reads from, if it is a read and there is one."""
    if events[j].op != "r":
        return []
    writes = [i for i in range(j) if events[i].op == "w" and events[i].target == events[j].target]
    return writes[-1:]


def shb(events: Events) -> list[int]:
    """Racy events by happens-before with reads-from, the last edge into the event left out."""
    before: list[int] = []
    racy = []
    for j in range(len(events)):
        found = with_events(before, hb_sources(events, j))
        if unordered_conflicts(events, j, found):
            racy.append(j + 1)
        before.append(found | with_events(before, last_write(events, j)))
    return racy


def maz(events: Events) -> list[int]:
    """Events that are ordered after an earlier conflicting one by that conflict alone."""
    before: list[int] = []
    racy = []
    for j in range(len(events)):
        found = with_events(before, hb_sources(events, j))
        conflicts = [i for i in range(j) if conflict(events[i], events[j])]
        if any(not has_other_way(before, found, conflicts, i) for i in conflicts):
            racy.append(j + 1)
        before.append(found | with_events(before, conflicts))
    return racy


def has_other_way(before: Sequence[int], found: int, conflicts: Sequence[int], i: int) -> bool:
    """Whether i comes before the event by something else than their own conflict."""
    others = [k for k in conflicts if k != i]
    return bool((found | with_events(before, others)) >> i & 1)


def fasttrack(events: Events) -> list[int]:
    """FastTrack2's rules with whole histories in the place of epochs."""
    before = hb_sets(events)
    write: dict[str, int] = {}
    reads: dict[str, dict[str, int]] = {}
    racy = []
    for j, event in enumerate(events):
        if event.op not in ACCESSES:
            continue
        known = reads.setdefault(event.target, {})
        last = write.get(event.target)
        if event.op == "r":
            mine = known.get(event.thread)
            if mine is not None and epoch(events, mine) == epoch(events, j):
                continue
            if last is not None and not before[j] >> last & 1:
                racy.append(j + 1)
                continue
            if len(known) == 1 and before[j] >> next(iter(known.values())) & 1:
                known.clear()
            known[event.thread] = j
        else:
            same_thread = last is not None and events[last].thread == event.thread
            if last is not None and same_thread and epoch(events, last) == epoch(events, j):
                continue
            write[event.target] = j
            rivals = [*known.values(), *([] if last is None else [last])]
            if any(not before[j] >> i & 1 for i in rivals):
                racy.append(j + 1)
    return racy


def epoch(events: Events, j: int) -> int:
    """How many releases and forks the thread of event j has done before it."""
    thread = events[j].thread
    return sum(e.thread == thread and e.op in ("rel", "fork") for e in events[:j])


def lockset(events: Events) -> list[int]:
    """Eraser's state machine with sets."""
    held: dict[str, set[str]] = {}
    users: dict[str, list[str]] = {}
    candidates: dict[str, set[str]] = {}
    modified: set[str] = set()
    racy = []
    for j, event in enumerate(events):
        mine = held.setdefault(event.thread, set())
        x = event.target
        if event.op == "acq":
            mine.add(x)
        elif event.op == "rel":
            mine.remove(x)
        elif event.op in ACCESSES:
            users.setdefault(x, []).append(event.thread)
            if set(users[x]) == {event.thread}:
                continue
            candidates[x] = candidates[x] & mine if x in candidates else set(mine)
            if event.op == "w":
                modified.add(x)
            if x in modified and not candidates[x]:
                racy.append(j + 1)
    return racy
