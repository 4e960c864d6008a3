"""The locks of threads as plain lists and sets."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class NaiveHeldLocks:
    """Per thread: (lock, is write) in the order of acquisition; and which orders were seen.

    edges: (held, taken, thread, everything held) of every acquisition under another lock.
    """

    held: dict[int, list[tuple[int, bool]]] = field(default_factory=dict)
    edges: set[tuple[int, int, int, tuple[tuple[int, bool], ...]]] = field(default_factory=set)

    def take(self, thread: int, lock: int, *, is_write: bool) -> None:
        """A thread gets a lock that it does not hold."""
        mine = self.held.setdefault(thread, [])
        for other, _ in mine:
            self.edges.add((other, lock, thread, tuple(mine)))
        mine.append((lock, is_write))

    def drop(self, thread: int, lock: int) -> None:
        """A thread gives a lock up; nothing happens if it does not hold it."""
        mine = self.held.setdefault(thread, [])
        mine[:] = [entry for entry in mine if entry[0] != lock]
