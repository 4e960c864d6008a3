"""Counts of shares and stamps of contents against a model of records."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race.cells import race_records, record_sharing
from irsan.runtime.kernels.race.clocks import race_words as words

VERBS = st.sampled_from(["new", "add", "drop", "own", "stamp", "change"])
RELAXED = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def content(index: int) -> bytes:
    """The entries of a record."""
    rec = int(race_records.record_to_address(index))
    n = int.from_bytes(ctypes.string_at(rec, 2), "little")
    return ctypes.string_at(rec + 4, 12 * n)


def new_filled(ctx: Any, number: int) -> int:
    """A record with entries that no other one has."""
    index = int(race_records.new_record(ctx, 0))
    for entry in range(3):
        race_records.append_entry(race_records.record_to_address(index), number, entry, 0)
    return index


@RELAXED
@given(st.lists(st.tuples(VERBS, st.integers(0, 5)), max_size=60))
def test_agrees_with_a_list_of_holders(
    new_guest: Callable[[], Any], steps: list[tuple[str, int]]
) -> None:
    ctx = new_guest().ctx
    holders: list[int] = []  # one item per cell: the index that it holds
    contents: dict[int, bytes] = {}
    stamps: dict[int, int] = {}
    stamps_ever: set[int] = set()
    for number, (verb, choice) in enumerate(steps, 1):
        if verb == "new" or not holders:
            holders.append(new_filled(ctx, number))
            contents[holders[-1]] = content(holders[-1])
            continue
        place = choice % len(holders)
        index = holders[place]
        if verb == "add":
            assert record_sharing.add_share(index)
            holders.append(index)
        elif verb == "drop":
            del holders[place]
            record_sharing.drop_share(ctx, index)
        elif verb == "own":
            own = int(record_sharing.own_record(ctx, index))
            assert (own == index) == (holders.count(index) == 1)
            holders[place] = own
            contents[own] = contents[index]
        elif verb == "change":
            assert record_sharing.may_change(index) == (holders.count(index) == 1)
        else:
            fresh = index not in stamps
            stamp = int(record_sharing.stamp_record(ctx, index))
            assert stamps.setdefault(index, stamp) == stamp
            assert not fresh or stamp not in stamps_ever
            stamps_ever.add(stamp)
        if verb in ("change", "own") and holders.count(index) <= 1 and index == holders[place]:
            stamps.pop(index, None)
        stamps = {one: stamp for one, stamp in stamps.items() if one in holders}
        for one in set(holders):
            assert content(one) == contents[one]
            assert record_sharing.is_shared(one) == (holders.count(one) > 1)
            assert record_sharing.record_stamp(one) == stamps.get(one, 0)


def test_a_record_with_all_the_cells_that_can_be_counted_takes_no_more(guest: Any) -> None:
    index = new_filled(guest.ctx, 1)
    record_sharing.set_sharing(index, words.STACK_MASK)
    assert not record_sharing.add_share(index)
    record_sharing.drop_share(guest.ctx, index)
    assert record_sharing.add_share(index)


def test_without_memory_there_is_no_copy(guest: Any) -> None:
    index = new_filled(guest.ctx, 1)
    assert record_sharing.add_share(index)
    bump = guest.ctx["race"]["record_bump"]
    guest.ctx["race"]["record_bump"] = words.STACK_MASK
    assert record_sharing.own_record(guest.ctx, index) == 0
    assert record_sharing.is_shared(index)
    guest.ctx["race"]["record_bump"] = bump
