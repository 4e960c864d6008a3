"""Descriptors that blocked threads wait for: what is entered, and what ends a pause."""

from __future__ import annotations

import ctypes
import os
import select
import struct
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.threads import awaited, scheduler, waiting
from irsan.runtime.layout.thread_states import RUNNABLE
from tests.runtime.kernels.threads.test_scheduler import make_threads
from tests.support.green import SCRATCH

SAME_GUEST = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
LONG_US = 60_000_000
SETS = st.sets(st.integers(0, 1023), max_size=20)


def entered(ctx: Any) -> list[tuple[int, int]]:
    """Descriptors and events of the table."""
    raw = ctypes.string_at(awaited.AWAITED, 8 * int(ctx["outside"]["n_awaited"]))
    return [(one, events) for one, events, _ in struct.iter_unpack("<ihh", raw)]


def block_for(guest: Any, thread: Any, descriptor: int) -> None:
    guest.switch_to(thread)
    guest.ctx["action"] = 0
    waiting.block_for(guest.ctx, descriptor, select.POLLIN, 0)


def test_a_pause_ends_when_a_descriptor_is_ready(guest: Any, pipe: tuple[int, int]) -> None:
    """A whole pause would be a minute."""
    (main,) = make_threads(guest, 1, 1)
    block_for(guest, main, pipe[0])
    os.write(pipe[1], b"x")
    assert awaited.sleep_awaiting(guest.ctx, LONG_US) < LONG_US


def test_a_round_of_tries_begins_the_table_anew(guest: Any, pipe: tuple[int, int]) -> None:
    main, other = make_threads(guest, 2, 1)
    block_for(guest, main, pipe[0])
    block_for(guest, other, pipe[1])
    assert entered(guest.ctx) == [(pipe[0], select.POLLIN), (pipe[1], select.POLLIN)]
    assert awaited.are_all_known(guest.ctx)
    scheduler.retry_trying(guest.ctx)
    assert entered(guest.ctx) == []
    assert (main["state"], other["state"]) == (RUNNABLE, RUNNABLE)


def test_who_has_no_descriptor_is_not_known(guest: Any, pipe: tuple[int, int]) -> None:
    main, other = make_threads(guest, 2, 1)
    block_for(guest, main, pipe[0])
    guest.switch_to(other)
    waiting.block_trying(guest.ctx, 0)
    assert not awaited.are_all_known(guest.ctx)


def test_a_ready_descriptor_that_does_not_help_does_not_spin(
    guest: Any, pipe: tuple[int, int]
) -> None:
    (main,) = make_threads(guest, 1, 1)
    os.write(pipe[1], b"x")
    block_for(guest, main, pipe[0])
    guest.ctx["outside"]["try_streak"] = awaited.PATIENCE + 1
    pauses = [awaited.sleep_awaiting(guest.ctx, 1000) for _ in range(4)]
    assert pauses[1::2] == [1000, 1000]
    assert int(guest.ctx["outside"]["was_ready"]) == 0
    guest.ctx["outside"]["try_streak"] = awaited.PATIENCE
    for _ in range(2):
        awaited.sleep_awaiting(guest.ctx, 1000)
        assert int(guest.ctx["outside"]["was_ready"]) == 1


def test_what_a_full_table_has_no_room_for_is_not_known(guest: Any) -> None:
    make_threads(guest, 1, 1)
    guest.ctx["outside"]["n_awaited"] = awaited.MAX_AWAITED - 1
    guest.ctx["outside"]["n_trying"] = 1
    awaited.note_polls(guest.ctx, SCRATCH, 2)
    assert not awaited.are_all_known(guest.ctx)
    awaited.note_polls(guest.ctx, SCRATCH, 1)
    assert awaited.are_all_known(guest.ctx)
    assert int(guest.ctx["outside"]["n_awaited"]) == awaited.MAX_AWAITED


@SAME_GUEST
@given(given_sets=st.tuples(SETS, SETS, SETS), limit=st.integers(0, 1024), absent=st.integers(0, 7))
def test_sets_of_select_become_structures_of_poll(
    guest: Any, given_sets: tuple[set[int], ...], limit: int, absent: int
) -> None:
    places = [SCRATCH + number * 128 for number in range(3)]
    wanted: dict[int, int] = {}
    for number, (one, event) in enumerate(
        zip(given_sets, (select.POLLIN, select.POLLOUT, select.POLLPRI), strict=True)
    ):
        raw = sum(1 << descriptor for descriptor in one).to_bytes(128, "little")
        ctypes.memmove(places[number], raw, 128)
        if absent >> number & 1:
            places[number] = 0
            continue
        for descriptor in one:
            if descriptor < limit:
                wanted[descriptor] = wanted.get(descriptor, 0) | event
    guest.ctx["outside"]["n_awaited"] = 0
    guest.ctx["outside"]["n_awaited"] = awaited.sets_to_polls(guest.ctx, limit, *places)
    assert entered(guest.ctx) == sorted(wanted.items())
