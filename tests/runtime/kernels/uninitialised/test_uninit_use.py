"""Findings, and what excuses a value: natively compiled code has written where it came from."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.uninitialised import uninit_shadow, uninit_use
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.layout.faults import FaultKind
from tests.support.uninit_memory import begin_tracking, origin_at, shadow_of

PLACE = memory_map.STACKS_LO + 4096
OTHER = PLACE + 256
SP = PLACE - 512  # of code whose variables these are
VARIABLE = ul.STACK_BIT | 7


@pytest.fixture
def ctx(guest: Any) -> Any:
    begin_tracking()
    uninit_shadow.bits_begin(guest.ctx, PLACE, 16, VARIABLE)
    return guest.ctx


def is_told(ctx: Any) -> bool:
    return int(ctx["action"]) == actions.REPORT and int(ctx["fault"][0]) == FaultKind.UNINITIALISED


def write_natively(addr: int, raw: bytes) -> None:
    ctypes.memmove(addr, raw, len(raw))


def test_a_use_is_told_with_its_origin(ctx: Any) -> None:
    uninit_use.uninit_use(ctx, PLACE + 4, 4, SP)
    assert is_told(ctx)
    assert (int(ctx["fault"][1]), int(ctx["fault"][6])) == (PLACE + 4, VARIABLE)


def test_the_first_unset_byte_is_blamed(ctx: Any) -> None:
    uninit_shadow.bits_clear(ctx, PLACE, 6)
    uninit_use.uninit_use(ctx, PLACE, 8, SP)
    assert int(ctx["fault"][7]) == PLACE + 6


def test_what_native_code_has_written_is_no_finding(ctx: Any) -> None:
    write_natively(PLACE + 4, b"\x01\x00\x00\x00")
    uninit_use.uninit_use(ctx, PLACE + 4, 4, SP)
    assert not is_told(ctx)
    assert shadow_of(PLACE, 16) == bytes(16)
    uninit_use.uninit_use(ctx, PLACE + 4, 4, SP)  # the same value once more
    assert not is_told(ctx)


def test_what_native_code_has_written_counts_for_bytes_that_share_an_origin(ctx: Any) -> None:
    write_natively(PLACE, b"\x04\x3a\x36\x00")
    uninit_shadow.bits_clear(ctx, PLACE + 1, 1)
    uninit_use.shown_bits(ctx, PLACE, 1, SP)
    assert shadow_of(PLACE, 5) == bytes(4) + b"\xff"
    uninit_use.uninit_use(ctx, PLACE + 2, 2, SP)
    assert not is_told(ctx)
    uninit_use.uninit_use(ctx, PLACE + 8, 4, SP)
    assert is_told(ctx)


def test_a_variable_of_a_call_that_has_returned_excuses_nothing(ctx: Any) -> None:
    write_natively(PLACE + 4, b"\x01\x00\x00\x00")
    uninit_use.uninit_use(ctx, PLACE + 4, 4, PLACE + 64)
    assert is_told(ctx)
    assert int(ctx["fault"][6]) == VARIABLE


def test_a_place_that_was_overwritten_excuses_nothing(ctx: Any) -> None:
    uninit_shadow.bits_clear(ctx, PLACE, 4)
    uninit_use.uninit_use(ctx, PLACE, 4, SP)
    assert is_told(ctx)


def test_a_value_of_no_known_place_is_told(ctx: Any) -> None:
    uninit_use.uninit_use(ctx, 0, 4, SP)
    assert is_told(ctx)
    assert int(ctx["fault"][6]) == 0


def test_nothing_is_told_when_reports_are_off(ctx: Any) -> None:
    (ctypes.c_uint64).from_address(ul.REPORTS).value = 0
    uninit_use.uninit_use(ctx, PLACE, 4, SP)
    assert not is_told(ctx)


def store(ctx: Any, raw: bytes, shadow: bytes) -> None:
    write_natively(OTHER, raw)
    write_natively(OTHER + ul.SHADOW_BIAS, shadow)
    uninit_use.uninit_stored(ctx, PLACE, 4, OTHER, len(raw), SP)


def test_computed_values_stay_told_whatever_they_hold(ctx: Any) -> None:
    store(ctx, b"\x01\x02\x03\x04", b"\xff" * 4)
    assert origin_at(OTHER) not in (0, VARIABLE)
    uninit_use.uninit_use(ctx, OTHER, 4, SP)
    assert is_told(ctx)


def test_bytes_moved_unchanged_are_excused_by_a_native_write(ctx: Any) -> None:
    store(ctx, bytes([ul.FILL_BYTE]) * 4, b"\xff" * 4)
    write_natively(OTHER + 1, b"\x00")
    uninit_use.uninit_use(ctx, OTHER, 4, SP)
    assert not is_told(ctx)


def test_a_stored_value_that_native_code_has_set_is_clean(ctx: Any) -> None:
    write_natively(PLACE, b"abcd")
    store(ctx, b"abcd", b"\xff" * 4)
    assert shadow_of(OTHER, 4) == bytes(4)


def test_ranges_of_library_functions(ctx: Any) -> None:
    uninit_shadow.bits_clear(ctx, PLACE, 5)
    assert uninit_use.uninit_read(ctx, PLACE, 5)
    assert not uninit_use.uninit_read(ctx, PLACE, 8)
    assert [int(word) for word in ctx["fault"][8:11]] == [PLACE, 8, 5]


def test_only_some_routines_use_what_they_read(ctx: Any) -> None:
    ctx["routine"] = 9
    uninit_use.routine_bits(ctx, PLACE, 8, False)
    assert not is_told(ctx)
    (ctypes.c_uint8).from_address(ul.CHECKED_ROUTINES + 9).value = 1
    uninit_use.routine_bits(ctx, PLACE, 8, False)
    assert is_told(ctx)


def test_what_routines_write_is_initialised(ctx: Any) -> None:
    uninit_use.routine_bits(ctx, PLACE, 8, True)
    assert shadow_of(PLACE, 9) == bytes(8) + b"\xff"
