"""Cells lose their history, whichever of their pages are there, and their neighbours keep it."""

from __future__ import annotations

import ctypes
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.race.cells import cell_pages
from irsan.runtime.layout import memory_map

PAGE = cell_pages.PAGE_BYTES
N_PAGES = 6
LO = memory_map.RACE_SHADOW + (memory_map.HEAP_LO - memory_map.ARENA_LO) * 4
PAGES = st.lists(st.booleans(), min_size=N_PAGES, max_size=N_PAGES)
BOUNDS = st.tuples(*[st.integers(0, N_PAGES * PAGE // 16)] * 2).map(sorted)


def lay_out(is_there: list[bool]) -> None:
    """Pages of ones, and pages that nobody has touched."""
    arena.discard(LO, N_PAGES * PAGE)
    for number, there in enumerate(is_there):
        if there:
            ctypes.memset(LO + number * PAGE, 1, PAGE)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(is_there=PAGES, bounds=BOUNDS)
def test_cells_are_zero_afterwards(guest: Any, is_there: list[bool], bounds: list[int]) -> None:  # noqa: ARG001
    lay_out(is_there)
    wanted = bytearray(b"".join(bytes([there]) * PAGE for there in is_there))
    lo, hi = (16 * bound for bound in bounds)
    wanted[lo:hi] = bytes(hi - lo)
    cell_pages.zero_cells(LO + lo, LO + hi)
    assert ctypes.string_at(LO, N_PAGES * PAGE) == bytes(wanted)
    arena.discard(LO, N_PAGES * PAGE)
