"""Naive twin of the heap: lists of intervals, no arithmetic, no tables.

It does not predict addresses.  It is given what the heap answered and says what must be true:
which bytes are live, which chunks wait in quarantine and in which order, what may be handed out.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class NaiveChunk:
    """A chunk as the program knows it, inside the block [lo, lo + block_bytes)."""

    begin: int
    size: int
    family: int
    lo: int
    block_bytes: int

    @property
    def end(self) -> int:
        return self.begin + self.size

    def overlaps(self, other: NaiveChunk) -> bool:
        """Whether the blocks share a byte."""
        return self.lo < other.lo + other.block_bytes and other.lo < self.lo + self.block_bytes


@dataclass
class NaiveHeap:
    """Live chunks, and the quarantine as a list of whole blocks, oldest first."""

    budget: int
    live: list[NaiveChunk] = field(default_factory=list)
    waiting: list[NaiveChunk] = field(default_factory=list)

    def allocate(self, chunk: NaiveChunk) -> None:
        """The heap handed out `chunk`: nothing live or waiting may be touched by it."""
        for other in (*self.live, *self.waiting):
            if chunk.overlaps(other):
                raise AssertionError(f"{chunk} was handed out over {other}")
        if not chunk.lo < chunk.begin <= chunk.end <= chunk.lo + chunk.block_bytes:
            raise AssertionError(f"{chunk} leaves its block")
        self.live.append(chunk)

    def find_live(self, addr: int) -> NaiveChunk | None:
        return next((chunk for chunk in self.live if chunk.begin == addr), None)

    def find_waiting(self, addr: int) -> NaiveChunk | None:
        return next((chunk for chunk in self.waiting if chunk.begin == addr), None)

    def free(self, chunk: NaiveChunk) -> None:
        """`chunk` enters the quarantine; the oldest leave until the budget is kept."""
        self.live.remove(chunk)
        self.waiting.append(chunk)
        while sum(waiting.block_bytes for waiting in self.waiting) > self.budget:
            self.waiting.pop(0)

    def is_live(self, addr: int) -> bool:
        return any(chunk.begin <= addr < chunk.end for chunk in self.live)
