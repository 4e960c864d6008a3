"""Small concurrent programs as lists of operations, and all their interleavings, one by one.

    ("read", x) ("write", x) ("lock", m) ("unlock", m)

A thread that would lock what is held waits.  The class of an interleaving is named by the smallest
sequence of threads that exchanges of independent neighbours lead to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irsan.explore.partial_orders import Execution, Transition

Operation = tuple[str, int]
Program = Sequence[Sequence[Operation]]


class Model:
    """A program's state: how far each thread is, and who holds what."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.at = [0] * len(program)
        self.held: dict[int, int] = {}

    def next_of(self, thread: int) -> Operation | None:
        place = self.at[thread]
        return self.program[thread][place] if place < len(self.program[thread]) else None

    def ready(self) -> frozenset[int]:
        return frozenset(
            thread for thread in range(len(self.program))
            if (op := self.next_of(thread)) and not (op[0] == "lock" and op[1] in self.held)
        )  # fmt: skip

    def step(self, thread: int) -> Transition:
        ready = self.ready()
        assert thread in ready
        operation = self.next_of(thread)
        assert operation is not None
        word, touched = operation
        if word == "lock":
            self.held[touched] = thread
        elif word == "unlock":
            self.held.pop(touched, None)
        self.at[thread] += 1
        return Transition(thread, frozenset({(touched, word != "read")}), ready)


def play(program: Program, prefix: Sequence[int]) -> Execution:
    """Follow a prefix, then the lowest thread that can go on."""
    model, done = Model(program), []
    for thread in prefix:
        done.append(model.step(thread))
    while model.ready():
        done.append(model.step(min(model.ready())))
    pending = [
        Transition(thread, frozenset({(operation[1], True)}), frozenset())
        for thread in range(len(program)) if (operation := model.next_of(thread))
    ]  # fmt: skip
    return Execution(done, pending)


def all_executions(program: Program) -> Iterator[list[Transition]]:
    """Every interleaving."""

    def go(prefix: list[int]) -> Iterator[list[Transition]]:
        model = Model(program)
        execution = [model.step(thread) for thread in prefix]
        if not model.ready():
            yield execution
        for thread in sorted(model.ready()):
            yield from go([*prefix, thread])

    yield from go([])


def smallest(execution: Sequence[Transition]) -> list[int]:
    """Of all sequences that exchanges of independent neighbours lead to, the smallest: its threads.

    Again and again the lowest thread whose next transition nothing that is left must come before.
    """
    left, found = list(execution), []
    while left:
        free = [
            number for number, transition in enumerate(left)
            if not any(_conflict(before, transition) for before in left[:number])
        ]  # fmt: skip
        first = min(free, key=lambda number: left[number].thread)
        found.append(left.pop(first).thread)
    return found


def _conflict(a: Transition, b: Transition) -> bool:
    pairs = [(x, y) for x in a.touches for y in b.touches if x[0] == y[0]]
    return a.thread == b.thread or any(x[1] or y[1] for x, y in pairs)
