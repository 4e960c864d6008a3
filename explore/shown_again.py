"""Schedules that show again what one has shown: a way to end, or one of its findings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from irsan.errors import UsageError
from irsan.explore.playing.hosts import Hosts
from irsan.explore.portfolio import Known, Portfolio, parse_strategies
from irsan.explore.schedules import Played, Schedule

_AT_ONCE: Final = 32  # schedules


@dataclass(frozen=True, slots=True)
class Target:
    """What a schedule has to show to be as good: one way to end, or one finding of several."""

    ending: str
    keys: frozenset[str]

    @classmethod
    def of(cls, played: Played) -> Target:
        """What a schedule has shown. Raises UsageError when it has shown nothing."""
        keys = frozenset(played.found)
        if not played.ending.is_bad and not keys:
            raise UsageError(
                "the schedule of this token ends well and shows no finding: nothing to shrink"
            )
        return cls(played.ending.words if played.ending.is_bad else "", keys)

    def is_shown_by(self, played: Played) -> bool:
        """Whether a schedule shows it, too."""
        if self.ending:
            return played.ending.words == self.ending
        return not self.keys.isdisjoint(played.found)


def find_again(
    hosts: Hosts, target: Target, seed: int, strategies: str, n_schedules: int,
    known: Known | None = None,
) -> tuple[Schedule, Played] | None:
    """The first of a number of schedules that shows a target, traced; None when none does.

    strategies: their names, with commas, as on the command line
    known: what is known about the program; learns from these schedules, too
    """  # fmt: skip
    portfolio, known = Portfolio(seed, parse_strategies(strategies)), known or Known()
    for start in range(0, n_schedules, _AT_ONCE):
        schedules = {
            number: replace(portfolio.schedule(number, known), keeps_trace=True)
            for number in range(start, start + _AT_ONCE)
        }
        every = sorted(hosts.play(schedules.values()), key=lambda one: one.index)
        for played in every:
            if target.is_shown_by(played):
                return schedules[played.index], played
        for played in every:
            known.learn(played)
    return None
