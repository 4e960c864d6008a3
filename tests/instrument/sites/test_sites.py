"""The site table against the list of what was added."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.errors import UnsupportedError
from irsan.instrument.sites.sites import (
    NO_RECORD,
    SITE_LIMIT,
    JoinedSites,
    LateSites,
    Record,
    SiteTable,
    StoredSites,
    sites_of,
)

NAMES = st.sampled_from(["main", "_Z3foov", "", "ä", "/src/a.c"])
FRAMES = st.lists(
    st.tuples(NAMES, NAMES, st.integers(0, 9), st.integers(0, 3)), min_size=1, max_size=3
).map(tuple)


@given(st.lists(FRAMES, max_size=20), st.integers(1, 100))
def test_numbers_lead_back_to_frames_also_through_json(
    chains: list[tuple[tuple[str, str, int, int], ...]], first: int
) -> None:
    table = SiteTable(first)
    numbers = [table.add(chain) for chain in chains]
    assert numbers == list(range(first, first + len(chains)))
    again = SiteTable.from_json(table.to_json())
    for one in (table, again):
        assert [one.site_to_frames(number) for number in numbers] == chains
        assert one.site_to_frames(first - 1) == one.site_to_frames(first + len(chains)) == ()
    assert again.add((("late", "b.c", 1, 2),)) == table.next_site
    assert again.site_to_frames(table.next_site) == (("late", "b.c", 1, 2),)


def test_sizes_of_accesses_lead_back_too() -> None:
    table = SiteTable(5)
    frames = (("main", "/src/a.c", 3, 5),)
    numbers = [table.add(frames, size) for size in (4, 0, 8)] + [table.add(frames)]
    for one in (table, SiteTable.from_json(table.to_json())):
        assert [one.site_to_size(number) for number in numbers] == [4, 0, 8, 0]
        assert one.site_to_size(4) == one.site_to_size(9) == 0


def test_equal_frames_are_kept_once() -> None:
    table = SiteTable()
    for _ in range(100):
        table.add((("main", "/src/a.c", 3, 5),))
    assert table.to_json().count("/src/a.c") == 1


def test_numbers_of_the_run_times_own_routines_are_never_handed_out() -> None:
    table = SiteTable(SITE_LIMIT - 1)
    table.add((("f", "", 0, 0),))
    with pytest.raises(UnsupportedError, match="places to watch"):
        table.add((("f", "", 0, 0),))


def test_expressions_of_accesses_lead_back_too() -> None:
    table = SiteTable(5)
    frames = (("main", "/src/a.c", 3, 5),)
    numbers = [table.add(frames, 4, text) for text in ("s->key", "", "s->key", "table[i]")]
    for one in (table, SiteTable.from_json(table.to_json())):
        found = [one.site_to_expression(number) for number in numbers]
        assert found == ["s->key", "", "s->key", "table[i]"]
        assert one.site_to_expression(4) == one.site_to_expression(9) == ""


def test_structures_lead_back_from_places_and_names() -> None:
    frames = (("main", "/src/a.c", 3, 5),)
    tables = [SiteTable(5), SiteTable(100)]
    node, point = "node 8\nkey 0 4", "point 4\nx 0 2"
    for record in (NO_RECORD, Record(node, 4), Record(node, 4), Record(node, 0)):
        tables[0].add(frames, 4, "", record)
    tables[1].add(frames, 4, "", Record(point, 2))
    tables[0].add_variable("table", node)
    tables[1].add_variable("table", point)
    tables[1].add_variable("p:7", point)
    joined = sites_of([StoredSites.of(table) for table in tables])
    for one in (JoinedSites(tables), joined):
        assert [one.place_to_record(place) for place in range(7)] == [
            NO_RECORD, NO_RECORD, (node, 4), (node, 4), (node, 0), (point, 2), NO_RECORD,
        ]  # fmt: skip
        assert one.variable_to_layout("table") == node
        assert one.variable_to_layout("p:7") == point
        assert one.variable_to_layout("other") == ""


def test_a_late_table_is_read_once_and_only_when_it_is_asked() -> None:
    own = SiteTable(1)
    own.add((("main", "/src/a.c", 3, 5),))
    library = SiteTable(500)
    number = library.add((("f", "/lib/b.cpp", 7, 1),), 8)
    reads: list[str] = []

    def read() -> str:
        reads.append("read")
        return library.to_json()

    joined = JoinedSites([own])
    joined.add_late([LateSites(500, 1, read)])
    assert joined.site_to_frames(1) == (("main", "/src/a.c", 3, 5),)
    assert joined.files() == {"/src/a.c"}
    assert joined.variable_to_layout("nothing") == ""
    assert joined.ranges() == [(1, 2), (500, 501)]
    assert joined.site_to_place(number) == 2
    assert reads == []
    assert joined.site_to_frames(number) == (("f", "/lib/b.cpp", 7, 1),)
    assert joined.site_to_size(number) == 8
    assert joined.site_to_frames(number + 1) == ()
    assert reads == ["read"]


def test_stored_tables_are_those_of_the_program() -> None:
    table = SiteTable(7)
    table.add((("main", "/src/a.c", 3, 5),))
    table.add_variable("x", "int")
    stored = StoredSites.of(table)
    joined = sites_of([stored._replace(json=memoryview(bytes(stored.json)))])
    assert joined.ranges() == [(7, 8)]
    assert joined.files() == {"/src/a.c"}
    assert joined.variable_to_layout("x") == "int"


def test_a_late_table_that_is_lost_names_no_place() -> None:
    joined = JoinedSites([])
    joined.add_late([LateSites(500, 1, lambda: "")])
    assert joined.site_to_frames(500) == ()
    assert joined.site_to_size(500) == 0
