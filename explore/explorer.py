"""One program, many schedules: rounds of them are played by the hosts and taken in order."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from irsan.engine.options import RunOptions
from irsan.explore.exploration import Exploration, InOrder
from irsan.explore.hosts import Hosts
from irsan.explore.portfolio import Known, Portfolio, Strategy, rounds
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
    n_jobs: hosts;  stdin: what each schedule reads
    """

    options: RunOptions
    n_schedules: int = DEFAULT_SCHEDULES
    time_s: float | None = None
    until_found: bool = False
    strategies: tuple[Strategy, ...] = ()
    n_jobs: int = 1
    is_exhaustive: bool = False
    limits: Limits = field(default_factory=Limits)
    stdin: bytes = b""


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


Show = Callable[[Exploration], None]


class Explorer:
    """One exploration; `play` does all of it."""

    def __init__(self, request: ExploreRequest, show: Show = lambda _: None) -> None:
        """show: called when a schedule was taken."""
        self._request, self._show = request, show
        self._portfolio = Portfolio(request.options.seed, request.strategies)
        self._known = Known()
        self._order = InOrder()
        self._sent: dict[int, Schedule] = {}
        self._end_s = float("inf")
        self.result = Exploration()
        self.is_out_of_time = False
        self.claim = ""
        self.is_whole = False

    def play(self, hosts: Hosts) -> PreparedProgram:
        """Prepare the program and play its schedules; `result` is what came of them."""
        request = self._request
        prepared = hosts.load(request.options, request.limits, request.stdin)
        if request.time_s is not None:
            self._end_s = time.monotonic() + request.time_s
        for numbers in rounds(request.n_schedules):
            if self._is_over():
                break
            self._play_round(hosts, numbers)
        return prepared

    def _play_round(self, hosts: Hosts, numbers: range) -> None:
        known = deepcopy(self._known)
        for played in hosts.play(self._schedules(numbers, known), self._is_over):
            for each in self._order.put(played):
                self._take(each)
        for each in self._order.rest():
            self._take(each)

    def _schedules(self, numbers: range, known: Known) -> Iterator[Schedule]:
        for number in numbers:
            self._sent[number] = self._portfolio.schedule(number, known)
            yield self._sent[number]

    def _take(self, played: Played) -> None:
        schedule = self._sent.pop(played.index)
        if self._has_hit:
            return
        self.result.take(schedule, self._portfolio.strategy(played.index).name, played)
        self._known.learn(played)
        self._show(self.result)

    @property
    def _has_hit(self) -> bool:
        return self._request.until_found and self.result.hit is not None

    def _is_over(self) -> bool:
        self.is_out_of_time = self.is_out_of_time or time.monotonic() >= self._end_s
        return self.is_out_of_time or self._has_hit
