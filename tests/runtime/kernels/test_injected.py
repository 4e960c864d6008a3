"""Which calls fail: the kernels against their naive twin, and rules that hold whatever is drawn."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.engine.guest.injected_failures import RATES, begin_injection, draws_of
from irsan.runtime.kernels import injected
from irsan.runtime.layout.inject_words import EINTR, INJECTED_KINDS, IO, MALLOC
from tests.conftest import fresh_guest
from tests.oracles.injected import NaiveAllocations, NaiveInterruptions, NaiveKind

SEEDS = st.integers(0, 2**64 - 1)
ERRNO = ctypes.c_int()


def begun(seed: int, *words: str) -> Any:
    """The Context of a fresh guest into which these failures are injected."""
    ctx = fresh_guest().ctx
    ctx["c_library"]["errno_addr"] = ctypes.addressof(ERRNO)
    begin_injection(ctx, seed, words)
    return ctx


def twin_of(seed: int, kind: int) -> NaiveKind:
    state, rate = draws_of(seed, kind)
    rates = RATES[INJECTED_KINDS[kind]]
    return NaiveKind(state, rates[rate % len(rates)])


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, only=st.integers(0, 40), n=st.integers(1, 60))
def test_allocations_fail_as_the_twin_says(seed: int, only: int, n: int) -> None:
    ctx = begun(seed, f"malloc={only}" if only else "malloc")
    twin = NaiveAllocations(twin_of(seed, MALLOC), only)
    for size_bytes in range(n):
        fails = injected.allocation_fails(ctx, size_bytes)
        assert fails == twin.fails()
        if fails:
            record = ctx["inject"]
            assert (record["newest"], record["asked"], record["given"]) == (
                MALLOC + 1, size_bytes, size_bytes + 1,
            )  # fmt: skip
            assert record["at_call"] == record["n_calls"]


@settings(max_examples=60, deadline=None)
@given(
    seed=SEEDS,
    calls=st.lists(st.tuples(st.integers(1, 90), st.integers(0, 3)), min_size=1, max_size=200),
)
def test_interruptions_are_as_the_twin_says_and_never_twice_in_a_row(
    seed: int, calls: list[tuple[int, int]]
) -> None:
    ctx = begun(seed, "eintr")
    twin = NaiveInterruptions(twin_of(seed, EINTR))
    last: dict[tuple[int, int], bool] = {}
    guest_thread = fresh_guest_thread(ctx)
    for site, tid in calls:
        ctx["site"], guest_thread["tid"] = site, tid
        fails = injected.draw_interruption(ctx)
        assert fails == twin.fails(site, tid)
        assert not (fails and last.get((site, tid)))
        last[site, tid] = fails


def fresh_guest_thread(ctx: Any) -> Any:
    """The record of the running thread."""
    from irsan.runtime import arena
    from irsan.runtime.records.context import THREAD_DTYPE

    return arena.view_record(int(ctx["thread"]), THREAD_DTYPE)


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, sizes=st.lists(st.integers(0, 1 << 40), min_size=1, max_size=40))
def test_a_transfer_is_shorter_but_never_nothing(seed: int, sizes: list[int]) -> None:
    """A pipe that is read: each transfer is whole, or 1 to n - 1 bytes."""
    reading, writing = os.pipe()
    try:
        ctx = begun(seed, "io")
        twin = twin_of(seed, IO)
        for n_bytes in sizes:
            given = injected.bytes_to_read(ctx, reading, n_bytes)
            expected = n_bytes
            if n_bytes >= 2 and twin.fails():
                expected = 1 + twin.below(min(n_bytes, (1 << 31) - 1) - 1)
                assert 0 < expected < n_bytes
            assert given == expected
    finally:
        os.close(reading)
        os.close(writing)


def test_what_is_not_asked_for_never_fails() -> None:
    ctx = begun(7)
    assert not any(injected.allocation_fails(ctx, 8) for _ in range(2000))
    assert not any(injected.weak_fails(ctx) or injected.wakes_spuriously(ctx) for _ in range(2000))
    assert int(ctx["inject"]["n_calls"]) == 0
