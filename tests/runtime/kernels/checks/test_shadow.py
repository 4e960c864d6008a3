"""Shadow kernels against the naive twin: any sequence of poisoning, any check, byte by byte."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks import access, shadow
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.shadow_bytes import INTERNAL
from tests.oracles.shadow import NaiveShadow

BASE = memory_map.STACKS_LO + 4096
N_GRANULES = 40
N_BYTES = N_GRANULES * 8
CHECKS = {
    1: access.asan_ok1,
    2: access.asan_ok2,
    4: access.asan_ok4,
    8: access.asan_ok8,
    16: access.asan_ok16,
}

WHOLE = {
    1: access.asan_whole1,
    2: access.asan_whole2,
    4: access.asan_whole4,
    8: access.asan_ok8,
    16: access.asan_ok16,
}

ANYWHERE = {
    16: access.asan_ok16_anywhere,
    32: access.asan_ok32_anywhere,
    64: access.asan_ok64_anywhere,
}

RANGES = st.tuples(st.integers(0, N_BYTES - 1), st.integers(0, 64)).map(
    lambda pair: (pair[0], min(pair[1], N_BYTES - pair[0]))
)
STEPS = st.lists(st.tuples(st.sampled_from(["poison", "unpoison"]), RANGES), max_size=20)


@pytest.fixture
def ctx(guest: Any) -> Any:
    shadow.shadow_init(guest.ctx)
    return guest.ctx


def shadow_bytes() -> bytes:
    return ctypes.string_at(shadow.addr_to_shadow(BASE), N_GRANULES)


def run_steps(ctx: Any, steps: list[Any]) -> NaiveShadow:
    naive = NaiveShadow(N_GRANULES)
    shadow.fill_shadow(ctx, BASE, N_BYTES, 0)
    for word, (lo, size) in steps:
        if word == "poison":
            shadow.poison_range(ctx, BASE + lo, size, 0xF7)
            naive.poison(lo, size, 0xF7)
        else:
            shadow.unpoison_range(ctx, BASE + lo, size)
            naive.unpoison(lo, size)
        assert shadow_bytes() == naive.encoded()
    return naive


@settings(max_examples=150, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(steps=STEPS, asked=RANGES)
def test_shadow_is_what_the_naive_twin_says(ctx: Any, steps: list[Any], asked: Any) -> None:
    naive = run_steps(ctx, steps)
    lo, size = asked
    dead = naive.first_dead(lo, size)
    assert shadow.first_poisoned(ctx, BASE + lo, size) == (0 if dead is None else BASE + dead)
    for byte in range(0, N_BYTES, 7):
        assert shadow.is_poisoned(BASE + byte) == (not naive.is_live(byte))


@settings(max_examples=150, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(steps=STEPS, lo=st.integers(0, N_BYTES - 16))
def test_checks_are_exact(ctx: Any, steps: list[Any], lo: int) -> None:
    naive = run_steps(ctx, steps)
    for size, fast in CHECKS.items():
        dead = naive.first_dead(lo, size)
        if fast(ctx, BASE + lo):
            assert dead is None
        elif lo % min(size, 8) == 0:
            assert dead is not None
        ctx["action"] = actions.NONE
        assert access.asan_access_slow(ctx, BASE + lo, size, 1) == (dead is None)
        if dead is None:
            assert ctx["action"] == actions.NONE
            continue
        assert ctx["action"] == actions.REPORT
        kind, addr, n_bytes, flags = (int(word) for word in ctx["fault"][:4])
        assert (kind, addr, n_bytes, flags) == (FaultKind.BAD_ACCESS, BASE + lo, size, 1)
        assert int(ctx["fault"][6]) == BASE + dead


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 24, 1000, 5000])
def test_an_object_is_addressable_to_the_byte(ctx: Any, size: int) -> None:
    total = (size + 63) // 32 * 32
    shadow.fill_shadow(ctx, BASE - 64, total + 128, 0xF1)
    shadow.fill_object(ctx, BASE, size, total, shadow.GLOBAL_REDZONE)
    assert shadow.first_poisoned(ctx, BASE, size + 1) == BASE + size
    end = (BASE + size + 7) // 8 * 8
    redzone = ctypes.string_at(shadow.addr_to_shadow(end), (BASE + total - end) // 8)
    assert set(redzone) <= {0xF9}
    assert ctypes.string_at(shadow.addr_to_shadow(BASE + total), 1) == b"\xf1"


@pytest.mark.parametrize("n_bytes", [*range(40), 127, 128, 129, 1000])
@pytest.mark.usefixtures("guest")
def test_set_bytes_writes_exactly_its_bytes(n_bytes: int) -> None:
    shadow.set_bytes(BASE, n_bytes + 20, 0x11)
    shadow.set_bytes(BASE + 5, n_bytes, 0xAB)
    expected = b"\x11" * 5 + b"\xab" * n_bytes + b"\x11" * 15
    assert ctypes.string_at(BASE, n_bytes + 20) == expected


@pytest.mark.usefixtures("guest")
@pytest.mark.parametrize("offset, n_bytes", [(3, 65_536), (4096, 65_536), (77, 300_001)])
def test_long_runs_are_cleared_exactly(offset: int, n_bytes: int) -> None:
    lo = shadow.addr_to_shadow(BASE)
    ctypes.memset(lo, 0xFA, offset + n_bytes + 50)
    shadow.clear_bytes(lo + offset, n_bytes)
    after = ctypes.string_at(lo, offset + n_bytes + 50)
    assert after == b"\xfa" * offset + bytes(n_bytes) + b"\xfa" * 50


def test_irsans_own_record_must_not_be_touched(ctx: Any) -> None:
    assert not access.asan_access_slow(ctx, memory_map.CONTEXT_ADDR + 8, 8, 1)
    assert int(ctx["fault"][0]) == FaultKind.WILD_ACCESS


def test_a_range_that_runs_into_a_gap_is_wild_from_there_on(ctx: Any) -> None:
    shadow.fill_shadow(ctx, BASE + 64, 64, INTERNAL)
    assert access.asan_access_slow(ctx, BASE, 64, 0)
    assert not access.asan_access_slow(ctx, BASE + 60, 100, 0)
    fault = [int(word) for word in ctx["fault"]]
    assert fault[:3] == [FaultKind.WILD_ACCESS, BASE + 64, 96]


@pytest.mark.parametrize("addr", [0, 8, 4095, 0xDEADBEEF0000, 1 << 63, (1 << 64) - 8])
def test_addresses_of_nobody_are_wild(ctx: Any, addr: int) -> None:
    for size in CHECKS:
        assert not access.asan_access_slow(ctx, addr, size, 0)
        assert int(ctx["fault"][0]) == FaultKind.WILD_ACCESS


def test_heap_never_taken_is_wild(ctx: Any) -> None:
    assert not access.asan_access_slow(ctx, memory_map.HEAP_LO, 1, 0)
    assert int(ctx["fault"][0]) == FaultKind.WILD_ACCESS


@settings(max_examples=150, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(steps=STEPS, at=st.integers(0, N_BYTES - 72))
def test_a_quick_yes_is_a_yes(ctx: Any, steps: list[Any], at: int) -> None:
    run_steps(ctx, steps)
    for size, whole in WHOLE.items():
        is_fine = shadow.first_poisoned(ctx, BASE + at, size) == 0
        is_clear = shadow.first_poisoned(ctx, BASE + (at & ~7), 8 if size < 16 else 16) == 0
        is_aligned = at % min(size, 8) == 0
        assert bool(whole(ctx, BASE + at)) is (is_aligned and is_clear)
        assert not whole(ctx, BASE + at) or is_fine
        if size <= 8 and access.asan_ok_anywhere(ctx, BASE + at):
            assert is_fine
    for size, anywhere in ANYWHERE.items():
        granules = range(at & ~7, at + size, 8)
        are_clear = [shadow.first_poisoned(ctx, BASE + one, 8) == 0 for one in granules]
        assert bool(anywhere(ctx, BASE + at)) is all(are_clear)


def test_a_heap_that_grows_opens_its_shadow_and_clears_it_where_nobody_fills_it(ctx: Any) -> None:
    lo, n_bytes = memory_map.HEAP_LO + (1 << 20), 1 << 15
    first = int(shadow.addr_to_shadow(lo))
    for is_poisoning, left in ((1, INTERNAL), (0, 0)):
        ctx["heap"]["is_poisoning"] = is_poisoning
        ctypes.memset(first, INTERNAL, n_bytes >> 3)
        arena.protect(first, n_bytes >> 3, 0)
        ctx["sanitize_address"] = 1
        shadow.open_heap_shadow(ctx, lo, n_bytes)
        assert set(ctypes.string_at(first, n_bytes >> 3)) == {left}
