"""Records of one content become one record, whatever order their entries came in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race.cells import race_records, record_interning, record_sharing
from tests.runtime.kernels.race.cells.test_cell_transitions import (
    cells_by_record,
    check_shares,
    sweep,
)
from tests.runtime.kernels.race.cells.test_record_sharing import content
from tests.support.race_pair import RacePair

ENTRY = st.tuples(st.integers(1, 3), st.integers(0, 3), st.integers(0, 3))
RELAXED = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def filled(ctx: Any, entries: list[tuple[int, int, int]]) -> int:
    """A record with these (epoch, meta, kind), in this order."""
    index = int(race_records.new_record(ctx, 3))
    for entry in entries:
        race_records.append_entry(race_records.record_to_address(index), *entry)
    return index


@RELAXED
@given(st.lists(st.lists(ENTRY, max_size=12), max_size=12), st.data())
def test_records_are_one_if_their_entries_are(
    new_guest: Callable[[], Any], contents: list[list[tuple[int, int, int]]], data: Any
) -> None:
    ctx = new_guest().ctx
    holders: list[int] = []
    by_content: dict[bytes, int] = {}
    for entries in contents:
        shuffled = data.draw(st.permutations(entries))
        index = int(record_interning.intern_record(ctx, filled(ctx, shuffled)))
        holders.append(index)
        ordered = sorted(entries, key=lambda one: (one[1] << 32 | one[0], one[2]))
        expected = b"".join(n.to_bytes(4, "little") for entry in ordered for n in entry)
        assert content(index) == expected
        known = by_content.setdefault(expected, index)
        # Another content may have taken its place in the table; equal records are then two.
        if known != index:
            assert content(known) == expected
            by_content[expected] = index
    for index, n in Counter(holders).items():
        assert record_sharing.is_shared(index) == (n > 1)


def test_an_equal_record_is_taken_and_the_new_one_freed(guest: Any) -> None:
    entries = [(5, 1, 0), (6, 1, 0), (7, 1, 1)]
    first = int(record_interning.intern_record(guest.ctx, filled(guest.ctx, entries)))
    second = filled(guest.ctx, entries[::-1])
    assert record_interning.intern_record(guest.ctx, second) == first
    assert guest.ctx["race"]["record_free"][3] == second
    other = filled(guest.ctx, entries[:2])
    assert record_interning.intern_record(guest.ctx, other) == other


def test_a_changed_record_is_not_found_any_more(guest: Any) -> None:
    entries = [(5, 1, 0), (6, 1, 0)]
    first = int(record_interning.intern_record(guest.ctx, filled(guest.ctx, entries)))
    assert record_sharing.may_change(first)
    race_records.append_entry(race_records.record_to_address(first), 9, 9, 0)
    second = filled(guest.ctx, entries)
    assert record_interning.intern_record(guest.ctx, second) == second


def test_cells_read_in_different_orders_meet(guest: Any) -> None:
    pair = RacePair(guest, max_threads=9)
    pair.run([("fork", 0)] * 8)
    for first, cells in ((1, range(10)), (5, range(10, 20))):
        for tid in range(first, first + 4):
            pair.run(sweep(tid, cells, 4, 0, 1))
    assert sorted(cells_by_record(20).values()) == [10, 10]
    for first, cells in ((5, range(10)), (1, range(10, 20))):
        for tid in range(first, first + 4):
            pair.run(sweep(tid, cells, 4, 0, 1))
    assert list(cells_by_record(20).values()) == [20]
    check_shares(pair, 20)


def test_a_very_long_record_is_left_alone(guest: Any) -> None:
    index = int(race_records.new_record(guest.ctx, 9))
    for epoch in range(1025, 0, -1):
        race_records.append_entry(race_records.record_to_address(index), epoch, 1, 0)
    before = content(index)
    assert record_interning.intern_record(guest.ctx, index) == index
    assert content(index) == before
    assert not record_sharing.is_named(index)
