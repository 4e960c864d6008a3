"""Tables by axes: first states, growth of one axis wherever it occurs, parts under other names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from irsan.traces.kernels.columns import capacity, column, grown_table, new_table, part


class Inner(NamedTuple):
    """A table with an axis of its own and one that it shares."""

    times: Any = column("i32", "rows", "threads")
    unused: Any = column("i32", "rows", 0, fill=7)


class Outer(NamedTuple):
    """A table with two parts."""

    locks: Any = part(Inner, rows="locks")
    threads: Any = part(Inner, rows="threads")
    first: Any = column("i64", "locks", fill=-1)
    fixed: Any = column("u8", 3)


def test_a_new_table_is_in_its_first_state() -> None:
    table = new_table(Outer, locks=2, threads=3)
    assert table.locks.times.shape == (2, 3)
    assert table.threads.times.shape == (3, 3)
    assert table.first.tolist() == [-1, -1]
    assert (table.fixed.shape, table.fixed.dtype) == ((3,), np.uint8)


def test_an_axis_grows_wherever_it_occurs_and_keeps_what_was_there() -> None:
    table = new_table(Outer, locks=2, threads=3)
    table.locks.times[1, 2] = 5
    table.first[1] = 9
    grown = grown_table(table, locks=3, threads=4)
    assert grown.locks.times.shape == (4, 6)
    assert grown.threads.times.shape == (6, 6)
    assert grown.locks.times[1, 2] == grown.locks.times.sum() == 5
    assert grown.first.tolist() == [-1, 9, -1, -1]
    assert grown.locks.unused.shape == (2, 0)  # not in use, and stays so


def test_what_is_large_enough_is_not_copied() -> None:
    table = new_table(Outer, locks=2, threads=3)
    grown = grown_table(table, locks=2, threads=1)
    assert grown.first is table.first
    assert grown.locks.times is table.locks.times


@pytest.mark.parametrize(
    ("current", "needed", "expected"), [(0, 0, 1), (1, 1, 1), (3, 4, 6), (4, 17, 32), (8, 2, 8)]
)
def test_capacities_double(current: int, needed: int, expected: int) -> None:
    assert capacity(current, needed) == expected
