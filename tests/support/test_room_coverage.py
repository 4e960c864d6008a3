"""The table of coverage: what counts as run, and where it is added up."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.meta.house import ROOT

pytest.importorskip("coverage", reason="coverage is not installed")

from tests.support.room_coverage import Count, Row, file_row, main, table

KERNEL_FILE = ROOT / "runtime" / "kernels" / "text" / "scan_formats.py"


def test_statements_of_kernels_are_not_those_of_python() -> None:
    from tests.support.kernel_lines import lines_of

    inside, begins = lines_of(KERNEL_FILE)
    first = min(begins)
    row = file_row({1, 2, *inside}, {2, *inside}, KERNEL_FILE, {first, 511})
    assert row == Row(1, Count(2, 1), Count(len(begins), 1))


def test_the_last_row_is_the_sum() -> None:
    rows = {"b": Row(1, Count(10, 5)), "a/c": Row(2, Count(30, 30), Count(1000, 250))}
    assert table(rows).splitlines() == [
        "room files  python   run kernels   run",
        "a/c      2      30  100%   1,000   25%",
        "b        1      10   50%       0     -",
        "all      3      40   88%   1,000   25%",
    ]


def test_a_room_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cellar"]) == 2
    assert capsys.readouterr().err.startswith("dev: cellar: no tests in tests/cellar")


def test_a_small_room_is_measured() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.room_coverage", "reports/text"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    header, room, whole = done.stdout.splitlines()[-3:]
    assert header.split() == ["room", "files", "python", "run", "kernels", "run"]
    name, _, _, python, kernels, _ = room.split()
    assert name == "reports/text" and whole.split()[1:] == room.split()[1:]
    assert 10 < int(python.rstrip("%")) < 100 and kernels == "0"
