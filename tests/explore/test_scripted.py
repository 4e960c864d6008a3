"""Rows to transitions, and scripts that repeat them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from irsan.engine.guest.explored_schedule import Event
from irsan.explore.partial_orders import Transition
from irsan.explore.scripted import ScriptedProgram, UncontrolledError, script_of, transitions_of
from irsan.runtime.layout.explore_words import READS, STARTS, TOUCHES, WAKES, WRITES

LOCK, FLAG = 0x1000, 0x2000
ROWS = [
    Event(0, STARTS, 1, 0, 0b111, 0, 0),
    Event(1, WRITES, 2, LOCK, 0b110, 1, 5),
    Event(1, TOUCHES, 2, LOCK, 0, 1, 5),
    Event(2, WRITES, 3, LOCK, 0b010, 2, 6),  # the lock is held
    Event(1, READS, 4, FLAG, 0b010, 2, 5),
    Event(1, TOUCHES, 4, LOCK, 0, 2, 5),
    Event(2, WAKES, 3, LOCK, 0b100, 3, 6),
]


def test_a_transition_is_an_event_with_what_follows_it() -> None:
    starts, execution = transitions_of(ROWS)
    assert starts == [0, 1, 4, 6]
    assert execution.done == [
        Transition(0, frozenset(), frozenset({0, 1, 2})),
        Transition(1, frozenset({(LOCK, True)}), frozenset({1, 2})),
        Transition(1, frozenset({(FLAG, False), (LOCK, True)}), frozenset({1})),
        Transition(2, frozenset({(LOCK, True)}), frozenset({2})),
    ]
    assert execution.pending == []


def test_who_never_gets_a_lock_is_pending() -> None:
    _, execution = transitions_of(ROWS[:5])
    assert execution.pending == [Transition(2, frozenset({(LOCK, True)}), frozenset())]


def test_a_script_names_who_went_on_at_each_point() -> None:
    assert script_of(ROWS) == (1, 5, 2, 6, 3, 6)


def test_a_prefix_repeats_what_was_and_ends_with_another_thread() -> None:
    asked: list[tuple[int, ...]] = []

    def run(rest: tuple[int, ...]) -> Sequence[Event]:
        asked.append(rest)
        return ROWS

    program = ScriptedProgram(run)
    program.play([])
    program.play([0, 2])
    assert asked == [(), (1, 6)]


def test_another_execution_of_the_same_choices_is_refused() -> None:
    other = [ROWS[0], Event(1, WRITES, 2, FLAG, 0b110, 1, 5), *ROWS[3:]]
    answers = iter([ROWS, other])
    program = ScriptedProgram(lambda _rest: next(answers))
    program.play([])
    with pytest.raises(UncontrolledError, match="does not control"):
        program.play([0, 1, 2])
