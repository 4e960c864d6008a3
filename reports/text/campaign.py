"""A campaign as text: a table of programs, then each finding once, with where it was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from irsan.reports.model.report import Finding, Report
from irsan.reports.text.exploration import table
from irsan.reports.text.report import default_styles, format_closing, format_finding


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """What came of a program; problem: why it could not be played."""

    command: str
    n_schedules: int = 0
    n_interleavings: int = 0
    n_outcomes: int = 0
    n_findings: int = 0
    status: int = 0
    problem: str = ""


def format_campaign(rows: Sequence[CampaignRow], merged: Report) -> str:
    """The whole text. merged: the report of all programs"""
    head = ("schedules", "interleavings", "outcomes", "findings", "status", "program")
    cells = [
        (
            f"{each.n_schedules:,}", f"{each.n_interleavings:,}", f"{each.n_outcomes:,}",
            f"{each.n_findings:,}", str(each.status), each.command,
        )
        for each in rows if not each.problem
    ]  # fmt: skip
    n_schedules = sum(each.n_schedules for each in rows)
    lines = [
        f"irsan explore: {len(rows):,} programs, {n_schedules:,} schedules, "
        f"{len(merged.findings):,} findings",
        "",
        *table([head, *cells], n_figures=len(head) - 1),
        *(f"  not played: {each.command}: {each.problem}" for each in rows if each.problem),
        "",
    ]
    texts = [_finding_text(finding, merged) for finding in merged.findings]
    return "\n".join([*lines, *texts, format_closing(merged.findings)])


def _finding_text(finding: Finding, merged: Report) -> str:
    style = default_styles(merged)[finding.tool]
    if not finding.seen:
        return format_finding(finding, style)
    first = finding.seen[0]
    style = replace(style, schedule=first.schedule, command=first.command[2:] or (first.program,))
    where = ", ".join(dict.fromkeys(each.program for each in finding.seen))
    return f"{format_finding(finding, style)}seen in {where}\n"
