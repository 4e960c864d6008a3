"""Many programs, each under many schedules, in one file that goes on where it was stopped.

    irsan explore --campaign FILE PROGRAM... | FOLDER... | LIST...

A folder stands for the programs in it that carry IR; a list is a text file with a command line per
line.  Programs are explored one after the other, each by all hosts; on a cluster several at once.
The report in the end is one: findings of all programs, each once by its fingerprint, with where it
was seen.
"""

from __future__ import annotations

import shlex
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from irsan.engine.commands.session import check_before_run
from irsan.engine.inputs.carried import carries
from irsan.engine.options import ReportTarget, RunOptions
from irsan.engine.reporting.report_writer import ReportWriter
from irsan.errors import IrsanError, UsageError
from irsan.explore.explorer import Explorer, ExploreRequest
from irsan.explore.playing.cluster import Cluster, ClusterError, ClusterPlayer
from irsan.explore.playing.hosts import Hosts, Player
from irsan.explore.portfolio import PATTERN
from irsan.explore.progress import ExplorationProgress
from irsan.explore.report import ExplorationReport, why_stopped
from irsan.explore.store import CampaignStore
from irsan.reports.model.report import Report
from irsan.reports.sets.merge import merge
from irsan.reports.sets.report_files import ReadFile
from irsan.reports.text.campaign import CampaignRow, format_campaign

_ENDINGS: Final = (".c", ".cc", ".cpp", ".cxx", ".C", ".ll", ".bc")
_ELF: Final = b"\x7fELF"
_AT_ONCE: Final = 16  # programs that are explored on a cluster at the same time


@dataclass(frozen=True, slots=True)
class Explored:
    """What came of one program. report: None when it could not be played."""

    command: str
    report: Report | None
    status: int
    problem: str = ""


def run_campaign(path: Path, words: Sequence[str], request: ExploreRequest) -> int:
    """Explore all programs, or what is left of them; report; returns the exit status."""
    commands = list(dict.fromkeys(commands_of(words)))
    end_s = time.monotonic() + request.time_s if request.time_s is not None else None
    with CampaignStore(path, settings_of(request)) as store:
        campaign = Campaign(store, request, end_s)
        explored = campaign.on_cluster(commands) if request.cluster else campaign.here(commands)
    _report(explored, request.options)
    return next((one.status for one in explored if one.status), 0)


def commands_of(words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Each program with its arguments. Raises UsageError for a word that stands for none."""
    for word in words:
        path = Path(word)
        if path.is_dir():
            found = sorted(each for each in path.rglob("*") if each.is_file() and _is_program(each))
            if not found:
                raise UsageError(f"{path}: has no program that carries IR: build with irsan-cc")
            yield from ((str(each),) for each in found)
        elif _is_list(path):
            yield from _listed(path)
        else:
            yield (word,)


def settings_of(request: ExploreRequest) -> dict[str, Any]:
    """What decides which schedule a number stands for, and what it shows."""
    options = request.options
    return {
        "seed": options.seed,
        "strategies": ",".join([each.name for each in request.strategies] or PATTERN),
        "sanitize": ",".join(sorted(options.sanitize)),
        "engine": options.engine,
        "level": options.opt_level,
        "clock": options.clock_s,
        "inject": ",".join(options.inject),
    }


def _is_program(path: Path) -> bool:
    with path.open("rb") as stream:
        is_elf = stream.read(len(_ELF)) == _ELF
    is_executable = bool(path.stat().st_mode & 0o111) and ".so" not in path.suffixes
    return is_elf and is_executable and carries(path)


def _is_list(path: Path) -> bool:
    if path.suffix in _ENDINGS or not path.is_file():
        return False
    with path.open("rb") as stream:
        start = stream.read(4)
    return start not in (_ELF, b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def _listed(path: Path) -> Iterator[tuple[str, ...]]:
    """The command lines of a list; names are relative to its folder."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        commands = [shlex.split(line, comments=True) for line in lines]
    except ValueError as error:
        raise UsageError(f"{path}: is no list of command lines: {error}") from None
    for program, *arguments in filter(None, commands):
        yield (str(path.parent / program), *arguments)


class Campaign:
    """Explores programs, and keeps what came of them in one store."""

    def __init__(
        self, store: CampaignStore, request: ExploreRequest, end_s: float | None
    ) -> None:
        """end_s: by the monotonic clock; no schedule of any program begins later."""
        self._store, self._request, self._end_s = store, request, end_s
        self._compiling = threading.Lock()  # compilers fork, and share what they have cached

    def here(self, commands: Sequence[tuple[str, ...]]) -> list[Explored]:
        """Explore one program after the other, each by all hosts of this machine."""
        with Hosts(self._request.n_jobs) as hosts:
            return [self._explore(hosts, command) for command in commands]

    def on_cluster(self, commands: Sequence[tuple[str, ...]]) -> list[Explored]:
        """Explore as many programs at once as it takes to keep the workers busy."""
        with Cluster(self._request.cluster) as cluster:

            def explore(command: tuple[str, ...]) -> Explored:
                with ClusterPlayer(cluster) as player:
                    return self._explore(player, command)

            n_at_once = min(max(cluster.n_threads(), 1), _AT_ONCE, len(commands))
            with ThreadPoolExecutor(n_at_once) as pool:
                exploring = [pool.submit(explore, command) for command in commands]
                try:
                    return [each.result() for each in exploring]
                except BaseException:
                    pool.shutdown(wait=False, cancel_futures=True)
                    cluster.client.close()  # ends what the others wait for
                    raise

    def _explore(self, player: Player, command: tuple[str, ...]) -> Explored:
        left_s = None if self._end_s is None else max(self._end_s - time.monotonic(), 0.0)
        options = replace(
            self._request.options, programs=(Path(command[0]),), arguments=command[1:], reports=()
        )
        own = replace(self._request, options=options, time_s=left_s)
        line = shlex.join(command)
        try:
            check_before_run(options)
            return self._played(player, own, line)
        except ClusterError:
            raise  # is none of this program's
        except IrsanError as error:
            self._store.set_problem(self._store.program(line, ""), str(error))
            print(f"irsan: {line}: {error}", file=sys.stderr)
            return Explored(line, None, error.exit_status, str(error))

    def _played(self, player: Player, request: ExploreRequest, line: str) -> Explored:
        store = self._store
        progress = ExplorationProgress(
            sys.stderr, request.options.environment, request.n_schedules, f"{line}: ",
            is_alone=not request.cluster,
        )  # fmt: skip
        explorer = Explorer(request, progress)
        with self._compiling:
            prepared = explorer.prepare()
        made = ExplorationReport(request, prepared)
        program = store.program(line, prepared.program.key)
        explorer.go_on_from(store.played(program))
        explorer.keep = lambda schedule, strategy, one: store.keep(
            program, schedule, strategy, made.token(schedule), one
        )
        explorer.play(player)
        progress.end()
        store.flush()
        result = explorer.result
        report = made.report(result, why_stopped(explorer, request.n_schedules), {})
        return Explored(line, report, result.status)


def _report(explored: Sequence[Explored], options: RunOptions) -> None:
    files = [
        ReadFile(Path(one.command), one.report, one.problem or "no schedule was played")
        for one in explored
    ]
    if not any(one.report for one in explored):
        return
    merged = merge(files)
    if ReportTarget("text") in options.reports:
        sys.stderr.write(format_campaign([_row(one) for one in explored], merged))
    writer = ReportWriter(options.reports, Path.cwd())
    writer.write(lambda: merged, merged.findings, is_child=False)


def _row(one: Explored) -> CampaignRow:
    facts = one.report.exploration if one.report else None
    if one.report is None or facts is None:
        return CampaignRow(one.command, problem=one.problem)
    return CampaignRow(
        one.command,
        facts.n_schedules,
        facts.n_interleavings,
        len(facts.outcomes),
        len(one.report.findings),
        one.status,
    )
