"""Barriers call by call: who is the serial thread, what is refused.  See test_lock_twins."""

from __future__ import annotations

from typing import Any

from irsan.interceptors.threads import barriers, threads
from tests.support.green import SCRATCH, Body, GreenGuest, run

HANDLES = SCRATCH
BARRIER = SCRATCH + 0x180
ERRNO = SCRATCH - 64
EINVAL = 22


def test_a_barrier_of_nobody_is_refused(guest: Any) -> None:
    assert barriers.i_barrier_init(guest.ctx, BARRIER, 0, 0) == EINVAL
    assert barriers.i_barrier_init(guest.ctx, BARRIER, 0, 1) == 0
    for _ in range(3):
        assert barriers.i_barrier_wait(guest.ctx, BARRIER) == -1
    assert barriers.i_barrier_destroy(guest.ctx, BARRIER) == 0


def test_each_round_of_a_barrier_has_one_serial_thread(green: GreenGuest) -> None:
    serial: list[tuple[int, int]] = []

    def rounds(name: int) -> Body:
        for turn in range(10):
            if (yield barriers.i_barrier_wait, BARRIER) == -1:
                serial.append((turn, name))
        return 0

    def main() -> Body:
        yield barriers.i_barrier_init, BARRIER, 0, 4
        for number in range(3):
            yield threads.i_pthread_create, HANDLES + 8 * number, 0, 1, number
        yield from rounds(3)
        return 0

    green.routines[1] = rounds
    assert run(green, main()) == "ended"
    assert [turn for turn, _ in serial] == list(range(10))
    assert len({name for _, name in serial}) > 1


