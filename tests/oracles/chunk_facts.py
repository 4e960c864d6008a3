"""Naive twin of chunk records and facts: one object with a plain field for each fact of a block."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class NaiveChunk:
    """What is known of a block; `successor` is the number of the next freed one, None when live."""

    lo: int
    begin: int = 0
    size: int = 0
    number: int = 0
    alloc_stack: int = 0
    alloc_tid: int = 0
    free_stack: int = 0
    free_tid: int = 0
    family: int = 0
    alignment: int = 0
    successor: int | None = None
    is_overwritten: bool = False

    def allocate(
        self, begin: int, size: int, number: int, alignment: int, family: int, stack: int, tid: int
    ) -> None:
        """The program has it; who had it before is forgotten."""
        self.begin, self.size, self.number = begin, size, number
        self.alloc_stack, self.alloc_tid = stack, tid
        self.free_stack = self.free_tid = 0
        self.family, self.successor = family, None
        self.alignment = alignment if alignment >= 8 else 0
        self.is_overwritten = False

    def free(self, successor: int, stack: int, tid: int) -> None:
        """It is in a list of freed ones."""
        self.family = self.alignment = 0
        self.successor = successor
        self.free_stack, self.free_tid = stack, tid

    def told(self) -> tuple[int, ...]:
        """Stacks, threads and number, as far as what was written in front of the block says."""
        if self.is_overwritten:
            return 0, 0, 0, 0, 0
        freed = (0, 0) if self.successor is None else (self.free_stack, self.free_tid)
        return self.alloc_stack, self.alloc_tid, *freed, self.number
