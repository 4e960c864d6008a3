"""Annotations: commands with everything escaped, ten a level, the rest in plain lines."""

from __future__ import annotations

from dataclasses import replace

from irsan.reports.formats.github import MAX_OF_A_LEVEL
from irsan.reports.model.report import Finding, Report
from irsan.reports.renderers import renderer
from tests.reports import samples


def lines_of(*findings: Finding) -> list[str]:
    report: Report = replace(samples.report(*findings), root="/src")
    return renderer("github")(report).splitlines()


def test_an_annotation_stands_beside_its_line() -> None:
    (line,) = lines_of(samples.RACES["race-heap"])
    head, _, message = line.removeprefix("::").partition("::")
    assert head == "error file=a.c,line=9,col=5,title=data race"
    parts = message.split("%0A")
    assert parts[0].startswith("data race: (1) write of 4 bytes in main by main thread at a.c:9:5")
    assert "previous read by thread T1 (worker): a.c:7:5" in parts
    assert parts[-1] == "irsan replay r7 a.c"


def test_no_file_outside_of_the_root() -> None:
    (line,) = renderer("github")(samples.report(samples.MEMORY["double-free"])).splitlines()
    assert line.startswith("::error title=double-free::")


def test_what_github_does_not_show_is_in_the_log() -> None:
    lines = lines_of(*[samples.MEMORY["double-free"]] * 13, samples.LEAKS[0])
    assert sum(line.startswith("::error ") for line in lines) == MAX_OF_A_LEVEL
    assert sum(line.startswith("::warning ") for line in lines) == 1
    assert sum(line.startswith("irsan: a.c:9:5: double-free: ") for line in lines) == 3
    assert lines[-1].startswith("::notice title=irsan::3 findings are in the log only")


def test_a_name_makes_no_command() -> None:
    hostile = replace(samples.MEMORY["double-free"], hints=("x\n::error::y ##[error]z %0A",))
    lines = lines_of(*[hostile] * 11)
    assert [line[:7] for line in lines] == ["::error"] * 10 + ["irsan: ", "::notic"]
    assert "##[" not in "".join(lines)
    assert r"x\n::error::y # #[error]z %250A" in lines[0]
