"""Figures of an exploration while it goes on: a table on a terminal, lines elsewhere."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest

from irsan.explore import progress as progress_module
from irsan.explore.exploration import Exploration
from irsan.explore.progress import ExplorationProgress
from irsan.explore.schedules import Ending, Played, Schedule

WELL = Ending("exit status 0", 0, is_bad=False)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    now = [100.0]
    monkeypatch.setattr(progress_module.time, "monotonic", lambda: now[0])
    yield now


def explored(progress: ExplorationProgress, clock: list[float], n: int, each_s: float) -> None:
    """n schedules of two strategies, each of which takes some time."""
    result = Exploration()
    for number in range(n):
        strategy = ("pos", "surw")[number % 2]
        played = Played(number, WELL, interleaving=number // 4)
        result.take(Schedule(number, strategy, number), strategy, played)
        progress(result)
        clock[0] += each_s
    progress.end()


def test_a_line_every_few_seconds(clock: list[float]) -> None:
    stream = io.StringIO()
    explored(ExplorationProgress(stream, {}, 100, "a.c: "), clock, 60, 0.25)
    lines = stream.getvalue().splitlines()
    assert lines == [
        "irsan: a.c: 21 of 100 schedules, 4 per second, 6 interleavings, 0 findings, 1 outcomes",
        "irsan: a.c: 41 of 100 schedules, 4 per second, 11 interleavings, 0 findings, 1 outcomes",
    ]


def test_a_terminal_shows_each_strategy_and_is_cleared(clock: list[float]) -> None:
    stream = Terminal()
    explored(ExplorationProgress(stream, {"TERM": "xterm"}, 100), clock, 30, 0.1)
    shown = stream.getvalue()
    assert "28 of 100 schedules" in shown or "29 of 100 schedules" in shown
    row = re.findall(r"surw +(\d+) +(\d+) +(\d+)", shown)[-1]
    assert int(row[0]) in (14, 15) and row[2] == "0"
    assert shown.rstrip().endswith("\x1b[2K") or "\x1b[?25h" in shown  # the cursor is back


@pytest.mark.parametrize(
    ("environment", "is_alone"), [({"CI": "1"}, True), ({"TERM": "dumb"}, True), ({}, False)]
)
def test_where_nothing_can_change_there_are_lines(
    clock: list[float], environment: dict[str, str], is_alone: bool
) -> None:
    stream = Terminal()
    progress = ExplorationProgress(stream, environment, 100, is_alone=is_alone)
    explored(progress, clock, 30, 0.25)
    assert "\x1b" not in stream.getvalue()
    assert stream.getvalue().count("\n") == 1
