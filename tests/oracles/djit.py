"""DJIT+ with dictionaries: whole clocks of threads, locks, and of each variable's accesses."""

from __future__ import annotations

from collections import defaultdict

from tests.support.traces import Event, Events

Clock = dict[str, int]


class Djit:
    """The rules by the letter; a thread's time begins at 1 and goes on at release and fork."""

    def __init__(self, events: Events) -> None:
        self.threads: dict[str, Clock] = {}
        self.locks: defaultdict[str, Clock] = defaultdict(dict)
        self.reads: defaultdict[str, Clock] = defaultdict(dict)
        self.writes: defaultdict[str, Clock] = defaultdict(dict)
        self.racy: list[int] = []
        for number, event in enumerate(events, 1):
            if self.feed(event):
                self.racy.append(number)

    def feed(self, event: Event) -> bool:
        """One event; returns whether it races."""
        clock, x = self.clock_of(event.thread), event.target
        if event.op == "acq":
            join(clock, self.locks[x])
        elif event.op == "rel":
            self.locks[x] = dict(clock)
            clock[event.thread] += 1
        elif event.op == "fork":
            join(self.clock_of(x), clock)
            clock[event.thread] += 1
        elif event.op == "join":
            join(clock, self.clock_of(x))
        else:
            return self._access(event, clock)
        return False

    def clock_of(self, thread: str) -> Clock:
        """The clock of a thread, which is mentioned now at the latest."""
        return self.threads.setdefault(thread, {thread: 1})

    def _access(self, event: Event, clock: Clock) -> bool:
        rivals = [self.writes[event.target]]
        if event.op == "w":
            rivals.append(self.reads[event.target])
        own = self.writes if event.op == "w" else self.reads
        own[event.target][event.thread] = clock[event.thread]
        return not all(is_known(rival, clock) for rival in rivals)


def join(target: Clock, source: Clock) -> None:
    """target := pointwise maximum."""
    for thread, time in source.items():
        target[thread] = max(target.get(thread, 0), time)


def is_known(rival: Clock, clock: Clock) -> bool:
    """Whether the one is at most the other, in every entry."""
    return all(time <= clock.get(thread, 0) for thread, time in rival.items())
