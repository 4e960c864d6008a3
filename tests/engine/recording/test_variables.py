"""Variables of memory: two accesses meet in the trace iff they meet in a byte."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.runtime.records.race import trace_records as tr
from tests.engine.recording.raw_events import (
    CELL,
    Raw,
    access,
    lines,
    raw,
    restart,
    translated,
)
from tests.traces.analysed import fed

WRITE, ATOMIC, FREE, MALLOC = 1, 2, 4, 16


class Touch(NamedTuple):
    """An access of the naive twin.

    unseen    bytes that it may be taken not to have read
    marked    units that atomic writes had been to before: cells that one wrote whole, else bytes
    """

    tid: int
    kind: int
    of_bytes: frozenset[int]
    unseen: frozenset[int]
    marked: frozenset[tuple[str, int]]

    @property
    def is_write(self) -> bool:
        return self.kind == WRITE

    def has_cell_of(self, byte: int) -> bool:
        return {byte - byte % 4 + k for k in range(4)} <= self.of_bytes

    def unit_of(self, byte: int) -> tuple[str, int]:
        return ("cell", byte // 4) if self.has_cell_of(byte) else ("byte", byte)


ACCESSES = st.lists(
    st.tuples(
        st.integers(0, 2),  # thread
        st.integers(0, 14),  # first byte
        st.sampled_from([1, 2, 3, 4, 8, 16, 20]),
        st.integers(0, 3),  # kind
    ),
    max_size=12,
)


def naive_touches(accesses: list[tuple[int, int, int, int]]) -> list[Touch]:
    """Bytes; a whole cell read before any part of it was touched alone is seen as a whole only."""
    split: set[int] = set()
    marked: set[tuple[str, int]] = set()
    touches = []
    for tid, first, size, kind in accesses:
        touched = frozenset(range(first, first + size))
        cells = {byte // 4 for byte in touched}
        whole = {c for c in cells if {4 * c, 4 * c + 1, 4 * c + 2, 4 * c + 3} <= touched}
        split |= cells - whole
        blind = set() if kind == WRITE or size in (3, 20) else whole - split
        unseen = frozenset(byte for byte in touched if byte // 4 in blind)
        touch = Touch(tid, kind, touched, unseen, frozenset(marked))
        touches.append(touch)
        if kind == WRITE | ATOMIC:
            marked |= {touch.unit_of(byte) for byte in touched}
    return touches


def do_meet(a: Touch, b: Touch) -> bool:
    """Whether the trace lets two accesses conflict, the first of them a."""
    common = a.of_bytes & b.of_bytes
    if a.is_write or b.is_write:
        if b.is_write and not a.is_write:
            common = {x for x in common if x not in a.unseen or b.has_cell_of(x)}
        return bool(common)
    if a.tid == b.tid or {a.kind, b.kind} != {0, WRITE | ATOMIC}:
        return False
    return any(a.kind != 0 or b.unit_of(x) in a.marked for x in common)


@settings(max_examples=500, deadline=None)
@given(ACCESSES)
def test_accesses_conflict_iff_they_share_a_byte(
    accesses: list[tuple[int, int, int, int]],
) -> None:
    events = [access(t, i, CELL + first, n, k) for i, (t, first, n, k) in enumerate(accesses, 1)]
    variables: dict[int, dict[str, set[str]]] = defaultdict(lambda: {"r": set(), "w": set()})
    for line in lines(translated(events)):
        variables[line.site][line.operation].add(line.target)
    touches = naive_touches(accesses)
    for j, b in enumerate(touches):
        for i, a in enumerate(touches[:j]):
            first, second = variables[i + 1], variables[j + 1]
            met = first["w"] & (second["w"] | second["r"]) or second["w"] & first["r"]
            if a.tid == b.tid:  # what is its own, no other thread writes
                met = {name for name in met if not set(name) & {"@", "?"}}
            assert bool(met) == do_meet(a, b), (a, b)


def test_atomic_writes_race_with_plain_reads_and_not_with_each_other() -> None:
    both = WRITE | ATOMIC
    events = [access(1, 1, CELL, 4, both), access(2, 2, CELL, 4, both), access(3, 3, CELL, 4)]
    assert translated(events).splitlines() == [
        "T1|r(60001000)|1",
        "T1|w(60001000@1)|1",
        "T2|r(60001000)|2",
        "T2|w(60001000@2)|2",
        "T3|r(60001000)|3",
        "T3|w(60001000?3)|3",
        "T3|r(60001000@2)|3",
        "T3|r(60001000@1)|3",
    ]
    assert fed(translated(events), "hb").racy_events == [7, 8]
    assert translated([*events, access(1, 4, CELL, 4, both)]).splitlines()[8:] == [
        "T1|r(60001000)|4", "T1|w(60001000@1)|4", "T1|r(60001000?3)|4"
    ]  # fmt: skip


def test_names_are_addresses_and_bytes_in_them() -> None:
    events = [access(1, 5, CELL, 8, WRITE), access(2, 6, CELL + 1, 1)]
    assert translated(events).splitlines() == [
        "T1|w(60001000)|5",
        "T1|w(60001004)|5",
        "T2|r(60001000.1)|6",
        "T2|r(60001000)|6",
    ]


def targets(events: list[Raw]) -> list[str]:
    return [line.target for line in lines(translated(events))]


def test_a_block_of_another_thread_has_new_variables() -> None:
    free = [access(1, 2, CELL, 8, WRITE), restart(1, CELL, 8, FREE)]
    before = [access(1, 1, CELL, 4, WRITE), *free]
    same = [restart(1, CELL, 8, MALLOC), access(1, 3, CELL, 4)]
    other = [restart(2, CELL, 8, MALLOC), access(2, 3, CELL, 4)]
    old = ["60001000", "60001000", "60001004"]
    assert targets([*before, *same]) == [*old, "60001000"]
    assert targets([*before, *other]) == [*old, "60001000#1"]
    assert targets([*before, access(2, 3, CELL, 4)])[-1] == "60001000"  # use after free


def test_free_is_a_write_of_the_beginning_and_of_what_was_accessed() -> None:
    used = access(1, 1, CELL + 4000, 4)
    whole = access(1, 2, CELL, 8192, WRITE)
    events = [used, whole, restart(1, CELL, 8192, FREE)]
    assert targets(events) == [
        f"{CELL + 4000:x}", *(f"{CELL + 4 * i:x}" for i in range(256)), f"{CELL + 4000:x}"
    ]  # fmt: skip
    assert len(targets([used, whole])) == 2049


def test_a_huge_range_begins_anew_without_being_walked() -> None:
    events = [access(1, 1, CELL, 4), access(1, 1, CELL + 1, 1), restart(1, 0x6000_0000, 1 << 39)]
    assert targets([*events, access(1, 2, CELL, 4), access(1, 2, CELL + 1, 1)]) == [
        "60001000", "60001000.1", "60001000", "60001000#1", "60001000.1#1", "60001000#1",
    ]  # fmt: skip


def test_more_names_than_fit_at_once() -> None:
    events = [access(1, 1 + i, CELL + 4096 * i, 4096, WRITE) for i in range(60)]
    found = targets(events)
    assert found == [f"{CELL + 4 * i:x}" for i in range(60 * 1024)]


def test_threads_and_sites_keep_their_numbers() -> None:
    events = [access(tid, 7000 * tid, CELL, 4) for tid in (3, 0, 900, 3)]
    events.append(raw(tr.FORK, 3, 12, 901))
    assert [tuple(line) for line in lines(translated(events))] == [
        ("T3", "r", "60001000", 21000),
        ("T0", "r", "60001000", 0),
        ("T900", "r", "60001000", 6_300_000),
        ("T3", "r", "60001000", 21000),
        ("T3", "fork", "T901", 12),
    ]
