"""The quick way of an epoch's first access leaves what the exact way leaves, cell by cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import callstack
from irsan.runtime.kernels.race import race_ranges
from irsan.runtime.kernels.race.cells import renewal, same_epoch
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.mapping_zone import ZONE_LO
from tests.support.cell_history import begin_epoch, exact_access, fork_threads, history

QUICK = memory_map.HEAP_LO + (1 << 20)
EXACT = memory_map.HEAP_LO + (2 << 20)
ROOM = 32
N_THREADS = 3
SITES = st.integers(1, 3)

ACCESSES = st.tuples(
    st.just("access"), st.integers(0, N_THREADS - 1), st.integers(0, ROOM - 16),
    st.sampled_from((1, 2, 4, 8, 16)), st.booleans(), SITES,
)  # fmt: skip
MEETINGS = st.tuples(st.just("meet"), st.integers(0, N_THREADS - 1))
BLOCKS = st.tuples(st.just("malloc"), st.integers(0, N_THREADS - 1), SITES)
EVENTS = st.lists(st.one_of(ACCESSES, ACCESSES, ACCESSES, MEETINGS, BLOCKS), max_size=40)


@pytest.fixture
def threads(guest: Any) -> Any:
    """A guest with three threads, and the records of all."""
    return guest, fork_threads(guest, N_THREADS)


def stem(is_write: bool, size: int) -> str:
    """How the kernels of an access are called."""
    return f"race_{'write' if is_write else 'read'}{size}"


def is_known(ctx: Any, addr: int, size: int, is_write: bool) -> bool:
    """Whether the answer that is inlined is enough."""
    return bool(getattr(same_epoch, f"{stem(is_write, size)}_fast")(ctx, addr))


def is_renewed(ctx: Any, addr: int, size: int, is_write: bool) -> bool:
    """Whether the quick way was enough."""
    kernel = getattr(renewal, f"{stem(is_write, size)}_renewed")
    return bool(kernel(ctx, addr, int(ctx["site"])))


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(EVENTS)
def test_both_ways_leave_the_same_history(new_guest: Callable[[], Any], events: list[Any]) -> None:
    guest = new_guest()
    records = fork_threads(guest, N_THREADS)
    ctx = guest.ctx
    for event in events:
        guest.switch_to(records[event[1]])
        if event[0] == "meet":
            begin_epoch(ctx)
            continue
        ctx["site"] = event[-1]
        if event[0] == "malloc":
            for base in (QUICK, EXACT):
                race_ranges.race_malloc(ctx, base, ROOM)
            continue
        _, _, offset, size, is_write, _ = event
        shape = size, is_write
        quick = is_known(ctx, QUICK + offset, *shape) or is_renewed(ctx, QUICK + offset, *shape)
        raced = not quick and exact_access(ctx, QUICK + offset, *shape)
        if not is_known(ctx, EXACT + offset, *shape):
            assert exact_access(ctx, EXACT + offset, *shape) == raced
        cells = range(0, ROOM, 4)
        assert [history(QUICK + at) for at in cells] == [history(EXACT + at) for at in cells]


@pytest.fixture
def renewable(threads: Any) -> Any:
    """A context of several threads in which a read of 8 bytes can be renewed."""
    ctx = threads[0].ctx
    ctx["site"] = 7
    exact_access(ctx, QUICK, 8, False)
    begin_epoch(ctx)
    return ctx


def test_an_access_of_an_older_epoch_is_renewed(renewable: Any) -> None:
    assert not is_known(renewable, QUICK, 8, False)
    assert is_renewed(renewable, QUICK, 8, False)
    assert is_known(renewable, QUICK, 8, False)


def test_a_stack_that_was_not_seen_lately_is_for_the_exact_way(renewable: Any) -> None:
    renewable["site"] = 8
    assert not is_renewed(renewable, QUICK, 8, False)


def test_an_access_at_any_address_that_is_known_needs_nothing(renewable: Any) -> None:
    exact_access(renewable, QUICK + 1, 4, False)
    assert not is_known(renewable, QUICK + 1, 4, False)  # the inlined answer leaves it out
    renewable["site"] = 8
    assert is_renewed(renewable, QUICK + 1, 4, False)


def test_a_bare_function_has_the_stack_of_a_call(threads: Any) -> None:
    ctx = threads[0].ctx
    ctx["site"] = 5
    callstack.callstack_enter(ctx)
    ctx["site"] = 7
    exact_access(ctx, QUICK, 4, True)
    callstack.callstack_exit(ctx)
    begin_epoch(ctx)
    assert ctx["site"] == 5
    assert not renewal.race_write4_renewed(ctx, QUICK, 7)
    assert renewal.race_write4_renewed(ctx, QUICK, 7 | renewal.BARE)
    quick = history(QUICK)
    callstack.callstack_enter(ctx)
    ctx["site"] = 7
    exact_access(ctx, EXACT, 4, True)
    assert history(EXACT) == quick


@pytest.mark.parametrize("field", ["routine", "explore", "detector"])
def test_what_has_a_way_of_its_own_is_left_to_it(renewable: Any, field: str) -> None:
    if field == "explore":
        renewable["explore"]["is_on"] = 1
    elif field == "detector":
        renewable["options"][options.RACE_DETECTOR] = 1
    else:
        renewable["routine"] = 1
    assert not is_renewed(renewable, QUICK, 8, False)


def test_mapped_memory_is_for_the_exact_way(renewable: Any) -> None:
    exact_access(renewable, ZONE_LO, 8, False)
    begin_epoch(renewable)
    assert not is_renewed(renewable, ZONE_LO, 8, False)
