"""A finding as a story, in the order in which it happened."""

from __future__ import annotations

import pytest

from irsan.reports.derived.places import primary_stack
from irsan.reports.derived.steps import steps_of
from tests.reports import samples


def test_steps_of_a_freed_block() -> None:
    steps = steps_of(samples.MEMORY["heap-use-after-free-threads"], "/src")
    assert [step.role for step in steps if step.role != "thread-creation"] == [
        "allocation", "free", "access",
    ]  # fmt: skip
    assert [step.thread for step in steps if step.role == "access"] == ["T1"]


def test_a_creation_is_run_by_the_creator() -> None:
    steps = steps_of(samples.RACES["race-heap"], "/src")
    first = steps[0]
    assert (first.role, first.thread, first.stack.thread) == ("thread-creation", "T0", "T1")
    assert steps[2].place is not None and steps[2].place.path == "a.c"


@pytest.mark.parametrize("name", samples.EVERYTHING)
def test_the_last_step_is_what_the_finding_is_about(name: str) -> None:
    finding = samples.EVERYTHING[name]
    steps = steps_of(finding, "/src")
    assert len(steps) == sum(bool(stack.frames) for stack in finding.stacks)
    assert steps[-1].stack is primary_stack(finding)
