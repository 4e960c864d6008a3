"""Faults of the sampled guarded pool in GWP-ASan's layout."""

from __future__ import annotations

from irsan.reports.model.report import Finding, Frame, GuardedSlot, Stack
from irsan.reports.text.frames import frame_snippet, shown_function, source_location
from irsan.reports.text.memory import replay_line
from irsan.reports.text.style import TextStyle

_DOUBLE_FREE = "Double Free"
_USE_AFTER_FREE = "Use After Free"
_OUTSIDE_TOO = (
    " (warning: buffer overflow/underflow detected on a free()'d allocation. Either the program has"
    " both errors at once, or the pointer is so old that others have used the slot since: then the"
    " allocation and the deallocation below are theirs)"
)


def format_guarded(finding: Finding, style: TextStyle) -> str:
    """Whole text of one fault, final newline included."""
    slot = finding.details if isinstance(finding.details, GuardedSlot) else None
    thread = slot.thread if slot else 0
    address = slot.fault if slot else finding.address or 0
    where = _where(finding.kind, slot) if slot else ""
    kind = finding.kind + _warning(finding.kind, slot)
    head = f"{kind} at {address:#x} {where}by thread {thread} here:"
    lines = [
        "*** GWP-ASan detected a memory error ***",
        style.paint("header", head),
        *_frames(finding.stack("access"), style),
    ]
    if slot is not None and slot.freed_by is not None:
        lines.append(f"{slot.fault:#x} was deallocated by thread {slot.freed_by} here:")
        lines += _frames(finding.stack("free"), style)
    if slot is not None:
        lines.append(f"{slot.fault:#x} was allocated by thread {slot.allocated_by} here:")
        lines += _frames(finding.stack("allocation"), style)
    return "\n".join([*lines, "*** End GWP-ASan report ***", *replay_line(style)]) + "\n"


def _warning(kind: str, slot: GuardedSlot | None) -> str:
    """The doubt about a use of freed memory that lies outside of the freed block."""
    if kind != _USE_AFTER_FREE or slot is None:
        return ""
    is_inside = 0 <= slot.fault - slot.allocation < max(slot.size_bytes, 1)
    return "" if is_inside else _OUTSIDE_TOO


def _where(kind: str, slot: GuardedSlot) -> str:
    """Where the fault lies; bytes to the right count from the block's start, as natively."""
    block = f"a {slot.size_bytes}-byte allocation"
    if kind == _DOUBLE_FREE:
        return f"({block}) "
    offset = slot.fault - slot.allocation
    if offset < 0:
        distance, side = -offset, "to the left of"
    elif offset < slot.size_bytes:
        distance, side = offset, "into"
    else:
        distance, side = offset, "to the right of"
    plural = "" if distance == 1 else "s"
    return f"({distance} byte{plural} {side} {block} at {slot.allocation:#x}) "


def _frames(stack: Stack | None, style: TextStyle) -> list[str]:
    lines: list[str] = []
    for number, frame in enumerate(stack.frames if stack else ()):
        lines.append(f"  #{number} {_frame(frame, style)}")
        if stack is not None and number == stack.user_frame:
            lines += frame_snippet(frame, style)
    return [*lines, ""]


def _frame(frame: Frame, style: TextStyle) -> str:
    name = shown_function(frame, style)
    if frame.file and style.symbolize:
        where = source_location(frame.file, frame.line, frame.column, style)
        return f"{where} ({name}) [{frame.pc:#x}]"
    return f"{frame.module}({name}+{max(frame.function_offset, 0):#x}) [{frame.pc:#x}]"
