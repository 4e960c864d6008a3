"""Pages that somebody has touched are there; where the system does not say, all are."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.kernels import present_pages
from irsan.runtime.layout import memory_map

PAGE = present_pages.PAGE_BYTES
N_PAGES = 6
LO = memory_map.RACE_SHADOW


@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_there_is_known(guest: Any, is_there: bool) -> None:  # noqa: ARG001
    arena.discard(LO, N_PAGES * PAGE)
    if is_there:
        ctypes.memset(LO, 1, N_PAGES * PAGE)
    present_pages.ask_present(LO, N_PAGES)
    assert [present_pages.is_present(number) for number in range(N_PAGES)] == [is_there] * N_PAGES
    arena.discard(LO, N_PAGES * PAGE)


def test_where_the_system_does_not_say_all_are_there(guest: Any) -> None:  # noqa: ARG001
    nowhere = memory_map.HEAP_HI + (1 << 46)  # nothing is mapped
    present_pages.ask_present(nowhere, N_PAGES)
    assert all(present_pages.is_present(number) for number in range(N_PAGES))
