"""Alternate stacks: each thread has its own, also in a slot that another has had before."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.threads.alternate_stacks import (
    ROW_BYTES,
    alternate_stack_place,
    alternate_stack_set,
    has_alternate_stack,
)
from irsan.runtime.layout import memory_map
from irsan.runtime.records.threads.signal_records import ALTERNATE_STACKS

# What happens: (slot, "set" | "unset" | "reused"), the last of which makes a new thread there.
STEPS = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["set", "unset", "reused"])))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_only_who_set_a_stack_has_one(new_guest: Any, steps: list[tuple[int, str]]) -> None:
    guest = new_guest()
    threads = {0: guest.main, **{slot: guest.new_thread(slot) for slot in range(1, 6)}}
    owners: set[int] = set()
    next_tid = 6
    for slot, what in steps:
        guest.switch_to(threads[slot])
        if what == "reused":
            threads[slot]["tid"] = next_tid
            next_tid += 1
        else:
            alternate_stack_set(guest.ctx, what == "set")
            owners -= {int(threads[slot]["tid"])}
            owners |= {int(threads[slot]["tid"])} if what == "set" else set()
        for one in threads.values():
            guest.switch_to(one)
            assert has_alternate_stack(guest.ctx) == (int(one["tid"]) in owners)


def test_the_rows_of_slots_lie_side_by_side_within_their_table(guest: Any) -> None:
    last = memory_map.MAX_LIVE_THREADS - 1
    for slot in (0, 1, last):
        guest.switch_to(guest.new_thread(slot))
        place = alternate_stack_place(guest.ctx)
        assert place == ALTERNATE_STACKS + slot * ROW_BYTES
        arena.view_bytes(place, ROW_BYTES)[:] = 0
    assert ROW_BYTES <= 64, "what the table has room for"
