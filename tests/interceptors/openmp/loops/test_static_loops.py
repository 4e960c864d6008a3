"""Static schedules against the plain division."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.interceptors.openmp.loops.static_loops import (
    BALANCED,
    CHUNKED,
    begin_of_part,
    has_last,
    trips_of,
)
from irsan.runtime.records.threads.openmp_records import STATIC
from tests.oracles.openmp_loops import iterations, static_blocks, static_chunks

WORD = (1 << 64) - 1
TEAMS = {"n": st.integers(1, 9), "trips": st.integers(0, 90), "size": st.integers(1, 6)}


def parts_of(kind: int, n: int, trips: int, size: int) -> list[list[int]]:
    """What each thread runs: its first part, and what lies a stride further, again and again."""
    stride = size * n if kind == CHUNKED else max(trips, 1)
    found: list[list[int]] = []
    for number in range(n):
        ends = (number, number + 1)
        first, stop = (int(begin_of_part(kind, one, n, trips, size)) for one in ends)
        starts = range(first, trips, stride)
        found.append([at for start in starts for at in range(start, start + stop - first)
                      if at < trips])  # fmt: skip
    return found


@given(**TEAMS)
def test_every_iteration_has_one_thread(n: int, trips: int, size: int) -> None:
    counters = list(range(trips))
    for kind, wanted in (
        (STATIC, static_blocks(counters, n)), (CHUNKED, static_chunks(counters, n, size)),
    ):  # fmt: skip
        assert parts_of(kind, n, trips, size) == wanted
        owners = [number for number in range(n) if has_last(kind, number, n, trips, size)]
        assert owners == [number for number in range(n) if trips - 1 in wanted[number]]


@given(**TEAMS)
def test_blocks_for_vectors_are_multiples_of_the_chunk(n: int, trips: int, size: int) -> None:
    parts = parts_of(BALANCED, n, trips, size)
    assert [at for part in parts for at in part] == list(range(trips))
    assert all(len(part) % size == 0 for part in parts if trips - 1 not in part)


@given(
    lower=st.integers(-60, 60), upper=st.integers(-60, 60), step=st.integers(-7, 7).filter(bool)
)
def test_iterations_are_counted(lower: int, upper: int, step: int) -> None:
    assert int(trips_of(lower & WORD, upper & WORD, step, 1)) == len(iterations(lower, upper, step))


def test_unsigned_counters_have_no_sign() -> None:
    assert int(trips_of(0, WORD - 1, 1, 0)) == WORD
    assert int(trips_of(5, 2, 1, 0)) == 0
    assert int(trips_of(WORD, WORD - 9, -3, 0)) == 4
    assert int(trips_of(3, 9, 0, 1)) == 0
