"""Many programs, each under many schedules, in one file that goes on where it was stopped.

    irsan explore --campaign FILE PROGRAM... | FOLDER... | LIST...

A folder stands for the programs in it that carry IR; a list is a text file with a command line per
line.  Programs are explored one after the other, each by all hosts.  The report in the end is one:
findings of all programs, each once by its fingerprint, with where it was seen.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from irsan.engine.commands.session import check_before_run
from irsan.engine.inputs.carried import carries
from irsan.engine.options import ReportTarget, RunOptions
from irsan.engine.reporting.report_writer import ReportWriter
from irsan.errors import IrsanError, UsageError
from irsan.explore.explorer import Explorer, ExploreRequest
from irsan.explore.hosts import Hosts
from irsan.explore.progress import ExplorationProgress
from irsan.explore.report import ExplorationReport, why_stopped
from irsan.explore.store import CampaignStore
from irsan.reports.model.report import Report
from irsan.reports.sets.merge import merge
from irsan.reports.sets.report_files import ReadFile
from irsan.reports.text.campaign import CampaignRow, format_campaign

_ENDINGS: Final = (".c", ".cc", ".cpp", ".cxx", ".C", ".ll", ".bc")
_ELF: Final = b"\x7fELF"
_STATUS_OF_PROBLEM: Final = 69


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
    with CampaignStore(path, settings_of(request)) as store, Hosts(request.n_jobs) as hosts:
        explored = [
            _explore(store, hosts, request, command, end_s)
            for command in commands
        ]  # fmt: skip
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
        "strategies": ",".join(each.name for each in request.strategies),
        "sanitize": ",".join(sorted(options.sanitize)),
        "engine": options.engine,
        "level": options.opt_level,
        "clock": options.clock_s,
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


def _explore(
    store: CampaignStore,
    hosts: Hosts,
    request: ExploreRequest,
    command: tuple[str, ...],
    end_s: float | None,
) -> Explored:
    left_s = None if end_s is None else max(end_s - time.monotonic(), 0.0)
    options = replace(
        request.options, programs=(Path(command[0]),), arguments=command[1:], reports=()
    )
    own = replace(request, options=options, time_s=left_s)
    line = shlex.join(command)
    try:
        check_before_run(options)
        return _played(store, hosts, own, line)
    except IrsanError as error:
        store.set_problem(store.program(line, ""), str(error))
        print(f"irsan: {line}: {error}", file=sys.stderr)
        return Explored(line, None, error.exit_status, str(error))


def _played(store: CampaignStore, hosts: Hosts, request: ExploreRequest, line: str) -> Explored:
    progress = ExplorationProgress(
        sys.stderr, request.options.environment, request.n_schedules, f"{line}: "
    )
    explorer = Explorer(request, progress)
    prepared = explorer.prepare()
    made = ExplorationReport(request, prepared)
    program = store.program(line, prepared.program.key)
    explorer.go_on_from(store.played(program))
    explorer.keep = lambda schedule, strategy, one: store.keep(
        program, schedule, strategy, made.token(schedule), one
    )
    explorer.play(hosts)
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
