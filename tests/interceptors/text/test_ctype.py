"""Tables of ctype.h: clean from the first time on that they are asked for, and nothing beside."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.interceptors.text import ctype
from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import addr_to_shadow

ASK = 0xFE
SHADOW_BYTES = 1 << 16


@pytest.fixture
def table(guest: Any) -> Any:
    """A place, and what it points to: the first of 384 entries of 32 bits; foreign memory."""
    guest.ctx["sanitize_address"] = 1
    memory = ctypes.create_string_buffer(4096)
    begin = -(-ctypes.addressof(memory) // 64) * 64
    page = addr_to_shadow(begin) // SHADOW_BYTES * SHADOW_BYTES
    arena.protect(page, 2 * SHADOW_BYTES, 3)
    ctypes.memset(page, ASK, 2 * SHADOW_BYTES)
    place, first = begin, begin + 128 + ctype.BEFORE_ZERO * 4
    ctypes.c_uint64.from_address(place).value = first
    yield place, first, memory
    arena.protect(page, 2 * SHADOW_BYTES, 0)


def shadow_of(addr: int) -> int:
    return ctypes.c_uint8.from_address(addr_to_shadow(addr)).value


def test_a_table_and_its_place_are_clean(guest: Any, table: Any) -> None:
    place, first, _ = table
    ctype.table_located(guest.ctx, place, 4)
    lo, hi = first - 128 * 4, first + 256 * 4
    assert shadow_of(place) == shadow_of(lo) == shadow_of(first) == shadow_of(hi - 8) == 0
    assert shadow_of(place + 8) == shadow_of(lo - 8) == shadow_of(hi) == ASK


def test_a_table_that_begins_inside_a_granule_is_clean_from_the_next_one_on(
    guest: Any, table: Any
) -> None:
    place, first, _ = table
    ctypes.c_uint64.from_address(place).value = first + 4
    ctype.table_located(guest.ctx, place, 4)
    lo, hi = first + 4 - 128 * 4, first + 4 + 256 * 4
    assert shadow_of(lo + 4) == shadow_of(hi - 12) == 0
    assert shadow_of(lo) == shadow_of(hi - 4) == ASK


@pytest.mark.parametrize("switch", ["no address checks", "nothing is asked"])
def test_without_questions_nothing_is_written(guest: Any, table: Any, switch: str) -> None:
    ctx = guest.ctx
    ctx["sanitize_address"] = int(switch != "no address checks")
    ctx["foreign"]["is_unasked"] = int(switch == "nothing is asked")
    ctype.table_located(ctx, table[0], 4)
    assert shadow_of(table[1]) == ASK


def test_a_table_of_the_programs_own_is_left_alone(guest: Any, table: Any) -> None:
    place = table[0]
    own = memory_map.GLOBALS_LO + 4096
    ctypes.memset(addr_to_shadow(own - 512), 0xF9, 512)
    ctypes.c_uint64.from_address(place).value = own
    ctype.table_located(guest.ctx, place, 4)
    assert shadow_of(own) == 0xF9
    assert shadow_of(place) == ASK
