"""Announced races: what they cover, and which of them are missed."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest

from irsan.engine.findings.expected_races import ExpectedRaces
from irsan.runtime.diagnosis.describe import Places

AT = 0x1000
NO_MACHINE: Any = SimpleNamespace()


def announced(*, is_on: bool = True) -> Any:
    """An ExpectedRaces without a run around it."""
    flags = SimpleNamespace(tsan=SimpleNamespace(get_bool=lambda _name: is_on))
    recorder: Any = SimpleNamespace(flags=flags, add=lambda _finding: False)
    places: Any = Places(ctx=None)
    return ExpectedRaces(recorder, places)


@pytest.mark.parametrize(
    ("address", "size", "is_covered"),
    [(AT, 1, True), (AT - 4, 4, False), (AT - 4, 5, True), (AT + 7, 1, True), (AT + 8, 8, False)],
)
def test_a_benign_range_covers_what_overlaps_it(address: int, size: int, is_covered: bool) -> None:
    races = announced()
    races.benign_range(NO_MACHINE, (0, 1, AT, 8, 0))
    assert races.covers(address, size) == is_covered


def test_one_byte_is_enough_for_a_variable() -> None:
    races = announced()
    why = ctypes.create_string_buffer(b"why")
    races.benign_race(NO_MACHINE, (0, 1, AT, ctypes.addressof(why)))
    assert races.covers(AT, 8)
    assert not races.covers(AT + 1, 1)


def test_nothing_is_announced_when_annotations_are_off() -> None:
    races = announced(is_on=False)
    races.benign_range(NO_MACHINE, (0, 1, AT, 8, 0))
    races.expect_race(NO_MACHINE, (0, 1, AT, 0))
    assert not races.covers(AT, 8)


def test_a_race_that_came_is_not_missed() -> None:
    races = announced()
    races.expect_race(NO_MACHINE, (0, 1, AT, 0))
    assert races.covers(AT, 4)
    races.flush_expected(NO_MACHINE, ())
    assert not races.covers(AT, 4)
