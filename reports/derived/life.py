"""The life of the object of a finding: allocated, passed from thread to thread, freed, accessed.

How a thread came to know an address is not recorded. What is shown as "passed" is the newest way by
which it can have learned of it in order: a path of happens-before from the thread that allocated
the object. Without a path through the timeline it is the creation of the thread; without that, the
object was found through memory that nothing orders, which may be the bug itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final

from irsan.reports.derived.ordering import event_words
from irsan.reports.derived.places import Place, place_of_frame, place_of_stack, thread_words
from irsan.reports.derived.steps import Step, steps_of
from irsan.reports.model.report import Finding
from irsan.reports.model.timeline import Timeline, TimelineEvent

_ROLES: Final = frozenset({"allocation", "free", "previous", "access"})


@dataclass(frozen=True, slots=True)
class LifeStep:
    """What happened to the object, and where; no place when none is known."""

    words: str
    place: Place | None


def life_of(finding: Finding, root: str) -> tuple[LifeStep, ...]:
    """The steps in order; none of what was not allocated."""
    steps = [
        step for step in steps_of(finding, root) if step.role in _ROLES and not step.stack.subject
    ]
    if not steps or steps[0].role != "allocation":
        return ()
    return tuple(_told(finding, root, steps))


def _told(finding: Finding, root: str, steps: list[Step]) -> Iterator[LifeStep]:
    first, *others = steps
    yield _step_told(first)
    knowing = {first.thread}
    for step in others:
        if step.thread not in knowing:
            knowing.add(step.thread)
            yield from _passed(finding, root, first.thread, step)
    yield from map(_step_told, others)


def _step_told(step: Step) -> LifeStep:
    return LifeStep(step.title, step.place)


def _passed(finding: Finding, root: str, owner: str, step: Step) -> Iterator[LifeStep]:
    """How the thread of a step came to know what the owner had allocated."""
    who, timeline = step.thread, finding.timeline or Timeline(())
    before = timeline.previous if step.role == "previous" else None
    way = newest_way(timeline, owner, who, inf if before is None else before)
    for given, taken in way:
        yield _life_step("Passed on", finding, given, root)
        if given.other != taken.thread:  # else it is what the new thread did first
            yield _life_step("Taken", finding, taken, root)
    if not way:
        yield from _created(finding, root, owner, who)


def _life_step(word: str, finding: Finding, event: TimelineEvent, root: str) -> LifeStep:
    place = place_of_frame(event.frame, root) if event.frame else None
    who = thread_words(finding, event.thread)
    return LifeStep(f"{word} by {who}: {event_words(event)}", place)


def newest_way(
    timeline: Timeline, source: str, target: str, before: float = inf
) -> tuple[tuple[TimelineEvent, TimelineEvent], ...]:
    """How thread `target` has learned of `source` last: steps that gave and took, in order.

    before: order that the steps of `target` come before.
    A step that has learned from another one stands behind it.
    """
    events = {event.order: event for event in timeline.events}
    known: dict[str, float] = {target: before}  # thread: up to which of its steps are behind us
    way: dict[str, tuple[int, int]] = {}
    for edge in sorted(timeline.edges, key=lambda each: each.after, reverse=True):
        event, origin = events.get(edge.after), events.get(edge.before)
        if event is None or origin is None or event.order >= known.get(event.thread, -1):
            continue
        if origin.order >= known.get(origin.thread, -1):
            known[origin.thread] = origin.order + 1
            way[origin.thread] = edge.before, edge.after
    found = []
    while source != target and source in way:
        given, taken = (events[order] for order in way[source])
        found.append((given, taken))
        source = taken.thread
    return tuple(found)


def _created(finding: Finding, root: str, owner: str, who: str) -> Iterator[LifeStep]:
    """The creations that lead from the owner to a thread, else that nothing does."""
    line = [who]
    while line[-1] != owner and (facts := finding.thread_facts(line[-1])) and facts.created_by:
        line.append(facts.created_by)
    if line[-1] != owner:
        giver, taker = thread_words(finding, owner), thread_words(finding, who)
        yield LifeStep(f"No step that is known passed it from {giver} to {taker}", None)
        return
    for creator, made in pairwise(reversed(line)):
        stack = finding.stack("thread-creation", thread=made)
        words = f"Passed on by {thread_words(finding, creator)}: create {made}"
        yield LifeStep(words, place_of_stack(stack, root))
