"""The Python side of the check of traces: grows its tables, explains errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irsan.errors import UsageError
from irsan.traces.events import Chunk, Names
from irsan.traces.kernels.columns import grown_table, new_table
from irsan.traces.kernels.well_formed import Usage, Violation, check_events

_EXPLAINED = {
    Violation.HELD_BY_OTHER: "{thread} acquires lock {target}, which {holder} holds",
    Violation.NOT_HELD: "{thread} releases lock {target}, which it does not hold",
    Violation.FORKED_TWICE: "{thread} forks {target}, which has begun already",
    Violation.AFTER_JOIN: "{thread} acts after it was joined",
    Violation.ITSELF: "{thread} forks or joins itself",
}


class WellFormedCheck:
    """Checks a trace chunk by chunk; `place` is the file's name, for messages."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._usage = new_table(Usage)

    def flatten(self, chunk: Chunk, names: Names) -> Chunk:
        """The chunk with flat locks. Raises UsageError for what no execution can do."""
        self._usage = grown_table(
            self._usage, locks=len(names.locks), threads=len(names.threads)
        )
        operations = chunk.operations.copy()
        violation = np.zeros(1, np.int64)
        n_fine = check_events(self._usage, operations, chunk.threads, chunk.targets, violation)
        if violation[0]:
            raise UsageError(self._explain(Violation(int(violation[0])), chunk, n_fine, names))
        return replace(chunk, operations=operations)

    def _explain(self, violation: Violation, chunk: Chunk, at: int, names: Names) -> str:
        target = int(chunk.targets[at])
        holder = int(self._usage.holder[target]) if violation == Violation.HELD_BY_OTHER else -1
        text = _EXPLAINED[violation].format(
            thread=f"thread {names.threads.name(int(chunk.threads[at]))}",
            target=names.table_of(int(chunk.operations[at])).name(target),
            holder=f"thread {names.threads.name(holder)}" if holder >= 0 else "nobody",
        )
        return f"{self._place}: event {chunk.first_event + at}: {text}"
