"""What services ask beyond the view of a finding: a place at any price, a word of severity, times.

    critical  score 9.0 and more         high    7.0         medium  4.0         low  the rest
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from typing import Final, Literal

import irsan
from irsan.reports.derived.places import Place
from irsan.reports.derived.root import relative_path
from irsan.reports.derived.view import FindingView
from irsan.reports.model.report import Report

Severity = Literal["critical", "high", "medium", "low"]

_SCORES: Final[tuple[tuple[float, Severity], ...]] = (
    (9.0, "critical"), (7.0, "high"), (4.0, "medium"),
)  # fmt: skip
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+")
_UNKNOWN_TIME: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)


def main_place(each: FindingView) -> Place:
    """Where a finding is shown: services drop one without a file, so at least at the program."""
    if each.place is not None and each.place.path:
        return each.place
    known = (related.place for related in each.related if related.place.path)
    program = relative_path(each.program or "unknown", each.root)
    return next(known, Place(program.text, is_outside=program.is_outside))


def safe_path(place: Place) -> str:
    """The path of a place; one that climbs out of the root is absolute, never `../..`."""
    if not place.is_outside:
        return place.path
    return posixpath.normpath("/" + place.path.lstrip("/")) if ".." in place.path else place.path


def severity(each: FindingView) -> Severity:
    """A word for the score of the rule; a finding that is not certain is low."""
    if each.finding.verdict != "bug":
        return "low"
    if not each.rule.score:
        return "medium" if each.rule.level == "error" else "low"
    return next((word for least, word in _SCORES if each.rule.score >= least), "low")


def is_known(each: FindingView) -> bool:
    """Whether an earlier report had the finding already: it fails nothing then."""
    return each.finding.baseline in ("unchanged", "updated")


def unique(names: Iterable[str]) -> list[str]:
    """The same names, with a number behind one that comes again: services drop equal ones."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return found


def version_of(report: Report) -> str:
    """The version of irsan that made a report."""
    found = _VERSION.search(report.build.irsan)
    return found[0] if found else irsan.__version__


def times_of(report: Report) -> tuple[datetime, datetime]:
    """Start and end of a run; 1970 when the report does not say."""
    timing = report.timing
    try:
        start = datetime.fromisoformat(timing.started.replace("Z", "+00:00"))
        start = start if start.tzinfo else start.replace(tzinfo=timezone.utc)
        start = start.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        start = _UNKNOWN_TIME
    seconds = timing.frontend_s + timing.instrument_s + timing.codegen_s + timing.run_s
    try:
        return start, start + timedelta(seconds=seconds)
    except OverflowError:
        return start, start


def cut_in_words(report: Report) -> list[str]:
    """What a report has left out, a sentence each."""
    return [
        f"{each.n} {each.what} are left out{f': {each.reason}' if each.reason else ''}"
        for each in report.cut
    ]
