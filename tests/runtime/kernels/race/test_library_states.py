"""Functions that keep data in the C library: what they keep, and calls that nothing orders."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.interceptors.registry import kernel_exports
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.race.library_states import library_state_used
from irsan.runtime.layout import memory_map
from irsan.runtime.records.race.library_states import (
    PLACE_BYTES,
    PLACES,
    STATES,
    state_at,
    state_of,
    states_of,
)
from tests.support.cell_history import begin_epoch, fork_threads, is_told

STRTOK = state_of("strtok")
FUNCTIONS = sorted({name for state in STATES for name in state.functions})


@pytest.fixture
def threads(guest: Any) -> Any:
    """A guest with two threads, and their records."""
    guest.ctx["sanitize_thread"] = 1
    return guest, fork_threads(guest, 2)


def test_calls_of_two_threads_race(threads: Any) -> None:
    guest, (first, second) = threads
    guest.switch_to(first)
    library_state_used(guest.ctx, STRTOK)
    guest.switch_to(second)
    library_state_used(guest.ctx, STRTOK)
    assert is_told(guest.ctx)
    state = state_at(int(guest.ctx["fault"][1]))
    assert state is not None and state.functions == ("strtok",)


def test_calls_that_are_ordered_do_not_race(threads: Any) -> None:
    guest, records = threads
    for record in (*records, *records):
        guest.switch_to(record)
        begin_epoch(guest.ctx)
        library_state_used(guest.ctx, STRTOK)
        begin_epoch(guest.ctx)
        assert not is_told(guest.ctx)


def test_each_state_is_for_itself(threads: Any) -> None:
    guest, (first, second) = threads
    for record, states in ((first, range(0, len(STATES), 2)), (second, range(1, len(STATES), 2))):
        guest.switch_to(record)
        for number in states:
            library_state_used(guest.ctx, number)
            assert not is_told(guest.ctx)


def test_what_is_told_first_is_not_lost(threads: Any) -> None:
    guest, (first, second) = threads
    guest.switch_to(first)
    library_state_used(guest.ctx, STRTOK)
    guest.switch_to(second)
    guest.ctx["action"] = actions.REPORT
    library_state_used(guest.ctx, STRTOK)
    guest.ctx["action"] = actions.NONE
    library_state_used(guest.ctx, STRTOK)
    assert is_told(guest.ctx)


def test_without_the_thread_check_nothing_is_noted(threads: Any) -> None:
    guest, records = threads
    guest.ctx["sanitize_thread"] = 0
    for record in records:
        guest.switch_to(record)
        library_state_used(guest.ctx, STRTOK)
        assert not is_told(guest.ctx)


def test_addresses_lead_to_their_states() -> None:
    assert PLACES + len(STATES) * PLACE_BYTES <= memory_map.ARENA_HI
    for number, state in enumerate(STATES):
        assert state_at(PLACES + number * PLACE_BYTES + 7) == state
    assert state_at(PLACES - 1) is None
    assert state_at(PLACES + len(STATES) * PLACE_BYTES) is None


def test_a_function_has_its_states() -> None:
    assert len(states_of("ctime")) == 2
    with pytest.raises(AssertionError, match="strerror keeps nothing"):
        state_of("strerror")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_is_intercepted(name: str) -> None:
    assert name in {export.name for export in kernel_exports()}


@pytest.mark.parametrize("name", sorted({name for state in STATES for name in state.instead}))
def test_what_is_proposed_is_there(name: str) -> None:
    assert hasattr(ctypes.CDLL(None), name)
