"""CodeChecker's report-converter: N findings in, N out, each at its file and line."""

from __future__ import annotations

import plistlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from irsan.reports.model.report import Finding
from irsan.reports.text.frames import blamed_frame
from irsan.reports.text.leak import format_leaks
from irsan.reports.text.report import format_finding
from irsan.reports.text.style import TextStyle
from tests.reports import samples
from tests.reports.consumers.at_source import at, sources
from tests.reports.consumers.environments import output_of, python_environment

COMPAT = TextStyle(pid=12, report_style="compat", command=("a.c",), schedule="r0")
#: no frame of it is known, and a report without a place is none for CodeChecker
WITHOUT_PLACE = ("SEGV-jump",)
#: of two definitions it takes the last registered
ODR = "odr-violation"


def converted(kind: str, text: str, folder: Path) -> list[tuple[str, int]]:
    """File name and line of everything that report-converter finds."""
    python = python_environment("codechecker==6.29.1")
    given, out = folder / "report.txt", folder / "out"
    given.write_text(text)
    output_of(python.with_name("report-converter"), "-t", kind, "-o", out, given)
    found = []
    for path in out.glob("*.plist"):
        content = plistlib.loads(path.read_bytes())
        for one in content["diagnostics"]:
            place = one["location"]
            found.append((Path(content["files"][place["file"]]).name, place["line"]))
    return sorted(found)


def blamed(findings: Sequence[Finding], role: str = "access") -> list[tuple[str, int]]:
    frames = [blamed_frame(f.stack(role)) for f in findings]  # type: ignore[arg-type]
    return sorted((Path(frame.file).name, frame.line) for frame in frames)


def test_memory_errors(tmp_path: Path) -> None:
    findings = {
        name: at(finding, sources(tmp_path)) for name, finding in samples.MEMORY.items()
        if name not in WITHOUT_PLACE
    }  # fmt: skip
    text = "\n".join(format_finding(finding, COMPAT) for finding in findings.values())
    found = converted("asan", text, tmp_path)
    assert len(found) == len(findings)
    odr = findings.pop(ODR).stacks[0].frames[0]
    assert found == sorted([*blamed(list(findings.values())), ("a.c", odr.line)])


def test_races_and_locks(tmp_path: Path) -> None:
    findings = [at(finding, sources(tmp_path)) for finding in samples.RACES.values()]
    found = converted("tsan", "\n".join(format_finding(f, COMPAT) for f in findings), tmp_path)
    assert len(found) == len(findings)
    races = [finding for finding in findings if finding.access]
    for place in blamed(races):
        assert place in found


@pytest.mark.parametrize(("kind", "name"), [("msan", "uninitialised"), ("ubsan", "undefined")])
def test_other_tools(kind: str, name: str, tmp_path: Path) -> None:
    finding = at(samples.OTHERS[name], sources(tmp_path))
    assert converted(kind, format_finding(finding, COMPAT), tmp_path) == blamed([finding])


def test_leaks(tmp_path: Path) -> None:
    leaks = [at(finding, sources(tmp_path)) for finding in samples.LEAKS]
    found = converted("lsan", format_leaks(leaks, COMPAT), tmp_path)
    assert found == blamed(leaks, "allocation")
