"""Findings and whole runs as text: each finding in the layout of the tool it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from irsan.reports.model.report import Exploration, Finding, Report, SuppressionUse, Tool
from irsan.reports.text.exploration import format_exploration, found_by
from irsan.reports.text.frames import (
    blamed_frame,
    format_frames,
    shown_function,
    source_location,
)
from irsan.reports.text.guarded import format_guarded
from irsan.reports.text.injected import format_injected
from irsan.reports.text.leak import format_leaks
from irsan.reports.text.memory import format_memory_error
from irsan.reports.text.race import format_race
from irsan.reports.text.style import TextStyle
from irsan.reports.text.undefined import format_undefined
from irsan.reports.text.uninitialised import format_uninitialised

Styles = Mapping[Tool, TextStyle]
_LAYOUTS: Mapping[Tool, Callable[[Finding, TextStyle], str]] = {
    "AddressSanitizer": format_memory_error,
    "ThreadSanitizer": format_race,
    "UndefinedBehaviorSanitizer": format_undefined,
    "MemorySanitizer": format_uninitialised,
    "GWP-ASan": format_guarded,
    "LeakSanitizer": lambda finding, style: format_leaks([finding], style),
}
_DEFAULT_STYLE = TextStyle()
MISSED_RACE = "missed expected data race"  # announced by the program, and it did not come


def format_finding(finding: Finding, style: TextStyle = _DEFAULT_STYLE) -> str:
    """One finding as text, final newline included. Leaks of a run belong in `format_leaks`."""
    if finding.verdict == "limit":
        return _format_limit(finding, style)
    return _LAYOUTS[finding.tool](finding, style) + format_injected(finding, style)


def format_run(report: Report, styles: Styles | None = None) -> str:
    """Every finding of a run, leaks gathered in one report, then the closing lines."""
    styles = styles or default_styles(report)
    if report.exploration is not None:
        return format_explored(report, report.exploration, styles)
    others = [f for f in report.findings if f.tool != "LeakSanitizer"]
    leaks = [f for f in report.findings if f.tool == "LeakSanitizer"]
    texts = [format_finding(f, styles[f.tool]) for f in others]
    used = [use for use in report.suppressed if use.tool == "LeakSanitizer"]
    if leaks or used:
        texts.append(format_leaks(leaks, styles["LeakSanitizer"], used))
    return "".join([*texts, format_closing(others)])


def format_explored(report: Report, facts: Exploration, styles: Styles) -> str:
    """What many schedules have shown: the table, then each finding with the schedule's token."""
    texts = [format_exploration(facts, len(report.findings))]
    for finding in report.findings:
        style, explored = styles[finding.tool], finding.explored
        if explored is None:
            texts.append(format_finding(finding, style))
            continue
        style = replace(style, schedule=explored.first.schedule)
        texts += [format_finding(finding, style), found_by(explored, facts.n_schedules)]
    return "\n".join([*texts, format_closing(report.findings)])


def format_same_cause(finding: Finding, first: Finding, style: TextStyle) -> str:
    """One line instead of a report: a finding that ends the program is counted with `first`."""
    _, where = cause_in_words(first, style)
    kind = f"{finding.tool}: {finding.kind}"
    return (
        f"=={style.pid}=={kind}, of the same cause as the {first.kind} {where}, ends the program\n"
    )


def cause_in_words(finding: Finding, style: TextStyle) -> tuple[str, str]:
    """The kinds of all findings that one is counted for, and its place."""
    place = blamed_frame(finding.stack("access"))
    where = source_location(place.file, place.line, place.column, style) if place.file else ""
    function = shown_function(place, style)
    return ", ".join((finding.kind, *finding.other_kinds)), f"{where} in {function}".strip()


def format_counts(findings: Sequence[Finding], style: TextStyle = _DEFAULT_STYLE) -> str:
    """A line for each finding that was counted more than once."""
    lines = [
        f"irsan: {f.count} findings with one cause: {kinds} {where}"
        for f in findings if f.count > 1 for kinds, where in [cause_in_words(f, style)]
    ]  # fmt: skip
    return "\n".join([*lines, ""])


def format_closing(findings: Sequence[Finding]) -> str:
    """What native tools print at exit about their own findings; '' when there is nothing."""
    races = sum(f.tool == "ThreadSanitizer" and f.verdict != "limit" for f in findings)
    missed = sum(f.kind == MISSED_RACE for f in findings)
    lines = format_counts(findings)
    lines += f"ThreadSanitizer: missed {missed} expected races\n" if missed else ""
    return lines + (f"ThreadSanitizer: reported {races} warnings\n" if races else "")


def format_suppressions(uses: Sequence[SuppressionUse], pid: int) -> str:
    """Suppressions that matched, for print_suppressions=1; leaks have a table of their own."""
    lines: list[str] = []
    for tool in dict.fromkeys(use.tool for use in uses if use.tool != "LeakSanitizer"):
        mine = [use for use in uses if use.tool == tool]
        total = sum(use.count for use in mine)
        lines.append(f"{tool}: Matched {total} suppressions (pid={pid}):")
        lines += [f"{use.count} {use.type}:{use.template}" for use in mine]
    return "\n".join([*lines, ""])


def default_styles(report: Report) -> Styles:
    """Styles for a report read back from a file: default flags, this run's facts."""
    address = "address" in report.options.sanitize
    style = TextStyle(
        pid=report.pid,
        command=(report.program, *report.arguments),
        schedule=report.schedule,
        leak_host="AddressSanitizer" if address else "LeakSanitizer",
    )
    return {**dict.fromkeys(_LAYOUTS, style), "ThreadSanitizer": short_history(style)}


def short_history(style: TextStyle) -> TextStyle:
    """The default of race reports: no creation stacks of threads that are mere ancestors."""
    return replace(style, print_full_thread_history=False)


def _format_limit(finding: Finding, style: TextStyle) -> str:
    """A limit of irsan's own: never in the layout of a bug, so that no parser counts it as one."""
    lines = [f"irsan: limit: {finding.kind}", *(f"  {hint}" for hint in finding.hints)]
    stack = finding.stack("access")
    lines += format_frames(stack, style, "    #%n %p %F %L") if stack else []
    return "\n".join(lines) + "\n"
