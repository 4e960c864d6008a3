"""Tests within a time: until IRSAN_TEST_DEADLINE, seconds since 1970, which `./dev quick` sets.

    earlier runs   tests whose call took longer than SLOW_S are kept by name in pytest's cache
    such a run     leaves those out, and what has not begun at the deadline; all of it is counted
                   in the last lines

A test that has begun is not interrupted.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import Any

import pytest

DEADLINE_VARIABLE = "IRSAN_TEST_DEADLINE"
SLOW_S = 3.0
_KEY = "irsan/slow-tests"
_SLOW = f"quick: takes more than {SLOW_S:g} s"
_LATE = "quick: the time was over"


def deadline() -> float | None:
    """When no test may begin any more, in seconds since 1970; None when there is time."""
    text = os.environ.get(DEADLINE_VARIABLE)
    return float(text) if text else None


def leave_out_slow(items: Iterable[pytest.Item], config: pytest.Config) -> None:
    """Skip what was slow in an earlier run, if there is a deadline."""
    cache = getattr(config, "cache", None)  # not there with -p no:cacheprovider
    if deadline() is None or cache is None:
        return
    slow: dict[str, float] = cache.get(_KEY, {})
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.skip(reason=_SLOW))


def skip_when_late() -> None:
    """Skip the test that is about to begin, if it is too late for it."""
    end = deadline()
    if end is not None and time.time() > end:
        pytest.skip(_LATE)


class SlowTests:
    """Notes which tests of this run are slow; a plugin of the process that hears all reports."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep how long the call of a test took."""
        if report.when == "call" and report.passed:
            self._seconds[_plain_name(report)] = report.duration

    def pytest_sessionfinish(self) -> None:
        """Bring the list of slow tests up to date."""
        cache = getattr(self._config, "cache", None)
        if cache is None:
            return
        known: dict[str, float] = cache.get(_KEY, {})
        cache.set(_KEY, with_run(known, self._seconds))


def with_run(known: dict[str, float], seconds: dict[str, float]) -> dict[str, float]:
    """The slow tests after a run: what it found slow comes in, what it found fast goes."""
    kept = {name: took for name, took in known.items() if name not in seconds}
    return kept | {name: round(took, 1) for name, took in seconds.items() if took > SLOW_S}


def _plain_name(report: Any) -> str:
    """A test's name without the group that xdist writes behind it."""
    name: str = report.nodeid
    return name.rpartition("@")[0] if hasattr(report, "node") and "@" in name else name


def left_out_line(skipped: Iterable[Any]) -> str:
    """What a run with a deadline says of the tests that it left out; "" when there are none."""
    reasons = [report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple)]
    n_slow = sum(_SLOW in reason for reason in reasons)
    n_late = sum(_LATE in reason for reason in reasons)
    if not n_slow + n_late:
        return ""
    return (
        f"quick: left out {n_slow} tests that take more than {SLOW_S:g} s each and {n_late} for "
        "which the time was over; `./dev test PATH` runs them"
    )
