"""What the schedules of one program have shown so far: outcomes, findings, figures.

Schedules are taken in the order of their numbers, whoever was ready first, so that the same
schedules give the same result with any number of hosts.  The first of a kind is then the one with
the lowest number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from irsan.explore.schedules import Ending, Played, Schedule
from irsan.reports.model.exploration import CurvePoint
from irsan.reports.model.report import Finding, SuppressionUse

_CURVE_STEP: Final = 1.1


@dataclass(slots=True)
class Outcome:
    """Schedules that ended alike and printed the same; `first` has the lowest number."""

    ending: Ending
    digest: str
    output: bytes
    first: Schedule
    n_schedules: int = 0


@dataclass(slots=True)
class FoundFirst:
    """A finding, the schedule that was first to find it, and how many have."""

    finding: Finding
    first: Schedule
    n_schedules: int = 0


@dataclass(slots=True)
class Tally:
    """What one strategy has done. shown: keys of findings and of outcomes, new or not.

    curve: points of it, each a tenth further than the one before
    """

    n_schedules: int = 0
    interleavings: set[int] = field(default_factory=set)
    n_findings: int = 0
    shown: set[object] = field(default_factory=set)
    curve: list[CurvePoint] = field(default_factory=list)

    def take(self, played: Played) -> None:
        """One more schedule of this strategy."""
        self.n_schedules += 1
        if played.interleaving is not None:
            self.interleavings.add(played.interleaving)
        self.shown.update(played.found)
        self.shown.add(outcome_of(played))
        last = self.curve[-1].n_schedules if self.curve else 0
        if self.n_schedules >= last * _CURVE_STEP:
            self.curve.append(self.point())

    def point(self) -> CurvePoint:
        """Where the curve is now."""
        return CurvePoint(self.n_schedules, len(self.interleavings), len(self.shown))


@dataclass(slots=True)
class Exploration:
    """The sum of all schedules that were taken; `hit` is the first that shows a failure.

    status: of the first schedule in which something was found that fails a run, else of the first
    that ended otherwise than with 0
    """

    outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    found: dict[str, FoundFirst] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)
    suppressed: Counter[SuppressionUse] = field(default_factory=Counter)
    interleavings: set[int] = field(default_factory=set)
    n_schedules: int = 0
    hit: Schedule | None = None
    is_failing: bool = False
    status: int = 0
    run_s: float = 0.0

    def take(self, schedule: Schedule, strategy: str, played: Played) -> None:
        """Take the next schedule by number."""
        tally = self.tallies.setdefault(strategy, Tally())
        self.n_schedules += 1
        tally.take(played)
        if played.interleaving is not None:
            self.interleavings.add(played.interleaving)
        tally.n_findings += self._take_findings(schedule, played)
        self._take_outcome(schedule, played)
        for use in played.suppressed:
            self.suppressed[replace(use, count=0, total_bytes=0)] += use.count
        self.run_s += played.run_s

    def _take_findings(self, schedule: Schedule, played: Played) -> int:
        """How many findings are new."""
        n_before = len(self.found)
        for key, finding in played.findings:
            self.found.setdefault(key, FoundFirst(finding, schedule))
        for key in dict.fromkeys(played.found):
            self.found[key].n_schedules += 1
        return len(self.found) - n_before

    def _take_outcome(self, schedule: Schedule, played: Played) -> None:
        key = outcome_of(played)
        if key not in self.outcomes:
            output = played.output or self._output(played.digest)
            self.outcomes[key] = Outcome(played.ending, played.digest, output, schedule)
        self.outcomes[key].n_schedules += 1
        if played.is_hit and self.hit is None:
            self.hit = schedule
        if played.fails_with and not self.is_failing:
            self.status, self.is_failing = played.ending.status or played.fails_with, True
        self.status = self.status or played.ending.status

    def _output(self, digest: str) -> bytes:
        """The beginning of an output that was seen with another ending."""
        return next((one.output for one in self.outcomes.values() if one.digest == digest), b"")


def outcome_of(played: Played) -> tuple[str, str]:
    """How a schedule has ended, and what it has printed: what makes an outcome."""
    return played.ending.words, played.digest


class InOrder:
    """Gives results on in the order of their numbers, from 0 without a gap."""

    def __init__(self) -> None:
        self._waiting: dict[int, Played] = {}
        self._next = 0

    def put(self, played: Played) -> Iterator[Played]:
        """Those that can be given on now that one more is there."""
        self._waiting[played.index] = played
        while self._next in self._waiting:
            yield self._waiting.pop(self._next)
            self._next += 1
