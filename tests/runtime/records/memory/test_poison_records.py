"""Who has poisoned an address: the last calls, against a plain list of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.public_interface.sanitizer_interface import note_poisoning
from irsan.runtime.records.memory.poison_records import Poisoning, last_poisoning

Range = tuple[int, int]
RANGES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), max_size=30)


@given(calls=RANGES, n_kept=st.integers(1, 9), addr=st.integers(0, 52))
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # it makes a guest per example
)
def test_the_newest_kept_call_is_found(
    new_guest: Callable[[], Any], calls: list[Range], n_kept: int, addr: int
) -> None:
    guest = new_guest()
    guest.ctx["interface"]["n_poisonings_kept"] = n_kept
    for lo, n_bytes in calls:
        note_poisoning(guest.ctx, lo, lo + n_bytes)
    kept = [(lo, lo + n_bytes) for lo, n_bytes in calls[-n_kept:]]
    wanted = next(((lo, hi) for lo, hi in reversed(kept) if lo <= addr < hi), None)
    found = last_poisoning(guest.ctx, addr)
    assert (found and (found.lo, found.hi)) == wanted


def test_each_call_knows_its_thread_and_stack(guest: Any) -> None:
    guest.ctx["interface"]["n_poisonings_kept"] = 4
    guest.ctx["site"] = 77
    note_poisoning(guest.ctx, 100, 108)
    guest.ctx["site"] = 78
    guest.switch_to(guest.new_thread(5))
    note_poisoning(guest.ctx, 200, 208)
    first, second = last_poisoning(guest.ctx, 100), last_poisoning(guest.ctx, 207)
    assert isinstance(first, Poisoning) and isinstance(second, Poisoning)
    assert (first.tid, second.tid) == (0, 5)
    assert first.stack_id != second.stack_id


@pytest.mark.usefixtures("guest")
def test_nothing_is_kept_unless_asked_for(guest: Any) -> None:
    assert last_poisoning(guest.ctx, 100) is None
