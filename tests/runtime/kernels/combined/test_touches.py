"""Ranges as library functions touch them: the one-load check against a byte-by-byte one, races."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks import shadow
from irsan.runtime.kernels.combined import touches
from irsan.runtime.kernels.race import thread_clocks
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.faults import FaultKind
from tests.runtime.kernels.heap.test_heap import allocate, free, start_heap

LO = memory_map.HEAP_LO
SETTINGS = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
GRANULES = st.lists(st.sampled_from([0, 0, 0, 0, 1, 4, 7, 0xFA, 0xFD]), min_size=24, max_size=24)


@pytest.fixture
def ctx(guest: Any) -> Any:
    options.set_default_options(guest.ctx)
    guest.ctx["arena_used"] = LO - memory_map.ARENA_LO + (1 << 20)
    return guest.ctx


def test_is_clear_looks_at_every_byte(ctx: Any) -> None:
    @SETTINGS
    @given(GRANULES, st.integers(0, 60), st.integers(0, 130))
    def run(granules: list[int], offset: int, size: int) -> None:
        place = memory_map.ASAN_SHADOW + ((LO - memory_map.ARENA_LO) >> 3)
        ctypes.memmove(place, bytes(granules), len(granules))
        poisoned = [shadow.is_poisoned(LO + i) for i in range(8 * len(granules))]
        expected = not any(poisoned[offset : offset + size])
        assert touches.is_clear(ctx, LO + offset, size) is expected

    run()


def test_a_long_range_is_clear_in_one_live_block_only(guest: Any) -> None:
    ctx, size = start_heap(guest.ctx), 2 * touches.LONG_BYTES
    block = allocate(ctx, size)
    assert touches.is_clear(ctx, block, size)
    assert not touches.is_clear(ctx, block, size + 1)
    assert not touches.is_clear(ctx, block - 1, size)
    shadow.poison_range(ctx, block + 8, 8, 0xF7)
    assert not touches.is_clear(ctx, block, size)
    assert touches.is_clear(ctx, block + 16, size - 16)
    free(ctx, block)
    assert not touches.is_clear(ctx, block + 16, size - 16)


def test_the_end_of_the_arena_in_use(ctx: Any) -> None:
    end = memory_map.ARENA_LO + int(ctx["arena_used"])
    assert touches.is_clear(ctx, end - 8, 8) and touches.is_touchable(ctx, end - 8, 8)
    for addr, size in ((end - 8, 9), (end - 8, 1 << 63), (end, 1), (end - 100, 101)):
        assert not touches.is_clear(ctx, addr, size) and not touches.is_touchable(ctx, addr, size)
    assert touches.is_touchable(ctx, 0, 0) and not touches.is_touchable(ctx, 0, 1)


def test_a_range_over_two_stack_slots_crosses_a_guard(ctx: Any) -> None:
    end = memory_map.STACK_SLOTS_LO + memory_map.STACK_SLOT_BYTES
    assert touches.is_touchable(ctx, end - 16, 16)
    assert not touches.is_touchable(ctx, end - 16, 17)


def test_the_first_finding_of_a_call_stays(ctx: Any) -> None:
    ctx["sanitize_thread"] = 0
    shadow.fill_shadow(ctx, LO, 64, 0xFA)
    assert touches.memory_access(ctx, LO, 8, 0) and touches.memory_access(ctx, LO + 16, 8, 1)
    assert not touches.memory_access(ctx, 64, 8, 1)
    assert ctx["action"] == actions.REPORT
    assert [int(word) for word in ctx["fault"][:3]] == [FaultKind.BAD_ACCESS, LO, 8]


@pytest.mark.parametrize("kinds", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_ranges_race(guest: Any, kinds: tuple[int, int]) -> None:
    child = guest.new_thread(1)
    assert thread_clocks.thread_fork(guest.ctx, memory_map.THREADS + memory_map.THREAD_STRIDE)
    guest.ctx["sanitize_address"] = 0
    assert touches.string_access(guest.ctx, LO, 33, kinds[0])
    guest.switch_to(child)
    assert touches.memory_access(guest.ctx, LO + 30, 8, kinds[1])
    is_race = guest.ctx["action"] == actions.REPORT
    assert is_race == (kinds != (0, 0))
    if is_race:
        fault = [int(word) for word in guest.ctx["fault"]]
        assert fault[:3] == [FaultKind.DATA_RACE, LO + 30, 8] and fault[3] & 9 == 8 | kinds[1]
