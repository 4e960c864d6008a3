"""`irsan shrink`: the schedule of a token, with as few switches as still show what it shows.

    play     the token's schedule: how it ends, what is found, its switches as a script
    shrink   scripts with fewer switches are played as long as one still shows that, then a few
             schedules with fewer preemptions than are left
    tell     the interleaving that is left, thread beside thread, and its own token

The random walk and round robin switch between any two instructions of a loop, which no script can
name: for their tokens a schedule of the strategies that explore is looked for first.
"""

from __future__ import annotations

import linecache
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
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
from irsan.explore.playing.hosts import Hosts
from irsan.explore.portfolio import Known
from irsan.explore.schedules import Played, Schedule
from irsan.explore.shown_again import Target, find_again
from irsan.explore.shrinking import Script, shrunken
from irsan.instrument.sites.sites import StoredSites, sites_of

if TYPE_CHECKING:
    from irsan.engine.run.prepared import PreparedProgram

_SCRIPT: Final = "script"
_TEXT: Final = "text"
_N_TRIED: Final = 512  # schedules in which what the random walk has shown is looked for
_WANTED: Final = "pos,pct:2,pct:3,uniform,race_directed"
_N_BOUNDED: Final = 256  # schedules of each number of preemptions below what is left
_MAX_BOUND: Final = 3  # preemptions


class Shrinker:
    """Plays scripts of one program; `n_played` counts them."""

    def __init__(self, hosts: Hosts, first: Schedule, n_played: int = 0) -> None:
        self._hosts, self._first = hosts, first
        self.seed, self.sites = first.seed, ScheduleWords.from_words(first.words).sites
        self.n_played = n_played

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

    def least(self, played: Played, target: Target) -> Played | None:
        """A schedule with as few switches as can be taken from one; None if none shows the same."""
        script = shrunken(pairs_of(played.trace.switches), self.fails(target))
        left = self.play(self.scripted(script))
        return left if target.is_shown_by(left) else None

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
        left = shrinker.least(played, target)
        if left is None:
            raise UsageError(
                "the schedule cannot be repeated from its switches: something that irsan does not "
                "control decides what the program does"
            )
        shrinker, left = _with_fewer(hosts, shrinker, target, left)
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
    found = find_again(hosts, target, seed, _WANTED, _N_TRIED)
    if found is None:
        raise UsageError(
            f"{_N_TRIED} schedules of {_WANTED} do not show it: explore the program, and shrink a "
            "token of these"
        )
    return found


def _with_fewer(
    hosts: Hosts, shrinker: Shrinker, target: Target, left: Played
) -> tuple[Shrinker, Played]:
    """A schedule that shows the same with fewer preemptions, if a few of those with 1, 2, 3 do.

    Taking switches away ends at a schedule from which none can go alone; another may need fewer.
    """
    n_left = n_preemptions_of(left)
    known = Known(length=left.steps, sites=list(shrinker.sites))
    for bound in range(1, min(n_left, _MAX_BOUND + 1)):
        names = f"preempt:{bound + 1},delay:{bound + 1}"  # of depth d: d - 1 preemptions
        found = find_again(hosts, target, shrinker.seed, names, _N_BOUNDED, known)
        shrinker.n_played += _N_BOUNDED if found is None else found[0].index + 1
        if found is None:
            continue
        other = Shrinker(hosts, found[0], shrinker.n_played)
        fewer = other.least(found[1], target)
        if fewer is not None and n_preemptions_of(fewer) < n_left:
            return other, fewer
    return shrinker, left


def n_preemptions_of(played: Played) -> int:
    """The preemptions of a traced schedule."""
    return n_preemptions(lines_of(played.trace.rows, lambda _: ("", "")))


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


def source_lines(stored: Sequence[StoredSites]) -> Callable[[int], tuple[str, str]]:
    """From a site to its place, as `a.c:7`, and the text there to the end of the line."""
    sites = sites_of(stored)

    def source_of(site: int) -> tuple[str, str]:
        frames = sites.site_to_frames(site)
        if not frames or not frames[0][1]:
            return "", ""
        _, file, line, column = frames[0]
        text = linecache.getline(file, line)[max(column - 1, 0) :]
        return f"{Path(file).name}:{line}", text.strip()

    return source_of
