"""Ranges of the turns ahead: clean exactly when each place is."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.checks.shadow import poison_range
from irsan.runtime.kernels.heap import strips
from irsan.runtime.layout import memory_map
from tests.runtime.kernels.checks.test_shadow import BASE, N_BYTES, STEPS, ctx, run_steps
from tests.runtime.kernels.heap.test_heap import allocate, free, start_heap

__all__ = ["ctx"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS, st.integers(0, 60), st.integers(0, 130), st.integers(1, 6), st.integers(1, 17))
def test_clean_means_that_every_place_is(
    ctx: Any, steps: list[Any], low: int, stride: int, count: int, size: int
) -> None:
    naive = run_steps(ctx, steps)
    count = min(count, 1 + (N_BYTES - low - size) // max(stride, 1))
    length = (count - 1) * stride + size
    found = bool(strips.strip_is_clean(ctx, BASE + low, stride, count, size))
    if stride <= strips.DENSE:
        wanted = naive.first_dead(low, length) is None
    else:
        places = [low + turn * stride for turn in range(count)]
        wanted = all(naive.first_dead(one, size) is None for one in places)
    assert found == wanted


def test_what_is_not_in_use_is_not_clean(ctx: Any) -> None:
    end = memory_map.ARENA_LO + int(ctx["arena_used"])
    assert strips.strip_is_clean(ctx, end - 64, 8, 8, 8)
    assert not strips.strip_is_clean(ctx, end - 64, 8, 9, 8)
    assert not strips.strip_is_clean(ctx, end, 8, 1, 8)
    assert not strips.strip_is_clean(ctx, memory_map.ARENA_LO - 8, 8, 4, 8)
    assert not strips.strip_is_clean(ctx, end - 64, 1 << 32, 1 << 14, 8)


def test_a_long_range_of_a_live_block_is_clean_at_once(guest: Any) -> None:
    ctx = start_heap(guest.ctx)
    block = allocate(ctx, 40_000)
    assert strips.is_in_block(ctx, block, 40_000)
    assert not strips.is_in_block(ctx, block - 8, 64)
    assert not strips.is_in_block(ctx, block + 8, 40_000)
    assert strips.strip_is_clean(ctx, block, 4_000, 10, 4_000)
    assert not strips.strip_is_clean(ctx, block, 4_000, 10, 4_001)
    free(ctx, block)
    assert not strips.is_in_block(ctx, block, 40_000)
    assert not strips.strip_is_clean(ctx, block, 4_000, 10, 8)


def test_a_block_that_is_poisoned_in_part_is_looked_at(guest: Any) -> None:
    ctx = start_heap(guest.ctx)
    block = allocate(ctx, 40_000)
    poison_range(ctx, block + 8_000, 8, 0xF7)
    assert not strips.is_in_block(ctx, block, 40_000)
    assert strips.strip_is_clean(ctx, block, 8, 1_000, 8)
    assert not strips.strip_is_clean(ctx, block, 8, 1_001, 8)
    assert not strips.strip_is_clean(ctx, block, 4_000, 3, 8)
