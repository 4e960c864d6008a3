"""What a run knows of earlier ones: verdicts hide, a baseline and --fail-on decide.

Files are read before the program runs: it may leave the folder, and a wrong file ends irsan early.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irsan.engine.options import GateOptions
from irsan.reports.derived.root import root_of_sources
from irsan.reports.derived.sources import Sources
from irsan.reports.model.fingerprints import EXACT, fingerprints
from irsan.reports.model.report import Finding, Report, SuppressionUse, Tool
from irsan.reports.sets.triage import DEFAULT_FILE, Entry, Triage, read_triage

if TYPE_CHECKING:
    from irsan.reports.sets.compare import Comparison

SUPPRESSION_TYPE = "fingerprint"


class RunGate:
    """The gate of one run. Raises UsageError for a file or a word that is none."""

    def __init__(self, options: GateOptions, programs: Sequence[Path], folder: Path) -> None:
        found = root_of_sources(map(str, programs), folder)
        self.root = options.root or str(found)
        self.sources = Sources(root=folder, aliases=((self.root, str(found)),))
        self._fail_on = options.fail_on
        self._baseline = _report(options)
        self._triage = _verdicts(options.triage, found)
        self._today = datetime.date.today()
        self._counts: Counter[str] = Counter()
        self._hidden: Counter[Entry] = Counter()
        self._tools: dict[Entry, Tool] = {}

    def start_child(self) -> None:
        """This process is a fork: what it hides is its own."""
        self._counts.clear()
        self._hidden.clear()

    def hides(self, finding: Finding) -> bool:
        """Whether a verdict hides a finding; it is counted."""
        if not self._triage.entries:
            return False
        exact = fingerprints(finding, self.sources)[EXACT]
        self._counts[exact] += 1
        entry = self._triage.entry_for(exact, self._counts[exact])
        if entry is None or not entry.hides(self._today):
            return False
        self._hidden[entry] += 1
        self._tools[entry] = finding.tool
        return True

    def uses(self) -> tuple[SuppressionUse, ...]:
        """Verdicts that hid something."""
        return tuple(
            SuppressionUse(self._tools[entry], SUPPRESSION_TYPE, entry.fingerprint, count)
            for entry, count in self._hidden.items()
        )

    def compared(self, report: Report) -> tuple[Report, Comparison | None]:
        """The report with each finding's state against the baseline, if there is one."""
        if self._baseline is None:
            return report, None
        from irsan.reports.sets.gate import compared_with

        return compared_with(report, self._baseline)

    @property
    def decides(self) -> bool:
        """Whether other findings fail the run than those that are the program's fault."""
        return self._baseline is not None or bool(self._fail_on)

    def failing(self, report: Report) -> tuple[Finding, ...]:
        """The findings of a finished report that fail the run."""
        from irsan.reports.sets.gate import FailOn, failing

        return failing(self.compared(report)[0].findings, FailOn.from_text(self._fail_on))

    def closing(self, report: Report) -> str:
        """A line about the baseline, for the end of the text; empty without one or findings."""
        compared, found = self.compared(report)
        if found is None or not compared.findings:
            return ""
        n_fail = len(self.failing(report))
        return (
            f"irsan: {len(found.new)} new findings, {len(found.kept)} that the baseline has; "
            f"{n_fail} fail the run\n"
        )


def _report(options: GateOptions) -> Report | None:
    """The baseline; what --fail-on names is looked at, too."""
    if options.fail_on:
        from irsan.reports.sets.gate import FailOn

        FailOn.from_text(options.fail_on)
    if options.baseline is None:
        return None
    from irsan.reports.sets.report_files import read_report

    return read_report(options.baseline)


def _verdicts(path: Path | None, root: Path) -> Triage:
    if path is not None:
        return read_triage(path)
    return read_triage(root / DEFAULT_FILE, must_exist=False)
