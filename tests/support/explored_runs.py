"""Programs of the corpus under many schedules: the first that shows the consequence, all that err.

    portfolio + campaign seed --Hosts--> Played, each judged as the program's head lines say

A campaign is what `irsan explore --seed N` plays.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from irsan.engine.options import RunOptions
from irsan.explore.playing.hosts import Hosts
from irsan.explore.portfolio import Known, Portfolio, Strategy
from irsan.explore.schedules import Played, Schedule
from tests.support.explored_programs import ExploredProgram
from tests.support.irsan_runs import bundled_compiler

CAMPAIGN_SEEDS = 1_000_003  # between the seeds of two campaigns


@dataclass(slots=True)
class Judge:
    """Says of each schedule whether the program has failed; outputs and findings come only once."""

    program: ExploredProgram
    _outputs: dict[str, bytes] = field(default_factory=dict)
    _kinds: dict[str, str] = field(default_factory=dict)

    def consequence(self, played: Played) -> str:
        """The failure that a schedule shows, "" when it shows none."""
        stdout, kinds = self._seen(played)
        return self.program.consequence(played.ending.status, stdout, kinds)

    def problems(self, played: Played) -> str:
        """What is wrong with a schedule of the right twin, "" for nothing."""
        stdout, kinds = self._seen(played)
        wanted = self.program.stdout
        if wanted is not None and stdout.decode(errors="replace") != wanted:
            return f"printed {stdout!r}"
        return ", ".join(kinds) or (played.ending.words if played.ending.is_bad else "")

    def note(self, played: Played) -> None:
        """Keep what hosts tell once only; needed of every schedule that they play."""
        if played.output is not None:
            self._outputs[played.digest] = played.output
        self._kinds.update({key: finding.kind for key, finding in played.findings})

    def _seen(self, played: Played) -> tuple[bytes, list[str]]:
        return self._outputs.get(played.digest, b""), [self._kinds[key] for key in played.found]


def options_of(program: ExploredProgram, *, fixed: bool = False) -> RunOptions:
    """The program, or its right twin, for `Hosts.load`."""
    cc = os.environ.get("IRSAN_CC") or bundled_compiler()
    changes = program.options(fixed=fixed)
    return RunOptions(programs=(program.path,), cc=cc, reports=(), **changes)


def play_campaign(
    hosts: Hosts,
    judge: Judge,
    campaign: int,
    n_schedules: int,
    strategies: tuple[Strategy, ...] = (),
    known_as: dict[int, Schedule] | None = None,
) -> Iterator[Played]:
    """Schedules of the loaded program, as `irsan explore --seed` plays them; may be left early.

    known_as: is given the schedules, by number
    """
    portfolio, known = Portfolio(campaign * CAMPAIGN_SEEDS, strategies), Known()
    for numbers in portfolio.rounds(n_schedules):
        frozen, played = deepcopy(known), []
        schedules = {number: portfolio.schedule(number, frozen) for number in numbers}
        if known_as is not None:
            known_as.update(schedules)
        for each in _played_to_the_end(hosts, judge, schedules.values()):
            played.append(each)
            yield each
        for each in sorted(played, key=lambda one: one.index):
            known.learn(each, schedules[each.index])


def _played_to_the_end(
    hosts: Hosts, judge: Judge, schedules: Iterable[Schedule]
) -> Iterator[Played]:
    """What hosts were sent is waited for and noted, also when it is not asked for any more."""
    is_over = False
    playing = hosts.play(schedules, lambda: is_over)
    try:
        for each in playing:
            judge.note(each)
            yield each
    finally:
        is_over = True
        for each in playing:
            judge.note(each)


def first_failure(hosts: Hosts, program: ExploredProgram, campaign: int, n: int) -> int | None:
    """Number of the first schedule, from 0, that shows the consequence; None: none of `n` does."""
    judge = Judge(program)
    for played in play_campaign(hosts, judge, campaign, n):
        if judge.consequence(played):
            return played.index
    return None
