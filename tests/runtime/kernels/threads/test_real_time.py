"""Virtual time while another process can matter."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime.kernels.threads import real_time, virtual_clock
from irsan.runtime.records.threads.timer_records import REAL_START, REALTIME_START

S = 10**9
DATE_NS = 1_700_000_000 * S
REALTIME, MONOTONIC = 0, 1


def words() -> list[int]:
    return [ctypes.c_uint64.from_address(at).value for at in (REALTIME_START, REAL_START)]


def begin(date_ns: int, real_ns: int) -> None:
    for at, value in ((REALTIME_START, date_ns), (REAL_START, real_ns)):
        ctypes.c_uint64.from_address(at).value = value


@pytest.mark.usefixtures("guest")
@pytest.mark.parametrize("ahead_ns", [0, 1, 800_000_000, 40 * S])
def test_the_calendar_is_set_to_the_machines_and_not_back(ahead_ns: int) -> None:
    begin(DATE_NS, 5 * S)
    real_time.set_calendar(5 * S + ahead_ns)
    assert words() == [DATE_NS + ahead_ns, 5 * S + ahead_ns]
    real_time.set_calendar(4 * S)
    assert words() == [DATE_NS + ahead_ns, 5 * S + ahead_ns]


@pytest.mark.usefixtures("guest")
def test_a_date_that_was_asked_for_stays() -> None:
    begin(DATE_NS, 0)
    real_time.set_calendar(5 * S)
    assert words() == [DATE_NS, 0]


def test_a_process_that_matters_sets_the_calendar_and_no_other_clock(guest: Any) -> None:
    """The machine's date is ahead by all the time that it has been up."""
    begin(DATE_NS, 1)
    up_ns = real_time.real_ns()
    before = virtual_clock.clock_now_ns(guest.ctx, MONOTONIC)
    real_time.others_more(guest.ctx, 1)
    assert virtual_clock.clock_now_ns(guest.ctx, MONOTONIC) - before < up_ns // 2
    assert virtual_clock.clock_now_ns(guest.ctx, REALTIME) > DATE_NS + up_ns // 2
