"""What every renderer asks: a report with all that is derived from it, computed when asked for.

    view = view_of(report)                     its own excerpts are the source
    for each in view.findings:                 FindingView: rule, level, message, place, related
        view.sources.around(place.file, place.line)

Renderers take a Report and make a view of it; they open no file themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from irsan.reports.derived.one_line import object_words, one_line
from irsan.reports.derived.places import Place, RelatedPlace, primary_place, related_places
from irsan.reports.derived.sources import Sources
from irsan.reports.model.fingerprints import EXACT, fingerprints
from irsan.reports.model.report import Finding, Report, Sighting
from irsan.reports.model.rule_facts import Level
from irsan.reports.model.rules import Rule, level_of, rule_of


@dataclass(frozen=True)
class FindingView:
    """A finding and its derived facts."""

    finding: Finding
    number: int
    root: str
    schedule: str
    program: str

    @cached_property
    def rule(self) -> Rule:
        """Its rule: id, help, CWE numbers, score."""
        return rule_of(self.finding)

    @cached_property
    def level(self) -> Level:
        """`error`, `warning` or `note`."""
        return level_of(self.finding)

    @cached_property
    def message(self) -> str:
        """One sentence without line breaks."""
        return one_line(self.finding, self.root)

    @cached_property
    def place(self) -> Place | None:
        """Where to look first."""
        return primary_place(self.finding, self.root)

    @cached_property
    def related(self) -> tuple[RelatedPlace, ...]:
        """The places that explain it, in order."""
        return related_places(self.finding, self.root)

    @cached_property
    def subject(self) -> str:
        """The object in words; empty when none is known."""
        return object_words(self.finding)

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        """Name of the kind of fingerprint to its value, the exact one first."""
        known = {each.name: each.value for each in self.finding.fingerprints}
        known = known or fingerprints(self.finding)
        return {EXACT: self.id, **known}

    @cached_property
    def id(self) -> str:
        """The exact fingerprint."""
        return self.finding.id

    @property
    def help(self) -> str:
        """What to do: the report's own hints, then the advice of the rule."""
        return " ".join([*self.finding.hints, self.rule.fix])

    @cached_property
    def replay(self) -> str:
        """The command that shows it again; empty when the schedule is not known."""
        seen = self.seen[0]
        return f"irsan replay {seen.schedule} {seen.program}" if seen.schedule else ""

    @cached_property
    def seen(self) -> tuple[Sighting, ...]:
        """Where it was seen; at least the report's own run."""
        explored = self.finding.explored
        schedule = explored.first.schedule if explored else self.schedule
        own = Sighting(self.program, schedule=schedule, count=self.finding.count)
        return self.finding.seen or (own,)

    @property
    def n_seen(self) -> int:
        """How often it was seen in all runs, or how many schedules have found it."""
        if self.finding.explored is not None:
            return self.finding.explored.n_schedules
        return max(self.finding.count, sum(each.count for each in self.seen))


@dataclass(frozen=True)
class ReportView:
    """A report, its findings' views and the source that can be shown."""

    report: Report
    findings: tuple[FindingView, ...]
    sources: Sources

    @property
    def command(self) -> tuple[str, ...]:
        """The words that ran it, at least the program and its arguments."""
        return self.report.command or (self.report.program, *self.report.arguments)


def view_of(report: Report, trusted_folder: Path | None = None) -> ReportView:
    """The view of a report; files below `trusted_folder` may be opened for their source."""
    findings = (
        FindingView(finding, number, report.root, report.schedule, report.program)
        for number, finding in enumerate(report.findings)
    )
    return ReportView(
        report, tuple(findings), Sources.of_report(report.sources, trusted_folder)
    )  # fmt: skip
