"""Shadow of variadic arguments reaches what a va_list leads to, from the caller it is meant for."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.kernels.uninitialised import uninit_shadow, uninit_variadic
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import uninit_layout as ul
from tests.support.uninit_memory import begin_tracking, origin_at, shadow_of

LIST = memory_map.STACKS_LO + 4096
REGISTERS, STACK, PLACE = LIST + 512, LIST + 1024, LIST + 4096
SP = LIST - 512
CALLEE, OTHER = 0x1234, 0x5678
SEEN = 8192  # bytes of the area that the tests look at
VARIABLE = ul.STACK_BIT | 7


@pytest.fixture
def ctx(guest: Any) -> Any:
    """A list that leads to memory whose shadow is left from calls before; one unset variable."""
    begin_tracking()
    for lo, n_bytes in (
        (ul.VARIADIC, SEEN),
        (ul.VARIADIC_ORIGINS, SEEN),
        (ul.VARIADIC_FOR, ul.PASSED_END - ul.VARIADIC_FOR),
    ):
        arena.view_bytes(lo, n_bytes)[:] = 0xFF
    uninit_shadow.bits_poison(guest.ctx, LIST, 2048, VARIABLE)
    words = (ctypes.c_uint64 * 3).from_address(LIST)
    words[1], words[2] = STACK, REGISTERS
    uninit_shadow.bits_begin(guest.ctx, PLACE, 64, VARIABLE)
    return guest.ctx


def tell(offset: int, bits: int) -> None:
    """What the program's own code stores in front of a call."""
    arena.view_words(ul.VARIADIC + offset, 1)[0] = bits
    arena.view_words(ul.VARIADIC_ORIGINS + offset, 1)[0] = PLACE


def test_each_argument_gets_its_bits(ctx: Any) -> None:
    uninit_variadic.variadic_begin(ctx, CALLEE, 16)
    tell(8, 0xFFFF_FFFF)
    tell(176 + 8, 0xFF)
    uninit_variadic.variadic_take(ctx, LIST, CALLEE, SP)
    assert shadow_of(REGISTERS, 177) == bytes(8) + b"\xff" * 4 + bytes(164) + b"\xff"
    assert shadow_of(STACK, 17) == bytes(8) + b"\xff" + bytes(7) + b"\xff"
    assert origin_at(STACK + 8) not in (0, VARIABLE)  # a record: the call is a step


def test_a_structure_brings_the_bits_of_where_it_was_copied_from(ctx: Any) -> None:
    uninit_shadow.bits_clear(ctx, PLACE, 8)
    uninit_variadic.variadic_begin(ctx, CALLEE, 24)
    uninit_variadic.variadic_copy(ctx, 176, PLACE, 24)
    uninit_variadic.variadic_take(ctx, LIST, CALLEE, SP)
    assert shadow_of(STACK, 24) == bytes(8) + b"\xff" * 16
    assert shadow_of(REGISTERS, 176) == bytes(176)


def test_a_structure_beyond_the_end_counts_as_initialised(ctx: Any) -> None:
    uninit_variadic.variadic_begin(ctx, CALLEE, SEEN - 176)
    arena.view_words(ul.VARIADIC_BYTES + ul.VARIADIC - 8, 1)[0] = 0
    uninit_variadic.variadic_copy(ctx, ul.VARIADIC_BYTES - 8, PLACE, 24)
    assert not arena.view_bytes(ul.VARIADIC, SEEN).any()
    assert not arena.view_words(ul.VARIADIC_BYTES + ul.VARIADIC - 8, 1)[0]


def test_a_big_area_is_wiped_and_taken(ctx: Any) -> None:
    n_bytes = 1 << 20
    arena.view_bytes(ul.VARIADIC, n_bytes)[:] = 0xFF
    uninit_variadic.variadic_begin(ctx, CALLEE, n_bytes - 176)
    assert not arena.view_bytes(ul.VARIADIC, n_bytes).any()
    tell(n_bytes - 8, 0xFF)
    uninit_variadic.variadic_take(ctx, LIST, CALLEE, SP)
    assert shadow_of(STACK + n_bytes - 192, 17) == bytes(8) + b"\xff" + bytes(8)


@pytest.mark.parametrize("callee", [CALLEE, 0])
def test_what_is_meant_for_another_is_not_taken(ctx: Any, callee: int) -> None:
    uninit_variadic.variadic_begin(ctx, OTHER if callee else 0, 16)
    tell(8, 0xFF)
    uninit_variadic.variadic_take(ctx, LIST, callee, SP)
    assert shadow_of(REGISTERS, 177) == bytes(176) + b"\xff"
    assert shadow_of(STACK, 257) == bytes(256) + b"\xff"


def test_a_function_hands_its_arguments_on(ctx: Any) -> None:
    """From where they lie: the area may be another call's by then."""
    uninit_variadic.variadic_begin(ctx, CALLEE, 16)
    tell(8, 0xFF)
    tell(176 + 8, 0xFF)
    assert uninit_variadic.variadic_take(ctx, LIST, CALLEE, SP) == 16
    uninit_variadic.variadic_begin(ctx, OTHER, 8)
    uninit_variadic.variadic_forward(ctx, LIST, OTHER, 16)
    assert uninit_variadic.variadic_take(ctx, LIST, OTHER, SP) == 16
    assert shadow_of(REGISTERS, 16) == bytes(8) + b"\xff" + bytes(7)
    assert shadow_of(STACK, 16) == bytes(8) + b"\xff" + bytes(7)


def test_nothing_is_told_of_what_nobody_told(ctx: Any) -> None:
    told = uninit_variadic.variadic_take(ctx, LIST, 0, SP)
    uninit_variadic.variadic_forward(ctx, LIST, OTHER, told)
    assert (
        arena.view_words(ul.VARIADIC_FOR, 1)[0] == arena.view_words(ul.VARIADIC_SET_FOR, 1)[0] == 0
    )


def test_it_is_taken_once(ctx: Any) -> None:
    uninit_variadic.variadic_begin(ctx, CALLEE, 0)
    tell(8, 0xFF)
    uninit_variadic.variadic_take(ctx, LIST, CALLEE, SP)
    uninit_variadic.variadic_take(ctx, LIST, CALLEE, SP)
    assert shadow_of(REGISTERS, 176) == bytes(176)


def test_a_caller_without_unset_arguments_tells_where_they_end(ctx: Any) -> None:
    arena.view_words(ul.VARIADIC_SET_FOR, 1)[0] = CALLEE
    arena.view_words(ul.VARIADIC_ON_STACK, 1)[0] = 8
    uninit_variadic.variadic_take(ctx, LIST, CALLEE, SP)
    assert shadow_of(REGISTERS, 176) == bytes(176)
    assert shadow_of(STACK, 16) == bytes(8) + b"\xff" * 8
