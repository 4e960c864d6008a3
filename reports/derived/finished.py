"""A report gets what only its source shows: fingerprints, ends of columns, the lines around.

`finished` is called once, when the run is over and the source is still what was compiled. A report
that is finished already stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from irsan.reports.derived.places import place_of_stack
from irsan.reports.derived.root import relative_path
from irsan.reports.derived.sources import Sources
from irsan.reports.model.fingerprints import EXACT, fingerprints, numbered
from irsan.reports.model.report import (
    Cut,
    Finding,
    Fingerprint,
    Frame,
    Report,
    SourceExcerpt,
    Stack,
)

N_AROUND = 4  # lines kept on either side of a place
MAX_LINES = 20_000
MAX_LINE_LENGTH = 400


def finished(report: Report, sources: Sources) -> Report:
    """The report with fingerprints, ends of columns and excerpts of its source."""
    findings = named(report.findings, sources, report.root)
    findings = tuple(_with_ends(finding, sources) for finding in findings)
    if report.sources or not findings:
        return replace(report, findings=findings)
    excerpts, n_cut = excerpts_of(findings, sources)
    cut = (Cut("source lines", n_cut, f"a report keeps {MAX_LINES}"),) if n_cut else ()
    return replace(report, findings=findings, sources=excerpts, cut=(*report.cut, *cut))


def named(findings: Sequence[Finding], sources: Sources, root: str) -> tuple[Finding, ...]:
    """The findings with their fingerprints, the exact ones unique among them."""
    names = [
        {each.name: each.value for each in finding.fingerprints} or fingerprints(finding, sources)
        for finding in findings
    ]
    exact = numbered(
        [each.get(EXACT, "") for each in names], [_order(finding, root) for finding in findings]
    )
    return tuple(
        replace(finding, fingerprints=_as_tuple({**each, EXACT: value}))
        for finding, each, value in zip(findings, names, exact, strict=True)
    )


def _as_tuple(names: dict[str, str]) -> tuple[Fingerprint, ...]:
    return tuple(Fingerprint(name, value) for name, value in names.items())


def _order(finding: Finding, root: str) -> tuple[tuple[str, int, int], ...]:
    """Where a finding comes among those of one name: edits elsewhere keep this order."""
    places = (place_of_stack(stack, root) for stack in finding.stacks)
    return tuple(sorted((p.path, p.line, p.column) for p in places if p is not None))


def _with_ends(finding: Finding, sources: Sources) -> Finding:
    ends = lru_cache(maxsize=None)(lambda frame: _with_end(frame, sources))
    stacks = tuple(
        replace(stack, frames=tuple(map(ends, stack.frames))) for stack in finding.stacks
    )
    return replace(finding, stacks=stacks)


def _with_end(frame: Frame, sources: Sources) -> Frame:
    if frame.end_column or frame.library or not (frame.file and frame.line and frame.column):
        return frame
    end = sources.end_column(frame.file, frame.line, frame.column, frame.expression)
    return replace(frame, end_column=end) if end else frame


def excerpts_of(
    findings: Iterable[Finding], sources: Sources
) -> tuple[tuple[SourceExcerpt, ...], int]:
    """Lines around all places of the program's own, and how many did not fit."""
    wanted: dict[str, set[int]] = {}
    n_lines, n_cut = 0, 0
    for file, line in _places(findings):
        numbers = wanted.setdefault(file, set())
        known = sources.n_lines(file)
        around = set(range(max(line - N_AROUND, 1), min(line + N_AROUND, known) + 1)) - numbers
        if n_lines + len(around) > MAX_LINES:
            n_cut += len(around)
            continue
        numbers |= around
        n_lines += len(around)
    excerpts = (each for file, numbers in wanted.items() for each in _runs(file, numbers, sources))
    return tuple(excerpts), n_cut


def _places(findings: Iterable[Finding]) -> Iterator[tuple[str, int]]:
    """Files and lines, those of the innermost frames first."""
    stacks = [stack for finding in findings for stack in finding.stacks]
    inner = [(f.file, f.line) for stack in stacks for f in _own(stack)[:1]]
    outer = [(f.file, f.line) for stack in stacks for f in _own(stack)[1:]]
    yield from dict.fromkeys((*inner, *outer))


def _own(stack: Stack) -> list[Frame]:
    return [f for f in stack.frames if f.file and f.line and not (f.library or f.interceptor)]


def _runs(file: str, numbers: set[int], sources: Sources) -> Iterator[SourceExcerpt]:
    """One excerpt for each run of lines without a gap."""
    pending: list[int] = []
    for number in sorted(numbers):
        if pending and number != pending[-1] + 1:
            yield _excerpt(file, pending, sources)
            pending = []
        pending.append(number)
    if pending:
        yield _excerpt(file, pending, sources)


def _excerpt(file: str, numbers: list[int], sources: Sources) -> SourceExcerpt:
    lines = (sources.line(file, number) or "" for number in numbers)
    return SourceExcerpt(file, numbers[0], tuple(line[:MAX_LINE_LENGTH] for line in lines))


def paths_outside(report: Report) -> tuple[str, ...]:
    """Files of the program's own that do not lie below the root, each once."""
    own = (f.file for finding in report.findings for s in finding.stacks for f in _own(s))
    shown = (relative_path(file, report.root) for file in own)
    return tuple(dict.fromkeys(path.text for path in shown if path.is_outside))
