"""Ranges of the turns ahead: defined exactly when each byte of each place is."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.uninitialised.uninit_strips import strip_is_defined
from irsan.runtime.layout import uninit_layout as ul
from tests.runtime.kernels.uninitialised.test_uninit_shadow import (
    BASE,
    N_BYTES,
    STEPS,
    ctx,
    run_steps,
)

__all__ = ["ctx"]


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(STEPS, st.integers(0, 60), st.integers(0, 40), st.integers(1, 9), st.integers(1, 17))
def test_defined_means_that_every_place_is(
    ctx: Any, steps: list[Any], low: int, stride: int, count: int, size: int
) -> None:
    naive = run_steps(ctx, steps)
    count = min(count, 1 + (N_BYTES - low - size) // max(stride, 1))
    places = [low + turn * stride for turn in range(count)]
    wanted = not any(any(naive[at : at + size]) for at in places)
    assert bool(strip_is_defined(ctx, BASE + low, stride, count, size)) == wanted


def test_memory_of_others_counts_as_initialised(ctx: Any) -> None:
    outside = ul.COVERED_BYTES
    assert strip_is_defined(ctx, outside, 8, 100, 8)
    assert not strip_is_defined(ctx, outside - 8, 8, 2, 8)  # in part
    assert not strip_is_defined(ctx, (1 << 64) - 8, 8, 2, 8)  # around the end
