"""`irsan explore` from its request to the exit status."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irsan.engine.commands.session import check_before_run, read_flags
from irsan.engine.options import ReportTarget, RunOptions
from irsan.engine.reporting.report_writer import ReportWriter
from irsan.engine.reporting.run_output import open_sink, styles_of_run
from irsan.explore.exhaustive import ExhaustiveExplorer
from irsan.explore.explorer import Explorer, ExploreRequest
from irsan.explore.players import player_of
from irsan.explore.playing.hosts import Player
from irsan.explore.progress import ExplorationProgress
from irsan.explore.report import ExplorationReport, why_stopped
from irsan.reports.model.report import Finding, Report
from irsan.reports.text.report import format_run

if TYPE_CHECKING:
    from irsan.explore.exploration import Exploration
    from irsan.runtime.flags.flags import Flags

_TEXT: Final = "text"


def explore(request: ExploreRequest) -> int:
    """Play the schedules, report what they have shown; returns the exit status."""
    options = request.options
    check_before_run(options)
    quiet = replace(request, options=replace(options, reports=()))
    progress = ExplorationProgress(sys.stderr, options.environment, request.n_schedules)
    explorer = (ExhaustiveExplorer if request.is_exhaustive else Explorer)(quiet, progress)
    with player_of(request) as hosts:
        prepared = explorer.play(hosts)
        progress.end()
        flags = read_flags(options, prepared.defaults)
        result = explorer.result
        better = _with_all_facts(request, hosts, result)
    made = ExplorationReport(request, prepared)
    prepared.stages.run_s = result.run_s
    report = made.report(result, why_stopped(explorer, request.n_schedules), better, explorer.claim)
    _print(report, made, flags, options)
    writer = ReportWriter(options.reports, Path.cwd())
    writer.write(lambda: report, report.findings, is_child=False)
    return result.status


def standard_input() -> bytes:
    """What every schedule reads: a file that standard input was redirected from; else nothing."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return b""
    return sys.stdin.buffer.read() if stat.S_ISREG(mode) else b""


def _with_all_facts(
    request: ExploreRequest, hosts: Player, result: Exploration
) -> dict[str, Finding]:
    """The findings once more, from a replay with all that forms with more than text show."""
    if not result.found or all(target.format == _TEXT for target in request.options.reports):
        return {}
    options = replace(request.options, reports=(ReportTarget("json"),))
    hosts.load(options, request.limits, request.stdin)
    firsts = {found.first.index: found.first for found in result.found.values()}
    wanted = {key: found.first.index for key, found in result.found.items()}
    return {
        key: finding
        for played in hosts.play(firsts.values())
        for key, finding in played.findings
        if wanted.get(key) == played.index
    }


def _print(report: Report, made: ExplorationReport, flags: Flags, options: RunOptions) -> None:
    """The text, where `irsan run` prints its own."""
    if ReportTarget(_TEXT) not in options.reports:
        return
    sink = open_sink(flags, options)
    styles = styles_of_run(flags, options, report.schedule, is_terminal=sink.is_terminal)
    sink.write(format_run(report, styles))
    if made.gate.decides:
        sink.write(made.gate.closing(report))
    sink.close()
