"""Slots of pointers in memory against the naive twin: stores, wipes, copies onto themselves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.provenance import provenance_slots as slots
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import provenance_records as pr
from tests.oracles.pointer_provenance import NaiveSlots
from tests.support.provenance_memory import empty_provenance_memory

BASE = memory_map.STACKS_LO + 65536
N_BYTES = 160
OFFSETS = st.integers(0, N_BYTES - 1)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("store"), OFFSETS, OFFSETS, st.just(0)),
        st.tuples(st.just("wipe"), OFFSETS, st.just(0), st.integers(0, 60)),
        st.tuples(st.just("copy"), OFFSETS, OFFSETS, st.integers(0, 80)),
    ),
    max_size=25,
)
pytestmark = pytest.mark.usefixtures("guest")


@settings(max_examples=150, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(steps=STEPS)
def test_slots_are_what_the_naive_twin_says(steps: list[Any]) -> None:
    empty_provenance_memory()
    naive = NaiveSlots()
    for number, (word, first, second, size) in enumerate(steps, 1):
        if word == "store":
            address, pointer = BASE + first, BASE + second
            naive.store(address, pointer, number)
            pair = arena.view_words(slot_of(address), 2)
            pair[0], pair[1] = int(slots.slot_word(address, pointer)), number
        elif word == "wipe":
            naive.wipe(BASE + first, size)
            slots.slots_wipe(BASE + first, size)
        else:
            naive.copy(BASE + first, BASE + second, size)
            slots.slots_copy(BASE + first, BASE + second, size)
    found = {}
    for at in range(BASE, BASE + N_BYTES + 80, 8):
        word, number = (int(word) for word in arena.view_words(slot_of(at), 2))
        if word:
            found[at + (word >> pr.PLACE_SHIFT)] = word % (1 << pr.PLACE_SHIFT), number
    assert found == naive.slots


def slot_of(address: int) -> int:
    """Where the slot of an address is."""
    assert int(slots.addr_to_slot(address)) == pr.SLOTS + address // 8 * pr.SLOT_BYTES
    return pr.SLOTS + address // 8 * pr.SLOT_BYTES


def test_big_ranges_are_wiped_wholly() -> None:
    empty_provenance_memory()
    n_bytes = 1 << 20
    for at in (BASE, BASE + n_bytes // 2, BASE + n_bytes - 8, BASE + n_bytes):
        arena.view_words(slot_of(at), 1)[0] = 5
    slots.slots_wipe(BASE + 8, n_bytes - 8)
    places = (0, n_bytes // 2, n_bytes - 8, n_bytes)
    left = [int(arena.view_words(slot_of(BASE + at), 1)[0]) for at in places]
    assert left == [5, 0, 0, 5]


def test_memory_outside_the_arena_has_no_slots() -> None:
    assert not slots.has_slots(pr.COVERED_BYTES, 8)
    assert not slots.has_slots(pr.COVERED_BYTES - 8, 16)
    slots.slots_copy(1 << 46, BASE, 64)
    slots.slots_wipe(1 << 46, 64)
