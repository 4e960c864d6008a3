"""Kept extents against the question that keeps nothing: every answer is what it would be now."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.checks.shadow import STACK_LEFT, addr_to_shadow, is_poisoned
from irsan.runtime.kernels.heap import heap, kept_extents, object_bounds
from irsan.runtime.layout import options
from irsan.runtime.layout.memory_map import STACKS_LO
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.records.memory.extent_records import (
    EXTENT_DTYPE,
    EXTENTS,
    PLACE_BYTES,
    forget_kept_extents,
)

LARGE = 200 << 10
UNKNOWN = int(heap.UNKNOWN_SIZE)
SIZES = st.sampled_from((1, 16, 40, 100, 1000, 5000, 100 << 10, LARGE, 2 * LARGE))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("allocate"), SIZES, st.just(0)),
        st.tuples(st.just("free"), st.integers(0, 20), st.just(0)),
        st.tuples(st.just("ask"), st.integers(0, 20), st.integers(-40, LARGE)),
    ),
    max_size=60,
)


def asked(ctx: Any, root: int, place: int) -> tuple[int, int]:
    """What the inlined question does (glue/templates/inlined/bounds.ll)."""
    lo, _, kept_bytes = kept_at(place)
    is_kept = 0 <= root - lo < kept_bytes
    if not is_kept or is_poisoned(root) or is_poisoned(root | 7):
        kept_extents.extent_of(ctx, root, place, 0)
    lo, length, _ = kept_at(place)
    return lo, length


def kept_at(place: int) -> tuple[int, int, int]:
    """(lo, length, kept_bytes) at a place of the table."""
    extent = np.frombuffer(ctypes.string_at(EXTENTS + place, PLACE_BYTES), EXTENT_DTYPE)[0]
    return int(extent["lo"]), int(extent["length"]), int(extent["kept_bytes"])


def passes(root: int, addr: int, place: int) -> bool:
    """What a check that asks by itself does inline: both lie in the block that was kept."""
    lo, _, kept_bytes = kept_at(place)
    return 0 <= root - lo < kept_bytes and 0 <= addr - lo < kept_bytes


def begin_heap(ctx: Any) -> None:
    """An empty heap, behind which nothing is known; stacks lie before it."""
    options.set_default_options(ctx)
    heap.heap_init(ctx)
    forget_kept_extents()


def answer(ctx: Any, root: int) -> tuple[int, int]:
    lo = int(object_bounds.object_lo(ctx, root, object_bounds.SCAN))
    return lo, int(ctx["bounds"]["length"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # it makes guests
@given(steps=STEPS, budget_bytes=st.sampled_from((0, 1 << 10, 1 << 20)))
def test_what_is_kept_is_what_is_asked(
    new_guest: Any, steps: list[Any], budget_bytes: int
) -> None:
    ctx = new_guest().ctx
    options.set_default_options(ctx)
    ctx["options"][options.QUARANTINE_BYTES] = budget_bytes
    heap.heap_init(ctx)
    forget_kept_extents()
    blocks: list[int] = []
    live: list[int] = []
    for number, (kind, which, offset) in enumerate(steps):
        if kind == "allocate":
            blocks.append(int(heap.heap_allocate(ctx, which, 0, hr.MALLOC)))
            live.append(blocks[-1])
        elif kind == "free" and live:
            heap.heap_free(ctx, live.pop(which % len(live)), hr.MALLOC, UNKNOWN, 0)
        elif kind == "ask" and blocks:
            root = blocks[which % len(blocks)] + offset
            place, said = number % 3 * PLACE_BYTES, answer(ctx, root)
            for addr in (root - 200, root - 8, root + 8, root + 200):
                assert not passes(root, addr, place) or 0 <= addr - said[0] < said[1]
            assert asked(ctx, root, place) == said


def test_objects_on_the_stack_are_asked_again(guest: Any) -> None:
    kept_extents.extent_of(guest.ctx, STACKS_LO + 100, 0, 0)
    assert kept_at(0)[-1] == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # it makes guests
@given(
    reach_bytes=st.integers(1, 300), begin=st.integers(0, 40),
    redzones=st.lists(st.integers(0, 60), max_size=3), value=st.sampled_from((STACK_LEFT, 3)),
)
def test_what_is_near_on_the_stack_is_looked_at_alone(
    new_guest: Any, reach_bytes: int, begin: int, redzones: list[int], value: int
) -> None:
    ctx, root = new_guest().ctx, STACKS_LO + 4096 + begin
    begin_heap(ctx)
    lo = STACKS_LO + 4096 >> 3
    for granule in redzones:
        ctypes.c_uint8.from_address(int(addr_to_shadow((lo + granule) * 8))).value = value
    kept_extents.extent_of(ctx, root, 0, reach_bytes)
    touched = range(root // 8, (root + reach_bytes - 1) // 8 + 1)
    is_clear = not any(lo + granule in touched for granule in redzones)
    assert kept_at(0) == ((root, reach_bytes, 0) if is_clear else (*answer(ctx, root), 0))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # it makes guests
@given(
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("poison"), st.integers(0, 12), st.sampled_from((STACK_LEFT, 3, 0))),
            st.tuples(st.just("ask"), st.integers(0, 12 * 8), st.sampled_from((0, 0, 24))),
        ),
        min_size=5,
        max_size=40,
    )
)
def test_an_answer_on_the_stack_holds_while_a_search_would_find_it(
    new_guest: Any, steps: list[tuple[str, int, int]]
) -> None:
    ctx, lo = new_guest().ctx, STACKS_LO + 8192
    begin_heap(ctx)
    for granule in (0, 3, 12):
        ctypes.c_uint8.from_address(int(addr_to_shadow(lo + 8 * granule))).value = STACK_LEFT
    for kind, at, value in steps:
        if kind == "poison":
            ctypes.c_uint8.from_address(int(addr_to_shadow(lo + 8 * at))).value = value
            continue
        kept_extents.extent_of(ctx, lo + at, 0, value)
        near = (lo + at, value)
        assert kept_at(0)[:2] in (answer(ctx, lo + at), near)
        assert kept_at(0)[-1] == 0


def between_redzones(root: int, redzones: set[int]) -> tuple[int, int]:
    """The naive twin of a look far away: the granules around `root` up to the next redzones."""
    granule = root // 8
    above = min(at for at in redzones if at >= granule)
    below = max(at for at in redzones if at < granule)
    return 8 * (below + 1), 8 * (above - below - 1)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # it makes guests
@given(
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("poison"), st.integers(1, 9), st.booleans()),
            st.tuples(st.just("ask"), st.integers(0, 9), st.integers(0, 4000)),
        ),
        min_size=20,
        max_size=120,
    )
)
def test_large_objects_on_the_stack_are_found_in_the_end_and_never_left(
    new_guest: Any, steps: list[tuple[str, int, int]]
) -> None:
    ctx, lo, step_bytes = new_guest().ctx, STACKS_LO + (1 << 20), 4 << 10
    begin_heap(ctx)
    redzones: set[int] = set()

    def poison(at: int, is_redzone: bool) -> None:
        addr = lo + at * step_bytes
        (redzones.add if is_redzone else redzones.discard)(addr // 8)
        value = STACK_LEFT if is_redzone else 0
        ctypes.c_uint8.from_address(int(addr_to_shadow(addr))).value = value

    poison(0, True)
    poison(10, True)
    for kind, at, value in steps:
        if kind == "poison":
            poison(at, bool(value))
            continue
        root = lo + at * step_bytes + 8 + value
        truth = between_redzones(root, redzones)
        for _ in range(kept_extents.FIRST_WAIT + 1):
            kept_extents.extent_of(ctx, root, 0, 0)
            kept = kept_at(0)
            assert kept[-1] == 0
            near = answer(ctx, root)
            assert kept[:2] == near or (kept[0] <= truth[0] and kept[1] >= truth[1])
            assert kept[0] - 8 in {8 * each for each in redzones} or kept[:2] == near
        assert kept[1] < object_bounds.HALF


def test_ends_that_are_not_found_are_looked_for_ever_more_rarely(guest: Any) -> None:
    ctx, root = guest.ctx, STACKS_LO + (1 << 20)
    begin_heap(ctx)
    waits = []
    for _ in range(3 * kept_extents.LONGEST_WAIT):
        kept_extents.extent_of(ctx, root, 0, 0)
        extent = np.frombuffer(ctypes.string_at(EXTENTS, PLACE_BYTES), EXTENT_DTYPE)[0]
        if extent["to_wait"] == extent["waited"]:
            waits.append(int(extent["waited"]))
    assert waits[:3] == [16, 32, 64]
    assert max(waits) == kept_extents.LONGEST_WAIT


def test_large_blocks_forget_only_where_one_is_kept(guest: Any) -> None:
    ctx = guest.ctx
    options.set_default_options(ctx)
    ctx["options"][options.QUARANTINE_BYTES] = 0
    heap.heap_init(ctx)
    forget_kept_extents()
    small = int(heap.heap_allocate(ctx, 100, 0, hr.MALLOC))
    large = [int(heap.heap_allocate(ctx, LARGE, 0, hr.MALLOC)) for _ in range(2)]
    kept_extents.extent_of(ctx, small, 0, 0)
    heap.heap_free(ctx, large[0], hr.MALLOC, UNKNOWN, 0)
    assert kept_at(0)[-1] > 0
    kept_extents.extent_of(ctx, large[1], PLACE_BYTES, 0)
    heap.heap_free(ctx, large[1], hr.MALLOC, UNKNOWN, 0)
    assert kept_at(0)[-1] == 0
