"""What calls of code that is not checked expose: the table of functions against a set, and what is
found behind pointers.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.provenance import provenance_calls as calls
from irsan.runtime.kernels.provenance import provenance_objects as objects
from irsan.runtime.kernels.provenance import provenance_slots as slots
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import provenance_records as pr
from tests.runtime.kernels.provenance.test_provenance_use import is_exposed
from tests.support.provenance_memory import empty_provenance_memory

BASE = memory_map.STACKS_LO + 65536
HEADER_BYTES, MANY_HEADER_BYTES = 56, 64
ADDRESSES = st.integers(1, 40) | st.integers(1, 1 << 47) | st.integers(1, 1 << 20).map(16 .__mul__)
pytestmark = pytest.mark.usefixtures("guest")


@settings(max_examples=60, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(told=st.lists(st.lists(ADDRESSES, max_size=40), max_size=5), asked=st.lists(ADDRESSES))
def test_functions_are_checked_once_they_are_told_of(
    told: list[list[int]], asked: list[int]
) -> None:
    arena.discard(pr.FUNCTIONS, 8 << pr.FUNCTION_BITS)
    naive: set[int] = set()
    for table in told:
        arena.view_words(BASE, 64)[: len(table)] = table
        calls.provenance_functions(BASE, len(table))
        naive.update(table)
    for function in {*asked, *naive}:
        assert bool(calls.is_checked(function)) is (function in naive)


def test_a_full_stretch_of_the_table_leaves_functions_out() -> None:
    arena.discard(pr.FUNCTIONS, 8 << pr.FUNCTION_BITS)
    first = int(calls.function_to_place(16))
    arena.view_words(first, calls.MAX_PROBES)[:] = 1 << 50
    assert int(calls.function_to_place(16)) == 0
    arena.view_words(BASE, 1)[0] = 16
    calls.provenance_functions(BASE, 1)
    assert not calls.is_checked(16)
    arena.discard(pr.FUNCTIONS, 8 << pr.FUNCTION_BITS)


class Holder:
    """An object with pointers to others of 16 bytes in it, each with its id."""

    def __init__(self, ctx: Any, size: int, places: list[int]) -> None:
        empty_provenance_memory()
        arena.discard(pr.FUNCTIONS, 8 << pr.FUNCTION_BITS)
        self.number = int(objects.provenance_stack(ctx, BASE, size, 0))
        self.held: dict[int, int] = {}
        for index, place in enumerate(places):
            pointer = BASE + 65536 + 64 * index
            self.held[place] = int(objects.provenance_stack(ctx, pointer, 16, 0))
            self.point(place, pointer, self.held[place])

    def point(self, place: int, pointer: int, number: int) -> None:
        """Memory at `place` of the object holds a pointer."""
        at = BASE + place
        arena.view_words(at, 1)[0] = pointer
        pair = arena.view_words(int(slots.addr_to_slot(at)), 2)
        pair[0], pair[1] = int(slots.slot_word(at, pointer)), number

    def exposed(self) -> list[int]:
        """Places of the pointers whose objects are exposed."""
        return [place for place, number in self.held.items() if is_exposed(number)]


def test_what_a_pointer_leads_to_is_exposed_up_to_the_end_of_its_object(guest: Any) -> None:
    holder = Holder(guest.ctx, 64, [0, 16, 56, 64])
    calls.provenance_called(guest.ctx, 1 << 40, BASE + 16, holder.number)
    assert is_exposed(holder.number)
    assert holder.exposed() == [16, 56]
    holder = Holder(guest.ctx, 64, [0, 16])
    calls.provenance_called(guest.ctx, 1 << 40, BASE, 0)
    assert is_exposed(holder.number)
    assert holder.exposed() == [0, 16]
    holder = Holder(guest.ctx, 2 * pr.MAX_SHOWN_BYTES, [8, pr.MAX_SHOWN_BYTES - 8, 5000])
    calls.provenance_called(guest.ctx, 1 << 40, BASE, holder.number)
    assert holder.exposed() == [8, pr.MAX_SHOWN_BYTES - 8]


def test_nothing_is_shown_behind_the_end_or_of_what_is_dead_or_no_pointer(guest: Any) -> None:
    holder = Holder(guest.ctx, 64, [0, 64])
    calls.provenance_called(guest.ctx, 1 << 40, BASE + 64, holder.number)
    calls.provenance_called(guest.ctx, 1 << 40, 0, 0)
    calls.provenance_called(guest.ctx, 1 << 40, 1 << 46, 0)
    objects.provenance_end(holder.number)
    calls.provenance_called(guest.ctx, 1 << 40, BASE, holder.number)
    assert holder.exposed() == []


def test_a_checked_function_exposes_nothing(guest: Any) -> None:
    holder = Holder(guest.ctx, 64, [8])
    arena.view_words(BASE + 32, 1)[0] = 1 << 40
    calls.provenance_functions(BASE + 32, 1)
    calls.provenance_called(guest.ctx, 1 << 40, BASE, holder.number)
    assert not is_exposed(holder.number)
    assert holder.exposed() == []


def test_tables_and_messages_show_what_they_lead_to(guest: Any) -> None:
    holder = Holder(guest.ctx, 512, [0, 16, 32])
    table = arena.view_words(BASE + 256, 6)
    table[:] = [BASE, 8, BASE + 16, 8, BASE + 32, 8]
    calls.provenance_vectors(guest.ctx, BASE + 256, 2)
    assert holder.exposed() == [0, 16]
    for stride, count in ((HEADER_BYTES, 1), (MANY_HEADER_BYTES, 2)):
        holder = Holder(guest.ctx, 512, [0, 16, 32])
        arena.view_words(BASE + 256, 6)[:] = [BASE, 8, BASE + 16, 8, BASE + 32, 8]
        for one in range(2):
            words = arena.view_words(BASE + 320 + one * stride, 4)
            words[2], words[3] = BASE + 256 + 16 * one, 1
        calls.provenance_messages(guest.ctx, BASE + 320, count, stride)
        assert holder.exposed() == [0, 16][:count]


def test_tables_that_are_no_objects_are_not_looked_at(guest: Any) -> None:
    holder = Holder(guest.ctx, 48, [0])
    arena.view_words(BASE + 16, 4)[:] = [0, 0, BASE, 8]
    calls.provenance_vectors(guest.ctx, BASE + 16, 1 << 40)  # two of them are in the object
    assert holder.exposed() == [0]
    holder = Holder(guest.ctx, 48, [0])
    calls.provenance_vectors(guest.ctx, 1 << 46, 1)
    calls.provenance_messages(guest.ctx, 0, 1, HEADER_BYTES)
    assert holder.exposed() == []
