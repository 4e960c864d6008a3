"""Signals that wait and timers that ring, as plain lists: nothing packed, nothing reused."""

from __future__ import annotations

from dataclasses import dataclass, field

FIRST_REAL_TIME = 32


@dataclass
class NaiveQueue:
    """What waits for each thread: (thread, number, its facts), oldest first."""

    waiting: list[tuple[int, int, int]] = field(default_factory=list)

    def put(self, thread: int, number: int, told: int) -> bool:
        is_there = any(one[:2] == (thread, number) for one in self.waiting)
        if is_there and number < FIRST_REAL_TIME:
            return False
        self.waiting.append((thread, number, told))
        return True

    def take(self, thread: int, number: int) -> int | None:
        for index, (owner, found, told) in enumerate(self.waiting):
            if (owner, found) == (thread, number):
                del self.waiting[index]
                return told
        return None

    def forget(self, thread: int) -> None:
        self.waiting = [one for one in self.waiting if one[0] != thread]


@dataclass
class NaiveTimer:
    """A timer whose signal waits until it is asked for."""

    due: int
    period: int
    expirations: int = 0
    is_pending: bool = False
    overrun: int = 0

    def advance(self, now: int) -> None:
        """Let time pass to `now`, one expiration after the other."""
        while self.due and self.due <= now:
            if self.is_pending:
                self.overrun += 1
            self.is_pending = True
            self.due = self.due + self.period if self.period else 0

    def take(self) -> int | None:
        """The overrun that its signal tells; None when none waits."""
        if not self.is_pending:
            return None
        told, self.overrun, self.is_pending = self.overrun, 0, False
        return told
