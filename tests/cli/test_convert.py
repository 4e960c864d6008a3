"""`irsan report convert`: from JSON to any other form, or one clear refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.__main__ import main
from irsan.reports.formats.json_report import report_to_json
from irsan.reports.renderers import renderer
from tests.reports import samples

REPORT = samples.report(samples.race())


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.json"
    path.write_text(report_to_json(REPORT))
    return path


def test_to_text_on_standard_output(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "convert", str(report), "--to", "text"]) == 0
    assert capsys.readouterr().out == renderer("text")(REPORT)


def test_to_json_in_a_file_is_the_same_report(report: Path, tmp_path: Path) -> None:
    out = tmp_path / "again.json"
    assert main(["report", "convert", str(report), "--to", "json", "-o", str(out)]) == 0
    assert out.read_text() == report.read_text()


@pytest.mark.parametrize(
    ("content", "to", "message"),
    [
        ("{", "text", "not JSON"),
        ('{"schema": "other/9"}', "text", "expected a report with schema"),
        ("{}", "tekst", "did you mean text?"),
        (None, "text", "cannot be read: No such file"),
    ],
)
def test_what_cannot_be_converted(
    tmp_path: Path, content: str | None, to: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.json"
    if content is not None:
        path.write_text(content)
    assert main(["report", "convert", str(path), "--to", to]) == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert shown.startswith("irsan: error: ")
