"""What is played and what comes of it: the records between the explorer and its hosts.

    Schedule    number, scheduler, seed and words: all that decides how threads take turns
    Played      how the program ended, what it printed, what was found

Hosts are processes of their own (host.py), so both are plain values that can be pickled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from irsan.engine.guest.explored_schedule import STRATEGIES, Event
from irsan.engine.options import RunOptions
from irsan.engine.start_of_clock import clock_of
from irsan.explore.processors import ANY
from irsan.runtime.layout.inject_words import CLOCK

if TYPE_CHECKING:
    from irsan.engine.program_image.program import ProgramImage
    from irsan.reports.model.report import Finding, SuppressionUse
    from irsan.runtime.flags.flag_table import Owner

NO_END: Final = 1 << 62  # a number of schedules that is none
RFF: Final = "rff"  # the strategy that learns from reads-from pairs
READY: Final = "ready"  # what a host says of a program that has begun
FORGET: Final = "forget"  # asks a host to tell each finding and output whole once more
KEPT_OUTPUT_BYTES: Final = 2048  # of a schedule's output, to be shown
Sites = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """One schedule. index: its number, from 0; words: see runtime/layout/explore_words.py.

    is_traced: its events are counted, for shares;  keeps_trace: they are wanted themselves
    """

    index: int
    scheduler: str
    seed: int
    words: tuple[int, ...] = ()
    is_traced: bool = False
    keeps_trace: bool = False

    @property
    def explores(self) -> bool:
        """Whether its strategy chooses before each event."""
        return self.scheduler in STRATEGIES

    @property
    def leaves_events(self) -> bool:
        """Whether its events are noted while it is played."""
        return self.is_traced or self.keeps_trace or self.tells_reads

    @property
    def tells_reads(self) -> bool:
        """Whether its reads-from pairs are wanted."""
        return self.scheduler == RFF

    def of(self, options: RunOptions) -> RunOptions:
        """The options of a run with this schedule."""
        clock_s = clock_of("", options.inject, self.seed)
        return replace(
            options, scheduler=self.scheduler, seed=self.seed, scheduler_words=self.words,
            clock_s=clock_s if CLOCK in options.inject else options.clock_s,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limits:
    """Wall time in seconds and standard output in bytes that a schedule may take."""

    time_s: float = 10.0
    output_bytes: int = 64 << 20


@dataclass(frozen=True, slots=True)
class Job:
    """A program to be explored.

    defaults: options that it carries itself;  processor: where the host stays (processors.py)
    """

    program: ProgramImage
    options: RunOptions
    defaults: Mapping[Owner, str]
    limits: Limits = field(default_factory=Limits)
    stdin: bytes = b""
    processor: int = ANY


@dataclass(frozen=True, slots=True)
class Watched:
    """The sites at which threads touch one object, and their events there, as in Shares."""

    sites: tuple[int, ...]
    shares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shares:
    """By thread number, its events and those of all threads that it makes.

    everywhere: all of them;  objects: those that touch an object which several threads share
    """

    everywhere: tuple[int, ...]
    objects: tuple[Watched, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """What a schedule has left: rows of events, and its switches, step and slot in turns."""

    rows: tuple[Event, ...] = ()
    switches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a schedule ended, in words; `is_bad` for all but exit status 0.

    status: what `irsan run` would have ended with
    """

    words: str
    status: int
    is_bad: bool


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one schedule.

    digest: of standard output;  output: its beginning, when the host saw this digest first
    interleaving: hash of all decisions, None of one that did not end by itself
    steps: points at which there was a choice
    found: keys of its findings, in the order in which they came (keys.py)
    fails_with: exit status that the findings ask for; 0 when they fail no run
    findings: those whose keys the host had not seen before, with their keys
    suppressed: suppressions that hid something, and how often
    racing: sites of the two accesses of each race;  shares, trace: of one that was traced
    reads: reads-from pairs of one that tells them (fuzzing.py)
    """

    index: int
    ending: Ending
    digest: str = ""
    output: bytes | None = None
    interleaving: int | None = None
    steps: int = 0
    found: tuple[str, ...] = ()
    fails_with: int = 0
    findings: tuple[tuple[str, Finding], ...] = ()
    suppressed: tuple[SuppressionUse, ...] = ()
    racing: Sites = ()
    shares: Shares | None = None
    reads: tuple[tuple[int, int], ...] = ()
    trace: Trace = field(default_factory=Trace)
    run_s: float = 0.0

    @property
    def is_hit(self) -> bool:
        """Whether this schedule is one that was looked for."""
        return self.fails_with != 0 or self.ending.is_bad
