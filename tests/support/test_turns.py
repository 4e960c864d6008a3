"""Tests of whole programs in turns: none is lost, none runs twice."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.turns import N_TURNS, VARIABLE, has_turns, leave_to_other_turns

FUNCTIONS = [f"tests/runtime/test_map.py::test_{n}" for n in range(20)]
PROGRAMS = [f"tests/engine/test_runs.py::test_{n}[{n}]" for n in range(200)]


def run_now(monkeypatch: pytest.MonkeyPatch, turn: str) -> tuple[set[str], int]:
    """The names that a turn runs, and how many it says that it leaves out."""
    monkeypatch.setenv(VARIABLE, turn)
    names = FUNCTIONS + PROGRAMS
    items: list[Any] = [SimpleNamespace(nodeid=n, location=(n.partition("::")[0],)) for n in names]
    left: Counter[int] = Counter()
    leave_to_other_turns(items, left)
    return {item.nodeid for item in items}, left.total()


def test_all_turns_together_run_each_test_of_a_program_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = [run_now(monkeypatch, str(turn)) for turn in range(N_TURNS)]
    every = [name for names, _ in turns for name in names if name not in FUNCTIONS]
    assert sorted(every) == sorted(PROGRAMS)
    for names, n_left in turns:
        assert names > set(FUNCTIONS)
        assert n_left == len(FUNCTIONS) + len(PROGRAMS) - len(names)
        assert len(names) > len(PROGRAMS) / N_TURNS / 2
    assert run_now(monkeypatch, str(N_TURNS))[0] == turns[0][0]


def test_without_a_turn_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_now(monkeypatch, "all") == ({*FUNCTIONS, *PROGRAMS}, 0)


def test_programs_are_told_from_functions() -> None:
    assert has_turns("tests/test_programs.py")
    assert has_turns("tests/explore/playing/test_hosts.py")
    assert not has_turns("tests/runtime/kernels/race/test_race_fuzzer.py")
