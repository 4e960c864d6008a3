"""One program, many schedules: rounds of them are played by the hosts and taken in order."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from irsan.engine.options import RunOptions
from irsan.explore.exploration import Exploration, InOrder
from irsan.explore.playing.hosts import Player
from irsan.explore.portfolio import Known, Portfolio, Strategy
from irsan.explore.schedules import Limits, Played, Schedule

if TYPE_CHECKING:
    from irsan.engine.run.prepared import PreparedProgram

DEFAULT_SCHEDULES: Final = 1000


@dataclass(frozen=True, slots=True)
class ExploreRequest:
    """What is to be explored, and for how long.

    options: of `irsan run`; their seed is that of schedule 0;  n_schedules: NO_END for no number
    time_s: no schedule begins later, None for no such end;  strategies: none for the portfolio
    until_found: the first schedule that shows something is the last
    is_exhaustive: every interleaving is to be played (exhaustive.py)
    n_jobs: hosts;  cluster: address of the Dask scheduler whose workers play instead, "" for none
    stdin: what each schedule reads
    """

    options: RunOptions
    n_schedules: int = DEFAULT_SCHEDULES
    time_s: float | None = None
    until_found: bool = False
    strategies: tuple[Strategy, ...] = ()
    n_jobs: int = 1
    cluster: str = ""
    is_exhaustive: bool = False
    limits: Limits = field(default_factory=Limits)
    stdin: bytes = b""


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


Show = Callable[[Exploration], None]
Keep = Callable[[Schedule, str, Played], None]


class Budget:
    """How long an exploration may go on: until a time, or until something is found."""

    def __init__(self, request: ExploreRequest) -> None:
        self._request = request
        self._end_s = float("inf")
        self.is_out_of_time = False

    def begin(self) -> None:
        """Time is counted from here on."""
        if self._request.time_s is not None:
            self._end_s = time.monotonic() + self._request.time_s

    def has_hit(self, result: Exploration) -> bool:
        """Whether what was looked for is found."""
        return self._request.until_found and result.hit is not None

    def is_over(self, result: Exploration) -> bool:
        """Whether no further schedule begins; it stays so."""
        self.is_out_of_time = self.is_out_of_time or time.monotonic() >= self._end_s
        return self.is_out_of_time or self.has_hit(result)


class Explorer:
    """One exploration; `play` does all of it.

    keep: called with each schedule that was not played before, its strategy, and what came of it
    """

    def __init__(self, request: ExploreRequest, show: Show = lambda _: None) -> None:
        """show: called when a schedule was taken."""
        self.request, self._show = request, show
        self._portfolio = Portfolio(request.options.seed, request.strategies)
        self._known = Known()
        self._order = InOrder()
        self._sent: dict[int, Schedule] = {}
        self.budget = Budget(request)
        self._earlier: dict[int, Played] = {}
        self._prepared: PreparedProgram | None = None
        self.keep: Keep = lambda _schedule, _strategy, _played: None
        self.result = Exploration()
        self.claim = ""
        self.is_whole = False

    def prepare(self) -> PreparedProgram:
        """Compile what is not in the cache."""
        from irsan.engine.run.prepared import prepare

        if self._prepared is None:
            self._prepared = prepare(self.request.options)
        return self._prepared

    def go_on_from(self, earlier: Sequence[Played]) -> None:
        """Take schedules that were played before as if they were played now, from number 0 on."""
        self._earlier = {one.index: one for one in earlier}

    def play(self, hosts: Player) -> PreparedProgram:
        """Prepare the program and play its schedules; `result` is what came of them."""
        request, prepared = self.request, self.prepare()
        if len(self._earlier) < request.n_schedules:
            hosts.load(request.options, request.limits, request.stdin, prepared)
        self.budget.begin()
        for numbers in self._portfolio.rounds(request.n_schedules):
            self._play_round(hosts, numbers)
        return prepared

    def _play_round(self, hosts: Player, numbers: range) -> None:
        known = deepcopy(self._known)
        first = numbers.start
        while first < numbers.stop and first in self._earlier:
            self._sent[first] = self._portfolio.schedule(first, known)
            self._put(self._earlier[first])
            first += 1
        if first == numbers.stop or self._is_over():
            return
        new = range(first, numbers.stop)
        for played in hosts.play(self._schedules(new, known), self._is_over):
            self._put(played)

    def _put(self, played: Played) -> None:
        for each in self._order.put(played):
            self._take(each)

    def _schedules(self, numbers: range, known: Known) -> Iterator[Schedule]:
        for number in numbers:
            self._sent[number] = self._portfolio.schedule(number, known)
            yield self._sent[number]

    def _take(self, played: Played) -> None:
        schedule = self._sent.pop(played.index)
        if self.budget.has_hit(self.result):
            return
        strategy = self._portfolio.strategy(played.index).name
        self.result.take(schedule, strategy, played)
        self._known.learn(played, schedule)
        if played.index not in self._earlier:
            self.keep(schedule, strategy, played)
        self._show(self.result)

    def _is_over(self) -> bool:
        return self.budget.is_over(self.result)
