"""Happens-before with dictionaries: whole clocks by thread number, nothing reused or packed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

Clock = dict[int, int]

RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = range(6)
ACQUIRES = (CONSUME, ACQUIRE, ACQ_REL, SEQ_CST)
RELEASES = (RELEASE, ACQ_REL, SEQ_CST)


def join(target: Clock, source: Clock) -> None:
    """target := pointwise maximum."""
    for tid, time in source.items():
        target[tid] = max(target.get(tid, 0), time)


@dataclass
class NaiveThread:
    """A thread's clock, what its relaxed loads have seen, and its last release fence."""

    tid: int
    clock: Clock
    seen: Clock = field(default_factory=dict)
    fence: Clock | None = None

    def tick(self) -> None:
        self.clock[self.tid] += 1


@dataclass
class NaiveClocks:
    """Threads, locks and atomics of a program."""

    threads: dict[int, NaiveThread] = field(default_factory=dict)
    written: dict[int, Clock] = field(default_factory=dict)
    read: dict[int, Clock] = field(default_factory=lambda: defaultdict(dict))
    releaser: dict[int, int] = field(default_factory=dict)

    def start(self) -> None:
        """The main thread, number 0."""
        self.threads[0] = NaiveThread(0, {0: 1})

    def knows(self, tid: int, other: int, time: int) -> bool:
        """Whether what `other` did at `time` happens before now of `tid`."""
        return time <= self.threads[tid].clock.get(other, 0)

    def fork(self, tid: int, child: int) -> None:
        parent = self.threads[tid]
        self.threads[child] = NaiveThread(child, {**parent.clock, child: 1})
        parent.tick()

    def join_thread(self, tid: int, child: int) -> None:
        join(self.threads[tid].clock, self.threads[child].clock)

    def acquire(self, tid: int, addr: int) -> None:
        join(self.threads[tid].clock, self.written.get(addr, {}))

    def acquire_all(self, tid: int, addr: int) -> None:
        self.acquire(tid, addr)
        join(self.threads[tid].clock, self.read[addr])

    def release(self, tid: int, addr: int) -> None:
        join(self.written.setdefault(addr, {}), self.threads[tid].clock)
        self.threads[tid].tick()

    def release_store(self, tid: int, addr: int) -> None:
        self.written[addr] = dict(self.threads[tid].clock)
        self.read[addr] = {}
        self.threads[tid].tick()

    def release_read(self, tid: int, addr: int) -> None:
        join(self.read[addr], self.threads[tid].clock)
        self.threads[tid].tick()

    def learn_everything(self, tid: int) -> None:
        """All that any thread has done is known now; what the others do next is not."""
        for other in self.threads.values():
            if other.tid != tid:
                join(self.threads[tid].clock, other.clock)
                other.tick()

    def forget(self, lo: int, size_bytes: int) -> None:
        """Memory is freed: whatever synchronised there is gone."""
        for table in (self.written, self.read, self.releaser):
            for addr in [a for a in table if lo <= a < lo + size_bytes]:
                del table[addr]

    def observe(self, tid: int, addr: int, order: int) -> None:
        """Reading half of a load or read-modify-write."""
        thread = self.threads[tid]
        join(thread.clock if order in ACQUIRES else thread.seen, self.written.get(addr, {}))

    def store(self, tid: int, addr: int, order: int) -> None:
        """Clock work of an atomic store."""
        thread = self.threads[tid]
        if order in RELEASES:
            self.written[addr] = dict(thread.clock)
            self.releaser[addr] = tid
            thread.tick()
            return
        if self.releaser.get(addr) != tid:
            self.written.pop(addr, None)
        if thread.fence is not None:
            join(self.written.setdefault(addr, {}), thread.fence)
            self.releaser[addr] = tid

    def modify(self, tid: int, addr: int, order: int) -> None:
        """Writing half of a read-modify-write: every release sequence goes on."""
        thread = self.threads[tid]
        if not self.written.get(addr) and (order in RELEASES or thread.fence is not None):
            self.releaser[addr] = tid
        if order in RELEASES:
            join(self.written.setdefault(addr, {}), thread.clock)
            thread.tick()
        elif thread.fence is not None:
            join(self.written.setdefault(addr, {}), thread.fence)

    def fence(self, tid: int, order: int) -> None:
        """An atomic fence."""
        thread = self.threads[tid]
        if order in ACQUIRES:
            join(thread.clock, thread.seen)
        if order in RELEASES:
            thread.fence = dict(thread.clock)
            thread.tick()
