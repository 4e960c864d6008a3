"""The nearest redzone in the shadow: as a look at one byte after the other finds it."""

from __future__ import annotations

import ctypes

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.checks.shadow import (
    ALLOCA_LEFT,
    GLOBAL_REDZONE,
    HEAP_REDZONE,
    STACK_LEFT,
    STACK_RIGHT,
)
from irsan.runtime.kernels.heap import object_bounds

REDZONES = {STACK_LEFT, STACK_RIGHT, GLOBAL_REDZONE, ALLOCA_LEFT}
MIDDLE = object_bounds.SCAN + 64
N_BYTES = 2 * MIDDLE
# Partly usable granules and other poison are passed over; few of all bytes are not 0.
PUT = st.tuples(
    st.integers(-MIDDLE, MIDDLE - 1), st.sampled_from([*sorted(REDZONES), HEAP_REDZONE, 3, 7])
)


def naive_above(shadow: bytes, at: int) -> int | None:
    """Place of the nearest redzone from `at` on."""
    places = range(at, at + object_bounds.SCAN)
    return next((place for place in places if shadow[place] in REDZONES), None)


def naive_below(shadow: bytes, at: int) -> int | None:
    """Place of the nearest redzone below `at`."""
    places = range(at - 1, at - 1 - object_bounds.SCAN, -1)
    return next((place for place in places if shadow[place] in REDZONES), None)


@settings(max_examples=200, deadline=None)
@given(st.lists(PUT, max_size=6), st.integers(-9, 9))
def test_the_nearest_redzones(put: list[tuple[int, int]], begin: int) -> None:
    shadow = bytearray(N_BYTES)
    for place, value in put:
        shadow[MIDDLE + place] = value
    memory = ctypes.create_string_buffer(bytes(shadow), N_BYTES)
    base, at = ctypes.addressof(memory), MIDDLE + begin
    above, below = naive_above(shadow, at), naive_below(shadow, at)
    found_above = object_bounds.redzone_above(base + at, object_bounds.SCAN)
    found_below = object_bounds.redzone_below(base + at, object_bounds.SCAN)
    assert found_above == (0 if above is None else base + above)
    assert found_below == (0 if below is None else base + below)
