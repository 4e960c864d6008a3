"""Undefined behaviour in UndefinedBehaviorSanitizer's layout: one line, place first."""

from __future__ import annotations

from irsan.reports.model.report import Finding, Frame, UndefinedCheck
from irsan.reports.text.frames import (
    blamed_frame,
    failing_frame,
    format_memory_stack,
    frame_snippet,
    shown_function,
    source_location,
)
from irsan.reports.text.memory import replay_line
from irsan.reports.text.style import TextStyle

TOOL = "UndefinedBehaviorSanitizer"
_DEFAULT_KIND = "undefined-behavior"


def format_undefined(finding: Finding, style: TextStyle) -> str:
    """Whole text of one failed check, final newline included."""
    stack = finding.stack("access")
    failing = failing_frame(stack)
    place = _place(failing, style)
    facts = finding.details if isinstance(finding.details, UndefinedCheck) else None
    message = facts.message if facts else finding.kind
    error = style.paint("header", "runtime error:")
    lines = [f"{place}: {error} {message}", *(facts.notes if facts else ())]
    if style.print_stacktrace:
        lines += format_memory_stack(stack, style, with_snippet=True)
    else:
        lines[1:1] = frame_snippet(failing, style)
    if style.print_summary:
        kind = finding.kind if style.report_error_type else _DEFAULT_KIND
        frame = blamed_frame(stack)
        named = frame.file and frame.function and style.print_stacktrace
        function = f"in {frame.function}" if named else ""
        lines.append(f"SUMMARY: {TOOL}: {kind} {_place(frame, style)} {function}")
    return "\n".join([*lines, *replay_line(style)]) + "\n"


def _place(frame: Frame, style: TextStyle) -> str:
    """`file:line:column`; without debug info the function at least."""
    if frame.file:
        return source_location(frame.file, frame.line, frame.column, style)
    return f"<unknown> in {shown_function(frame, style)}" if frame.function else "<unknown>"
