"""The scheduler once more: Python integers, lists and dictionaries, no records.

It predicts every choice exactly, because the choices are a function of the seed: the generator is
written out here a second time, in the words of the paper.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_MASK = (1 << 64) - 1
TICK_NS, SHARED_TICK_NS = 50, 5000
SIGNALLED, TIMED_OUT = 0, 1
SYNC_FUEL, WINDOW, MOODS, SHARES = 500, 16, 16, 16
CALM_QUESTIONS, LONGEST_SLICE = 8, 32


def rotate_left(word: int, n_bits: int) -> int:
    """A 64-bit word rotated left."""
    return ((word << n_bits) | (word >> (64 - n_bits))) & _MASK


@dataclass
class NaiveGenerator:
    """xoshiro256** over a list of four integers."""

    state: list[int]

    def next(self) -> int:
        result = rotate_left(self.state[1] * 5 & _MASK, 7) * 9 & _MASK
        shifted = self.state[1] << 17 & _MASK
        self.state[2] ^= self.state[0]
        self.state[3] ^= self.state[1]
        self.state[1] ^= self.state[2]
        self.state[0] ^= self.state[3]
        self.state[2] ^= shifted
        self.state[3] = rotate_left(self.state[3], 45)
        return result

    def below(self, bound: int) -> int:
        """The upper 32 bits, scaled."""
        return (self.next() >> 32) * bound >> 32


@dataclass
class NaiveWait:
    """What a blocked thread waits for, and until when (0: for ever)."""

    kind: int
    addr: int
    wake_ns: int


@dataclass
class NaiveScheduler:
    """Threads are numbers 0 .. n_threads - 1.

    fuel: safepoints left before the next question; unknown while the real one draws none.
    attention: points left that are looked at closely, is_eager: the mood of their window.
    calm: slices that ran out since the last point; longer: of how many usual ones the present is.
    """

    generator: NaiveGenerator
    n_threads: int
    preempt_mean: int = 1000
    clock_ns: int = 1
    fuel: int = 0
    attention: int = 0
    is_eager: bool = False
    calm: int = 0
    longer: int = 1
    runnable: list[int] = field(default_factory=list)
    blocked: dict[int, NaiveWait] = field(default_factory=dict)
    endings: dict[int, int] = field(default_factory=dict)  # how each last wait ended

    def make_runnable(self, thread: int) -> None:
        self.runnable.append(thread)
        self.fuel = 0

    def leave(self, thread: int) -> None:
        """The last of the list takes the place of the one that leaves."""
        place = self.runnable.index(thread)
        last = self.runnable.pop()
        if place < len(self.runnable):
            self.runnable[place] = last

    def block(self, thread: int, wait: NaiveWait) -> None:
        self.leave(thread)
        self.blocked[thread] = wait

    def wake(self, thread: int, ending: int) -> None:
        del self.blocked[thread]
        self.endings[thread] = ending
        self.make_runnable(thread)

    def wake_waiters(self, kind: int, addr: int, limit: int) -> int:
        """From a random thread on, at most `limit` of those that wait for just this."""
        start = self.first_waiter()
        order = [(start + i) % self.n_threads for i in range(self.n_threads)]
        waiting = [
            thread
            for thread in order
            if thread in self.blocked
            and (self.blocked[thread].kind, self.blocked[thread].addr) == (kind, addr)
        ]
        for thread in waiting[:limit]:
            self.wake(thread, SIGNALLED)
        return len(waiting[:limit])

    def choose(self, current: int | None = None) -> int | None:
        """Who runs next; time passes, and jumps when everybody waits for it.

        In an eager mood it is one of the others, if there are any.
        """
        self.clock_ns += TICK_NS if len(self.runnable) <= 1 else SHARED_TICK_NS * self.longer
        deadlines = [wait.wake_ns for wait in self.blocked.values() if wait.wake_ns]
        if deadlines and not self.runnable:
            self.clock_ns = max(self.clock_ns, min(deadlines))
        for thread in sorted(self.blocked):
            wait = self.blocked[thread]
            if wait.wake_ns and wait.wake_ns <= self.clock_ns:
                self.wake(thread, TIMED_OUT)
        if not self.runnable:
            return None
        chosen = self.pick(current) if len(self.runnable) > 1 else self.runnable[0]
        self.refuel()
        return chosen

    def refuel(self) -> None:
        """Safepoints until the next question: drawn if another thread may go on then."""
        if len(self.runnable) <= 1:
            self.fuel = 1 << (16 if any(w.wake_ns for w in self.blocked.values()) else 20)
        elif self.preempt_mean == 0:
            self.fuel = 1 << 20
        else:
            grown = 2 ** max(0, self.calm - CALM_QUESTIONS)
            waits_for_time = any(wait.wake_ns for wait in self.blocked.values())
            self.longer = 1 if waits_for_time else min(grown, LONGEST_SLICE)
            self.fuel = self.slice()

    def run_out(self) -> None:
        """A slice has ended without a point."""
        self.fuel = 0
        self.calm += 1

    def end_calm(self) -> None:
        """Others can see what happens: the present slice is none of the longer ones either."""
        self.calm = 0
        if self.longer > 1:
            self.longer = 1
            self.fuel = min(self.fuel, self.preempt_mean)

    def pick(self, current: int | None) -> int:
        """One of several that can run."""
        candidates = self.runnable
        if self.is_eager:
            candidates = [thread for thread in candidates if thread != current]
        return candidates[self.generator.below(len(candidates))]

    def slice(self) -> int:
        """Safepoints until the next question."""
        return self.generator.below(2 * self.preempt_mean * self.longer) + 1

    def first_waiter(self) -> int:
        """The thread at which waking begins; the running one is not asked for."""
        return self.generator.below(self.n_threads)

    def take_point(self, share: int) -> None:
        """One operation that others can see, with a share of 16 that one of them goes on."""
        self.end_calm()
        if not self.attention or len(self.runnable) <= 1:
            self.fuel -= SYNC_FUEL
            return
        self.attention -= 1
        if self.attention % WINDOW == WINDOW - 1:
            self.is_eager = self.generator.below(MOODS) > 0
        if not self.attention:
            self.is_eager = False
        if not self.is_eager:
            self.fuel -= SYNC_FUEL
        elif self.generator.below(SHARES) < share:
            self.fuel = 0
        elif self.fuel <= 0:
            self.refuel()


@dataclass
class NaiveRoundRobin(NaiveScheduler):
    """Each in turn, and nothing is drawn.

    last: the thread that ran last, whether it still can or not.
    """

    last: int = 0

    def pick(self, current: int | None) -> int:
        assert current in (None, self.last)
        behind = sorted(thread for thread in self.runnable if thread > self.last)
        return behind[0] if behind else min(self.runnable)

    def slice(self) -> int:
        return self.preempt_mean * self.longer

    def first_waiter(self) -> int:
        return (self.last + 1) % self.n_threads

    def take_point(self, share: int) -> None:  # noqa: ARG002
        self.end_calm()
        self.fuel -= SYNC_FUEL

    def choose(self, current: int | None = None) -> int | None:
        chosen = super().choose(current)
        if chosen is not None:
            self.last = chosen
        return chosen
