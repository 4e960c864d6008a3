"""A finished report: names made once, ends of columns, the lines around every place, bounded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from irsan.reports.derived import finished as module
from irsan.reports.derived.finished import N_AROUND, excerpts_of, finished, paths_outside
from irsan.reports.derived.sources import Sources
from irsan.reports.model.report import Frame, Stack
from tests.reports import samples

RACE = samples.RACES["race-heap"]
N_LINES = 60


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.c"
    path.write_text("".join(f"    int x{n} = y + {n};\n" for n in range(1, N_LINES + 1)))
    return path


def at(file: Path, *lines: int) -> Stack:
    return Stack("access", frames=tuple(Frame("f", str(file), n, 9) for n in lines))


def test_equal_names_are_numbered_by_place(source: Path) -> None:
    twins = [replace(RACE, stacks=(at(source, line),)) for line in (7, 7)]
    report = finished(samples.report(*twins), Sources())
    ids = [each.id for each in report.findings]
    assert len(set(ids)) == 2
    assert finished(report, Sources()) == report


def test_columns_end_behind_the_word(source: Path) -> None:
    report = finished(samples.report(replace(RACE, stacks=(at(source, 7),))), Sources())
    frame = report.findings[0].stacks[0].frames[0]
    assert (frame.column, frame.end_column) == (9, 11)


def test_frames_of_libraries_get_no_end_and_no_lines(source: Path) -> None:
    stack = at(source, 7)
    library = replace(stack.frames[0], library=True)
    report = finished(samples.report(replace(RACE, stacks=(replace(stack, frames=(library,)),))),
                      Sources())  # fmt: skip
    assert report.findings[0].stacks[0].frames[0].end_column == 0
    assert report.sources == ()


def test_lines_around_are_kept_in_runs_without_gaps(source: Path) -> None:
    found, n_cut = excerpts_of([replace(RACE, stacks=(at(source, 2, 9, 40),))], Sources())
    assert n_cut == 0
    assert [(each.first_line, len(each.lines)) for each in found] == [
        (1, 9 + N_AROUND), (40 - N_AROUND, 2 * N_AROUND + 1),
    ]  # fmt: skip


def test_more_lines_than_a_report_keeps_are_counted(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_LINES", 2 * N_AROUND + 1)
    report = finished(samples.report(replace(RACE, stacks=(at(source, 9, 40),))), Sources())
    assert sum(len(each.lines) for each in report.sources) == 2 * N_AROUND + 1
    assert [(cut.what, cut.n) for cut in report.cut] == [("source lines", 2 * N_AROUND + 1)]


def test_long_lines_are_cut(source: Path) -> None:
    source.write_text("x" * 10_000)
    ((excerpt,), _) = excerpts_of([replace(RACE, stacks=(at(source, 1),))], Sources())
    assert len(excerpt.lines[0]) == module.MAX_LINE_LENGTH


def test_paths_outside_of_the_root_are_named_once(source: Path) -> None:
    stacks = (at(source, 1, 2), Stack("free", frames=(Frame("g", "/usr/x.h", 1, library=True),)))
    report = replace(samples.report(replace(RACE, stacks=stacks)), root="/src")
    assert paths_outside(report) == (str(source),)
    assert paths_outside(replace(report, root=str(source.parent))) == ()
