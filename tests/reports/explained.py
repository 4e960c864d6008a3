"""Samples with what a run keeps for those who want to understand: timelines, memory, fields."""

from __future__ import annotations

from dataclasses import replace

from irsan.reports.model.memory import MemoryDump, MemoryField, MemoryRow
from irsan.reports.model.report import Finding, Frame, Timeline, TimelineEdge, TimelineEvent
from tests.reports import samples

_LO = samples.HEAP & ~15


def _at(line: int) -> Frame:
    return Frame("f", "/src/a.c", line, 3)


EVENTS = (
    TimelineEvent(0, "T0", "set handler", signal=10, frame=_at(2)),
    TimelineEvent(1, "T0", "create thread", other="T1", frame=_at(5)),
    TimelineEvent(2, "T1", "lock", 0x7000, "M0", frame=_at(6), object_name="guard"),
    TimelineEvent(3, "T1", "unlock", 0x7000, "M0", frame=_at(8), object_name="guard"),
    TimelineEvent(4, "T0", "send signal", other="T1", signal=10, frame=_at(7)),
    TimelineEvent(5, "T1", "begin handler", signal=10, frame=_at(8)),
    TimelineEvent(6, "T1", "end handler", signal=10, frame=_at(3)),
    TimelineEvent(7, "T1", "release", 0x7040, frame=_at(8)),
)
TIMELINE = Timeline(EVENTS, (TimelineEdge(1, 2), TimelineEdge(0, 5)), 7, n_omitted=2, is_cut=True)
MEMORY = MemoryDump(
    samples.HEAP + 4,
    samples.HEAP + 8,
    tuple(
        MemoryRow(_LO + at, " ".join(f"{n:02x}" if at else ".." for n in range(16)))
        for at in (0, 16)
    ),
    (MemoryField("node.key", samples.HEAP, 4), MemoryField("node.next[2]", samples.HEAP + 4, 16)),
)


def explained(finding: Finding) -> Finding:
    """The finding with a timeline, if it is one of several threads, and memory around."""
    is_told = finding.previous_access is not None or len(finding.threads) > 1
    return replace(
        finding,
        timeline=TIMELINE if is_told else None,
        memory=MEMORY if finding.access is not None else None,
    )
