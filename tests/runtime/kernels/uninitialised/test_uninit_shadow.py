"""Ranges of shadow against a dictionary of bytes: begun, cleared, copied, in any order."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.diagnosis.diagnose_uninitialised import origin_chain
from irsan.runtime.kernels.uninitialised import uninit_origins, uninit_shadow
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import uninit_layout as ul
from tests.support.uninit_memory import begin_tracking, origin_at, shadow_of

BASE = memory_map.STACKS_LO + 4096
N_BYTES = 96
FIRST, SECOND = ul.STACK_BIT | 3, ul.STACK_BIT | 4

RANGE = st.tuples(st.integers(0, N_BYTES - 1), st.integers(0, 40)).map(
    lambda pair: (pair[0], min(pair[1], N_BYTES - pair[0]))
)
STEPS = st.lists(
    st.tuples(st.sampled_from(("begin", "clear", "copy")), RANGE, st.integers(0, N_BYTES)),
    max_size=12,
)


@pytest.fixture
def ctx(guest: Any) -> Any:
    begin_tracking()
    return guest.ctx


def run_steps(ctx: Any, steps: list[Any]) -> list[int]:
    """Do the steps; returns the shadow that a list of bytes would have."""
    uninit_shadow.bits_clear(ctx, BASE, N_BYTES)
    naive = [0] * N_BYTES
    for word, (lo, size), other in steps:
        if word == "begin":
            uninit_shadow.bits_begin(ctx, BASE + lo, size, FIRST)
            naive[lo : lo + size] = [0xFF] * size
        elif word == "clear":
            uninit_shadow.bits_clear(ctx, BASE + lo, size)
            naive[lo : lo + size] = [0] * size
        else:
            source = min(other, N_BYTES - size)
            uninit_origins.bits_copy(ctx, BASE + lo, BASE + source, size)
            naive[lo : lo + size] = naive[source : source + size]
    return naive


@given(steps=STEPS)
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_shadow_is_that_of_single_bytes(ctx: Any, steps: list[Any]) -> None:
    naive = run_steps(ctx, steps)
    assert list(shadow_of(BASE, N_BYTES)) == naive
    first = next((i for i, bits in enumerate(naive) if bits), N_BYTES)
    assert uninit_shadow.first_bits(BASE, N_BYTES) == first


def test_memory_that_begins_is_filled(ctx: Any) -> None:
    uninit_shadow.bits_begin(ctx, BASE + 1, 6, FIRST)
    assert ctypes.string_at(BASE + 1, 6) == bytes([ul.FILL_BYTE]) * 6
    assert origin_at(BASE) == origin_at(BASE + 4) == FIRST
    assert origin_at(BASE + 8) == 0


def test_origins_follow_copies(ctx: Any) -> None:
    uninit_shadow.bits_begin(ctx, BASE, 8, FIRST)
    uninit_shadow.bits_begin(ctx, BASE + 8, 8, SECOND)
    uninit_origins.bits_copy(ctx, BASE + 34, BASE + 4, 8)
    chains = [list(origin_chain(origin_at(at))) for at in (BASE + 34, BASE + 40)]
    assert [[kind for kind, _, _ in chain] for chain in chains] == [[ul.MOVED, 0]] * 2
    assert [chain[-1][2] for chain in chains] == [FIRST, SECOND]


def test_foreign_memory_has_no_shadow(ctx: Any) -> None:
    foreign = 0x7F00_0000_0000
    uninit_shadow.bits_clear(ctx, foreign, 16)
    uninit_shadow.bits_begin(ctx, BASE, 8, FIRST)
    uninit_origins.bits_copy(ctx, BASE, foreign, 8)
    assert shadow_of(BASE, 8) == bytes(8)


def test_a_big_range_is_cleared_to_its_ends(ctx: Any) -> None:
    size = 3 << 17
    uninit_shadow.bits_poison(ctx, BASE, size + 200, FIRST)
    uninit_shadow.bits_clear(ctx, BASE + 100, size)
    assert shadow_of(BASE, 101) == b"\xff" * 100 + b"\0"
    assert shadow_of(BASE + 100 + size - 1, 101) == b"\0" + b"\xff" * 100


def test_variables_may_begin_as_zero(ctx: Any) -> None:
    (ctypes.c_uint64).from_address(ul.POISONS_STACK).value = 0
    uninit_shadow.stack_begin(ctx, BASE, 8, FIRST)
    assert (ctypes.string_at(BASE, 8), shadow_of(BASE, 8)) == (bytes(8), bytes(8))
