"""Policies, priorities and processors of threads: what is set is read, as Linux refuses."""

from __future__ import annotations

import ctypes
import os

import pytest

from irsan.interceptors.threads import scheduling, threads
from tests.support.green import HANDLES, Body, GreenGuest, run

POLICY, PARAMETER, SET = HANDLES + 0x100, HANDLES + 0x110, HANDLES + 0x200
ERRNO = HANDLES + 0x400
EPERM, ESRCH, EINVAL = 1, 3, 22
OTHER, FIFO, ROUND_ROBIN, BATCH, IDLE = 0, 1, 2, 3, 5
SET_BYTES = 128


def number(address: int, value: int | None = None) -> int:
    word = ctypes.c_int32.from_address(address)
    if value is not None:
        word.value = value
    return word.value


def words(*values: int) -> None:
    for i in range(SET_BYTES // 8):
        ctypes.c_uint64.from_address(SET + 8 * i).value = values[i] if i < len(values) else 0


def test_policies_and_priorities(green: GreenGuest) -> None:
    real_time = 0 if os.geteuid() == 0 else EPERM

    def scheduled(me: int) -> Body:
        assert (yield scheduling.i_pthread_getschedparam, me, POLICY, PARAMETER) == 0
        return number(POLICY) * 1000 + number(PARAMETER)

    def main() -> Body:
        me = int((yield (threads.i_pthread_self,)))
        assert (yield from scheduled(me)) == 0
        for policy, priority, status in (
            (OTHER, 0, 0), (OTHER, 1, EINVAL), (BATCH, 0, 0), (IDLE, 0, 0), (4, 0, EINVAL),
            (FIFO, 0, EINVAL), (FIFO, 100, EINVAL), (-1, 0, EINVAL), (FIFO, 99, real_time),
            (ROUND_ROBIN, 7, real_time),
        ):  # fmt: skip
            number(PARAMETER, priority)
            before = yield from scheduled(me)
            number(PARAMETER, priority)
            found = yield scheduling.i_pthread_setschedparam, me, policy, PARAMETER
            assert found == status, (policy, priority)
            after = policy * 1000 + priority if status == 0 else before
            assert (yield from scheduled(me)) == after
        assert (yield scheduling.i_pthread_setschedprio, me, 100) == EINVAL
        if real_time == 0:
            assert (yield scheduling.i_pthread_setschedprio, me, 8) == 0
            assert (yield from scheduled(me)) == ROUND_ROBIN * 1000 + 8
        return 0

    assert run(green, main()) == "ended"


def test_processors(green: GreenGuest) -> None:
    green.ctx["c_library"]["errno_addr"] = ERRNO
    own = sum(1 << one for one in os.sched_getaffinity(0) if one < 64)
    first = own & -own

    def main() -> Body:
        me = int((yield (threads.i_pthread_self,)))
        for wanted, status, expected in (
            ((first,), 0, first), ((0,), EINVAL, first), ((~own & (2**64 - 1),), EINVAL, first),
            ((2**64 - 1,), 0, own), ((0, 1), 0, own), ((first,), 0, first),
        ):  # fmt: skip
            words(*wanted)
            found = yield scheduling.i_pthread_setaffinity, me, SET_BYTES, SET
            assert found == status, wanted
            words(*[2**64 - 1] * 16)
            assert (yield scheduling.i_pthread_getaffinity, me, SET_BYTES, SET) == 0
            assert ctypes.c_uint64.from_address(SET).value == expected
            assert ctypes.c_uint64.from_address(SET + SET_BYTES - 8).value == 0
        words(first)
        status = 0 if first < 256 else EINVAL
        assert (yield scheduling.i_pthread_setaffinity, me, 1, SET) == status
        assert (yield scheduling.i_pthread_getaffinity, me, 1, SET) == EINVAL
        return 0

    assert run(green, main()) == "ended"


@pytest.mark.parametrize(
    ("kernel", "arguments"),
    [
        (scheduling.i_pthread_getschedparam, (POLICY, PARAMETER)),
        (scheduling.i_pthread_setschedparam, (OTHER, PARAMETER)),
        (scheduling.i_pthread_setschedprio, (0,)),
        (scheduling.i_pthread_getaffinity, (SET_BYTES, SET)),
        (scheduling.i_pthread_setaffinity, (SET_BYTES, SET)),
        (scheduling.i_pthread_getcpuclockid, (POLICY,)),
    ],
)
def test_what_is_no_thread(green: GreenGuest, kernel: object, arguments: tuple[int, ...]) -> None:
    def main() -> Body:
        assert (yield kernel, 12, *arguments) == ESRCH
        return 0

    assert run(green, main()) == "ended"
