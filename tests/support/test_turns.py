"""Tests of whole programs in two halves: none is lost, none runs in both."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.turns import VARIABLE, has_turns, leave_to_other_turns

FUNCTIONS = [f"tests/runtime/test_map.py::test_{n}" for n in range(20)]
PROGRAMS = [f"tests/engine/test_runs.py::test_{n}[{n}]" for n in range(200)]


def run_now(monkeypatch: pytest.MonkeyPatch, part: str, turns: str = "on") -> tuple[set[str], int]:
    """The names that one part runs, and how many it says that it leaves out."""
    monkeypatch.setenv(VARIABLE, turns)
    monkeypatch.setenv("IRSAN_PART", part)
    names = FUNCTIONS + PROGRAMS
    items: list[Any] = [SimpleNamespace(nodeid=n, location=(n.partition("::")[0],)) for n in names]
    left: Counter[int] = Counter()
    leave_to_other_turns(items, left)
    return {item.nodeid for item in items}, left.total()


def test_two_parts_run_each_test(monkeypatch: pytest.MonkeyPatch) -> None:
    (even, n_left_even), (odd, n_left_odd) = (run_now(monkeypatch, part) for part in "01")
    assert even & odd == set(FUNCTIONS)
    assert even | odd == {*FUNCTIONS, *PROGRAMS}
    assert (n_left_even, n_left_odd) == (len(odd - even), len(even - odd))
    assert min(n_left_even, n_left_odd) > len(PROGRAMS) / 3
    assert run_now(monkeypatch, "2")[0] == even


def test_all_or_without_turns_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    every = {*FUNCTIONS, *PROGRAMS}
    assert run_now(monkeypatch, "all") == (every, 0)
    assert run_now(monkeypatch, "0", turns="") == (every, 0)


def test_programs_are_told_from_functions() -> None:
    assert has_turns("tests/test_programs.py") and has_turns("tests/explore/playing/test_hosts.py")
    assert not has_turns("tests/runtime/kernels/race/test_race_fuzzer.py")
