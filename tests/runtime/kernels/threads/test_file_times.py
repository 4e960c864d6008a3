"""What the host's stamps on files are in the guest's calendar."""

from __future__ import annotations

import bisect
import ctypes
import time
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.engine.options import DEFAULT_START_S
from irsan.runtime.kernels.threads import file_times
from irsan.runtime.records.threads import file_time_records as fr
from tests.support.green import SCRATCH

START_NS = DEFAULT_START_S * 10**9
HOST_NS = 1_700_000_000 * 10**9
SPANS = st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 10**7)), min_size=1, max_size=20)


def naive(moments: list[tuple[int, int]], stamp: int) -> int:
    """The same with a list of (host, calendar)."""
    if stamp < moments[0][0]:
        return stamp
    index = bisect.bisect_right(moments, (stamp, 1 << 70)) - 1
    host, calendar = moments[index]
    return min(calendar + stamp - host, moments[index + 1][1])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(SPANS, st.data())
def test_stamps_lie_between_the_moments_around_them(
    new_guest: Any, spans: list[tuple[int, int]], data: st.DataObject
) -> None:
    guest = new_guest()
    moments = [(HOST_NS, START_NS)]
    file_times.put_moment(*moments[0])
    for host, calendar in spans:
        moments.append((moments[-1][0] + host, moments[-1][1] + calendar))
        file_times.put_moment(*moments[-1])
    guest.ctx["schedule"]["clock_ns"] = moments[-1][1] - START_NS
    stamps = sorted(data.draw(st.lists(st.integers(HOST_NS - 9, moments[-1][0] - 1), max_size=9)))
    shown = [int(file_times.shown_time_ns(guest.ctx, stamp)) for stamp in stamps]
    assert shown == [naive(moments, stamp) for stamp in stamps]
    during = [moment for stamp, moment in zip(stamps, shown, strict=True) if stamp >= HOST_NS]
    assert during == sorted(during)


def test_times_that_the_program_has_set_are_kept(guest: Any) -> None:
    file_times.put_moment(HOST_NS, START_NS)
    file_times.put_moment(HOST_NS + 100, START_NS + 100)
    guest.ctx["schedule"]["clock_ns"] = 100
    file_times.note_set(HOST_NS + 50)
    assert file_times.shown_time_ns(guest.ctx, HOST_NS + 50) == HOST_NS + 50
    assert file_times.shown_time_ns(guest.ctx, HOST_NS + 51) == START_NS + 51


def test_of_the_times_that_the_program_has_set_the_last_ones_are_kept(guest: Any) -> None:
    file_times.put_moment(HOST_NS, START_NS)
    file_times.put_moment(HOST_NS + 10**6, START_NS + 10**6)
    guest.ctx["schedule"]["clock_ns"] = 10**6
    for step in range(fr.SET_LIMIT + 1):
        file_times.note_set(HOST_NS + step)
    shown = [
        int(file_times.shown_time_ns(guest.ctx, HOST_NS + step)) for step in (0, 1, fr.SET_LIMIT)
    ]
    assert shown == [START_NS, HOST_NS + 1, HOST_NS + fr.SET_LIMIT]


def test_a_leap_within_one_tick_awaits_the_next(guest: Any) -> None:
    guest.ctx["c_library"]["errno_addr"] = SCRATCH
    start = int(file_times.host_clock_ns(0))
    file_times.put_moment(start, START_NS)
    guest.ctx["schedule"]["clock_ns"] = 10**9
    file_times.note_moment(guest.ctx)
    noted = int(file_times.host_clock_ns(0))
    assert noted > start
    guest.ctx["schedule"]["clock_ns"] = 2 * 10**9
    assert file_times.shown_time_ns(guest.ctx, start) == START_NS
    assert file_times.shown_time_ns(guest.ctx, noted) >= START_NS + 10**9


def test_there_is_always_room_for_another_moment(guest: Any) -> None:
    for step in range(fr.MAX_MOMENTS + 10):
        file_times.put_moment(HOST_NS + 2 * step, START_NS + step)
    guest.ctx["schedule"]["clock_ns"] = fr.MAX_MOMENTS + 10
    for step in (0, 1, 77, fr.MAX_MOMENTS - 1, fr.MAX_MOMENTS + 8):
        shown = int(file_times.shown_time_ns(guest.ctx, HOST_NS + 2 * step))
        assert abs(shown - START_NS - step) <= 2


def test_time_that_has_passed_for_the_host_as_well_is_no_leap(guest: Any) -> None:
    """Else a write behind a wait for another process would wait for a tick once more."""
    guest.ctx["c_library"]["errno_addr"] = SCRATCH
    host_ns = time.time_ns()
    file_times.put_moment(host_ns - 60_000_000, START_NS)
    guest.ctx["schedule"]["clock_ns"] = 50_000_000
    file_times.note_moment(guest.ctx)
    assert n_moments() == 1
    guest.ctx["schedule"]["clock_ns"] += 1_000_000_000
    file_times.note_moment(guest.ctx)
    assert n_moments() == 2


def n_moments() -> int:
    return ctypes.c_uint64.from_address(fr.N_MOMENTS).value
