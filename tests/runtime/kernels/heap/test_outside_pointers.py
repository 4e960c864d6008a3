"""Pointers kept outside of their objects, against a set of those that no newer ones displaced."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.heap import outside_pointers
from irsan.runtime.layout.memory_map import HEAP_LO
from irsan.runtime.records.memory.outside_records import N_SETS, N_WAYS

OBJECT_BYTES = 1 << 12
OBJECTS = st.integers(0, 5)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("note"), OBJECTS, OBJECTS, st.integers(0, OBJECT_BYTES - 1)),
        st.tuples(st.just("ask"), OBJECTS, OBJECTS, st.just(0)),
    ),
    max_size=60,
)


def first_byte(number: int) -> int:
    return int(HEAP_LO) + number * OBJECT_BYTES


def in_object(addr: int, number: int) -> bool:
    return 0 <= addr - first_byte(number) < OBJECT_BYTES


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # it makes guests
@given(steps=STEPS)
def test_an_object_in_which_a_noted_pointer_lies_bounds_nobody(
    new_guest: Any, steps: list[tuple[str, int, int, int]]
) -> None:
    ctx, noted = new_guest().ctx, set()
    for kind, number, source, offset in steps:
        lo = first_byte(source)
        if kind == "note" and number != source:
            addr = first_byte(number) + offset
            outside_pointers.note_outside(ctx, addr, lo, OBJECT_BYTES, lo)
            is_lost = lo in noted and any(in_object(each, source) for each in noted)
            noted |= set() if is_lost else {addr}
        held = bool(outside_pointers.bounds_nobody(ctx, first_byte(number), OBJECT_BYTES))
        assert held == any(in_object(each, number) for each in noted)


def test_what_starts_at_a_noted_pointer_may_be_back_in_its_object(guest: Any) -> None:
    ctx, (own, other) = guest.ctx, map(first_byte, (0, 1))
    base = other + 100
    outside_pointers.note_outside(ctx, base, own, OBJECT_BYTES, own)
    outside_pointers.note_outside(ctx, own + 8, other, OBJECT_BYTES, base)
    assert not outside_pointers.bounds_nobody(ctx, own, OBJECT_BYTES)


def test_the_oldest_of_a_set_goes(guest: Any) -> None:
    """Addresses this far apart are in one set."""
    ctx, lo = guest.ctx, first_byte(0)
    period = N_SETS << 18
    places = [lo + 64 + number * period for number in range(N_WAYS + 1)]
    for addr in places:
        outside_pointers.note_outside(ctx, addr, lo, 16, lo)
    known = [bool(outside_pointers.is_noted_outside(addr)) for addr in places]
    assert known == [False, *[True] * N_WAYS]
    assert int(ctx["bounds"]["n_outside"]) == N_WAYS + 1


def test_pointers_that_are_not_ours_are_not_noted(guest: Any) -> None:
    outside_pointers.note_outside(guest.ctx, 1 << 46, first_byte(0), 16, first_byte(0))
    assert int(guest.ctx["bounds"]["n_outside"]) == 0
