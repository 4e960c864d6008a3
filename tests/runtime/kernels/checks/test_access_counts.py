"""Counts of accesses against a plain Counter, collisions and a full table included."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.diagnosis.access_counts import counted_addresses
from irsan.runtime.kernels.checks import access_counts
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import count_records as cr

MASK = (1 << 64) - 1
GOLDEN = 0x9E37_79B9_7F4A_7C15
INVERSE = pow(GOLDEN, -1, 1 << 64)


def clashing(number: int) -> int:
    """An address whose hash is that of the table's last entry, another one for each number."""
    wanted = (cr.N_ENTRIES - 1) << (64 - cr.ENTRY_BITS)
    return ((wanted + number) * INVERSE) & MASK


ADDRESSES = st.one_of(
    st.integers(1, 40), st.integers(1, MASK), st.builds(clashing, st.integers(0, 30))
)


def start(ctx: Any) -> Any:
    arena.discard(cr.TABLE, cr.N_ENTRIES * cr.ENTRY_WORDS * 8)
    ctx["counts"] = 0
    return ctx


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture],
          max_examples=25)  # fmt: skip
@given(accesses=st.lists(st.tuples(ADDRESSES, st.integers(1, 9)), max_size=200))
def test_counts_and_first_sites_are_those_of_a_counter(guest: Any, accesses: Any) -> None:
    ctx = start(guest.ctx)
    first: dict[int, int] = {}
    for addr, site in accesses:
        access_counts.count_access(ctx, addr, site)
        first.setdefault(addr, site)
    twin = Counter(addr for addr, _ in accesses)
    found = {addr: (count, site) for addr, count, site in counted_addresses(ctx)}
    assert found == {addr: (count, first[addr]) for addr, count in twin.items()}
    assert int(ctx["counts"]["n_addresses"]) == len(twin)
    assert int(ctx["counts"]["n_lost"]) == 0


def test_the_table_wraps_around(guest: Any) -> None:
    ctx = start(guest.ctx)
    for number in range(5):
        access_counts.count_access(ctx, clashing(number), 1)
    first_words = arena.view_words(cr.TABLE, 4 * cr.ENTRY_WORDS)[:: cr.ENTRY_WORDS].tolist()
    assert first_words == [clashing(number) for number in (1, 2, 3, 4)]


def test_a_full_table_counts_the_rest_together(guest: Any) -> None:
    ctx = start(guest.ctx)
    access_counts.count_access(ctx, 8, 1)
    ctx["counts"]["n_addresses"] = cr.MAX_ADDRESSES
    access_counts.count_access(ctx, 16, 1)
    access_counts.count_access(ctx, 8, 1)
    assert int(ctx["counts"]["n_lost"]) == 1
    assert counted_addresses(ctx) == [(8, 2, 1)]


@pytest.mark.usefixtures("guest")
def test_the_table_has_its_place_in_the_map() -> None:
    end = cr.TABLE + cr.N_ENTRIES * cr.ENTRY_WORDS * 8
    assert end - cr.TABLE <= memory_map.room("access counts")
