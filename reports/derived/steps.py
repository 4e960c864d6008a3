"""A finding as a story: what happened, in which thread, in the order in which it happened.

    creations of threads and mutexes, allocation, where a value came from, poisoning, free, the
    previous access, sleep, and last what the finding is about

Formats that show a way through the program (SARIF's thread flows, Perfetto's tracks) take it from
these; `places.py` has the same places in the order in which they explain a finding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from irsan.reports.derived.places import Place, place_of_stack, primary_stack, role_words
from irsan.reports.model.report import Finding, Role, Stack

_ORDER: Final[tuple[Role, ...]] = (
    "thread-creation", "mutex-creation", "allocation", "store-origin", "poisoning", "free",
    "previous", "injected", "sleep", "access",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One stack of a finding: who ran it, what happened, and where; no place when none is known."""

    role: Role
    thread: str
    words: str
    place: Place | None
    stack: Stack

    @property
    def title(self) -> str:
        """The words as a heading."""
        return f"{self.words[:1].upper()}{self.words[1:]}"


def steps_of(finding: Finding, root: str) -> tuple[Step, ...]:
    """All steps with frames, the first that happened first; the last is the primary one.

    Of steps with one role the one with the lowest subject comes last: the oldest origin of a value
    has the highest number, and the first location is the one that matters most.
    """
    primary = primary_stack(finding)
    stacks = [stack for stack in finding.stacks if stack.frames]
    stacks.sort(key=lambda each: (each is primary, _ORDER.index(each.role), -each.subject))
    return tuple(
        Step(
            each.role, _running_thread(finding, each), role_words(finding, each),
            place_of_stack(each, root), each,
        )
        for each in stacks
    )  # fmt: skip


def _running_thread(finding: Finding, stack: Stack) -> str:
    """Who ran a stack: the creator, where its thread is the one that was created."""
    if stack.role != "thread-creation":
        return stack.thread
    facts = finding.thread_facts(stack.thread)
    return facts.created_by if facts and facts.created_by else "T0"
