"""Many reports as one: of a test suite's processes, of shards, of repetitions.

Findings with one exact fingerprint are one, shown as first seen, with where each was seen. Files
are taken in the order given, those of a folder by name, so the same files give the same report.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from irsan.errors import UsageError
from irsan.reports.model.report import (
    BuildFacts,
    Cut,
    Finding,
    HostFacts,
    MergedFile,
    Report,
    RunOptions,
    Sighting,
    SourceExcerpt,
    SuppressionUse,
    Timing,
)
from irsan.reports.sets.merged_exploration import merged_exploration
from irsan.reports.sets.report_files import ReadFile
from irsan.reports.sets.rooted import rooted

_T = TypeVar("_T")
MAX_SIGHTINGS = 100  # of one finding; the rest is counted


def merge(files: Iterable[ReadFile]) -> Report:
    """The reports of all files as one. Raises UsageError when none of them is a report."""
    files = list(files)
    reports = [(str(each.path), each.report) for each in files if each.report is not None]
    if not reports:
        problems = "; ".join(f"{each.path}: {each.problem}" for each in files[:3])
        raise UsageError(f"no report to merge{': ' if problems else ''}{problems}")
    roots = {report.root for _, report in reports}
    if len(roots) > 1:
        reports = [(file, rooted(report)) for file, report in reports]
    findings, cut = _findings(reports)
    only = [report for _, report in reports]
    return replace(
        _run_of(only),
        findings=findings,
        suppressed=_suppressed(only),
        cut=(*_cuts(only), *cut, *_unread(files)),
        sources=_sources(only),
        merged=tuple(map(_merged_file, files)),
        exploration=merged_exploration(report.exploration for report in only),
    )


def _findings(reports: Sequence[tuple[str, Report]]) -> tuple[tuple[Finding, ...], list[Cut]]:
    found: dict[str, Finding] = {}
    sightings: dict[str, list[Sighting]] = {}
    for file, report in reports:
        for finding in report.findings:
            seen = finding.seen or (_sighting(file, report, finding),)
            name = finding.id
            sightings.setdefault(name, []).extend(seen)
            found[name] = _joined(found[name], finding) if name in found else finding
    n_cut = sum(max(len(seen) - MAX_SIGHTINGS, 0) for seen in sightings.values())
    joined = tuple(
        replace(finding, seen=tuple(sightings[name][:MAX_SIGHTINGS]))
        for name, finding in found.items()
    )
    reason = f"a merged finding keeps {MAX_SIGHTINGS}"
    return joined, [Cut("sightings", n_cut, reason)] if n_cut else []


def _joined(first: Finding, another: Finding) -> Finding:
    kinds = dict.fromkeys((*first.other_kinds, *another.other_kinds))
    return replace(first, count=first.count + another.count, other_kinds=tuple(kinds))


def _sighting(file: str, report: Report, finding: Finding) -> Sighting:
    command = report.command or (report.program, *report.arguments)
    explored, count = finding.explored, finding.count
    schedule = explored.first.schedule if explored else report.schedule
    return Sighting(report.program, command, report.seed, schedule, file, report.test, count)


def _run_of(reports: Sequence[Report]) -> Report:
    """Facts of the runs: what all share, and sums; what differs is left empty."""
    first = reports[0]
    same = all(
        (each.program, each.arguments) == (first.program, first.arguments) for each in reports
    )
    return Report(
        program=first.program if same else f"{len({r.program for r in reports})} programs",
        arguments=first.arguments if same else (),
        command=first.command if same else (),
        engine=first.engine,
        seed=first.seed,
        schedule=first.schedule if len(reports) == 1 else "",
        exit_status=max(each.exit_status for each in reports),
        timing=_timing(reports),
        options=_options(reports),
        root=first.root,
        build=_common([each.build for each in reports], BuildFacts()),
        host=_common([each.host for each in reports], HostFacts()),
    )


def _common(values: Sequence[_T], otherwise: _T) -> _T:
    return values[0] if all(value == values[0] for value in values) else otherwise


def _timing(reports: Sequence[Report]) -> Timing:
    started = min((r.timing.started for r in reports if r.timing.started), default="")
    return Timing(
        round(sum(each.timing.frontend_s for each in reports), 6),
        round(sum(each.timing.instrument_s for each in reports), 6),
        round(sum(each.timing.codegen_s for each in reports), 6),
        round(sum(each.timing.run_s for each in reports), 6),
        all(each.timing.cached for each in reports),
        started,
    )


def _options(reports: Sequence[Report]) -> RunOptions:
    names = {name for report in reports for name in report.options.sanitize}
    levels = {report.options.optimization for report in reports}
    return RunOptions(tuple(sorted(names)), levels.pop() if len(levels) == 1 else "mixed")


def _suppressed(reports: Sequence[Report]) -> tuple[SuppressionUse, ...]:
    uses: dict[tuple[str, str, str], SuppressionUse] = {}
    for use in (use for report in reports for use in report.suppressed):
        key = (use.tool, use.type, use.template)
        known = uses.get(key)
        uses[key] = use if known is None else replace(
            use, count=use.count + known.count, total_bytes=use.total_bytes + known.total_bytes
        )  # fmt: skip
    return tuple(uses.values())


def _sources(reports: Sequence[Report]) -> tuple[SourceExcerpt, ...]:
    """All excerpts, each line of a file from the first report that has it."""
    lines: dict[str, dict[int, str]] = {}
    for excerpt in (excerpt for report in reports for excerpt in report.sources):
        known = lines.setdefault(excerpt.file, {})
        for number, line in enumerate(excerpt.lines, excerpt.first_line):
            known.setdefault(number, line)
    return tuple(
        excerpt for file, known in lines.items() for excerpt in _excerpts(file, known)
    )  # fmt: skip


def _excerpts(file: str, lines: dict[int, str]) -> list[SourceExcerpt]:
    found: list[SourceExcerpt] = []
    pending: list[int] = []
    for number in [*sorted(lines), -1]:
        if pending and number != pending[-1] + 1:
            text = tuple(lines[each] for each in pending)
            found.append(SourceExcerpt(file, pending[0], text))
            pending = []
        pending.append(number)
    return found


def _cuts(reports: Sequence[Report]) -> list[Cut]:
    sums: dict[tuple[str, str], int] = {}
    for each in (each for report in reports for each in report.cut):
        sums[each.what, each.reason] = sums.get((each.what, each.reason), 0) + each.n
    return [Cut(what, n, reason) for (what, reason), n in sums.items()]


def _unread(files: Sequence[ReadFile]) -> list[Cut]:
    n_unread = sum(each.report is None for each in files)
    return [Cut("report files", n_unread, "no whole reports")] if n_unread else []


def _merged_file(each: ReadFile) -> MergedFile:
    if each.report is None:
        return MergedFile(str(each.path), problem=each.problem)
    return MergedFile(str(each.path), each.report.program, len(each.report.findings))
