"""Scripts with as few switches as can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from irsan.explore.shrinking import Script, shrunken

SCRIPTS = st.lists(st.tuples(st.integers(1, 99), st.integers(0, 3)), max_size=24, unique=True)


def smallest_failing(script: Script, needed: Sequence[frozenset[tuple[int, int]]]) -> int:
    """Brute force: the least number of switches that fails."""
    for size in range(len(script) + 1):
        for chosen in combinations(script, size):
            if any(each <= set(chosen) for each in needed):
                return size
    raise AssertionError("the whole script does not fail")


@given(SCRIPTS, st.data())
def test_what_is_left_fails_and_nothing_can_go(
    drawn: list[tuple[int, int]], data: st.DataObject
) -> None:
    script = tuple(drawn)
    subset = st.sets(st.sampled_from(script)) if script else st.just(set())
    needed = [frozenset(each) for each in data.draw(st.lists(subset, min_size=1, max_size=3))]

    def is_failing(candidate: Script) -> bool:
        return any(each <= set(candidate) for each in needed)

    def fails(candidates: Sequence[Script]) -> Iterator[bool]:
        return (is_failing(candidate) for candidate in candidates)

    left = shrunken(script, fails)
    assert is_failing(left)
    assert len(left) <= len(script)
    for number in range(len(left)):
        assert not is_failing((*left[:number], *left[number + 1 :]))


@given(st.lists(st.booleans(), min_size=1, max_size=10), st.sets(st.integers(0, 9), max_size=3))
def test_one_cause_is_found_exactly(size: list[bool], wanted: set[int]) -> None:
    script = tuple((number + 1, 0) for number in range(len(size)))
    cause = frozenset(pair for pair in script if pair[0] - 1 in wanted)

    def fails(candidates: Sequence[Script]) -> Iterator[bool]:
        return (cause <= set(candidate) for candidate in candidates)

    assert len(shrunken(script, fails)) == smallest_failing(script, [cause])


@given(st.lists(st.integers(1, 2), min_size=1, max_size=6), st.integers(1, 30))
def test_a_switch_can_go_when_it_has_moved_those_behind_it(moves: list[int], gap: int) -> None:
    """Each switch but the last two has moved these by so many points, and does nothing else."""
    extra = [(3 * number + 1, 1) for number in range(len(moves))]
    points = [3 * len(moves) + gap, 3 * len(moves) + gap + 5]

    def needed(candidate: Script) -> Script:
        moved = sum(move for pair, move in zip(extra, moves, strict=True) if pair not in candidate)
        return tuple((point - moved, 2) for point in points)

    def fails(candidates: Sequence[Script]) -> Iterator[bool]:
        return (set(needed(candidate)) <= set(candidate) for candidate in candidates)

    assert len(shrunken((*extra, *((point, 2) for point in points)), fails)) == 2
