"""Leaks in LeakSanitizer's layout: one report for all of them, largest direct leaks first."""

from __future__ import annotations

from collections.abc import Sequence

from irsan.reports.model.locations import Address
from irsan.reports.model.report import Finding, LeakRecord, SuppressionUse
from irsan.reports.text.frames import format_memory_stack
from irsan.reports.text.locations import hexadecimal
from irsan.reports.text.memory import RULE, replay_line
from irsan.reports.text.style import TextStyle

DIRECT = "direct-leak"
_DASHES = "-" * 53


def format_leaks(
    findings: Sequence[Finding], style: TextStyle, suppressed: Sequence[SuppressionUse] = ()
) -> str:
    """Text of all leaks of a run (findings whose details are LeakRecord); '' without any.

    `suppressed`: leak suppressions that matched.
    """
    leaks = sorted((f for f in findings if isinstance(f.details, LeakRecord)), key=_print_order)
    block = format_leak_suppressions(suppressed)
    if not leaks:
        return "\n".join(block) + "\n" if block else ""
    shown = leaks[: style.max_leaks] if style.max_leaks else leaks
    header = f"=={style.pid}==ERROR: LeakSanitizer: detected memory leaks"
    lines = ["", RULE, style.paint("header", header), ""]
    if len(shown) < len(leaks):
        lines += [f"The {len(shown)} top leak(s):"]
    for leak in shown:
        lines += _leak(leak, style)
    lines += [*block, *_summary(leaks, style), *replay_line(style)]
    return "\n".join(lines) + "\n"


def format_leak_suppressions(uses: Sequence[SuppressionUse]) -> list[str]:
    """The dashed table of suppressions used, as lines; [] when none matched."""
    if not uses:
        return []
    rows = [f"{use.count:7d} {use.total_bytes:10d} {use.template}" for use in uses]
    return [_DASHES, "Suppressions used:", "  count      bytes template", *rows, _DASHES, ""]


def _record(finding: Finding) -> LeakRecord:
    assert isinstance(finding.details, LeakRecord)
    return finding.details


def _print_order(finding: Finding) -> tuple[bool, int]:
    return finding.kind != DIRECT, -_record(finding).total_bytes


def _leak(finding: Finding, style: TextStyle) -> list[str]:
    record = _record(finding)
    word = "Direct" if finding.kind == DIRECT else "Indirect"
    size = f"{record.total_bytes} byte(s) in {record.n_objects} object(s)"
    head = style.paint("access", f"{word} leak of {size} allocated from:")
    lines = [head, *format_memory_stack(finding.stack("allocation"), style)]
    if not style.report_objects:
        return lines
    return [*lines, "Objects leaked above:", *map(_object, record.objects), ""]


def _object(block: tuple[Address, int]) -> str:
    address, size_bytes = block
    return f"{hexadecimal(address)} ({size_bytes} bytes)"


def _summary(leaks: Sequence[Finding], style: TextStyle) -> list[str]:
    if not style.print_summary:
        return []
    total = sum(_record(f).total_bytes for f in leaks)
    count = sum(_record(f).n_objects for f in leaks)
    return [f"SUMMARY: {style.leak_host}: {total} byte(s) leaked in {count} allocation(s)."]
