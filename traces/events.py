"""A trace as columns: one number each for operation, thread, target and location of an event.

Threads, locks, variables, locations and labels are name spaces of their own; a name's number is the
place of its first mention.  The target of an event is a number in the space that its operation has:

    READ WRITE            variable
    ACQUIRE RELEASE       lock
    FORK JOIN             thread
    BEGIN END DUMMY       label: what stands after the keyword, mostly nothing
    SKIPPED               only after the check: the inner half of a re-entrant lock operation
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from irsan.traces.kernels.operations import ACQUIRE, FORK, JOIN, READ, RELEASE, WRITE
from irsan.traces.names import NameTable

KEYWORDS = ("r", "w", "acq", "rel", "fork", "join", "begin", "end", "dummy")
N_OPERATIONS = len(KEYWORDS)

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some consecutive events; `first_event` is the 1-based number of the first one."""

    first_event: int
    operations: Bytes
    threads: Numbers
    targets: Numbers
    locations: Numbers

    def __len__(self) -> int:
        return len(self.operations)


@dataclass(frozen=True, slots=True)
class Names:
    """The five name spaces of a trace, as far as it has been read."""

    threads: NameTable
    locks: NameTable
    variables: NameTable
    locations: NameTable
    labels: NameTable

    @classmethod
    def empty(cls) -> Names:
        """Five empty tables."""
        return cls(*(NameTable() for _ in range(5)))

    def tables(self) -> tuple[NameTable, ...]:
        """All five, always in the same order."""
        return (self.threads, self.locks, self.variables, self.locations, self.labels)

    def table_of(self, operation: int) -> NameTable:
        """The space that the targets of an operation are numbers of."""
        if operation in (READ, WRITE):
            return self.variables
        if operation in (ACQUIRE, RELEASE):
            return self.locks
        return self.threads if operation in (FORK, JOIN) else self.labels


class Trace(Protocol):
    """An open trace file, whatever its form."""

    names: Names

    def chunks(self) -> Iterator[Chunk]:
        """The events in order, once. Raises UsageError for a file that is not what it claims."""

    def position(self) -> int:
        """Bytes of the file read so far."""

    def __enter__(self) -> Any: ...

    def __exit__(self, *error: object) -> None: ...
