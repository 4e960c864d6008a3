"""A program under scripts: its transitions, and any prefix of them with another thread behind it.

Between the search over interleavings, which knows threads and transitions, and schedules, which
know points and slots.

    rows     what a traced schedule has left (engine/guest/explored_schedule.py, Event)
    script   pairs (point, slot): who goes on there; elsewhere the default rule holds
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from irsan.engine.guest.explored_schedule import Event
from irsan.errors import IrsanError
from irsan.explore.partial_orders import Execution, Transition
from irsan.runtime.layout.explore_words import READS, STARTS, TOUCHES

Rest = tuple[int, ...]


class UncontrolledError(IrsanError):
    """The same choices have led to another execution."""

    exit_status = 69


@dataclass(slots=True)
class ScriptedProgram:
    """Plays prefixes; `run` plays a script and returns the rows that it has left."""

    run: Callable[[Rest], Sequence[Event]]
    _rows: Sequence[Event] = ()
    _starts: list[int] = field(default_factory=list)  # row of each transition
    _execution: Execution = field(default_factory=lambda: Execution(()))

    def play(self, prefix: Sequence[int]) -> Execution:
        """The execution that follows the newest one up to the last thread of a prefix."""
        known = self._execution.done[: max(len(prefix) - 1, 0)]
        self._rows = self.run(self._script(prefix))
        self._starts, self._execution = transitions_of(self._rows)
        if list(self._execution.done[: len(known)]) != list(known):
            raise UncontrolledError(
                "the same choices have led to another execution: something that irsan does not "
                "control (real time, another process, an address) decides what the program does"
            )
        return self._execution

    def _script(self, prefix: Sequence[int]) -> Rest:
        if not prefix:
            return ()
        at = self._starts[len(prefix) - 1]
        slots = {row.tid: row.slot for row in self._rows}
        return (*script_of(self._rows[:at]), self._rows[at].step, slots[prefix[-1]])


def script_of(rows: Sequence[Event]) -> Rest:
    """The script that repeats rows: who went on at each of their points."""
    words: list[int] = []
    newest = 0
    for row in rows:
        if row.kind != TOUCHES and row.step != newest:
            words += [row.step, row.slot]
            newest = row.step
    return tuple(words)


def transitions_of(rows: Sequence[Event]) -> tuple[list[int], Execution]:
    """The row at which each transition begins, and the transitions.

    A thread that has asked for a lock that another one held has done nothing; it is pending if it
    never got on.
    """
    starts: list[int] = []
    waiting: dict[int, int] = {}
    touches: list[set[tuple[int, bool]]] = []
    newest: dict[int, int] = {}  # transition of each thread
    for number, row in enumerate(rows):
        if row.kind == TOUCHES:
            touches[newest[row.tid]].add((row.touched, True))
        elif not row.ready >> row.tid & 1:
            waiting[row.tid] = row.touched
        else:
            waiting.pop(row.tid, None)
            newest[row.tid] = len(starts)
            starts.append(number)
            touches.append(_touched(row))
    done = [
        Transition(rows[start].tid, frozenset(touched), _threads(rows[start].ready))
        for start, touched in zip(starts, touches, strict=True)
    ]
    pending = [Transition(t, frozenset({(addr, True)}), frozenset()) for t, addr in waiting.items()]
    return starts, Execution(done, pending)


def _touched(row: Event) -> set[tuple[int, bool]]:
    if row.kind == STARTS or not row.touched:
        return set()
    return {(row.touched, row.kind != READS)}


def _threads(bits: int) -> frozenset[int]:
    return frozenset(tid for tid in range(bits.bit_length()) if bits >> tid & 1)
