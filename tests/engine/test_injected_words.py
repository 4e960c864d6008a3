"""The words of --inject: what goes in comes out of a token, and wrong ones are named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.injected_words import (
    INJECTABLE,
    failing_allocation,
    from_token,
    in_order,
    parse_injected,
    to_token,
)
from irsan.errors import UsageError
from irsan.runtime.layout.inject_words import CLOCK, INJECTED_KINDS

KINDS = st.sets(st.sampled_from(INJECTED_KINDS))
NUMBERS = st.integers(0, 10**18 - 1)


@given(KINDS, NUMBERS)
def test_words_come_back_out_of_a_token(kinds: set[str], number: int) -> None:
    words = in_order({f"malloc={number}" if k == "malloc" and number else k for k in kinds})
    assert from_token(to_token(words)) == words
    assert parse_injected(",".join(words)) == words
    assert failing_allocation(words) == (number if "malloc" in kinds else 0)


def test_all_is_every_kind_and_a_number_takes_the_place_of_malloc() -> None:
    assert parse_injected("all") == INJECTABLE
    assert parse_injected("all, malloc=3") == ("malloc=3", *INJECTABLE[1:])
    assert parse_injected(" io ,malloc,,") == ("malloc", "io")
    assert parse_injected("") == ()
    assert to_token((CLOCK,)) == ""


@pytest.mark.parametrize("text", ["new", "malloc=0", "malloc=x", "malloc=", "io=3", "malloc=-1"])
def test_other_words_are_named(text: str) -> None:
    with pytest.raises(UsageError, match=text):
        parse_injected(text)


@pytest.mark.parametrize("text", ["malloc,malloc=3", "malloc=2,malloc=3"])
def test_allocations_fail_in_one_way(text: str) -> None:
    with pytest.raises(UsageError, match="once"):
        parse_injected(text)
