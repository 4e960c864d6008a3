"""Leaked chunks to findings: one per allocation stack, direct and indirect ones apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from irsan.reports.model.report import Finding, Frame, LeakRecord, Stack
from irsan.runtime.leaks.leak_check import MAX_OBJECTS, LeakGroup

Frames = tuple[Frame, ...]


def leak_findings(
    groups: Sequence[LeakGroup],
    stack_to_frames: Callable[[int], Frames],
    resolution: int = 0,
    *,
    fatal: bool = True,
) -> list[tuple[Finding, frozenset[int]]]:
    """Findings, each with the ids of the stacks that it stands for: direct ones first, by bytes.

    resolution: innermost frames that distinguish leaks (and are shown), 0 for all.
    """
    merged: dict[tuple[object, ...], tuple[Finding, frozenset[int]]] = {}
    for group in groups:
        frames = stack_to_frames(group.alloc_stack)
        frames = frames[:resolution] if resolution else frames
        key = (group.is_direct, frames if resolution else group.alloc_stack)
        stacks = frozenset([group.alloc_stack])
        finding = _finding(group, frames, fatal=fatal)
        if key in merged:
            first, before = merged[key]
            finding, stacks = _together(first, finding), before | stacks
        merged[key] = finding, stacks
    return sorted(merged.values(), key=_order)


def _order(found: tuple[Finding, frozenset[int]]) -> tuple[bool, int]:
    record = found[0].details
    assert isinstance(record, LeakRecord)
    return found[0].kind != "direct-leak", -record.total_bytes


def _finding(group: LeakGroup, frames: Frames, *, fatal: bool) -> Finding:
    thread = f"T{group.alloc_tid}"
    return Finding(
        tool="LeakSanitizer",
        kind="direct-leak" if group.is_direct else "indirect-leak",
        thread=thread,
        stacks=(Stack("allocation", thread, frames),),
        details=LeakRecord(group.total_bytes, group.n_objects, group.objects),
        fatal=fatal,
    )


def _together(first: Finding, second: Finding) -> Finding:
    one, other = first.details, second.details
    assert isinstance(one, LeakRecord)
    assert isinstance(other, LeakRecord)
    record = LeakRecord(
        one.total_bytes + other.total_bytes,
        one.n_objects + other.n_objects,
        (*one.objects, *other.objects)[:MAX_OBJECTS],
    )
    return replace(first, details=record)
