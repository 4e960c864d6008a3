"""The whole run as data: what was found, with what the run was and what its source says."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from irsan.engine.options import RunOptions
from irsan.engine.reporting.run_gate import RunGate
from irsan.reports.model.report import (
    AccessCount,
    Cut,
    Finding,
    InjectionFacts,
    Report,
    SuppressionUse,
    Timing,
)
from irsan.reports.model.report import RunOptions as ReportedOptions

if TYPE_CHECKING:
    from irsan.engine.run.prepared import Stages

UNFINISHED: Final = Cut("end of the run", 1, "the process had not ended when this was written")


def unfinished(report: Report) -> Report:
    """A report that says that its run was still going on."""
    return replace(report, cut=(*report.cut, UNFINISHED))


class RunReport:
    """The facts of a run before it finds anything; `token` repeats it."""

    def __init__(self, options: RunOptions, stages: Stages, token: str) -> None:
        self._options = options
        self._stages = stages
        self._token = token

    def report(
        self,
        findings: Sequence[Finding],
        status: int,
        suppressed: Sequence[SuppressionUse],
        statistics: tuple[AccessCount, ...],
        gate: RunGate,
        injection: InjectionFacts | None = None,
    ) -> Report:
        """The report with all facts, and each finding's state against the baseline."""
        from irsan.engine.reporting.run_facts import build_facts, host_facts, test_name

        stages, options = self._stages, self._options
        facts = replace(
            self.named(findings, gate),
            arguments=options.arguments,
            engine="interp" if options.engine == "interp" else "jit",
            seed=options.seed,
            schedule=self._token,
            exit_status=status,
            timing=self._timing(),
            options=ReportedOptions(tuple(sorted(options.sanitize)), f"-O{options.opt_level}"),
            suppressed=tuple(suppressed),
            statistics=statistics,
            pid=os.getpid(),
            command=self._command(),
            build=build_facts(stages.units),
            host=host_facts(),
            test=test_name(options.environment),
            injection=injection,
        )
        return gate.compared(facts)[0]

    def named(self, findings: Sequence[Finding], gate: RunGate) -> Report:
        """A report of nothing but the findings, as they are named and shown."""
        from irsan.reports.derived.finished import (
            finished,  # a run without findings needs none of it
        )

        program = str(self._options.programs[0])
        report = Report(program, findings=tuple(findings), root=gate.root)
        return finished(report, gate.sources)

    def _timing(self) -> Timing:
        stages = self._stages
        return Timing(
            round(stages.frontend_s, 6),
            round(stages.instrument_s, 6),
            round(stages.codegen_s, 6),
            round(stages.run_s, 6),
            stages.is_cached,
            stages.started,
        )

    def _command(self) -> tuple[str, ...]:
        options = self._options
        if options.argv0:
            return (options.argv0, *options.arguments)
        return ("irsan", "run", *options.replay_words())
