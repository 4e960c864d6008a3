"""`irsan explore --exhaustive`: every interleaving of a small test, one schedule for each.

    scripts      each schedule is a script (schedulers/script.py), so each outcome has its token
    sites        where races are found, accesses become events, and the search begins anew
    claim        what was shown: all interleavings, or how far the search has come
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from irsan.engine.guest.explored_schedule import Event, ScheduleWords
from irsan.explore.exploration import Exploration
from irsan.explore.explorer import Budget, ExploreRequest, Show
from irsan.explore.playing.hosts import Player
from irsan.explore.portfolio import Known, Strategy
from irsan.explore.schedules import Played, Schedule
from irsan.explore.scripted import Rest, ScriptedProgram
from irsan.explore.systematic import Search

if TYPE_CHECKING:
    from irsan.engine.run.prepared import PreparedProgram

SCRIPT: Final = Strategy("script")


class _Stop(Exception):
    """No further schedule is to be played."""


class ExhaustiveExplorer:
    """One search over all interleavings; `result` is what its schedules have shown."""

    def __init__(self, request: ExploreRequest, show: Show = lambda _: None) -> None:
        """show: called when a schedule was taken."""
        self._request, self._show = request, show
        self._known = Known()
        self.budget = Budget(request)
        self.result = Exploration()
        self.claim = ""
        self.is_whole = False  # every interleaving was played

    def play(self, hosts: Player) -> PreparedProgram:
        """Prepare the program and search; a search begins anew when a race shows more events."""
        request = self._request
        prepared = hosts.load(request.options, request.limits, request.stdin)
        self.budget.begin()
        sites: tuple[int, ...] | None = None
        while sites != self._sites():
            sites = self._sites()
            search = Search(ScriptedProgram(self._player(hosts, sites)).play)
            self.is_whole, n_traces = self._search(search)
            self.claim = _claim(self.is_whole, n_traces, search, len(sites))
            if not self.is_whole:
                break
        return prepared

    def _sites(self) -> tuple[int, ...]:
        return tuple(sorted(self._known.sites))

    def _search(self, search: Search) -> tuple[bool, int]:
        """Whether all was played, and how many traces were."""
        n_traces = 0
        try:
            for _ in search.executions():
                n_traces += 1
        except _Stop:
            return False, n_traces
        return True, n_traces

    def _player(
        self, hosts: Player, sites: tuple[int, ...]
    ) -> Callable[[Rest], Sequence[Event]]:
        def run(rest: Rest) -> Sequence[Event]:
            if self._is_over():
                raise _Stop
            words = ScheduleWords(0, 0, sites, rest).as_words()  # points behind add no order
            seed, number = self._request.options.seed, self.result.n_schedules
            schedule = Schedule(number, SCRIPT.scheduler, seed, words, keeps_trace=True)
            [played] = hosts.play([schedule])
            self._take(schedule, played)
            return played.trace.rows

        return run

    def _take(self, schedule: Schedule, played: Played) -> None:
        self.result.take(schedule, SCRIPT.name, played)
        self._known.learn(played)
        self._show(self.result)

    def _is_over(self) -> bool:
        is_last = self.result.n_schedules >= self._request.n_schedules
        return self.budget.is_over(self.result) or is_last


def _claim(is_whole: bool, n_traces: int, search: Search, n_sites: int) -> str:
    events = "synchronisation and atomic operations"
    if n_sites:
        events += f" and of the accesses at {n_sites} racing places"
    if is_whole:
        return (
            f"All interleavings of the program's {events} were played, under these arguments and "
            f"this input: {n_traces} that differ in the order of what depends on each other."
        )
    estimate = max(search.estimate(), n_traces + 1)
    return (
        f"The search was stopped behind {n_traces} interleavings of the program's {events}. There "
        f"are about {estimate} in all, if what is still to be tried leads to as many as what was "
        "tried in its place; races that are yet to be seen may add to them."
    )
