"""A plugin for pytest: what irsan finds in programs that a test has run lets that test fail.

    pytest --irsan                  programs of irsan-cc, and `irsan run`, started by any test
    pytest --irsan-reports FOLDER   the same, and the reports are kept there, a file per process

    pytest --irsan-explore N        C and C++ files, and built programs, are tests themselves, of N
                                    schedules each (pytest_explore.py)

While a test runs, IRSAN_OPTIONS names report files of its own, one per process; behind each phase
of the test the new ones are read. The name of the test goes into the file names, so that merged
reports can say which test has found what.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Generator, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from irsan.reports.model.report import Report

_OPTIONS: Final = "IRSAN_OPTIONS"
_FOLDER: Final = pytest.StashKey["ReportFolder"]()
_MAX_NAME_CHARS: Final = 120


@dataclass(slots=True)
class ReportFolder:
    """The report files of one test; those that were read are remembered."""

    path: Path
    prefix: str
    seen: set[Path] = field(default_factory=set)

    def options(self, given: str) -> str:
        """IRSAN_OPTIONS with report files in this folder."""
        own = f"report_path='{self.path / self.prefix}-%p.json'"
        return f"{given}:{own}" if given else own

    def new_texts(self) -> list[str]:
        """Findings as text, of each file that has come since this was asked last."""
        found = sorted(set(self.path.glob(f"{self.prefix}-*.json")) - self.seen)
        self.seen.update(found)
        return [text for text in map(_findings_text, found) if text]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two options; without one of them nothing of this plugin is active."""
    group = parser.getgroup("irsan", "findings of irsan in programs that tests run")
    group.addoption(
        "--irsan", action="store_true", help="A finding of irsan lets the test fail that ran it."
    )
    group.addoption(
        "--irsan-reports", metavar="FOLDER", help="Keep the reports in a folder; implies --irsan."
    )
    group.addoption(
        "--irsan-explore", metavar="N", type=int, default=0,
        help="Play N schedules of each test_*.c, *_test.cpp, ..., and of programs that are named.",
    )  # fmt: skip


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Programs are tests when they are asked for."""
    if not parent.config.getoption("--irsan-explore"):
        return None
    from irsan.pytest_explore import collect_program

    return collect_program(file_path, parent)


def pytest_configure(config: pytest.Config) -> None:
    """Becomes active when it is asked for."""
    kept = config.getoption("--irsan-reports")
    if not (kept or config.getoption("--irsan")):
        return
    folder = Path(kept).absolute() if kept else Path(tempfile.mkdtemp(prefix="irsan-pytest-"))
    folder.mkdir(parents=True, exist_ok=True)
    config.pluginmanager.register(_FindingsOfTests(folder), "irsan-findings")


class _FindingsOfTests:
    """The hooks around a test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        folder = ReportFolder(self._folder, _file_name(item.nodeid))
        folder.seen.update(folder.path.glob(f"{folder.prefix}-*.json"))  # of an earlier session
        item.stash[_FOLDER] = folder
        before = os.environ.get(_OPTIONS)
        os.environ[_OPTIONS] = folder.options(before or "")
        try:
            return (yield)
        finally:
            _restore(os.environ, before)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        for text in item.stash[_FOLDER].new_texts():
            if report.outcome == "passed":
                report.outcome = "failed"
                report.longrepr = f"irsan has found something in a program of this test\n\n{text}"
            else:
                report.sections.append(("Found by irsan", text))
        return report


def _restore(environment: MutableMapping[str, str], before: str | None) -> None:
    if before is None:
        environment.pop(_OPTIONS, None)
    else:
        environment[_OPTIONS] = before


def _file_name(nodeid: str) -> str:
    """A test's name as part of a file name."""
    return re.sub(r"[^\w.=-]+", "-", nodeid, flags=re.ASCII)[-_MAX_NAME_CHARS:].strip("-.")


def _findings_text(path: Path) -> str:
    """The findings of a report file; what cannot be read is said, for a process may have died."""
    from irsan.errors import UsageError
    from irsan.reports.formats.json_report import json_to_report
    from irsan.reports.renderers import renderer

    try:
        report = json_to_report(path.read_text(encoding="utf-8"))
    except (OSError, UsageError, UnicodeDecodeError) as error:
        return f"{path}: {error}"
    return renderer("text")(report) if _has_bugs(report) else ""


def _has_bugs(report: Report) -> bool:
    return any(finding.verdict == "bug" for finding in report.findings)
