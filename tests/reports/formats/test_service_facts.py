"""What services ask beyond the view: a place at any price, severity, unique names, times."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

import irsan
from irsan.reports.derived.places import Place
from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.formats.service_facts import (
    cut_in_words,
    is_known,
    main_place,
    safe_path,
    severity,
    times_of,
    unique,
    version_of,
)
from irsan.reports.model.report import BuildFacts, Cut, Finding, Timing
from tests.reports import samples


def view(finding: Finding) -> FindingView:
    return view_of(replace(samples.report(finding), root="/src")).findings[0]


def test_a_place_at_any_price() -> None:
    assert str(main_place(view(samples.RACES["race-heap"]))) == "a.c:9:5"
    assert str(main_place(view(samples.MEMORY["SEGV-jump"]))) == "a.c"


@pytest.mark.parametrize(("path", "is_outside", "safe"), [
    ("a.c", False, "a.c"), ("/usr/x.h", True, "/usr/x.h"), ("../../etc/x", True, "/etc/x"),
])  # fmt: skip
def test_no_path_climbs(path: str, is_outside: bool, safe: str) -> None:
    assert safe_path(Place(path, is_outside=is_outside)) == safe


def test_severity_follows_the_score_and_what_is_certain() -> None:
    race = samples.RACES["race-heap"]
    assert severity(view(samples.MEMORY["heap-use-after-free"])) == "high"
    assert severity(view(race)) == "medium"
    assert severity(view(samples.LEAKS[0])) == "low"
    assert severity(view(samples.RACES["race-heuristic"])) == "low"
    assert [is_known(view(replace(race, baseline=b))) for b in ("", "new", "unchanged")] == [
        False, False, True,
    ]  # fmt: skip


def test_equal_names_are_numbered() -> None:
    assert unique(["a", "b", "a", "a"]) == ["a", "b", "a-2", "a-3"]


@pytest.mark.parametrize(
    ("started", "start"),
    [
        ("2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)),
        ("2026-01-02T03:04:05", datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)),
        ("yesterday", datetime(1970, 1, 1, tzinfo=timezone.utc)),
        ("0001-01-01T00:00:00+14:00", datetime(1970, 1, 1, tzinfo=timezone.utc)),
    ],
)
def test_times(started: str, start: datetime) -> None:
    report = replace(samples.report(), timing=Timing(run_s=1.5, started=started))
    found = times_of(report)
    assert found[0] == start
    assert (found[1] - found[0]).total_seconds() == 1.5


def test_versions_and_cuts() -> None:
    report = samples.report()
    assert version_of(report) == irsan.__version__
    assert version_of(replace(report, build=BuildFacts("irsan 9.8.7 (x)"))) == "9.8.7"
    cut = (Cut("source lines", 3, "too many"), Cut("findings", 2))
    assert cut_in_words(replace(report, cut=cut)) == [
        "3 source lines are left out: too many", "2 findings are left out",
    ]  # fmt: skip
