"""Loops as GCC describes them: against Python's ranges."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from irsan.interceptors.openmp.gomp.gomp_loops import gomp_kind, gomp_step, trips_before
from irsan.runtime.records.threads.openmp_records import (
    AUTO,
    DYNAMIC,
    GUIDED,
    RUNTIME,
    STATIC_CHUNKED,
)

WORD = (1 << 64) - 1
NEAR = st.one_of(
    st.integers(-40, 40), st.integers(0, 40).map(lambda n: (1 << 63) - 1 - n),
    st.integers(0, 40).map(lambda n: n - (1 << 63)),
)  # fmt: skip
STEPS = st.integers(-7, 7).filter(lambda step: step != 0)


@given(lower=NEAR, stop=NEAR, step=STEPS)
@example(lower=(1 << 63) - 1, stop=-(1 << 63), step=-1)
@example(lower=-(1 << 63), stop=(1 << 63) - 1, step=1)
def test_trips_of_a_signed_loop(lower: int, stop: int, step: int) -> None:
    wanted = len_of(range(lower, stop, step))
    assert int(trips_before(lower & WORD, stop & WORD, step, 1)) == wanted


@given(lower=NEAR, stop=NEAR, step=STEPS)
def test_trips_of_an_unsigned_loop(lower: int, stop: int, step: int) -> None:
    first, end = lower & WORD, stop & WORD
    assert int(trips_before(first, end, step, 0)) == len_of(range(first, end, step))


def len_of(numbers: range) -> int:
    """Length of a range that may be longer than len() can say."""
    if not numbers:
        return 0
    return (numbers[-1] - numbers[0]) // numbers.step + 1


def test_steps_go_where_the_loop_counts() -> None:
    assert [int(gomp_step(up, step)) for up, step in ((1, 3), (0, -3), (0, 3), (1, -3))] == [
        3, -3, -3, 3,
    ]  # fmt: skip


def test_schedules_have_clangs_numbers() -> None:
    monotonic = 1 << 31
    kinds = [int(gomp_kind(number)) for number in (0, 1, 2, 3, 4, monotonic | 2)]
    assert kinds == [RUNTIME, STATIC_CHUNKED, DYNAMIC, GUIDED, AUTO, DYNAMIC]
