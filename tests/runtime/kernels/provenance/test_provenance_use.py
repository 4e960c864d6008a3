"""What reads of single bytes expose, against the naive twin."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.provenance import provenance_objects as objects
from irsan.runtime.kernels.provenance import provenance_slots as slots
from irsan.runtime.kernels.provenance import provenance_use as use
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import provenance_records as pr
from tests.oracles.pointer_provenance import NaiveSlots
from tests.support.provenance_memory import empty_provenance_memory

BASE = memory_map.STACKS_LO + 65536 + 4096 - 64  # a page ends in the middle
N_BYTES = 128
PLACES = st.integers(0, N_BYTES - 8)
STORES = st.lists(st.tuples(PLACES, st.booleans()), max_size=12)
pytestmark = pytest.mark.usefixtures("guest")


@settings(max_examples=150, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(stores=STORES, at=st.integers(0, N_BYTES - 1), size=st.integers(0, 40))
def test_bytes_show_the_pointers_that_they_are_of(
    guest: Any, stores: list[Any], at: int, size: int
) -> None:
    empty_provenance_memory()
    naive, memory, known = NaiveSlots(), arena.view_bytes(BASE, N_BYTES), []
    memory[:] = 0
    for index, (place, is_told) in enumerate(stores):
        pointer = BASE + 4096 + 64 * index
        memory[place : place + 8] = list(pointer.to_bytes(8, "little"))
        if is_told:  # else native code has written it
            number = int(objects.provenance_stack(guest.ctx, pointer, 64, 0))
            known.append(number)
            naive.store(BASE + place, pointer, number)
            pair = arena.view_words(int(slots.addr_to_slot(BASE + place)), 2)
            pair[0], pair[1] = int(slots.slot_word(BASE + place, pointer)), number
    use.provenance_show(BASE + at, size)
    shown = naive.shown(BASE + at, size, memory.tobytes(), BASE)
    over_the_end = {
        number
        for place, (_, number) in naive.slots.items()
        if place % 4096 > 4088 and place < BASE + at + size and BASE + at < place + 8 and size
    }
    assert {number for number in known if is_exposed(number)} == shown | over_the_end


def is_exposed(number: int) -> bool:
    """Whether numbers may lead to an object."""
    return bool(arena.view_words(int(objects.id_to_row(number)) + pr.ROW_EXPOSED, 1)[0])


def test_a_pointer_without_an_id_shows_the_object_at_its_address_and_the_one_before(
    guest: Any,
) -> None:
    empty_provenance_memory()
    numbers = [
        int(objects.provenance_stack(guest.ctx, BASE + 8 * index, 8, 0)) for index in range(4)
    ]
    use.provenance_expose_pointer(guest.ctx, BASE + 9, 0)
    assert [is_exposed(number) for number in numbers] == [False, True, False, False]
    use.provenance_expose_pointer(guest.ctx, BASE + 24, 0)
    assert [is_exposed(number) for number in numbers] == [False, True, True, True]
    use.provenance_expose_pointer(guest.ctx, BASE + 24, numbers[0])
    assert is_exposed(numbers[0])
    use.provenance_expose_pointer(guest.ctx, 0, 0)


def test_stale_slots_are_wiped_by_one_look() -> None:
    empty_provenance_memory()
    arena.view_words(BASE, 1)[0] = 5
    slot = arena.view_words(int(slots.addr_to_slot(BASE)), 1)
    slot[0] = 6
    use.provenance_show(BASE + 8, 8)
    assert int(slot[0]) == 6
    use.provenance_show(BASE + 7, 1)
    assert int(slot[0]) == 0


def test_nothing_is_known_of_memory_without_slots() -> None:
    empty_provenance_memory()
    use.provenance_show(1 << 46, 64)
    use.provenance_show(0, 8)
