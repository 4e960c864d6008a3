"""Which strategy plays which schedule: number -> scheduler, seed and words.

    number 0         the random walk with the seed of the command line: what `irsan run` plays
    number i         the strategy at place i % 8 of PATTERN; its seed is i more than the first
    words            depth, expected length, racing sites, shares of threads: from earlier rounds

Rounds begin at fixed numbers, so what is known when a schedule is made depends on its number alone,
never on how fast the others were; RFF, which learns from each schedule, has shorter ones where it
is alone.  The first schedule of a round that can be traced is: it says how many events each thread
has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from irsan.engine.guest.explored_schedule import (
    DEFAULT_DEPTH,
    DEFAULT_LENGTH,
    STRATEGIES,
    ScheduleWords,
)
from irsan.errors import UsageError
from irsan.explore.fuzzing import Fuzzing
from irsan.explore.schedules import RFF, Played, Schedule, Shares
from irsan.interceptors.registry import ROUTINE_SITE_BASE
from irsan.runtime.layout.options import SCHEDULERS
from irsan.runtime.records.explore_records import MAX_SITES

RANDOM: Final = "random"
#: by measurement: docs/exploration.md
PATTERN: Final = ("random", "rff", "surw", "race_directed", "pct:3", "surw", "rff", "pos")
ROUNDS: Final = (2, 8, 64, 512, 4096)  # where the next round begins
_LEARNING_ROUND: Final = 32  # schedules of a round, where a strategy learns from each
_N_SEEDS: Final = 1 << 64
#: strategies that weigh threads by the events they have left: all of them, or those on one object
_BY_ALL_EVENTS: Final = "urw"
_BY_WATCHED_EVENTS: Final = "surw"
#: waits for races, in its other turns for conflicts on one object
_BY_CONFLICTS: Final = "race_directed"


@dataclass(frozen=True, slots=True)
class Strategy:
    """A scheduler and the depth of the bugs that it is after, 0 where it has none."""

    scheduler: str
    depth: int = 0

    @property
    def name(self) -> str:
        """As on the command line: `pos`, `pct:3`."""
        return f"{self.scheduler}:{self.depth}" if self.depth else self.scheduler


@dataclass(slots=True)
class Known:
    """What the schedules of finished rounds say: their length and where accesses race."""

    length: int = 0
    sites: list[int] = field(default_factory=list)
    shares: Shares | None = None
    fuzzing: Fuzzing = field(default_factory=Fuzzing)

    def learn(self, played: Played, schedule: Schedule | None = None) -> None:
        """Take one more schedule, in the order of the numbers; `schedule`: of one that RFF made."""
        self.length = max(self.length, played.steps)
        if schedule is not None and schedule.tells_reads:
            wishes = ScheduleWords.from_words(schedule.words).rest
            self.fuzzing.learn(wishes, played.reads)
        self.shares = played.shares or self.shares
        for site in (site for pair in played.racing for site in pair):
            is_own = 0 < site < ROUTINE_SITE_BASE
            if is_own and site not in self.sites and len(self.sites) < MAX_SITES:
                self.sites.append(site)

    def words(self, strategy: Strategy, turn: int = 0, seed: int = 0) -> tuple[int, ...]:
        """What a strategy is given beside the seed. turn: how many schedules it has had before."""
        if strategy.scheduler not in STRATEGIES:
            return ()
        sites, rest = self._watched(strategy.scheduler, turn)
        if strategy.scheduler == RFF:
            rest = self.fuzzing.words(seed)
        depth, length = strategy.depth or DEFAULT_DEPTH, self.length or DEFAULT_LENGTH
        return ScheduleWords(depth, length, sites, rest).as_words()

    def _watched(self, scheduler: str, turn: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Sites, and shares of threads; the objects that several threads share take turns."""
        racing = tuple(sorted(self.sites))
        objects = self.shares.objects if self.shares is not None else ()
        if scheduler == _BY_ALL_EVENTS and self.shares is not None:
            return racing, self.shares.everywhere
        if scheduler == _BY_WATCHED_EVENTS and objects:
            chosen = objects[turn % len(objects)]
            return chosen.sites, chosen.shares
        if scheduler == _BY_CONFLICTS and objects:
            meetings = [*([racing] if racing else []), *(each.sites for each in objects)]
            return meetings[turn % len(meetings)], ()
        return racing, ()


class Portfolio:
    """The schedules of one exploration."""

    def __init__(self, seed: int, strategies: Sequence[Strategy] = ()) -> None:
        """strategies: take turns from number 0 on; none for the default ones."""
        self._seed = seed
        self._strategies = tuple(strategies) or tuple(map(_parse, PATTERN))
        self._traced = self._first_of_rounds()

    def strategy(self, number: int) -> Strategy:
        """Who plays a schedule."""
        return self._strategies[number % len(self._strategies)]

    def schedule(self, number: int, known: Known) -> Schedule:
        """The schedule with a number. known: from the rounds before its own."""
        strategy = self.strategy(number)
        seed = (self._seed + number) % _N_SEEDS
        words = known.words(strategy, self._turn(number), seed)
        is_traced = strategy.scheduler in STRATEGIES and number in self._traced
        return Schedule(number, strategy.scheduler, seed, words, is_traced)

    def rounds(self, n_schedules: int) -> Iterator[range]:
        """The numbers of all schedules, round by round."""
        learns = all(each.scheduler == RFF for each in self._strategies)
        return rounds(n_schedules, _LEARNING_ROUND if learns else 0)

    def _turn(self, number: int) -> int:
        """How many schedules the strategy of this one has had before."""
        n_times, place = divmod(number, len(self._strategies))
        alike = [one == self._strategies[place] for one in self._strategies]
        return n_times * sum(alike) + sum(alike[:place])

    def _first_of_rounds(self) -> frozenset[int]:
        """The first schedule of each round whose strategy can be traced."""
        firsts = (
            next((n for n in range(first, first + len(PATTERN)) if self._explores(n)), -1)
            for first in (0, *ROUNDS)
        )
        return frozenset(firsts)

    def _explores(self, number: int) -> bool:
        return self.strategy(number).scheduler in STRATEGIES


def rounds(n_schedules: int, longest: int = 0) -> Iterator[range]:
    """The numbers of all schedules, round by round. longest: of a round, 0 for no such limit"""
    first = 0
    while first < n_schedules:
        end = next((end for end in ROUNDS if end > first), n_schedules)
        end = min(end, first + longest if longest else end, n_schedules)
        yield range(first, end)
        first = end


def parse_strategies(text: str) -> tuple[Strategy, ...]:
    """`pos,pct:3` as strategies, which take turns. Raises UsageError for a name that is unknown."""
    return tuple(_parse(word.strip()) for word in text.split(",") if word.strip())


def _parse(word: str) -> Strategy:
    name, colon, depth = word.partition(":")
    if name not in SCHEDULERS:
        import difflib  # only a wrong word needs it

        near = difflib.get_close_matches(name, SCHEDULERS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UsageError(f"--strategy: unknown {name!r}{hint} (known: {', '.join(SCHEDULERS)})")
    if colon and not (depth.isdecimal() and 0 < int(depth) < 1 << 16):
        raise UsageError(f"--strategy {word}: behind the colon comes a depth, as in {name}:3")
    return Strategy(name, int(depth or 0))
