"""Words of schedules, and what a schedule leaves behind."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.guest import explored_schedule
from irsan.engine.guest.explored_schedule import Event, ScheduleWords, shares_of
from irsan.errors import UsageError

NUMBERS = st.integers(0, 2**64 - 1)
WORDS = st.builds(
    ScheduleWords, NUMBERS, NUMBERS,
    st.lists(NUMBERS, max_size=16).map(tuple), st.lists(NUMBERS, max_size=40).map(tuple),
)  # fmt: skip


@given(WORDS)
def test_words_say_what_they_were_made_of(words: ScheduleWords) -> None:
    assert ScheduleWords.from_words(words.as_words()) == words


def test_no_words_are_the_defaults() -> None:
    assert ScheduleWords.from_words(()) == ScheduleWords()
    assert ScheduleWords.from_words((5,)) == ScheduleWords(5, 0)


@pytest.mark.parametrize("words", [(3, 10, 1), (3, 10, 17, *range(17)), (3, 10, 2**60, 1, 2)])
def test_words_that_are_no_schedule_are_refused(words: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="copy the whole token"):
        ScheduleWords.from_words(words)


@given(
    st.lists(st.integers(0, 9), max_size=9).map(
        lambda draws: [draw % (tid + 1) for tid, draw in enumerate(draws)]  # maker of tid + 1
    ),
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 3)), max_size=40),
    st.sampled_from([(), (1,), (2, 3)]),
)
def test_a_share_holds_those_of_the_threads_that_it_makes(
    makers: list[int], places: list[tuple[int, int]], sites: tuple[int, ...]
) -> None:
    events = [Event(tid % (len(makers) + 1), 1, site, 0x1000) for tid, site in places]
    with patch.object(
        explored_schedule, "creation_of", lambda tid: (makers[tid - 1], 1) if tid else None
    ):
        shares = shares_of(events, sites)

    def family(tid: int) -> set[int]:
        return {tid}.union(*(family(n + 1) for n, maker in enumerate(makers) if maker == tid))

    for tid, share in enumerate(shares):
        kin = family(tid)
        counted = [e for e in events if e.tid in kin and (not sites or e.site in sites)]
        assert share == len(counted)
