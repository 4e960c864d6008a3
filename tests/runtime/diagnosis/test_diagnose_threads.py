"""Thread leaks from thread records: who counts, and what is one finding."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pytest

from irsan.interceptors.threads import sleeps, threads
from irsan.reports.model.report import Frame, ThreadLeak
from irsan.runtime.diagnosis.diagnose_threads import leaked_threads
from irsan.runtime.views.stackdepot import stack_to_sites
from tests.support.green import SCRATCH, Body, GreenGuest

ENDS, SLEEPS = 1, 2


@pytest.fixture
def green(guest: Any) -> Iterator[GreenGuest]:
    found = GreenGuest(guest.ctx, {ENDS: _end, SLEEPS: _sleep})
    yield found
    found.close()


def _end(_argument: int) -> Body:
    yield None
    return 0


def _sleep(_argument: int) -> Body:
    yield sleeps.i_sleep, 1000
    return 0


def _frames(stack: int) -> tuple[Frame, ...]:
    return tuple(Frame("start", line=site) for site in stack_to_sites(stack))


def _leaks(green: GreenGuest, created: list[tuple[int, int]], *, joined: int = 0) -> Any:
    """Findings after creations at (site, routine), of which the first `joined` are joined."""

    def main() -> Body:
        handles = []
        for site, routine in created:
            green.ctx["site"] = site
            yield threads.i_pthread_create, SCRATCH, 0, routine, 0
            handles.append(ctypes.c_uint64.from_address(SCRATCH).value)
        for handle in handles[:joined]:
            yield threads.i_pthread_join, handle, 0
        yield sleeps.i_sleep, 1
        found.extend(leaked_threads(green.ctx, _frames))
        return 0

    found: list[Any] = []
    green.start(main())
    assert green.run() == "ended"
    return [(f.details, f.stacks[0].frames[0].line) for f in found]


def test_threads_of_one_place_are_one_leak(green: GreenGuest) -> None:
    found = _leaks(green, [(5, ENDS), (6, ENDS), (5, ENDS), (5, ENDS)])
    assert found == [(ThreadLeak("T1", 2), 5), (ThreadLeak("T2"), 6)]


def test_joined_and_running_threads_are_none(green: GreenGuest) -> None:
    assert _leaks(green, [(5, ENDS), (6, SLEEPS), (7, ENDS)], joined=1) == [(ThreadLeak("T3"), 7)]
