"""Naive twin of chunk records: one object with a plain field for each fact of a block."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class NaiveRecord:
    """What is known of a block; `successor` is the number of the next freed one, None when live."""

    lo: int = 0
    begin: int = 0
    size: int = 0
    number: int = 0
    alloc_tid: int = 0
    free_tid: int = 0
    family: int | None = None
    align_log: int | None = None
    successor: int | None = None

    def allocate(self, begin: int, size: int, number: int, alignment: int, family: int) -> None:
        """The program has it; who had it before is forgotten."""
        self.begin, self.size, self.number = begin, size, number
        self.family, self.successor = family, None
        self.align_log = alignment.bit_length() - 1 if alignment >= 8 else 0

    def free(self, successor: int) -> None:
        """It is in a list of freed ones."""
        self.family = self.align_log = None
        self.successor = successor
