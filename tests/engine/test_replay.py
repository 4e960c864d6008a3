"""Replay tokens: what goes in comes out, and nothing else is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.injected_words import in_order
from irsan.engine.options import OPT_LEVELS, SANITIZERS, RunOptions
from irsan.engine.replay import HASH_DIGITS, ReplayToken, parse_replay_token
from irsan.engine.start_of_clock import LAST_START_S
from irsan.errors import UsageError
from irsan.runtime.layout.inject_words import INJECTED_KINDS
from irsan.runtime.layout.options import SCHEDULERS

TOKENS = st.builds(
    ReplayToken,
    seed=st.integers(0, 2**64 - 1),
    opt_level=st.sampled_from(OPT_LEVELS),
    sanitize=st.frozensets(st.sampled_from(SANITIZERS), min_size=1),
    program_hash=st.text("0123456789abcdef", min_size=HASH_DIGITS, max_size=HASH_DIGITS),
    clock_s=st.integers(0, LAST_START_S),
    scheduler=st.sampled_from(SCHEDULERS),
    scheduler_words=st.lists(st.integers(0, 2**64 - 1), max_size=20).map(tuple),
    inject=st.sets(st.sampled_from(INJECTED_KINDS)).map(in_order),
)


@given(TOKENS)
def test_a_token_says_what_it_was_made_of(token: ReplayToken) -> None:
    text = str(token)
    assert parse_replay_token(text) == token
    assert str(parse_replay_token(text)) == text
    assert not set(text) & set(" \t'\"$\\;&|<>*?")  # a shell passes it as it is


def test_letters_tell_sanitizers_apart() -> None:
    assert len({name[0] for name in SANITIZERS}) == len(SANITIZERS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "2-7-O1-at-3f2a9c01",
        "1--7-O1-at-3f2a9c01",
        "1-7-O4-at-3f2a9c01",
        "1-7-O1-at-c-3f2a9c01",
        "1-7-O1-at-17-3f2a9c01",
        "1-7-O1-at-s-3f2a9c01",
        "1-7-O1-at-snone-3f2a9c01",
        "1-7-O1-at-sround_robin-c5-3f2a9c01",
        "1-7-O1-at-sround_robin.-3f2a9c01",
        "1-7-O1-at-sround_robin.zzzzzzzzzzzzz-3f2a9c01",
        "1-7-O1-at-i-3f2a9c01",
        "1-7-O1-at-i7-3f2a9c01",
        "1-7-O1-at-im0-3f2a9c01",
        "1-7-O1-at-iim-3f2a9c01",
        "1-7-O1--3f2a9c01",
        "1-7-O1-xyz-3f2a9c01",
        "1-7-O1-at-3f2a9c0",
        "1-7-O1-at-3f2a9c011",
        "1-7-O1-at-3F2A9C01",
        "1-7-O1-at-3f2a9c01\n",
        " 1-7-O1-at-3f2a9c01",
        f"1-{2**64}-O1-at-3f2a9c01",
        f"1-{'9' * 5000}-O1-at-3f2a9c01",
        "1-٧-O1-at-3f2a9c01",  # noqa: RUF001  a digit, but not an ASCII one
    ],
)
def test_what_is_no_token_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a replay token"):
        parse_replay_token(text)


@pytest.mark.parametrize(
    ("sanitize", "environment", "settings"),
    [
        ("thread", {"TSAN_OPTIONS": "race_detector=djit"}, ("TSAN_OPTIONS=race_detector=djit",)),
        ("thread", {"IRSAN_OPTIONS": "race_detector=tsan"}, ("IRSAN_OPTIONS=race_detector=tsan",)),
        ("thread", {"TSAN_OPTIONS": "report_bugs=1"}, ()),
        ("address", {"TSAN_OPTIONS": "race_detector=djit"}, ()),
        ("thread", {"GWP_ASAN_OPTIONS": "SampleRate=1"}, ()),
        ("gwp-asan", {"GWP_ASAN_OPTIONS": "SampleRate=1"}, ("GWP_ASAN_OPTIONS=SampleRate=1",)),
    ],
)
def test_what_a_replay_needs_beside_the_token(
    sanitize: str, environment: dict[str, str], settings: tuple[str, ...]
) -> None:
    options = RunOptions((), sanitize=frozenset([sanitize]), environment=environment)
    assert options.replay_settings() == settings
