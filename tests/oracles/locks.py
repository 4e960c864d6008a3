"""Locks once more: small state machines that say what a call may answer.

Every method takes the number of the calling thread and gives the value that POSIX asks for, or
None when the caller has to wait.  What is left to chance (who is woken, when) is decided by the
test; the machines only say whether it was allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

OK, EPERM, EAGAIN, EBUSY, EDEADLK = 0, 1, 11, 16, 35
NORMAL, RECURSIVE, ERRORCHECK = 0, 1, 2
SERIAL = -1


@dataclass
class NaiveMutex:
    """One owner, and how often it has taken the mutex."""

    kind: int = NORMAL
    owner: int | None = None
    count: int = 0

    def lock(self, tid: int) -> int | None:
        if self.owner == tid and self.kind == ERRORCHECK:
            return EDEADLK
        return self.trylock(tid) and None

    def trylock(self, tid: int) -> int:
        if self.owner is not None and (self.owner != tid or self.kind != RECURSIVE):
            return EBUSY
        self.owner = tid
        self.count += 1
        return OK

    def unlock(self, tid: int) -> int:
        if self.owner != tid:
            return EPERM
        self.count -= 1
        if not self.count:
            self.owner = None
        return OK


@dataclass
class NaiveCondition:
    """Who waits, who was woken, whose time was over, and how deep each one held its mutex."""

    waiting: set[int] = field(default_factory=set)
    woken: set[int] = field(default_factory=set)
    expired: set[int] = field(default_factory=set)
    depths: dict[int, int] = field(default_factory=dict)

    def begin(self, tid: int, mutex: NaiveMutex) -> None:
        """Give the mutex up, however often it was taken, and wait."""
        assert mutex.owner == tid
        self.depths[tid] = mutex.count
        mutex.owner, mutex.count = None, 0
        self.waiting.add(tid)

    def wake(self, tids: set[int], limit: int) -> None:
        """A signal (limit 1) or broadcast has woken these."""
        assert tids <= self.waiting
        assert len(tids) == min(limit, len(self.waiting))
        self.waiting -= tids
        self.woken |= tids

    def expire(self, tids: set[int]) -> None:
        """The time of these is over; no signal is for them."""
        self.waiting -= tids
        self.expired |= tids

    def end(self, tid: int, mutex: NaiveMutex, is_timeout: bool) -> None:
        """The wait is over; the mutex is the caller's again, as deep as before."""
        assert mutex.owner is None
        if is_timeout:
            self.expire({tid} & self.waiting)
        (self.expired if is_timeout else self.woken).remove(tid)
        mutex.owner, mutex.count = tid, self.depths.pop(tid)


@dataclass
class NaiveSemaphore:
    """A number that never goes below zero."""

    value: int

    def wait(self) -> int | None:
        if self.value == 0:
            return None
        self.value -= 1
        return OK

    def trywait(self) -> int:
        return EAGAIN if self.wait() is None else OK

    def post(self) -> int:
        self.value += 1
        return OK


@dataclass
class NaiveSharedLock:
    """Any number of readers, or one writer."""

    readers: list[int] = field(default_factory=list)
    writer: int | None = None

    def read(self, tid: int) -> int | None:
        return EDEADLK if self.writer == tid else self.tryread(tid) and None

    def write(self, tid: int) -> int | None:
        return EDEADLK if self.writer == tid else self.trywrite(tid) and None

    def tryread(self, tid: int) -> int:
        if self.writer is not None:
            return EBUSY
        self.readers.append(tid)
        return OK

    def trywrite(self, tid: int) -> int:
        if self.writer is not None or self.readers:
            return EBUSY
        self.writer = tid
        return OK

    def unlock(self, tid: int) -> int:
        if self.writer == tid:
            self.writer = None
        else:
            self.readers.remove(tid)
        return OK

    def is_held_by(self, tid: int) -> bool:
        return self.writer == tid or tid in self.readers


@dataclass
class NaiveBarrier:
    """Opens for all that have arrived when they are enough; the last one is the serial thread."""

    needed: int
    arrived: set[int] = field(default_factory=set)
    leaving: set[int] = field(default_factory=set)

    def arrive(self, tid: int) -> int | None:
        if len(self.arrived) + 1 < self.needed:
            self.arrived.add(tid)
            return None
        self.leaving |= self.arrived
        self.arrived = set()
        return SERIAL

    def leave(self, tid: int) -> int:
        self.leaving.remove(tid)
        return OK
