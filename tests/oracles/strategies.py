"""The exploring strategies once more: Python lists, each rule in the words of its paper.

It predicts every choice exactly: the choices are a function of the seed, and splitmix64 is written
out here a second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

_MASK = (1 << 64) - 1
READS, WRITES, STARTS, WAKES, GOES_ON = 0, 1, 2, 3, 5
FIRST_SCORE, LOWERED_SCORE = 1 << 32, 1 << 31
SPIN_EVENTS, FAIR_EVENTS = 64, 1 << 12


@dataclass
class NaiveThread:
    """A thread: what it does next, and what strategies keep of it."""

    slot: int
    parent: int | None = None
    touched: int = 0
    kind: int = STARTS
    site: int = 0
    score: int = 0
    left: int = 0

    def conflicts_with(self, other: NaiveThread) -> bool:
        """One object, known, and one of the two writes."""
        if STARTS in (self.kind, other.kind) or not self.touched:
            return False
        return self.touched == other.touched and (self.kind, other.kind) != (READS, READS)


@dataclass
class NaiveExplorer:
    """A strategy over threads 0 .. n-1, of which some are runnable, in the list's order."""

    strategy: str
    state: int
    depth: int = 0
    length: int = 0
    sites: Sequence[int] = ()
    rest: Sequence[int] = ()
    behind: int = 0
    threads: list[NaiveThread] = field(default_factory=list)
    runnable: list[int] = field(default_factory=list)
    current: int = 0
    steps: int = 0
    spins: bool = False
    intended: int | None = None
    lowest: int = LOWERED_SCORE
    changes: list[int] = field(default_factory=list)
    switches: list[tuple[int, int]] = field(default_factory=list)
    newest: dict[int, int] = field(default_factory=dict)  # object: site of its newest write
    made: set[tuple[int, int]] = field(default_factory=set)
    events: list[tuple[int, int, int]] = field(default_factory=list)
    streak: tuple[int, int, int, int] = (-1, 0, 0, 0)  # slot, events in a row, at one site, site

    def __post_init__(self) -> None:
        if self.strategy in ("pct", "delay", "preempt"):
            n = min(max(self.depth, 1) - 1, 16)
            self.changes = [self.below(max(self.length, 1)) + 1 for _ in range(n)]

    def next(self) -> int:
        """splitmix64."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        return self._mixed(self.state)

    @staticmethod
    def _mixed(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        return (self.next() >> 32) * bound >> 32

    # -- what happens to threads ---------------------------------------------------------

    def event(self, touched: int, kind: int, site: int) -> int:
        """The running thread comes to an event; the slot of who goes on."""
        thread = self.threads[self.current]
        thread.touched, thread.kind, thread.site = touched, kind, site
        chosen = self.current
        if len(self.runnable) > 1:
            if self._has_spun(thread):
                self._fall_behind(thread)
            chosen = self._choose()
        self.go_on(chosen)
        return chosen

    def let_on(self, site: int) -> int:
        """The running thread has let others go on; the slot of who does."""
        drawn = self.behind and self._mixed(self.behind ^ site) % 4 == 0
        if not drawn or len(self.runnable) == 1:
            return self.current
        thread = self.threads[self.current]
        thread.touched, thread.kind, thread.site = 0, GOES_ON, site
        chosen = self._choose()
        self.go_on(chosen)
        return chosen

    def leave(self) -> int | None:
        """The running thread waits; who goes on, None when nobody can."""
        place = self.runnable.index(self.current)
        last = self.runnable.pop()
        if place < len(self.runnable):
            self.runnable[place] = last
        if not self.runnable:
            return None
        chosen = self._choose() if len(self.runnable) > 1 else self.runnable[0]
        self.go_on(chosen)
        return chosen

    def give_way(self) -> int:
        """The running thread yields."""
        chosen = self.current
        if len(self.runnable) > 1:
            self._fall_behind(self.threads[self.current])
            chosen = self._choose()
        self.go_on(chosen)
        return chosen

    def wake(self, slot: int, touched: int = 0) -> None:
        self.runnable.append(slot)
        thread = self.threads[slot]
        thread.touched, thread.kind = touched, STARTS if not touched else WAKES

    def go_on(self, slot: int) -> None:
        """The pending event of a thread happens, and the thread runs."""
        thread = self.threads[slot]
        self.events.append((slot, thread.site, thread.touched))
        self.current = slot
        if thread.kind == GOES_ON:
            thread.site = 0
            thread.score = 0 if self.strategy in ("pos", "surw", "rff") else thread.score
        elif self.strategy in ("pos", "rff"):
            self._note_pairs(thread)
            for other in self.runnable:
                if self.threads[other].conflicts_with(thread):
                    self.threads[other].score = 0
            thread.score = 0
        elif self.strategy == "urw":
            thread.left = max(thread.left - 1, 1) if thread.left else 0
        elif self.strategy == "surw":
            thread.score = 0
            if thread.site in self.sites:
                thread.left = max(thread.left - 1, 1) if thread.left else 0
                self.intended = None

    # -- fairness --------------------------------------------------------------------------

    def _has_spun(self, thread: NaiveThread) -> bool:
        slot, in_row, at_site, site = self.streak
        if slot != thread.slot:
            slot, in_row, at_site = thread.slot, 0, 0
        at_site = at_site + 1 if site == thread.site else 0
        self.streak = (slot, in_row + 1, at_site, thread.site)
        return at_site >= SPIN_EVENTS or in_row + 1 >= FAIR_EVENTS

    def _fall_behind(self, thread: NaiveThread) -> None:
        self.spins = True
        slot, _, _, site = self.streak
        self.streak = (slot, 0, 0, site)
        self.lowest -= 1
        thread.score = self.lowest

    # -- choices -----------------------------------------------------------------------------

    def _choose(self) -> int:
        self.steps += 1
        chosen = self._chosen()
        if chosen != self._default():
            self.switches.append((self.steps, chosen))
        self.spins = False
        return chosen

    def _goes_on(self) -> bool:
        return self.current in self.runnable and not self.spins

    def _robin(self) -> int:
        later = [slot for slot in self.runnable if slot > self.current]
        return min(later or self.runnable)

    def _default(self) -> int:
        return self.current if self._goes_on() else self._robin()

    def _is_changed(self) -> bool:
        return self.steps in self.changes

    def _score(self, slot: int) -> int:
        thread = self.threads[slot]
        if not thread.score:
            thread.score = FIRST_SCORE + (self.next() >> 2)
        return thread.score

    def _best(self) -> int:
        scores = [self._score(slot) for slot in self.runnable]
        return self.runnable[scores.index(max(scores))]

    def _chosen(self) -> int:
        return {
            "pct": self._pct, "pos": self._best, "urw": self._by_shares, "surw": self._selective,
            "delay": lambda: self._robin() if self._is_changed() else self._default(),
            "preempt": self._preempting, "race_directed": self._directed,
            "script": self._scripted, "rff": self._reading,
            "uniform": lambda: self.runnable[self.below(len(self.runnable))],
        }[self.strategy]()  # fmt: skip

    def _pct(self) -> int:
        if self._is_changed():
            number = self.changes.index(self.steps) + 1
            self.threads[self.current].score = LOWERED_SCORE + number
        return self._best()

    def _preempting(self) -> int:
        if not self._is_changed() and self._goes_on():
            return self.current
        if self.current not in self.runnable:
            return self.runnable[self.below(len(self.runnable))]
        others = [slot for slot in self.runnable if slot != self.current]
        return others[self.below(len(others))]

    def _share(self, slot: int) -> int:
        thread = self.threads[slot]
        if not thread.left:
            thread.left = max(self.rest[slot], 1) if slot < len(self.rest) else 1
            if thread.parent is not None and self.threads[thread.parent].left:
                maker = self.threads[thread.parent]
                maker.left = max(maker.left, thread.left + 1) - thread.left
        return thread.left

    def _by_shares(self) -> int:
        for slot in self.runnable:  # a new thread takes its share from its maker's
            self._share(slot)
        total = sum(self._share(slot) for slot in self.runnable)
        drawn = self.next() % total
        for slot in self.runnable:
            if drawn < self._share(slot):
                return slot
            drawn -= self._share(slot)
        raise AssertionError("the shares changed while one was drawn")

    def _selective(self) -> int:
        if self.spins:
            self.intended = None
            return self._best()
        if self.intended is None or self.intended not in self.runnable:
            self.intended = self._by_shares()
        free = [
            slot for slot in self.runnable
            if slot == self.intended or not self._is_watched(slot)
        ]  # fmt: skip
        found = self.runnable[self.below(len(self.runnable))]
        best = 0
        for slot in free:
            if self._score(slot) > best:
                best, found = self._score(slot), slot
        return found

    def _is_watched(self, slot: int) -> bool:
        return self.threads[slot].kind != GOES_ON and self.threads[slot].site in self.sites

    def _rank(self, slot: int) -> int:
        thread = self.threads[slot]
        if not self._is_watched(slot):
            return 1
        others = (self.threads[other] for other in self.runnable if other != slot)
        return 2 if any(thread.conflicts_with(other) for other in others) else 0

    def _directed(self) -> int:
        if self.spins:
            return self._best()
        if self.threads[self.current].kind == GOES_ON and self.current in self.runnable:
            return self.runnable[self.below(len(self.runnable))]
        ranks = {slot: self._rank(slot) for slot in self.runnable}
        best = [slot for slot in self.runnable if ranks[slot] == max(ranks.values())]
        return best[self.below(len(best))]

    def _note_pairs(self, thread: NaiveThread) -> None:
        if thread.touched and thread.kind in (READS, WRITES):
            self.made.add((self.newest.get(thread.touched, 0), thread.site))
            if thread.kind == WRITES:
                self.newest[thread.touched] = thread.site

    def _pair_rank(self, slot: int) -> int:
        """1, but 0 where a wish would be broken, and 2 where one comes true."""
        thread = self.threads[slot]
        if not thread.touched or thread.kind not in (READS, WRITES):
            return 1
        found, rank = self.newest.get(thread.touched, 0), 1
        for number in range(min(len(self.rest) // 3, 8)):
            wanted, write, read = self.rest[3 * number : 3 * number + 3]
            comes_true = (found, thread.site) == (write, read)
            if not wanted:
                rank = 0 if comes_true else rank
            elif (write, read) not in self.made:
                if comes_true:
                    return 2
                overwrites = found == write and thread.kind == WRITES
                rank = 0 if thread.site == read or overwrites else rank
        return rank

    def _reading(self) -> int:
        if self.spins:
            return self._best()
        ranked = [(self._pair_rank(slot), self._score(slot)) for slot in self.runnable]
        return self.runnable[ranked.index(max(ranked))]

    def _scripted(self) -> int:
        pairs = dict(zip(self.rest[::2], self.rest[1::2], strict=False))
        named = pairs.get(self.steps)
        return named if named in self.runnable else self._default()
