"""Descriptors as variables that are raced on, and as channels that order what threads do."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime.kernels.race import access, descriptors, thread_clocks
from irsan.runtime.layout import memory_map
from irsan.runtime.records.race import descriptor_records as dr
from tests.support.cell_history import is_told

VALUE = memory_map.HEAP_LO + 64
NUMBER, COPY = 5, 6
PLACE = dr.PLACES + NUMBER * dr.PLACE_BYTES


def start(guest: Any, io_sync: int = 1) -> Any:
    """A guest with an open descriptor and a second thread, which is returned."""
    guest.ctx["sanitize_thread"] = 1
    guest.ctx["descriptors"]["io_sync"] = io_sync
    clock = descriptors.new_descriptor_clock(guest.ctx)
    descriptors.descriptor_opened(guest.ctx, NUMBER, clock)
    child = guest.new_thread(1)
    assert thread_clocks.thread_fork(guest.ctx, memory_map.THREADS + memory_map.THREAD_STRIDE)
    return child


def test_a_close_that_is_not_ordered_with_a_use_is_a_race(guest: Any) -> None:
    guest.switch_to(start(guest))
    descriptors.descriptor_used(guest.ctx, NUMBER)
    guest.switch_to(guest.main)
    descriptors.descriptor_closed(guest.ctx, NUMBER)
    assert is_told(guest.ctx)
    found = dr.descriptor_at(PLACE)
    assert found is not None
    assert (found.number, found.tid, found.is_closed) == (NUMBER, 0, False)


def test_a_closed_number_has_no_past(guest: Any) -> None:
    child = start(guest)
    descriptors.descriptor_closed(guest.ctx, NUMBER)
    found = dr.descriptor_at(PLACE)
    assert found is not None and found.is_closed
    guest.switch_to(child)
    descriptors.descriptor_opened(guest.ctx, NUMBER, 0)
    descriptors.descriptor_used(guest.ctx, NUMBER)
    assert not is_told(guest.ctx)


@pytest.mark.parametrize(("io_sync", "is_racy"), [(0, True), (1, False), (2, False)])
@pytest.mark.parametrize("is_copied", [False, True])
def test_a_write_happens_before_a_read(
    guest: Any, io_sync: int, is_racy: bool, is_copied: bool
) -> None:
    child = start(guest, io_sync)
    if is_copied:
        descriptors.descriptor_replaced(guest.ctx, NUMBER, COPY)
    guest.switch_to(child)
    access.race_access_slow(guest.ctx, VALUE, 4, 1)
    descriptors.descriptor_publishes(guest.ctx, COPY if is_copied else NUMBER)
    guest.switch_to(guest.main)
    descriptors.descriptor_read(guest.ctx, NUMBER)
    access.race_access_slow(guest.ctx, VALUE, 4, 0)
    assert is_told(guest.ctx) == is_racy


def test_other_addresses_and_numbers_are_none(guest: Any) -> None:
    start(guest)
    assert dr.descriptor_at(dr.PLACES - 1) is None
    assert dr.descriptor_at(dr.CLOCKS) is None
    assert dr.descriptor_at(dr.PLACES + 9 * dr.PLACE_BYTES) is None
    for number in (-1, dr.MAX_DESCRIPTORS):
        descriptors.descriptor_closed(guest.ctx, number)
        assert not is_told(guest.ctx)


def test_clocks_are_shared_in_turn_when_all_are_taken(guest: Any) -> None:
    """An order too much: no race is seen that is none."""
    n_own = dr.N_CLOCKS - dr.N_SHARED
    child = start(guest)
    guest.ctx["descriptors"]["n_clocks_taken"] = n_own - 1
    last, again = (int(descriptors.new_descriptor_clock(guest.ctx)) for _ in range(2))
    assert last == dr.CLOCKS + (dr.N_CLOCKS - 1) * dr.CLOCK_BYTES
    assert again == dr.CLOCKS + dr.N_SHARED * dr.CLOCK_BYTES
    descriptors.descriptor_opened(guest.ctx, COPY, again)
    guest.switch_to(child)
    access.race_access_slow(guest.ctx, VALUE, 4, 1)
    descriptors.descriptor_publishes(guest.ctx, COPY)
    guest.switch_to(guest.main)
    descriptors.descriptor_read(guest.ctx, NUMBER)
    access.race_access_slow(guest.ctx, VALUE, 4, 0)
    assert not is_told(guest.ctx)
