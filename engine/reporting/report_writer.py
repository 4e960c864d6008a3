"""Reports into their files: whole ones, one for each process, early enough to outlive a kill.

    a fixed name     opened before the run; a child of the program writes NAME.PID beside it
    a name with %p   a process that finds something writes it anew as it finds more, so that what
                     was found is there when the process is killed
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from irsan.engine.options import ReportTarget
from irsan.engine.reporting.report_files import ReportFiles, is_stream
from irsan.reports.atomic_file import write_atomically
from irsan.reports.model.report import Finding, Report

_N_ALWAYS: Final = 8  # findings; after so many a file is written anew once in a while only
_PAUSE_S: Final = 1.0

MakeReport = Callable[[], Report]


class ReportWriter:
    """Writes the reports of a process. folder: where the run began, for relative names."""

    def __init__(self, targets: Sequence[ReportTarget], folder: Path) -> None:
        self._targets = targets
        self._folder = folder
        self._last_s = 0.0
        self.files = ReportFiles(
            (one.path for one in targets if one.path is not None and not one.is_per_process),
            folder,
        )

    def write(self, report: MakeReport, findings: Sequence[Finding], *, is_child: bool) -> None:
        """Write all reports at the end of the process."""
        for target in self._targets:
            is_printed = target.format == "text" and target.path is None
            if is_printed or (target.is_per_process and not findings):
                continue
            text = _text(target, report())
            if is_child and is_stream(target.path):
                _tell_report_of_child(text, findings)
                continue
            path = self._own_path(target, is_child)
            if path is None or is_child or not self.files.write(path, text):
                self._write_text(path, text)

    def write_early(self, report: MakeReport, n_findings: int) -> None:
        """Write the files of this process as they are now, unless that was done just before."""
        targets = [target for target in self._targets if target.is_per_process]
        now_s = time.monotonic()
        if not targets or (n_findings > _N_ALWAYS and now_s - self._last_s < _PAUSE_S):
            return
        made = report()
        for target in targets:
            self._write_text(target.path_in(os.getpid()), _text(target, made))
        self._last_s = time.monotonic()

    def _own_path(self, target: ReportTarget, is_child: bool) -> Path | None:
        path = target.path_in(os.getpid())
        if path is None or target.is_per_process or not is_child:
            return path
        return path.with_name(f"{path.name}.{os.getpid()}")

    def _write_text(self, path: Path | None, text: str) -> None:
        if path is None:
            sys.stderr.write(text)
            return
        try:
            write_atomically(self._folder / path, text)
        except OSError as error:
            sys.stderr.write(
                f"irsan: error: cannot write the report to {path}: {error.strerror}; it follows "
                f"here\n{text}"
            )


def _text(target: ReportTarget, report: Report) -> str:
    from irsan.reports.renderers import renderer

    return renderer(target.format)(report)


def _tell_report_of_child(text: str, findings: Sequence[Finding]) -> None:
    """It has no file of its own; one without findings reports nothing."""
    if findings:
        sys.stderr.write(f"irsan: the report of process {os.getpid()} follows here\n{text}")
