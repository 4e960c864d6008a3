"""The map of numbers against a dictionary."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.traces.kernels.key_map import ABSENT, find_key, new_key_map, put_key, with_room


@given(st.lists(st.tuples(st.integers(0, 2**51), st.integers(0, 2**31 - 1)), max_size=200))
@settings(max_examples=100, deadline=None)
def test_it_is_a_dictionary(pairs: list[tuple[int, int]]) -> None:
    key_map = new_key_map(2)
    known: dict[int, int] = {}
    for key, value in pairs:
        key_map = with_room(key_map, 1)
        assert find_key(key_map, key) == known.get(key, ABSENT)
        put_key(key_map, key, value)
        known[key] = value
    assert {key: find_key(key_map, key) for key in known} == known
    assert key_map.counts[0] == len(known)


def test_it_grows_only_when_it_must() -> None:
    key_map = new_key_map(8)
    assert with_room(key_map, 4) is key_map
    assert len(with_room(key_map, 5).keys) == 16
