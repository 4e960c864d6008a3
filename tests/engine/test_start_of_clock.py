"""--clock: the start of the program's calendar."""

from __future__ import annotations

import time

import pytest

from irsan.engine.replay import parse_replay_token
from irsan.engine.start_of_clock import parse_clock_start
from irsan.errors import UsageError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("", 946_684_800),
        ("2000-01-01", 946_684_800),
        ("1970-01-01", 0),
        ("2024-02-29T23:59:59", 1_709_251_199),
        ("2024-02-29T23:59:59+01:00", 1_709_247_599),
    ],
)
def test_a_date_is_utc_unless_it_says_more(text: str, seconds: int) -> None:
    assert parse_clock_start(text, 0) == seconds


def test_now_is_now_and_a_seed_draws_the_same_date_each_time() -> None:
    assert abs(parse_clock_start("now", 0) - time.time()) < 5
    drawn = [parse_clock_start("seed", seed) for seed in range(20)]
    assert drawn == [parse_clock_start("seed", seed) for seed in range(20)]
    assert len(set(drawn)) == 20
    assert all(0 < start < 4_102_444_800 for start in drawn)


@pytest.mark.parametrize("text", ["yesterday", "1969-12-31", "2200-01-02", "2024-13-01", "12"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--clock"):
        parse_clock_start(text, 0)


def test_the_token_tells_the_start_unless_it_is_the_usual_one() -> None:
    plain = parse_replay_token("1-7-O1-alt-3f2a9c01")
    assert plain.clock_s == 946_684_800
    assert str(plain) == "1-7-O1-alt-3f2a9c01"
    dated = parse_replay_token("1-7-O1-alt-c1709251199-3f2a9c01")
    assert (dated.clock_s, dated.program_hash) == (1_709_251_199, "3f2a9c01")
    assert str(dated) == "1-7-O1-alt-c1709251199-3f2a9c01"
