"""The naive race detector: every byte remembers every access ever made to it.

Two accesses race when they share a byte, one writes, not both are atomic, and neither happens
before the other.  No epochs, no cells, no reuse: an access is compared with the whole past.

A byte that is dead has one access in its past, the free, which happens before nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tests.oracles.clocks import NaiveClocks

READ, WRITE, ATOMIC = 0, 1, 2


@dataclass(frozen=True)
class PastAccess:
    """An access of the past: thread number, its time, kind bits and the stack (a site list)."""

    tid: int
    time: int
    kind: int
    stack: tuple[int, ...]


def conflict(one: int, other: int) -> bool:
    """Whether two kinds race when unordered."""
    return bool((one | other) & WRITE) and not one & other & ATOMIC


@dataclass
class NaiveDetector:
    """History of every byte, and which bytes have raced already."""

    clocks: NaiveClocks = field(default_factory=NaiveClocks)
    past: dict[int, list[PastAccess]] = field(default_factory=lambda: defaultdict(list))
    raced: set[int] = field(default_factory=set)
    dead: set[int] = field(default_factory=set)

    def access(
        self, tid: int, addr: int, size_bytes: int, kind: int, stack: tuple[int, ...]
    ) -> dict[int, set[tuple[int, tuple[int, ...], int]]]:
        """Check and record; for each byte that races for the first time, its legal other sides.

        The other side is (thread number, stack, kind).
        """
        found = {}
        now = PastAccess(tid, self.clocks.threads[tid].clock[tid], kind, stack)
        for byte in range(addr, addr + size_bytes):
            racing = {
                (old.tid, old.stack, old.kind)
                for old in self.past[byte]
                if byte in self.dead
                or (conflict(old.kind, kind) and not self.clocks.knows(tid, old.tid, old.time))
            }
            if byte not in self.dead:
                self.past[byte].append(now)
            if racing and byte not in self.raced:
                found[byte] = racing
        self.raced |= found.keys()
        return found

    def restart(
        self,
        tid: int,
        addr: int,
        size_bytes: int,
        stack: tuple[int, ...] | None,
        *,
        is_dead: bool = False,
    ) -> None:
        """New life of memory: no past, or one write by `tid` now when a stack is given.

        is_dead  the write is a free that happens before nothing
        """
        for byte in range(addr, addr + size_bytes):
            self.past[byte].clear()
            self.raced.discard(byte)
            (self.dead.add if is_dead else self.dead.discard)(byte)
            if stack is not None:
                time = self.clocks.threads[tid].clock[tid]
                self.past[byte].append(PastAccess(tid, time, WRITE, stack))
