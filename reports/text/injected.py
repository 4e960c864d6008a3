"""The failure that was injected before a finding, in irsan's own words behind the tool's report."""

from __future__ import annotations

from irsan.reports.model.report import Finding, InjectedFailure, Stack
from irsan.reports.text.frames import format_frames, shown_function, source_location
from irsan.reports.text.style import TextStyle

_FRAME = "    #%n %p %F %L"


def format_injected(finding: Finding, style: TextStyle) -> str:
    """Lines about it; empty when there was none."""
    failure = finding.injected
    if failure is None:
        return ""
    stack = finding.stack("injected")
    place = _place(stack, style) if stack else ""
    lines = [f"irsan: behind an injected failure: {failure.words}{place}; {_facts(failure)}"]
    lines += format_frames(stack, style, _FRAME) if stack and stack.frames else []
    return "\n".join(lines) + "\n"


def _place(stack: Stack, style: TextStyle) -> str:
    """` at f a.c:12` of the program's innermost frame."""
    if stack.user_frame < 0:
        return ""
    frame = stack.frames[stack.user_frame]
    where = source_location(frame.file, frame.line, frame.column, style) if frame.file else ""
    return f" at {shown_function(frame, style)} {where}".rstrip()


def _facts(failure: InjectedFailure) -> str:
    since = failure.calls_since
    facts = ["no call since could fail" if not since else f"{since} calls since could fail"]
    if failure.allocation:
        facts.insert(0, f"allocation {failure.allocation}")
    if failure.number > 1:
        facts.append(f"failure {failure.number} of the run")
    return ", ".join(facts)
