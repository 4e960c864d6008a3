"""What many schedules of one program have shown: facts of an exploration and of its findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Stopped = Literal["", "found", "time"]


@dataclass(frozen=True, slots=True)
class FirstSeen:
    """The schedule that was first to show something, by number.

    strategy: who chose it;  number: which it was, from 0;  schedule: the token that replays it
    """

    strategy: str
    number: int
    schedule: str


@dataclass(frozen=True, slots=True)
class Explored:
    """How a finding was found: who was first, and how many schedules did."""

    first: FirstSeen
    n_schedules: int


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What a strategy had shown behind so many of its own schedules.

    n_shown: findings, and ways to end, whichever strategy was first to show them
    """

    n_schedules: int
    n_interleavings: int
    n_shown: int


@dataclass(frozen=True, slots=True)
class StrategyFacts:
    """What a strategy has done: schedules, distinct interleavings, findings that it was first to
    see.  curve: how it came to that, the last point behind all its schedules
    """

    name: str
    n_schedules: int
    n_interleavings: int
    n_findings: int
    curve: tuple[CurvePoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """An event of an interleaving, done by the thread T<tid>.

    point: choices so far;  text: of the source line;  is_preemption: the thread before could have
    gone on
    """

    tid: int
    point: int
    is_preemption: bool
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Interleaving:
    """A schedule that was made simple, event by event; of a very long one its last events.

    n_preemptions: those that are left;  n_before: as many as it had when it was found
    n_omitted: events before those that are here
    """

    steps: tuple[Step, ...]
    n_preemptions: int
    n_before: int
    n_omitted: int = 0


@dataclass(frozen=True, slots=True)
class OutcomeFacts:
    """Schedules that ended alike and printed the same.

    ending: in words;  exit_status: of such a run;  output: the beginning of what it printed
    digest: of all that it printed
    """

    ending: str
    exit_status: int
    digest: str
    output: str
    n_schedules: int
    first: FirstSeen


@dataclass(frozen=True, slots=True)
class Exploration:
    """The schedules of an exploration. stopped: why before the last one, "" when it was played.

    claim: of a search over all interleavings, what it has shown
    """

    n_schedules: int
    n_interleavings: int
    stopped: Stopped = ""
    strategies: tuple[StrategyFacts, ...] = ()
    outcomes: tuple[OutcomeFacts, ...] = ()
    claim: str = ""
