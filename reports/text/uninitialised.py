"""Uses of uninitialised values in MemorySanitizer's layout."""

from __future__ import annotations

from irsan.reports.model.report import Finding, UninitialisedUse
from irsan.reports.text.frames import format_memory_stack, summary_line
from irsan.reports.text.locations import hexadecimal
from irsan.reports.text.memory import replay_line
from irsan.reports.text.style import TextStyle

TOOL = "MemorySanitizer"
_MISSING = "missing-use-of-uninitialized-value"
_OWN_SENTENCES = {
    "a call of __msan_poison": "Memory was marked as uninitialized",
    "a call of __msan_allocated_memory": "Memory was marked as uninitialized",
    "the end of an object's members": "Member fields were destroyed",
    "the end of an object's class": "Virtual table ptr was destroyed",
}


def format_uninitialised(finding: Finding, style: TextStyle) -> str:
    """Whole text of one use, final newline included."""
    facts = finding.details if isinstance(finding.details, UninitialisedUse) else UninitialisedUse()
    lines: list[str] = []
    if facts.function:
        span = f"[{hexadecimal(facts.range_lo)}, {facts.range_size})"
        where = f"{facts.function} at offset {facts.offset} inside {span}"
        lines.append(f"       Uninitialized bytes in {where}")
    header = f"=={style.pid}==WARNING: {TOOL}: {finding.kind}"
    if finding.kind == _MISSING:
        header = f"=={style.pid}==WARNING: Expected use of uninitialized value not found"
    stack = finding.stack("access")
    lines += [style.paint("header", header)]
    lines += format_memory_stack(stack, style, with_snippet=True)
    lines += origin_lines(finding, style)
    lines += summary_line(TOOL, finding.kind, stack, style)
    lines += ["Exiting"] if finding.fatal else []
    return "\n".join([*lines, *replay_line(style)]) + "\n"


def origin_lines(finding: Finding, style: TextStyle) -> list[str]:
    """The story of a value: where it was stored, newest first, and what it was created by."""
    facts = finding.details if isinstance(finding.details, UninitialisedUse) else UninitialisedUse()
    lines: list[str] = []
    for step in (s for s in finding.stacks if s.role == "store-origin"):
        head = "  Uninitialized value was stored to memory at"
        lines += [style.paint("allocation", head), *format_memory_stack(step, style)]
    if not facts.created_by:
        return lines
    sentence = f"Uninitialized value was created by {facts.created_by}"
    sentence = _OWN_SENTENCES.get(facts.created_by, sentence)
    head = style.paint("allocation", f"  {sentence}")
    created = finding.stack("allocation") or finding.stack("free")
    return [*lines, head, *format_memory_stack(created, style)]
