"""Pointers in arrays that are sorted, against the naive twin."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.provenance import provenance_objects as objects
from irsan.runtime.kernels.provenance import provenance_slots as slots
from irsan.runtime.kernels.provenance import provenance_sorting as sorting
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import provenance_records as pr
from tests.oracles.pointer_provenance import WORD, NaiveSlots
from tests.runtime.kernels.provenance.test_provenance_use import is_exposed
from tests.support.provenance_memory import empty_provenance_memory

BASE = memory_map.STACKS_LO + 65536
N_WORDS = 24
VALUES = st.sampled_from([0, BASE + 4096, BASE + 4104, 7]) | st.integers(1, 1 << 47)
NUMBERS = st.integers(0, 3).map(lambda index: (index << 32) + index)  # 0: written by native code
WORDS = st.lists(st.tuples(VALUES, NUMBERS), min_size=1, max_size=N_WORDS)
pytestmark = pytest.mark.usefixtures("guest")


def note(address: int, pointer: int, number: int) -> None:
    pair = arena.view_words(int(slots.addr_to_slot(address)), 2)
    pair[0], pair[1] = int(slots.slot_word(address, pointer)), number


@settings(max_examples=120, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(words=WORDS, data=st.data())
def test_pointers_find_their_objects_again(words: list[tuple[int, int]], data: Any) -> None:
    empty_provenance_memory()
    naive, memory = NaiveSlots(), arena.view_words(BASE, len(words))
    for index, (value, number) in enumerate(words):
        memory[index] = value
        if number:
            note(BASE + WORD * index, value, number)
            naive.store(BASE + WORD * index, value, number)
    values = [value for value, _ in words]
    order = data.draw(st.permutations(range(len(words))))
    made = sorting.provenance_sorting(BASE, WORD * len(words))
    memory[:] = [values[index] for index in order]
    sorting.provenance_sorted(made, BASE, WORD * len(words))
    naive.sorted(values, BASE, list(order))
    for index, value in enumerate(memory.tolist()):
        word, number = arena.view_words(int(slots.addr_to_slot(BASE + WORD * index)), 2).tolist()
        found = number if word == int(slots.slot_word(BASE + WORD * index, value)) and word else 0
        assert found == naive.load(BASE + WORD * index, value)


def test_pointers_in_packed_items_are_exposed(guest: Any) -> None:
    empty_provenance_memory()
    number = int(objects.provenance_stack(guest.ctx, BASE + 4096, 16, 0))
    place = BASE + 9
    arena.view_bytes(place, WORD)[:] = list((BASE + 4096).to_bytes(WORD, "little"))
    pair = arena.view_words(int(slots.addr_to_slot(place)), 2)
    pair[0], pair[1] = int(slots.slot_word(place, BASE + 4096)), number
    made = sorting.provenance_sorting(BASE, 27)
    assert is_exposed(number)
    sorting.provenance_sorted(made, BASE, 27)
    assert pair[0] == 0


@pytest.mark.parametrize(("place", "size"), [(BASE, 0), (pr.COVERED_BYTES, 64), (1 << 46, 64)])
def test_what_has_no_slots_is_left_alone(place: int, size: int) -> None:
    assert sorting.provenance_sorting(place, size) == 0
    sorting.provenance_sorted(0, place, size)
