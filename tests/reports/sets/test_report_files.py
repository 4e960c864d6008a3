"""Report files as a command line names them: which are read, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.errors import UsageError
from irsan.reports.formats.json_report import report_to_json
from irsan.reports.sets import report_files
from irsan.reports.sets.report_files import read_all, read_report
from tests.reports import samples

REPORT = samples.report(samples.RACES["race-heap"])
GOOD = report_to_json(REPORT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    for name in ("b.json", "a.json", "deep/c.json.12", ".d.json", "e.txt"):
        (tmp_path / name).write_text(GOOD)
    return tmp_path


def test_one_file(folder: Path) -> None:
    assert read_report(folder / "e.txt") == REPORT


def test_a_folder_gives_its_reports_by_name_and_each_file_once(folder: Path) -> None:
    found = [each.path.name for each in read_all([folder / "b.json", folder])]
    assert found == ["b.json", "a.json", "c.json.12"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty: the run was killed"),
        (b" \n", "empty: the run was killed"),
        (GOOD[:400].encode(), "cut off: not JSON"),
        (b'{"a": }', "not JSON"),
        (b"\xff\xfe", "not text in UTF-8"),
        (b"[]", ""),
        (b"[" * 100_000, "nested too deeply"),
        (GOOD.replace("irsan-report/1", "irsan-report/9").encode(), "irsan-report/9"),
    ],
)
def test_what_is_no_report_is_told(content: bytes, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"a\.json: .") as raised:
        read_report(path)
    assert problem in str(raised.value)
    (found,) = read_all([path])
    assert found.report is None and found.problem and problem in found.problem


def test_a_file_that_is_too_big_is_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_files, "MAX_FILE_BYTES", 10)
    with pytest.raises(UsageError, match="bigger than a report may be"):
        read_report(folder / "a.json")


def test_paths_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        list(read_all([tmp_path / "none"]))
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_report(tmp_path / "none.json")
