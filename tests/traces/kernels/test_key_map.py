"""The map of numbers against a dictionary."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.traces.kernels.columns import grown_table, new_table
from irsan.traces.kernels.key_map import ABSENT, KeyMap, find_key, put_key


@given(st.lists(st.tuples(st.integers(0, 2**51), st.integers(0, 2**31 - 1)), max_size=200))
@settings(max_examples=100, deadline=None)
def test_it_is_a_dictionary(pairs: list[tuple[int, int]]) -> None:
    key_map = new_table(KeyMap)
    known: dict[int, int] = {}
    for key, value in pairs:
        key_map = grown_table(key_map, keys=len(known) + 1)
        assert find_key(key_map, key) == known.get(key, ABSENT)
        put_key(key_map, key, value)
        known[key] = value
    assert {key: find_key(key_map, key) for key in known} == known
    assert key_map.counts[0] == len(known)


def test_it_grows_only_when_it_must() -> None:
    key_map = new_table(KeyMap, places=8)
    assert grown_table(key_map, keys=4) is key_map
    assert len(grown_table(key_map, keys=5).keys) == 16
