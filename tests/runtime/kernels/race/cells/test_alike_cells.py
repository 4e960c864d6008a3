"""Ranges of cells, alike or not: what one access leaves and finds is what cell by cell gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.alike_cells import access_alike
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell
from irsan.runtime.kernels.race.clocks.race_words import ATOMIC, READ, WRITE
from irsan.runtime.kernels.race.race_ranges import race_range
from irsan.runtime.layout import memory_map
from tests.support.cell_history import begin_epoch, exact_access, fork_threads, history, take_race

AT_ONCE = memory_map.HEAP_LO + (1 << 20)
EACH = memory_map.HEAP_LO + (2 << 20)
N_CELLS = 12
N_THREADS = 3

TIDS = st.integers(0, N_THREADS - 1)
SITES = st.integers(1, 2)
RANGES = st.tuples(
    st.just("range"), TIDS, st.integers(0, N_CELLS - 1), st.integers(1, N_CELLS), st.booleans(),
    SITES,
)  # fmt: skip
BYTES = st.tuples(st.just("byte"), TIDS, st.integers(0, 4 * N_CELLS - 1), st.booleans(), SITES)
MEETINGS = st.tuples(st.just("meet"), TIDS)
EVENTS = st.lists(st.one_of(RANGES, RANGES, BYTES, MEETINGS), max_size=30)


@pytest.fixture
def threads(guest: Any) -> Any:
    """A guest with three threads, and the records of all."""
    return guest, fork_threads(guest, N_THREADS)


def range_races(ctx: Any, addr: int, size: int, is_write: bool) -> bool:
    """Whether an access to a range races."""
    race_range(ctx, addr, size, int(is_write))
    return take_race(ctx)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(EVENTS)
def test_a_range_is_its_cells(new_guest: Callable[[], Any], events: list[Any]) -> None:
    guest = new_guest()
    records = fork_threads(guest, N_THREADS)
    ctx = guest.ctx
    for event in events:
        guest.switch_to(records[event[1]])
        if event[0] == "meet":
            begin_epoch(ctx)
            continue
        ctx["site"] = event[-1]
        if event[0] == "byte":
            _, _, offset, is_write, _ = event
            assert exact_access(ctx, AT_ONCE + offset, 1, is_write) == exact_access(
                ctx, EACH + offset, 1, is_write
            )
            continue
        _, _, first, count, is_write, _ = event
        cells = range(4 * first, 4 * min(first + count, N_CELLS), 4)
        one_by_one = [exact_access(ctx, EACH + at, 4, is_write) for at in cells]
        raced = range_races(ctx, AT_ONCE + cells.start, len(cells) * 4, is_write)
        assert raced == any(one_by_one)
        both = [[history(base + at) for at in range(0, 4 * N_CELLS, 4)] for base in (AT_ONCE, EACH)]
        assert both[0] == both[1]


def n_alike(ctx: Any, kind: int) -> int:
    """How many cells an access is done to at once."""
    lo, hi = int(addr_to_cell(AT_ONCE)), int(addr_to_cell(AT_ONCE + 4 * N_CELLS))
    return (int(access_alike(ctx, lo, hi, kind, int(access_stack_id(ctx)))) - lo) // 16


def test_cells_with_one_history_are_done_at_once(threads: Any) -> None:
    ctx = threads[0].ctx
    ctx["site"] = 1
    assert n_alike(ctx, READ) == N_CELLS
    begin_epoch(ctx)
    exact_access(ctx, AT_ONCE + 20, 4, True)
    assert n_alike(ctx, WRITE) == 5
    assert n_alike(ctx, READ | ATOMIC) == 0


def test_cells_that_race_are_left_alone(threads: Any) -> None:
    guest, records = threads
    ctx = guest.ctx
    ctx["site"] = 1
    assert n_alike(ctx, WRITE) == N_CELLS
    before = history(AT_ONCE)
    guest.switch_to(records[1])
    assert n_alike(ctx, READ) == 0
    assert history(AT_ONCE) == before
