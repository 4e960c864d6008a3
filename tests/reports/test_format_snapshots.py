"""Every format, for every kind of the catalogue, against checked-in files: a file per format.

`./dev bless tests/reports/test_format_snapshots.py` rewrites them.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from irsan.reports.model.kinds import KINDS
from irsan.reports.model.report import Finding, Report
from irsan.reports.renderers import renderer, renderer_names
from tests.reports import samples
from tests.reports.of_catalogue import findings_of_catalogue

FOLDER = Path(__file__).parent / "golden" / "formats"
ENDINGS = {
    "text": "txt", "json": "json", "sarif": "sarif", "junit": "xml", "github": "txt",
    "gitlab": "json", "gitlab-sast": "json", "valgrind-xml": "xml", "markdown": "md",
    "perfetto": "json", "html": "html",
}  # fmt: skip


# These show a few findings of a report: the catalogue is shown in reports of so many.
N_OF_A_REPORT = {"github": 10, "markdown": 60}


def rendered(name: str) -> str:
    findings = [*findings_of_catalogue().values()]
    size = N_OF_A_REPORT.get(name, len(findings))
    parts = (findings[start : start + size] for start in range(0, len(findings), size))
    return "".join(renderer(name)(_report(part)) for part in parts)


def _report(findings: list[Finding]) -> Report:
    report = samples.report(*findings)
    started = replace(report.timing, started="2026-01-02T03:04:05+00:00")
    return replace(report, root="/src", timing=started)


@pytest.mark.parametrize("name", ENDINGS)
def test_snapshot(name: str) -> None:
    text = rendered(name)
    path = FOLDER / f"{name}.{ENDINGS[name]}"
    if os.environ.get("IRSAN_BLESS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_every_kind_and_every_format_is_there() -> None:
    assert set(ENDINGS) >= set(renderer_names())
    assert len(findings_of_catalogue()) == len(KINDS) + 1
