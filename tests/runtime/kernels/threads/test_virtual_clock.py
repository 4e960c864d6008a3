"""Virtual time: clocks, timespecs, deadlines, and a sleep that costs no real time."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.threads import virtual_clock
from tests.support.green import SCRATCH

REALTIME, MONOTONIC, CPUTIME, COARSE = 0, 1, 2, 5
UPTIME_CLOCKS = [MONOTONIC, 4, 6, 7, 9]  # RAW, COARSE, BOOTTIME, BOOTTIME_ALARM
UPTIME_NS = 1000 * 10**9
YEAR_2000_NS = 946_684_800 * 10**9
NO_TIME = int(virtual_clock.NO_TIME)
FAR_NS = int(virtual_clock.FAR_NS)
REPEATED = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def write_timespec(seconds: int, ns: int) -> int:
    (ctypes.c_int64 * 2).from_address(SCRATCH)[:] = [seconds, ns]
    return SCRATCH


def test_every_question_takes_a_microsecond_and_realtime_starts_in_2000(guest: Any) -> None:
    guest.ctx["schedule"]["clock_ns"] = 1
    assert virtual_clock.clock_now_ns(guest.ctx, CPUTIME) == 1001
    assert virtual_clock.clock_now_ns(guest.ctx, REALTIME) == YEAR_2000_NS + 2001
    assert virtual_clock.clock_now_ns(guest.ctx, COARSE) == YEAR_2000_NS + 3001


@pytest.mark.parametrize("clock", UPTIME_CLOCKS)
def test_the_machine_was_up_before_the_run(guest: Any, clock: int) -> None:
    guest.ctx["schedule"]["clock_ns"] = 1
    assert virtual_clock.clock_now_ns(guest.ctx, clock) == UPTIME_NS + 1001


@pytest.mark.usefixtures("guest")
@REPEATED
@given(st.integers(0, 8 * 10**18 - 1))
def test_a_timespec_keeps_its_time(ns: int) -> None:
    virtual_clock.store_timespec(SCRATCH, ns)
    assert list((ctypes.c_int64 * 2).from_address(SCRATCH)) == [*divmod(ns, 10**9)]
    assert virtual_clock.load_timespec_ns(SCRATCH) == ns


@pytest.mark.usefixtures("guest")
@REPEATED
@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1))
def test_any_timespec_is_a_time_or_none(seconds: int, ns: int) -> None:
    loaded = int(virtual_clock.load_timespec_ns(write_timespec(seconds, ns)))
    if not 0 <= ns < 10**9:
        assert loaded == NO_TIME
    else:
        assert loaded == min(max(seconds, 0) * 10**9 + (ns if seconds >= 0 else 0), FAR_NS)


@pytest.mark.parametrize(
    ("seconds", "ns", "clock", "wake_ns"),
    [
        (1003, 7, MONOTONIC, 3_000_000_007),
        (3, 7, CPUTIME, 3_000_000_007),
        (999, 0, MONOTONIC, 1),
        (0, 0, MONOTONIC, 1),
        (-5, 0, MONOTONIC, 1),
        (946_684_800, 9, REALTIME, 9),
        (946_684_800, 0, REALTIME, 1),
        (946_684_799, 0, COARSE, 1),
        (2**63 - 1, 0, MONOTONIC, FAR_NS - UPTIME_NS),
        (2**63 - 1, 0, REALTIME, FAR_NS - YEAR_2000_NS),
        (1, 10**9, MONOTONIC, NO_TIME),
        (1, -1, REALTIME, NO_TIME),
    ],
)
def test_deadlines(guest: Any, seconds: int, ns: int, clock: int, wake_ns: int) -> None:
    addr = write_timespec(seconds, ns)
    assert virtual_clock.deadline_to_wake_ns(guest.ctx, addr, clock) == wake_ns
