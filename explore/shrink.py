"""`irsan shrink`: the schedule of a token, with as few switches as still show what it shows.

    play     the token's schedule: how it ends, what is found, its switches as a script
    shrink   scripts with fewer switches are played as long as one still shows that
    tell     the interleaving that is left, thread beside thread, and its own token

The random walk and round robin switch between any two instructions of a loop, which no script can
name: for their tokens a schedule of the strategies that explore is looked for first.
"""

from __future__ import annotations

import linecache
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irsan.engine.commands.session import say_if_changed
from irsan.engine.guest.explored_schedule import STRATEGIES, ScheduleWords
from irsan.engine.options import ReportTarget, RunOptions
from irsan.engine.replay import replay_token
from irsan.engine.reporting.report_writer import ReportWriter
from irsan.engine.reporting.run_gate import RunGate
from irsan.engine.reporting.run_report import RunReport
from irsan.errors import UsageError
from irsan.explore.columns import columns, interleaving_of, lines_of, n_preemptions
from irsan.explore.hosts import Hosts
from irsan.explore.portfolio import Known, Portfolio, parse_strategies
from irsan.explore.schedules import Played, Schedule
from irsan.explore.shrinking import Script, shrunken
from irsan.instrument.sites.sites import sites_from_json

if TYPE_CHECKING:
    from irsan.engine.run.prepared import PreparedProgram

_SCRIPT: Final = "script"
_TEXT: Final = "text"
_N_TRIED: Final = 512  # schedules in which what the random walk has shown is looked for
_WANTED: Final = "pos,pct:2,pct:3,uniform,race_directed"


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


class Shrinker:
    """Plays scripts of one program; `n_played` counts them."""

    def __init__(self, hosts: Hosts, first: Schedule) -> None:
        self._hosts, self._first = hosts, first
        self.n_played = 0

    def play(self, schedule: Schedule) -> Played:
        """One schedule, traced."""
        self.n_played += 1
        [played] = self._hosts.play([replace(schedule, index=0, keeps_trace=True)])
        return played

    def scripted(self, script: Script, number: int = 0) -> Schedule:
        """A schedule of the token's program with just these switches."""
        given = ScheduleWords.from_words(self._first.words)
        names_behind = given.depth if self._first.scheduler == _SCRIPT else 1
        rest = tuple(word for pair in script for word in pair)
        words = ScheduleWords(names_behind, 0, given.sites, rest).as_words()
        return Schedule(number, _SCRIPT, self._first.seed, words)

    def fails(self, target: Target) -> Callable[[Sequence[Script]], Iterator[bool]]:
        """Asks whether scripts show a target, all of a group at once."""

        def ask(scripts: Sequence[Script]) -> Iterator[bool]:
            schedules = [self.scripted(script, number) for number, script in enumerate(scripts)]
            self.n_played += len(schedules)
            shown = {p.index: target.is_shown_by(p) for p in self._hosts.play(schedules)}
            return (shown[number] for number in range(len(schedules)))

        return ask


def shrink(options: RunOptions, n_jobs: int) -> int:
    """Shrink the schedule of `options`; the status that it ends with. Errors as for `irsan run`."""
    quiet = replace(options, reports=())
    with Hosts(n_jobs) as hosts:
        prepared = hosts.load(quiet)
        say_if_changed(options.schedule, prepared.program.key)
        schedule = Schedule(0, options.scheduler, options.seed, options.scheduler_words)
        shrinker = Shrinker(hosts, schedule)
        played = shrinker.play(schedule)
        target = Target.of(played)
        if schedule.scheduler not in STRATEGIES:
            schedule, played = _found_again(hosts, target, options.seed)
            shrinker = Shrinker(hosts, schedule)
        before = pairs_of(played.trace.switches)
        script = shrunken(before, shrinker.fails(target))
        left = shrinker.play(shrinker.scripted(script))
        if not target.is_shown_by(left):
            raise UsageError(
                "the schedule cannot be repeated from its switches: something that irsan does not "
                "control decides what the program does"
            )
        shrunk = Shrunk(options, prepared, shrinker, played, left)
        shrunk.tell()
        if any(one.format != _TEXT for one in options.reports):
            shrunk.report(hosts)
    return shrunk.status


def pairs_of(switches: Sequence[int]) -> Script:
    """Words of a script in pairs."""
    return tuple(zip(switches[::2], switches[1::2], strict=True))


def _found_again(hosts: Hosts, target: Target, seed: int) -> tuple[Schedule, Played]:
    """A schedule of a strategy that explores which shows the same."""
    portfolio, known = Portfolio(seed, parse_strategies(_WANTED)), Known()
    for start in range(0, _N_TRIED, 32):
        schedules = {
            number: replace(portfolio.schedule(number, known), keeps_trace=True)
            for number in range(start, start + 32)
        }
        every = sorted(hosts.play(schedules.values()), key=lambda one: one.index)
        for played in every:
            if target.is_shown_by(played):
                return schedules[played.index], played
        for played in every:
            known.learn(played)
    raise UsageError(
        f"{_N_TRIED} schedules of {_WANTED} do not show it: explore the program, and shrink a "
        "token of these"
    )


class Shrunk:
    """What is left of a schedule: shown as text, and in the reports that were asked for."""

    def __init__(
        self, options: RunOptions, prepared: PreparedProgram, shrinker: Shrinker,
        before: Played, left: Played,
    ) -> None:  # fmt: skip
        """before: the schedule as it was found;  left: what is left of it"""
        source_of = source_lines(prepared.program.sites)
        self._options, self._prepared, self._n_played = options, prepared, shrinker.n_played
        self._lines = lines_of(left.trace.rows, source_of)
        self._n_before = n_preemptions(lines_of(before.trace.rows, source_of))
        self._left = left
        self._schedule = shrinker.scripted(pairs_of(left.trace.switches))
        self._token = str(replay_token(self._schedule.of(options), prepared.program.key))

    @property
    def status(self) -> int:
        """What the command ends with."""
        return self._left.fails_with or self._left.ending.status

    def tell(self) -> None:
        """Print the interleaving, thread beside thread."""
        n_left = n_preemptions(self._lines)
        print(
            f"{self._left.ending.words}: {n_left} preemption{'' if n_left == 1 else 's'} "
            f"({self._n_before} before, {self._n_played} schedules played)\n\n"
            f"{columns(self._lines, shutil.get_terminal_size((100, 24)).columns)}\n\n"
            f"replay: {' '.join(self._command())}",
            file=sys.stderr,
        )

    def report(self, hosts: Hosts) -> None:
        """Write the report of a run with this schedule, which is played once more for all facts."""
        options = self._options
        hosts.load(replace(options, reports=(ReportTarget("json"),)))
        [played] = hosts.play([self._schedule])
        gate = RunGate(options.gate, options.programs, Path.cwd())
        facts = RunReport(options, self._prepared.stages, self._token)
        report = replace(
            facts.report([one for _, one in played.findings], self.status, (), (), gate),
            command=self._command(),
            interleaving=interleaving_of(self._lines, self._n_before),
        )
        writer = ReportWriter(options.reports, Path.cwd())
        writer.write(lambda: report, report.findings, is_child=False)

    def _command(self) -> tuple[str, ...]:
        return ("irsan", "replay", self._token, *self._options.replay_words())


def source_lines(sites_text: str) -> Callable[[int], tuple[str, str]]:
    """From a site to its place, as `a.c:7`, and the text there to the end of the line."""
    sites = sites_from_json(sites_text)

    def source_of(site: int) -> tuple[str, str]:
        frames = sites.site_to_frames(site)
        if not frames or not frames[0][1]:
            return "", ""
        _, file, line, column = frames[0]
        text = linecache.getline(file, line)[max(column - 1, 0) :]
        return f"{Path(file).name}:{line}", text.strip()

    return source_of
