"""--fail-on and baselines: which findings fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irsan.errors import UsageError
from irsan.reports.sets.gate import FailOn, compared_with, failing
from tests.reports import samples

RACE = samples.RACES["race-heap"]
LEAK = samples.LEAKS[0]
HEURISTIC = samples.RACES["race-heuristic"]
LIMIT = samples.OTHERS["limit"]


@pytest.mark.parametrize(
    ("words", "fails"),
    [
        ("", [True, True, False, False]),
        ("error", [True, False, False, False]),
        ("warning", [True, True, True, False]),
        ("note", [True, True, True, True]),
        ("any", [True, True, True, True]),
        ("none", [False, False, False, False]),
        ("data-race", [True, False, True, False]),
        (" direct-leak , tsan/heap-use-after-free", [False, True, False, False]),
    ],
)
def test_words(words: str, fails: list[bool]) -> None:
    wanted = FailOn.from_text(words)
    assert [wanted.matches(each) for each in (RACE, LEAK, HEURISTIC, LIMIT)] == fails


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean data-race"):
        FailOn.from_text("data-rac")


def test_what_the_baseline_has_does_not_fail() -> None:
    report, found = compared_with(samples.report(RACE, LEAK), samples.report(RACE))
    assert [each.baseline for each in report.findings] == ["unchanged", "new"]
    assert len(found.new) == 1
    (new,) = failing(report.findings, FailOn())
    assert replace(new, baseline="") == LEAK
    assert failing(report.findings, FailOn.from_text("error")) == ()
