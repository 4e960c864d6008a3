"""A report whose paths are relative to its root, so that reports of two roots can be one."""

from __future__ import annotations

from dataclasses import replace

from irsan.reports.derived.root import relative_path
from irsan.reports.model.report import (
    Details,
    Finding,
    Frame,
    GlobalVariable,
    Location,
    OdrPair,
    Report,
    Stack,
    StackLocation,
    Timeline,
)


def rooted(report: Report) -> Report:
    """The report without a root: all that lay below it is named from there."""

    def named(file: str) -> str:
        return relative_path(file, report.root).text

    return replace(
        report,
        root="",
        findings=tuple(_finding(finding, report.root) for finding in report.findings),
        sources=tuple(replace(each, file=named(each.file)) for each in report.sources),
    )


def _finding(finding: Finding, root: str) -> Finding:
    return replace(
        finding,
        stacks=tuple(_stack(stack, root) for stack in finding.stacks),
        locations=tuple(_location(each, root) for each in finding.locations),
        details=_details(finding.details, root),
        timeline=_timeline(finding.timeline, root),
    )


def _details(details: Details | None, root: str) -> Details | None:
    if not isinstance(details, OdrPair):
        return details
    first, second = (
        replace(each, file=relative_path(each.file, root).text)
        for each in (details.first, details.second)
    )
    return OdrPair(first, second)


def _timeline(timeline: Timeline | None, root: str) -> Timeline | None:
    if timeline is None:
        return None
    events = (
        event if event.frame is None else replace(event, frame=_frame(event.frame, root))
        for event in timeline.events
    )
    return replace(timeline, events=tuple(events))


def _stack(stack: Stack, root: str) -> Stack:
    return replace(stack, frames=tuple(_frame(frame, root) for frame in stack.frames))


def _frame(frame: Frame, root: str) -> Frame:
    return replace(frame, file=relative_path(frame.file, root).text)


def _location(location: Location, root: str) -> Location:
    if isinstance(location, GlobalVariable):
        return replace(location, file=relative_path(location.file, root).text)
    if isinstance(location, StackLocation):
        return replace(location, frame=_frame(location.frame, root))
    return location
