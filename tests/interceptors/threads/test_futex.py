"""The futex system call goes to the scheduler."""

from __future__ import annotations

import ctypes
import errno
from typing import Any

import pytest

from irsan.interceptors.registry import REAL_ANSWERS
from irsan.interceptors.threads import futex, sleeps
from irsan.runtime.kernels.threads.virtual_clock import store_timespec
from irsan.runtime.layout.thread_states import WAIT_FUTEX
from tests.support.green import REALTIME_START_NS, SCRATCH, UPTIME_NS, Body, GreenGuest, run_workers

WORD = SCRATCH + 0x100
TIME = SCRATCH + 0x200
WAIT, WAKE, REQUEUE, CMP_REQUEUE, WAKE_OP, WAIT_BITSET, WAKE_BITSET = 0, 1, 3, 4, 5, 9, 10
PRIVATE, REALTIME = 128, 256
MS = 10**6


def set_word(value: int) -> None:
    ctypes.c_uint32.from_address(WORD).value = value


def errno_value() -> int:
    return ctypes.c_uint32.from_address(SCRATCH - 64).value


def waits(log: list[str], operation: int, timeout: int = 0) -> Body:
    result = yield futex.futex_call, WORD, operation, 0, timeout
    log.append({0: "woken", -1: "failed"}[int(result)])
    return 0


def test_other_operations_are_the_kernels(guest: Any) -> None:
    unknown_operation = 6  # FUTEX_LOCK_PI
    assert futex.futex_call(guest.ctx, WORD, unknown_operation, 0, 0) == REAL_ANSWERS


@pytest.mark.parametrize("wait", [WAIT, WAIT | PRIVATE, WAIT_BITSET | PRIVATE])
@pytest.mark.parametrize("wake", [WAKE, WAKE | PRIVATE, WAKE_BITSET | PRIVATE])
def test_a_wake_wakes_as_many_as_it_says(green: GreenGuest, wait: int, wake: int) -> None:
    log: list[str] = []

    def main() -> Body:
        while len(green.waiting(WAIT_FUTEX, WORD)) < 3:
            yield (sleeps.i_sched_yield,)
        for n_woken in (1, 3):
            woken = yield futex.futex_call, WORD, wake, n_woken, 0
            yield sleeps.i_usleep, 10
            assert int(woken) == (1 if n_woken == 1 else 2)
            assert len(log) == n_woken
        return 0

    set_word(0)
    assert run_workers(green, main(), *(waits(log, wait) for _ in range(3))) == "ended"


@pytest.mark.parametrize("operation", [REQUEUE, CMP_REQUEUE, WAKE_OP])
def test_a_requeue_wakes_all(green: GreenGuest, operation: int) -> None:
    log: list[str] = []

    def main() -> Body:
        while len(green.waiting(WAIT_FUTEX, WORD)) < 2:
            yield (sleeps.i_sched_yield,)
        yield futex.futex_call, WORD, operation | PRIVATE, 1, 0
        return 0

    set_word(0)
    assert run_workers(green, main(), waits(log, WAIT), waits(log, WAIT)) == "ended"
    assert len(log) == 2


def test_another_value_does_not_wait(green: GreenGuest) -> None:
    log: list[str] = []
    set_word(1)
    green.start(waits(log, WAIT))
    assert green.run() == "ended"
    assert log == ["failed"]
    assert errno_value() == errno.EAGAIN


def test_a_wait_nobody_ends_is_idle(green: GreenGuest) -> None:
    set_word(0)
    green.start(waits([], WAIT))
    assert green.run() == "idle"


@pytest.mark.parametrize(
    ("operation", "written_ns", "ends_ns"),
    [
        (WAIT, 5 * MS, 5 * MS),  # relative
        (WAIT_BITSET, UPTIME_NS + 7 * MS, 7 * MS),  # absolute, monotonic
        (WAIT_BITSET | REALTIME, int(REALTIME_START_NS) + 9 * MS, 9 * MS),
        (WAIT_BITSET, 0, 1),  # long ago
    ],
)
def test_waits_end_in_virtual_time(
    green: GreenGuest, operation: int, written_ns: int, ends_ns: int
) -> None:
    log: list[str] = []
    set_word(0)
    store_timespec(TIME, written_ns)
    green.start(waits(log, operation, TIME))
    assert green.run() == "ended"
    assert log == ["failed"]
    assert errno_value() == errno.ETIMEDOUT
    assert ends_ns <= int(green.ctx["schedule"]["clock_ns"]) < ends_ns + 1000
