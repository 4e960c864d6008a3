"""Numbers of schedules: the same number, the same schedule, whatever was known too late."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.guest.explored_schedule import DEFAULT_DEPTH, DEFAULT_LENGTH
from irsan.errors import UsageError
from irsan.explore.portfolio import (
    Known,
    Portfolio,
    Strategy,
    parse_strategies,
    rounds,
)
from irsan.explore.schedules import Ending, Played, Schedule, Shares, Watched
from irsan.interceptors.registry import ROUTINE_SITE_BASE
from irsan.runtime.layout.options import SCHEDULERS
from irsan.runtime.records.explore_records import MAX_SITES

ENDED = Ending("exit status 0", 0, is_bad=False)


def test_number_zero_is_what_a_run_plays() -> None:
    assert Portfolio(7).schedule(0, Known()) == Schedule(0, "random", 7)


def test_seeds_follow_each_other_and_wrap() -> None:
    portfolio = Portfolio(2**64 - 1, (Strategy("random"),))
    assert [portfolio.schedule(n, Known()).seed for n in range(3)] == [2**64 - 1, 0, 1]


def test_strategies_take_turns() -> None:
    portfolio = Portfolio(0, parse_strategies("random,round_robin"))
    names = [portfolio.schedule(number, Known()).scheduler for number in range(4)]
    assert names == ["random", "round_robin", "random", "round_robin"]


@given(st.integers(1, 20_000), st.sampled_from([0, 1, 5, 32]))
def test_rounds_are_all_numbers_once(n_schedules: int, longest: int) -> None:
    parts = list(rounds(n_schedules, longest))
    assert [n for part in parts for n in part] == list(range(n_schedules))
    assert len(parts[0]) <= 2
    assert not longest or all(len(part) <= longest for part in parts)
    if not longest:
        assert [part.start for part in parts] == [
            n for n in (0, 2, 8, 64, 512, 4096) if n < n_schedules
        ]


def test_who_learns_from_each_schedule_has_short_rounds() -> None:
    learning = Portfolio(0, parse_strategies("rff"))
    assert [len(part) for part in learning.rounds(100)] == [2, 6, 32, 24, 32, 4]
    mixed = Portfolio(0, parse_strategies("pos,rff"))
    assert list(mixed.rounds(100)) == list(rounds(100))


def test_wishes_are_mutated_from_what_was_shown() -> None:
    known, portfolio = Known(), Portfolio(0, parse_strategies("rff"))
    first = portfolio.schedule(0, known)
    assert first.words == (DEFAULT_DEPTH, DEFAULT_LENGTH, 0)
    known.learn(Played(0, ENDED, reads=((0, 4), (4, 5))), first)
    later = portfolio.schedule(1, known)
    assert len(later.words) == 6 and later.words[5] in (4, 5)


def test_words_come_from_what_was_learnt() -> None:
    known = Known()
    known.learn(Played(0, ENDED, steps=40, racing=((9, 12), (0, ROUTINE_SITE_BASE + 1))))
    known.learn(Played(1, ENDED, steps=30, racing=((12, 15),)))
    assert known.words(Strategy("pct", 3)) == (3, 40, 3, 9, 12, 15)
    assert known.words(Strategy("random")) == ()
    assert Known().words(Strategy("pct", 2)) == (2, DEFAULT_LENGTH, 0)


def test_shares_are_told_to_who_weighs_threads_with_the_sites_that_they_are_of() -> None:
    known = Known()
    objects = (Watched((7,), (3, 1)), Watched((8, 9), (2, 2)))
    known.learn(Played(0, ENDED, steps=9, shares=Shares((5, 2), objects)))
    assert known.words(Strategy("urw")) == (DEFAULT_DEPTH, 9, 0, 5, 2)
    assert known.words(Strategy("surw")) == (DEFAULT_DEPTH, 9, 1, 7, 3, 1)
    assert known.words(Strategy("surw"), 5) == (DEFAULT_DEPTH, 9, 2, 8, 9, 2, 2)
    assert known.words(Strategy("race_directed"), 1) == (DEFAULT_DEPTH, 9, 2, 8, 9)
    assert known.words(Strategy("pos")) == (DEFAULT_DEPTH, 9, 0)
    known.learn(Played(1, ENDED, steps=9, racing=((3, 4),)))
    met = [known.words(Strategy("race_directed"), turn)[3:] for turn in range(4)]
    assert met == [(3, 4), (7,), (8, 9), (3, 4)]


def test_objects_take_turns_whatever_the_place_in_the_pattern() -> None:
    known = Known(shares=Shares((), tuple(Watched((site,), ()) for site in range(4))))
    portfolio = Portfolio(0, parse_strategies("surw,pos,surw,pos"))
    words = [portfolio.schedule(number, known).words for number in range(0, 16, 2)]
    assert [each[3] for each in words] == [0, 1, 2, 3] * 2


def test_the_first_schedule_of_a_round_that_explores_is_traced() -> None:
    portfolio, known = Portfolio(0), Known()
    traced = [n for n in range(700) if portfolio.schedule(n, known).is_traced]
    assert traced == [1, 2, 9, 65, 513]
    alone = Portfolio(0, (Strategy("random"),))
    assert not any(alone.schedule(n, known).is_traced for n in range(100))


def test_sites_are_bounded() -> None:
    known = Known()
    known.learn(Played(0, ENDED, racing=tuple((n, n + 1) for n in range(1, 100))))
    assert known.words(Strategy("pos"))[2:] == (MAX_SITES, *range(1, MAX_SITES + 1))


@pytest.mark.parametrize("text", ["nonsense", "random:x", "random:0", "random:", "random,pso"])
def test_words_that_are_no_strategy_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--strategy"):
        parse_strategies(text)


def test_every_scheduler_is_a_strategy() -> None:
    found = parse_strategies(",".join(f"{name}:4" for name in SCHEDULERS))
    assert [each.name for each in found] == [f"{name}:4" for name in SCHEDULERS]
    assert parse_strategies("") == ()
