"""What fits a line stands on one, and it stays the same value."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from irsan.reports.formats.json_layout import WIDTH, laid_out

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=30,
)


@given(VALUES)
def test_the_value_is_the_same(value: Any) -> None:
    assert json.loads(laid_out(value)) == value


def test_long_values_are_broken_and_short_ones_are_not() -> None:
    value = {"a": ["x" * 30] * 2, "b": ["y" * 40] * 4}
    lines = laid_out(value).splitlines()
    assert lines[1] == ' "a": ["' + "x" * 30 + '", "' + "x" * 30 + '"],'
    assert len(lines) == 9
    assert max(map(len, lines)) <= WIDTH
