"""Accesses of the turns ahead: what is recorded and found is what one by one gives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.race import race_strips
from irsan.runtime.kernels.race.cells import same_epoch
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.options import RACE_DETECTOR
from tests.support.cell_history import begin_epoch, exact_access, fork_threads

AHEAD = memory_map.HEAP_LO + (1 << 20)
ALONE = memory_map.HEAP_LO + (2 << 20)
ROOM = 64
N_THREADS = 3

LOOPS = st.tuples(
    st.just("loop"), st.integers(0, N_THREADS - 1), st.integers(0, 20),
    st.sampled_from((1, 2, 4, 8, 12, -4, 0)), st.integers(1, 4), st.sampled_from((1, 2, 4, 8)),
    st.integers(0, 1),
)  # fmt: skip
MEETINGS = st.tuples(st.just("meet"), st.integers(0, N_THREADS - 1))
EVENTS = st.lists(st.one_of(LOOPS, LOOPS, MEETINGS), max_size=14)


@pytest.fixture
def threads(guest: Any) -> Any:
    """A guest with three threads, and the records of all."""
    return guest, fork_threads(guest, N_THREADS)


def one_by_one(ctx: Any, addr: int, stride: int, count: int, size: int, kind: int) -> list[int]:
    """Turns whose access races, as the program asks about it."""
    is_known = getattr(same_epoch, f"race_{'write' if kind else 'read'}{size}_fast")
    found = []
    for turn in range(count):
        if is_known(ctx, addr + turn * stride):
            continue
        if exact_access(ctx, addr + turn * stride, size, bool(kind)):
            found.append(turn)
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(EVENTS)
@example([
    *[("loop", 0, 0, 1, 1, 1, 0)] * 5, ("loop", 0, 0, 1, 1, 1, 1), ("loop", 0, 16, 1, 1, 2, 1),
    ("loop", 2, 0, -4, 1, 4, 0), ("loop", 2, 16, 1, 2, 4, 0),
])  # fmt: skip
def test_races_are_found_at_the_same_turns(threads: Any, events: list[Any]) -> None:
    """But that what has raced before may be left to be accessed one by one once more."""
    guest, records = threads
    ctx = guest.ctx
    has_raced = False
    for number, event in enumerate(events):
        guest.switch_to(records[event[1]])
        ctx["site"] = number + 1
        if event[0] == "meet":
            begin_epoch(ctx)
        # What the quick answers compare cells with goes with the thread and its epoch.
        assert int(ctx["same_epoch"]) == same_epoch.ALL_BYTES | int(ctx["epoch"])
        assert int(ctx["shared_mask"]) == int(ctx["shared_read"]) | 0xFFFF_FFFF
        if event[0] == "meet":
            continue
        _, _, offset, stride, count, size, kind = event
        offset = offset // size * size + (16 if stride < 0 else 0)
        shape = stride % (1 << 64), count, size, kind
        done = bool(race_strips.strip_touched(ctx, AHEAD + offset, *shape))
        assert ctx["action"] == actions.NONE
        ahead = one_by_one(ctx, AHEAD + offset, stride, count, size, kind)
        alone = one_by_one(ctx, ALONE + offset, stride, count, size, kind)
        assert not (done and alone)
        assert done or alone or has_raced
        has_raced = has_raced or bool(alone)
        assert ahead == alone
    for lo in (AHEAD, ALONE):
        race_forget(ctx, lo, ROOM * 4)


def test_nothing_is_touched_ahead_where_each_access_matters(threads: Any) -> None:
    guest, _ = threads
    ctx = guest.ctx
    assert race_strips.strip_touched(ctx, AHEAD, 4, 8, 4, 0)
    ctx["options"][RACE_DETECTOR] = 1
    assert not race_strips.strip_touched(ctx, AHEAD, 4, 8, 4, 0)
    ctx["options"][RACE_DETECTOR] = 0
    ctx["explore"]["is_on"] = 1
    assert not race_strips.strip_touched(ctx, AHEAD, 4, 8, 4, 0)
    ctx["explore"]["is_on"] = 0


def test_memory_of_others_is_nobodys_business(threads: Any) -> None:
    guest, _ = threads
    above, below = memory_map.ARENA_HI + 4096, memory_map.ARENA_LO - 4096
    assert race_strips.strip_touched(guest.ctx, above, 4, 8, 4, 1)
    assert race_strips.strip_touched(guest.ctx, below, 4, 8, 4, 1)
    assert not race_strips.strip_touched(guest.ctx, memory_map.ARENA_LO - 16, 4, 8, 4, 1)
