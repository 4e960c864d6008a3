"""Once flags and static guards: exactly one thread runs the routine, the others wait for it."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.interceptors.threads import once_and_keys, sleeps, threads
from tests.conftest import fresh_guest
from tests.support.green import SCRATCH, Body, GreenGuest

ONCE = SCRATCH
GUARD = SCRATCH + 64
HANDLES = SCRATCH + 128
DONE, FAILED = 2, 0


def pthread_once(log: list[str], name: str, ending: int = DONE) -> Body:
    """As the glue does it: begin, call the routine, end."""
    if (yield once_and_keys.once_begin, ONCE) == 1:
        log.append(f"{name} starts")
        for _ in range(5):
            yield (sleeps.i_sched_yield,)
        log.append(f"{name} ends")
        yield once_and_keys.once_end, ONCE, ending
    log.append(f"{name} goes on")
    return 0


def static_local(log: list[str], name: str, throws: bool = False) -> Body:
    """A function-local static's initialisation."""
    if (yield once_and_keys.i_guard_acquire, GUARD) == 1:
        log.append(f"{name} starts")
        for _ in range(5):
            yield (sleeps.i_sched_yield,)
        log.append(f"{name} ends")
        yield (once_and_keys.i_guard_abort if throws else once_and_keys.i_guard_release), GUARD
    log.append(f"{name} goes on")
    return 0


def in_threads(green: GreenGuest, bodies: list[Body], seed: int) -> str:
    """Run each body in a thread of its own."""
    green.routines[1] = lambda number: bodies[number]

    def main() -> Body:
        for number in range(len(bodies)):
            yield threads.i_pthread_create, HANDLES + 8 * number, 0, 1, number
        return 0

    green.start(main(), seed)
    return green.run()


def started(log: list[str]) -> list[str]:
    return [line for line in log if line.endswith("starts")]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 5), st.integers(0, 2**64 - 1), st.sampled_from([pthread_once, static_local]))
def test_one_runs_it_and_nobody_goes_on_before(count: int, seed: int, kind: Any) -> None:
    green, log = GreenGuest(fresh_guest().ctx), []
    assert in_threads(green, [kind(log, f"T{n}") for n in range(count)], seed) == "ended"
    green.close()
    assert len(started(log)) == 1
    assert log[1].endswith("ends")
    assert len(log) == count + 2


@pytest.mark.parametrize("kind", ["once", "guard"])
def test_when_it_throws_another_one_runs_it(green: GreenGuest, kind: str) -> None:
    log: list[str] = []
    if kind == "once":
        bodies = [pthread_once(log, f"T{n}", FAILED) for n in range(3)]
    else:
        bodies = [static_local(log, f"T{n}", throws=True) for n in range(3)]
    assert in_threads(green, bodies, 4) == "ended"
    assert len(started(log)) == 3
    for first, second in zip(log[::3], log[1::3], strict=True):
        assert first.split()[0] == second.split()[0]


def test_a_done_flag_is_done_at_once(green: GreenGuest) -> None:
    log: list[str] = []

    def main() -> Body:
        for _ in range(3):
            yield from pthread_once(log, "T0")
        return 0

    green.start(main())
    assert green.run() == "ended"
    assert log == ["T0 starts", "T0 ends"] + ["T0 goes on"] * 3
    assert ctypes.c_uint32.from_address(ONCE).value == DONE


def test_a_guard_sets_the_byte_that_compiled_code_looks_at(green: GreenGuest) -> None:
    log: list[str] = []
    green.start(static_local(log, "T0"))
    assert green.run() == "ended"
    assert ctypes.string_at(GUARD, 2) == b"\1\0"
    assert once_and_keys.i_guard_acquire(green.ctx, GUARD) == 0


def test_a_once_routine_that_calls_its_own_once_waits_for_ever(green: GreenGuest) -> None:
    def main() -> Body:
        yield once_and_keys.once_begin, ONCE
        yield once_and_keys.once_begin, ONCE
        return 0

    green.start(main())
    assert green.run() == "idle"
