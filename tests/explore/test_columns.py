"""Interleavings as columns."""

from __future__ import annotations

from irsan.engine.guest.explored_schedule import Event
from irsan.explore.columns import columns, lines_of, n_preemptions
from irsan.runtime.layout.explore_words import GOES_ON, STARTS, TOUCHES, WAKES, WRITES

ROWS = [
    Event(1, STARTS, 0, 0, 0b111, 1),
    Event(1, WRITES, 7, 0x10, 0b111, 2),
    Event(1, TOUCHES, 7, 0x10, 0, 2),
    Event(2, WRITES, 9, 0x20, 0b110, 3),
    Event(1, WAKES, 7, 0x10, 0b010, 4),
]


def source_of(site: int) -> tuple[str, str]:
    return f"a.c:{site}", {7: "pthread_mutex_lock(&first);", 9: "x++;"}[site]


def test_each_thread_has_a_column_and_preemptions_are_marked() -> None:
    lines = lines_of(ROWS, source_of)
    assert [line.is_preemption for line in lines] == [False, False, True, False]
    assert n_preemptions(lines) == 1
    assert columns(lines, 80).splitlines() == [
        "        T1                                  T2",
        "     1  (begins, or goes on)",
        "     2  a.c:7 pthread_mutex_lock(&first);",
        ">    3                                      a.c:9 x++;",
        "     4  a.c:7 (woken) pthread_mutex_lock(&…",
    ]


def test_going_on_behind_an_event_is_shown_where_others_had_a_turn() -> None:
    rows = [ROWS[1], Event(1, GOES_ON, 7, 0, 0b110, 3), ROWS[3], Event(1, GOES_ON, 7, 0, 0b10, 4)]
    lines = lines_of(rows, source_of)
    assert [line.text for line in lines] == [
        "pthread_mutex_lock(&first);", "x++;", "(goes on behind) pthread_mutex_lock(&first);",
    ]  # fmt: skip
    assert [line.is_preemption for line in lines] == [False, True, False]


def test_long_ones_are_cut_at_their_beginning() -> None:
    lines = lines_of(ROWS * 200, source_of)
    text = columns(lines).splitlines()
    assert len(text) == 402
    assert "events before" in text[1]


def test_nothing_is_nothing() -> None:
    assert columns([]) == ""
