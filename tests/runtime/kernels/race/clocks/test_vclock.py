"""Clock rows of threads and of sync objects against dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.race.clocks import clock_rows, vclock
from irsan.runtime.kernels.race.clocks import race_words as words
from tests.oracles.clocks import join

RELAXED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
N = 300
CLOCKS = st.dictionaries(
    st.integers(0, N - 1) | st.integers(0, 17), st.integers(1, words.CLOCK_MAX), max_size=12
)


def thread_row(slot: int, clock: dict[int, int]) -> tuple[int, np.ndarray[Any, Any]]:
    """A thread clock that holds `clock` as epochs: its address, and a view."""
    addr = int(vclock.slot_to_clock(slot))
    row = arena.view_words(addr, words.CLOCK_ROW_BYTES // 8).view("u4")
    row[:] = 0
    for sid, value in clock.items():
        row[sid] = sid << words.CLOCK_BITS | value
    return addr, row


def as_dict(row: np.ndarray[Any, Any]) -> dict[int, int]:
    assert all(epoch >> words.CLOCK_BITS == sid for sid, epoch in enumerate(row) if epoch)
    return {sid: int(e) & words.CLOCK_MAX for sid, e in enumerate(row) if e}


@RELAXED
@given(CLOCKS, CLOCKS, st.integers(0, N - 1), st.integers(1, words.CLOCK_MAX))
def test_join_copy_and_order(
    new_guest: Callable[[], Any], one: dict[int, int], two: dict[int, int], sid: int, clock: int
) -> None:
    new_guest()
    (target, view), (source, _) = thread_row(5, one), thread_row(6, two)
    epoch = sid << words.CLOCK_BITS | clock
    assert vclock.epoch_before(epoch, target) == (clock <= one.get(sid, 0))
    vclock.clock_join(target, source, N)
    expected = dict(one)
    join(expected, two)
    assert as_dict(view) == expected
    vclock.clock_copy(target, source, N)
    assert as_dict(view) == two


ROW_STEPS = st.lists(
    st.tuples(st.sampled_from(["store", "merge", "acquire", "free"]), CLOCKS, st.integers(0, 2)),
    max_size=12,
)


@RELAXED
@given(ROW_STEPS)
def test_rows_of_all_sizes(
    new_guest: Callable[[], Any], steps: list[tuple[str, dict[int, int], int]]
) -> None:
    """A row is grown, shared out of free lists and never mixes with another."""
    ctx = new_guest().ctx
    rows, naive = [0, 0, 0], [{}, {}, {}]  # type: list[int], list[dict[int, int]]
    for verb, clock, index in steps:
        n = max(clock, default=0) + 1
        addr, view = thread_row(5, clock)
        if verb == "store":
            rows[index] = clock_rows.row_store(ctx, rows[index], addr, n)
            naive[index] = dict(clock)
        elif verb == "merge":
            rows[index] = clock_rows.row_merge(ctx, rows[index], addr, n)
            join(naive[index], clock)
        elif verb == "acquire":
            clock_rows.row_acquire(addr, rows[index])
            expected = dict(clock)
            join(expected, naive[index])
            assert as_dict(view) == expected
        else:
            clock_rows.free_row(ctx, rows[index])
            rows[index], naive[index] = 0, {}
