"""The report of an exploration: the union of all findings, outcomes and figures, as a run's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from irsan.engine.replay import replay_token
from irsan.engine.reporting.run_gate import RunGate
from irsan.engine.reporting.run_report import RunReport
from irsan.explore.exploration import Exploration, FoundFirst, Outcome, Tally
from irsan.explore.portfolio import Known, Portfolio
from irsan.explore.schedules import Schedule
from irsan.reports.model import exploration as model
from irsan.reports.model.exploration import CurvePoint, FirstSeen, StrategyFacts
from irsan.reports.model.report import Explored, Finding, Report

if TYPE_CHECKING:
    from irsan.engine.run.prepared import PreparedProgram
    from irsan.explore.exhaustive import ExhaustiveExplorer
    from irsan.explore.explorer import Explorer, ExploreRequest


def why_stopped(explorer: Explorer | ExhaustiveExplorer, n_asked: int) -> model.Stopped:
    """Why not all of n_asked schedules were played; "" when they were."""
    if explorer.is_whole or explorer.result.n_schedules == n_asked:
        return ""
    return "time" if explorer.budget.is_out_of_time else "found"


def curve_of(tally: Tally) -> tuple[CurvePoint, ...]:
    """The curve of a strategy up to its last schedule."""
    return tuple(dict.fromkeys([*tally.curve, tally.point()]))


class ExplorationReport:
    """Turns what was explored into a report."""

    def __init__(self, request: ExploreRequest, prepared: PreparedProgram) -> None:
        self._request, self._prepared = request, prepared
        self._portfolio = Portfolio(request.options.seed, request.strategies)
        self.gate = RunGate(request.options.gate, request.options.programs, Path.cwd())

    def report(
        self,
        result: Exploration,
        stopped: model.Stopped,
        better: Mapping[str, Finding],
        claim: str = "",
    ) -> Report:
        """The whole report. better: findings with more facts than the exploration has kept."""
        options = self._request.options
        token = self.token(self._portfolio.schedule(0, Known()))
        facts = RunReport(options, self._prepared.stages, token)
        findings = [
            self._explored(better.get(key, found.finding), found)
            for key, found in result.found.items()
        ]
        uses = [replace(use, count=n) for use, n in result.suppressed.items()]
        report = facts.report(findings, result.status, uses, (), self.gate)
        return replace(
            report,
            command=("irsan", "explore", *options.replay_words()),
            exploration=self._facts(result, stopped, claim),
        )

    def token(self, schedule: Schedule) -> str:
        """The replay token of a schedule."""
        return str(replay_token(schedule.of(self._request.options), self._prepared.program.key))

    def _explored(self, finding: Finding, found: FoundFirst) -> Finding:
        """A finding without the names that it had among those of its own run."""
        explored = Explored(self._first(found.first), found.n_schedules)
        return replace(finding, explored=explored, fingerprints=())

    def _first(self, schedule: Schedule) -> FirstSeen:
        strategy = self._portfolio.strategy(schedule.index).name
        return FirstSeen(strategy, schedule.index, self.token(schedule))

    def _facts(
        self, result: Exploration, stopped: model.Stopped, claim: str
    ) -> model.Exploration:
        strategies = (
            StrategyFacts(
                name, tally.n_schedules, len(tally.interleavings), tally.n_findings, curve_of(tally)
            )
            for name, tally in sorted(result.tallies.items())
        )
        outcomes = sorted(result.outcomes.values(), key=lambda one: -one.n_schedules)
        return model.Exploration(
            result.n_schedules,
            len(result.interleavings),
            stopped,
            tuple(strategies),
            tuple(map(self._outcome, outcomes)),
            claim,
        )

    def _outcome(self, outcome: Outcome) -> model.OutcomeFacts:
        return model.OutcomeFacts(
            outcome.ending.words,
            outcome.ending.status,
            outcome.digest,
            outcome.output.decode(errors="backslashreplace"),
            outcome.n_schedules,
            self._first(outcome.first),
        )
