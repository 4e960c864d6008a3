"""Tests within a time: what is left out, and that it is said; what other parts run is said, too."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.irsan_runs import LEFT_TO_OTHER_PARTS, in_part
from tests.support.time_budget import (
    DEADLINE_VARIABLE,
    SLOW_S,
    SlowTests,
    leave_out_slow,
    left_out_line,
    skip_when_late,
    with_run,
)
from tests.support.turns import VARIABLE

ROOT = Path(__file__).resolve().parents[2]


def run_tests(*words: str, **variables: str) -> str:
    """What pytest prints of this suite's tests, whosever turn it is."""
    variables = {**os.environ, VARIABLE: "all", **variables}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=ROOT, env=variables, capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip


class Kept(dict[str, Any]):
    """pytest's cache, in memory."""

    def set(self, key: str, value: Any) -> None:
        self[key] = value


def report(name: str, seconds: float, **more: Any) -> Any:
    return SimpleNamespace(nodeid=name, duration=seconds, when="call", passed=True, **more)


def test_a_run_renews_what_it_has_seen() -> None:
    known = {"slow": 9.0, "now fast": 4.0, "gone": 5.0}
    seen = {"slow": 8.04, "now fast": 0.1, "new": SLOW_S + 1, "fast": SLOW_S}
    assert with_run(known, seen) == {"slow": 8.0, "gone": 5.0, "new": SLOW_S + 1}


def test_slow_tests_are_known_by_their_plain_names(monkeypatch: pytest.MonkeyPatch) -> None:
    config: Any = SimpleNamespace(cache=Kept())
    notes = SlowTests(config)
    notes.pytest_runtest_logreport(report("a.py::one@a.py", 10.0, node=object()))
    notes.pytest_runtest_logreport(report("a.py::two[x@y]", 10.0))
    notes.pytest_runtest_logreport(report("a.py::fast", 0.1))
    notes.pytest_sessionfinish()
    items = [Item("a.py::one"), Item("a.py::two[x@y]"), Item("a.py::fast")]
    monkeypatch.delenv(DEADLINE_VARIABLE, raising=False)
    leave_out_slow(items, config)  # type: ignore[arg-type]
    assert [item.marks for item in items] == [0, 0, 0], "there is no deadline"
    monkeypatch.setenv(DEADLINE_VARIABLE, "1")
    leave_out_slow(items, config)  # type: ignore[arg-type]
    assert [item.marks for item in items] == [1, 1, 0]


class Item:
    """A collected test that counts its marks."""

    def __init__(self, nodeid: str) -> None:
        self.nodeid, self.marks = nodeid, 0

    def add_marker(self, _mark: Any) -> None:
        self.marks += 1


def test_nothing_begins_behind_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DEADLINE_VARIABLE, raising=False)
    skip_when_late()
    monkeypatch.setenv(DEADLINE_VARIABLE, str(time.time() + 60))
    skip_when_late()
    monkeypatch.setenv(DEADLINE_VARIABLE, str(time.time() - 1))
    with pytest.raises(pytest.skip.Exception):
        skip_when_late()


def test_a_run_whose_time_is_over_says_what_it_has_left_out() -> None:
    said = run_tests("tests/support/test_source_edits.py", **{DEADLINE_VARIABLE: "1"})
    match = re.search(r"quick: left out 0 tests that .* and (\d+) for which the time was", said)
    assert match is not None, said
    assert re.search(rf"^{match[1]} skipped", said, re.MULTILINE), said


def test_other_skipped_tests_are_not_counted() -> None:
    other = SimpleNamespace(longrepr=("a.py", 1, "Skipped: no clang"))
    assert left_out_line([other, SimpleNamespace(longrepr=None)]) == ""


def test_what_is_left_to_other_parts_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRSAN_PART", "1")
    before = sum(LEFT_TO_OTHER_PARTS.values())
    assert in_part(range(10), 4) == [1, 5, 9]
    assert sum(LEFT_TO_OTHER_PARTS.values()) == before + 7


@pytest.mark.parametrize("words", [(), ("-n", "2", "--dist", "loadgroup")], ids=["one", "workers"])
def test_the_last_lines_say_what_is_left_to_other_parts(words: tuple[str, ...]) -> None:
    tests = ("tests/test_programs.py", "-k", "no_such_program or case_of_nothing")
    said = run_tests(*tests, *words, IRSAN_PART="0")
    assert re.search(r"^rotated tests: part 0; \d{3,} programs and parameters are left", said,
                     re.MULTILINE), said  # fmt: skip
    assert "left to other parts than 0" in said.splitlines()[-1]
    said = run_tests(*tests, *words, IRSAN_PART="all")
    assert "left to other parts" not in said
