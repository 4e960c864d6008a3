"""Executions as partial orders: what depends on what, and when two executions are the same.

A transition is an event of a thread with all that the thread does before its next one.  Two
transitions depend on each other if one thread does both, or if both touch one object and one of
them writes.  Executions that differ only in the order of independent neighbours are one
Mazurkiewicz trace: the program cannot tell them apart.

Source: Mazurkiewicz, "Trace theory", Advances in Petri Nets 1986.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Touches = frozenset[tuple[int, bool]]
Pair = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Transition:
    """What a thread does in one go.

    touches: (object, whether it writes);  ready: the threads that could go on before it
    """

    thread: int
    touches: Touches
    ready: frozenset[int]


@dataclass(frozen=True, slots=True)
class Execution:
    """A program's transitions to its end; pending: what threads would do that wait for ever."""

    done: Sequence[Transition]
    pending: Sequence[Transition] = ()


def are_dependent(a: Transition, b: Transition) -> bool:
    """Whether the order of two transitions can matter."""
    if a.thread == b.thread:
        return True
    writes = {touched for touched, writes in (*a.touches, *b.touches) if writes}
    return any(
        touched in writes and touched in {other for other, _ in b.touches}
        for touched, _ in a.touches
    )


class Order:
    """What happens before what in an execution.  O(n^2) to make, for small ones."""

    def __init__(self, execution: Sequence[Transition]) -> None:
        self.execution = execution
        self._before: list[int] = []  # bits: the transitions that happen before each, and itself
        self._previous: list[int] = []  # number of its thread's transition before it, -1 for none
        newest: dict[int, int] = {}
        for number, transition in enumerate(execution):
            bits = 1 << number
            for earlier in range(number):
                if are_dependent(execution[earlier], transition):
                    bits |= self._before[earlier]
            self._before.append(bits)
            self._previous.append(newest.get(transition.thread, -1))
            newest[transition.thread] = number

    def is_before(self, earlier: int, later: int) -> bool:
        """Whether a transition happens before a later one, or is it."""
        return bool(self._before[later] >> earlier & 1)

    def races_with(self, later: int) -> list[int]:
        """Transitions of other threads that one depends on, of which its thread knew nothing."""
        transition, previous = self.execution[later], self._previous[later]
        known = self._before[previous] if previous >= 0 else 0
        return [
            earlier for earlier in range(later)
            if not known >> earlier & 1
            and self.execution[earlier].thread != transition.thread
            and are_dependent(self.execution[earlier], transition)
        ]  # fmt: skip

    def initials(self, earlier: int, later: int) -> list[int]:
        """Threads that may go first on the way to the other order of a race; the later's first.

        Of what comes between the two and not because of the earlier one, and the later one: the
        threads of those that nothing else of it happens before.
        """
        between = [n for n in range(earlier + 1, later) if not self.is_before(earlier, n)]
        way = [*between, later]
        found = [
            self.execution[number].thread for place, number in enumerate(way)
            if not any(self.is_before(other, number) for other in way[:place])
        ]  # fmt: skip
        last = self.execution[later].thread
        return sorted(set(found), key=lambda thread: (thread != last, thread))


def trace_of(execution: Sequence[Transition]) -> frozenset[Pair]:
    """What all executions of one Mazurkiewicz trace share: the order of dependent transitions.

    A transition is named by its thread and its number in that thread.
    """
    counts: dict[int, int] = {}
    names = []
    for transition in execution:
        counts[transition.thread] = counts.get(transition.thread, 0) + 1
        names.append((transition.thread, counts[transition.thread]))
    ordered = {
        (names[i], names[j])
        for j in range(len(execution)) for i in range(j)
        if are_dependent(execution[i], execution[j])
    }  # fmt: skip
    return frozenset(ordered | {(name, name) for name in names})
