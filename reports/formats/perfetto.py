"""A run as a trace that ui.perfetto.dev and chrome://tracing open: threads as tracks.

    process      a finding
    track        a thread that took part
    slices       a step (allocated, freed, accessed ...) with its frames, in the order of time
    arrows       "happens before", from the creation of a thread to what it does; "not ordered",
                 between the two accesses of a race

A finding with a timeline has a second process: what its threads did before with locks, threads and
signals, with an arrow from each step to those that have learned from it.

Time is the order of steps, one millisecond each: what happened at the same time is not known.
The form is Chrome's trace event format (JSON), which Perfetto imports.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Final

from irsan.reports.derived.ordering import event_words
from irsan.reports.derived.steps import Step, steps_of
from irsan.reports.model.names import demangled, shortened
from irsan.reports.model.report import Finding, Frame, Report

MAX_FINDINGS: Final = 500
MAX_FRAMES: Final = 64
_STEP_US: Final = 1000
_NAME_WIDTH: Final = 60
_MAX_TRACK: Final = 2**31 - 1

Event = dict[str, Any]


def report_to_perfetto(report: Report) -> str:
    """The trace of a report as JSON text, an event a line."""
    findings = report.findings[:MAX_FINDINGS]
    arrow_ids = count(1)
    events = [
        event for number, finding in enumerate(findings, 1)
        for event in (
            *_finding_events(number, finding, report.root, arrow_ids),
            *_timeline_events(number, finding, arrow_ids),
        )
    ]  # fmt: skip
    facts = {
        "program": " ".join((report.program, *report.arguments)),
        "seed": str(report.seed),
        "replay": report.schedule,
    }
    if len(findings) < len(report.findings):
        facts["cut"] = f"the first {len(findings)} of {len(report.findings)} findings"
    lines = ",\n".join(json.dumps(event) for event in events)
    head = f'{{"displayTimeUnit": "ms",\n"otherData": {json.dumps(facts)},\n'
    return f'{head}"traceEvents": [\n{lines}\n]}}\n'


def _finding_events(
    number: int, finding: Finding, root: str, arrow_ids: Iterator[int]
) -> Iterator[Event]:
    steps = steps_of(finding, root)
    tracks = _tracks(finding, steps)
    yield _metadata(number, "process_name", name=f"{number}. {finding.kind}")
    yield _metadata(number, "process_sort_index", sort_index=number)
    for thread, track in tracks.items():
        facts = finding.thread_facts(thread)
        name = f"{thread} {facts.name}" if facts and facts.name else thread
        yield _metadata(number, "thread_name", track=track, name=name)
    for at, step in enumerate(steps):
        yield from _slices(number, tracks[step.thread], at * _STEP_US, step)
    for name, start, end in _arrows(steps):
        arrow = next(arrow_ids)
        for phase, at in (("s", start), ("f", end)):
            track = tracks[steps[at].thread]
            yield _arrow_end(phase, name, arrow, number, track, at * _STEP_US)


def _timeline_events(number: int, finding: Finding, arrow_ids: Iterator[int]) -> Iterator[Event]:
    timeline = finding.timeline
    if timeline is None:
        return
    process = MAX_FINDINGS + number
    numbers = count(1)
    tracks = {name: next(numbers) for name in sorted({each.thread for each in timeline.events})}
    start = {each.order: at * _STEP_US for at, each in enumerate(timeline.events)}
    yield _metadata(process, "process_name", name=f"{number}. before: {finding.kind}")
    yield _metadata(process, "process_sort_index", sort_index=number)
    for name, track in tracks.items():
        yield _metadata(process, "thread_name", track=track, name=name)
    for at, each in enumerate(timeline.events):
        yield {
            "ph": "X", "pid": process, "tid": tracks[each.thread], "cat": "timeline",
            "name": event_words(each), "ts": at * _STEP_US, "dur": _STEP_US - 1,
            "args": _frame_facts(each.frame) if each.frame else {},
        }  # fmt: skip
    threads = {each.order: each.thread for each in timeline.events}
    for edge in timeline.edges:
        if edge.before not in start or edge.after not in start:
            continue
        arrow = next(arrow_ids)
        for phase, order in (("s", edge.before), ("f", edge.after)):
            track = tracks[threads[order]]
            yield _arrow_end(phase, "happens before", arrow, process, track, start[order])


def _arrow_end(phase: str, name: str, arrow: int, process: int, track: int, start: int) -> Event:
    return {
        "ph": phase, "name": name, "cat": "order", "id": arrow, "pid": process,
        "tid": track, "ts": start + _STEP_US // 2, "bp": "e",
    }  # fmt: skip


def _tracks(finding: Finding, steps: Sequence[Step]) -> dict[str, int]:
    """Thread name to track; main has number 1."""
    names = dict.fromkeys(step.thread for step in steps)
    numbers = count(2)
    return {name: 1 if name == "T0" else next(numbers) for name in names} or {finding.thread: 1}


def _metadata(process: int, event: str, /, track: int = 0, **facts: object) -> Event:
    return {"ph": "M", "pid": process, "tid": track, "name": event, "args": facts}


def _slices(process: int, track: int, start: int, step: Step) -> Iterator[Event]:
    """The step, in it its frames from the outermost to the innermost, each inside of the last."""
    frames = [*reversed(step.stack.frames[:MAX_FRAMES])]
    for depth, frame in enumerate([None, *frames]):
        yield {
            "ph": "X", "pid": process, "tid": track, "cat": step.role,
            "name": _frame_name(frame) if frame else step.words,
            "ts": start + depth, "dur": _STEP_US - 1 - 2 * depth,
            "args": _frame_facts(frame) if frame else {},
        }  # fmt: skip


def _frame_name(frame: Frame) -> str:
    name = shortened(demangled(frame.function), _NAME_WIDTH)
    return name or frame.file or "unknown"


def _frame_facts(frame: Frame) -> Event:
    facts: Event = {"file": frame.file, "line": frame.line, "touches": frame.expression}
    return {name: fact for name, fact in facts.items() if fact}


def _arrows(steps: Sequence[Step]) -> Iterator[tuple[str, int, int]]:
    """Name, start and end of arrows, as numbers of steps."""
    for at, step in enumerate(steps):
        if step.role == "thread-creation":
            began = (i for i in range(at + 1, len(steps)) if steps[i].thread == step.stack.thread)
            first = next(began, None)
            if first is not None:
                yield "happens before", at, first
        elif step.role == "previous" and step.thread != steps[-1].thread:
            yield "not ordered", at, len(steps) - 1
