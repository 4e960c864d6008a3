"""Groups of leaked chunks become findings; a resolution puts groups together."""

from __future__ import annotations

from irsan.reports.model.report import Frame, LeakRecord
from irsan.runtime.diagnosis.diagnose_leak import leak_findings
from irsan.runtime.leaks.leak_check import LeakGroup


def group(stack: int, size: int, *, is_direct: bool = True) -> LeakGroup:
    return LeakGroup(stack, 2, is_direct, size, 1, ((64 * stack, size),), stack)


def frames_of(stack_id: int) -> tuple[Frame, ...]:
    places = [("malloc", 0), ("make", 3), ("main", 10 + stack_id)]
    return tuple(Frame(name, "a.c", line, 0, line, "a.c", line) for name, line in places)


def record(details: object) -> LeakRecord:
    assert isinstance(details, LeakRecord)
    return details


def test_each_group_is_one_finding() -> None:
    found = leak_findings([group(1, 8), group(2, 16, is_direct=False)], frames_of)
    assert [finding.kind for finding, _ in found] == ["direct-leak", "indirect-leak"]
    assert [stacks for _, stacks in found] == [{1}, {2}]
    (first, _), _second = found
    stack = first.stack("allocation")
    assert stack is not None
    assert (stack.thread, stack.frames) == ("T2", frames_of(1))
    assert record(first.details) == LeakRecord(8, 1, ((64, 8),))


def test_a_resolution_puts_equal_stacks_together() -> None:
    groups = [group(1, 8), group(2, 16), group(3, 5, is_direct=False)]
    ((first, stacks), (other, _)) = leak_findings(groups, frames_of, 2)
    assert (first.kind, stacks) == ("direct-leak", {1, 2})
    assert record(first.details) == LeakRecord(24, 2, ((64, 8), (128, 16)))
    stack = first.stack("allocation")
    assert stack is not None
    assert [frame.function for frame in stack.frames] == ["malloc", "make"]
    assert other.kind == "indirect-leak"
