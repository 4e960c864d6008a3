"""alarm, setitimer and the memory that sigaction and masks take, on virtual time."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.threads import signals
from tests.support.green import SCRATCH

NS_PER_S = 10**9
NEW, OLD = SCRATCH + 0x100, SCRATCH + 0x200
REAL, VIRTUAL = 0, 1  # ITIMER_*


def timeval(ns: int) -> tuple[int, int]:
    """Seconds and microseconds, rounded up."""
    return divmod(-(-ns // 1000), 10**6)


def put_timer(addr: int, period: tuple[int, int], first: tuple[int, int]) -> None:
    ctypes.memmove(addr, struct.pack("<qqqq", *period, *first), 32)


def words_at(addr: int, n: int = 4) -> list[int]:
    return list((ctypes.c_uint64 * n).from_address(addr))


def pass_ns(ctx: Any, ns: int) -> None:
    """Virtual time goes on."""
    ctx["schedule"]["clock_ns"] = int(ctx["schedule"]["clock_ns"]) + ns


@pytest.mark.usefixtures("guest")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ns=st.integers(0, 2**62))
def test_a_timeval_is_rounded_up_and_read_back(ns: int) -> None:
    signals.store_timeval(SCRATCH, ns)
    assert tuple(words_at(SCRATCH, 2)) == timeval(ns)
    read = signals.load_timeval_ns(SCRATCH)
    assert ns <= read < ns + 1000 or timeval(ns)[0] >= signals.FAR_S


@pytest.mark.usefixtures("guest")
@pytest.mark.parametrize("seconds", [signals.FAR_S + 1, 2**64 - 1])
def test_a_time_too_far_away_is_far_away(seconds: int) -> None:
    ctypes.memmove(SCRATCH, struct.pack("<QQ", seconds, 5), 16)
    assert signals.load_timeval_ns(SCRATCH) == signals.FAR_S * NS_PER_S + 5000


def test_alarm_says_the_seconds_that_were_left_rounded_up(guest: Any) -> None:
    ctx = guest.ctx
    assert signals.i_alarm(ctx, 10) == 0
    assert int(ctx["signals"]["rings_at"]) == int(ctx["schedule"]["clock_ns"]) + 10 * NS_PER_S
    pass_ns(ctx, 3 * NS_PER_S - 1)
    assert signals.i_alarm(ctx, 20) == 8
    assert signals.i_alarm(ctx, 0) == 20
    assert int(ctx["signals"]["rings_at"]) == 0
    assert signals.i_alarm(ctx, 0) == 0


def test_ualarm_repeats_and_says_microseconds(guest: Any) -> None:
    ctx = guest.ctx
    assert signals.i_ualarm(ctx, 500, 70) == 0
    assert not signals.i_getitimer(ctx, REAL, OLD)
    assert words_at(OLD) == [0, 70, 0, 500]
    pass_ns(ctx, 100_000)
    assert signals.i_ualarm(ctx, 0, 0) == 400


def test_setitimer_gives_the_old_timer_back(guest: Any) -> None:
    ctx = guest.ctx
    put_timer(NEW, (1, 500_000), (2, 0))
    assert not signals.i_setitimer(ctx, REAL, NEW, OLD)
    assert words_at(OLD) == [0, 0, 0, 0]
    pass_ns(ctx, NS_PER_S // 2)
    put_timer(NEW, (0, 0), (0, 0))
    assert not signals.i_setitimer(ctx, REAL, NEW, OLD)
    assert words_at(OLD) == [1, 500_000, 1, 500_000]
    assert not signals.i_getitimer(ctx, REAL, OLD)
    assert words_at(OLD) == [0, 0, 0, 0]


def test_one_place_may_be_new_and_old(guest: Any) -> None:
    ctx = guest.ctx
    put_timer(NEW, (0, 0), (7, 0))
    assert not signals.i_setitimer(ctx, REAL, NEW, NEW)
    assert words_at(NEW) == [0, 0, 0, 0]
    assert int(ctx["signals"]["rings_at"]) == int(ctx["schedule"]["clock_ns"]) + 7 * NS_PER_S


@pytest.mark.parametrize(
    ("which", "new", "timer"),
    [
        (VIRTUAL, NEW, ((0, 0), (1, 0))),
        (REAL, 0, ((0, 0), (1, 0))),
        (REAL, NEW, ((0, 1_000_000), (1, 0))),
        (REAL, NEW, ((0, 0), (1, -1))),
    ],
)
def test_what_the_host_does_or_refuses_is_the_hosts(
    guest: Any, which: int, new: int, timer: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    put_timer(NEW, *timer)
    assert signals.i_setitimer(guest.ctx, which, new, 0)
    assert int(guest.ctx["signals"]["rings_at"]) == 0
    assert signals.i_getitimer(guest.ctx, VIRTUAL, OLD)


@pytest.mark.parametrize(
    ("kernel", "n_bytes"),
    [(signals.ask_sigaction, signals.ACTION_BYTES), (signals.ask_sigmask, signals.MASK_BYTES)],
)
def test_a_handler_and_a_mask_are_read_whole(shelf: Any, kernel: Any, n_bytes: int) -> None:
    kernel(shelf.ctx, 10, shelf.place(bytes(n_bytes)))
    assert shelf.finding() is None
    kernel(shelf.ctx, 10, 0)
    assert shelf.finding() is None
    short = shelf.place(bytes(n_bytes - 1))
    kernel(shelf.ctx, 10, short)
    found = shelf.finding()
    assert found is not None and found[1:3] == [short, n_bytes] and not found[3] & 1


def test_timers_are_read_and_written_whole(shelf: Any) -> None:
    short = shelf.place(bytes(31))
    signals.i_getitimer(shelf.ctx, REAL, short)
    found = shelf.finding()
    assert found is not None and found[1:3] == [short, 32] and found[3] & 1
    new = shelf.place(bytes(32))
    put_timer(new, (0, 0), (1, 0))
    signals.i_setitimer(shelf.ctx, REAL, new, short)
    found = shelf.finding()
    assert found is not None and found[1:3] == [short, 32] and found[3] & 1
    signals.i_setitimer(shelf.ctx, REAL, short, 0)
    found = shelf.finding()
    assert found is not None and found[1:3] == [short, 32] and not found[3] & 1
