"""Fingerprints under edits of the annotated programs: they stay or change as documented.

A program is run once; hundreds of edits are then made of its text, and the places of its finding
follow. test_fingerprint_runs.py runs edited programs. IRSAN_PART=all takes all programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.reports.derived.places import primary_stack
from irsan.reports.derived.sources import Sources
from irsan.reports.formats.json_report import object_to_report
from irsan.reports.model.fingerprints import CAUSE, EXACT, TEXT, fingerprints
from irsan.reports.model.report import Finding, Frame, Stack
from tests.support.annotations import ProgramCase, discover_cases
from tests.support.irsan_runs import is_in_part, new_runner, run_case
from tests.support.source_edits import SAFE, Edit, renamed, retyped

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
N_PARTS = 75
N_EDITS = 40  # of each program: more than 300 in one part
_ALL = (EXACT, TEXT, CAUSE)


class Found(NamedTuple):
    """A finding of a program of one file, whose text is `text`."""

    case: ProgramCase
    finding: Finding
    text: str


def cases() -> list[ProgramCase]:
    one_file = [
        case for case in discover_cases(PROGRAMS)
        if not (case.is_clean or case.parts or case.seeds_some)
    ]  # fmt: skip
    return [case for number, case in enumerate(one_file) if is_in_part(number, N_PARTS)]


@pytest.fixture(scope="module")
def runner() -> Iterator[BatchRunner]:
    with new_runner() as made:
        yield made


@pytest.fixture(scope="module")
def found(runner: BatchRunner) -> list[Found]:
    """The first finding that has a place in the program's file, of every program."""
    kept = []
    for case in cases():
        (result,) = run_case(runner, case, case.only_levels[0], (0,))
        if result.report is None:
            continue
        for finding in object_to_report(result.report).findings:
            if _has_place(finding, case.sources[0]):
                kept.append(Found(case, finding, case.sources[0].read_text()))
                break
    assert len(kept) >= 5
    return kept


def _has_place(finding: Finding, file: Path) -> bool:
    stack = primary_stack(finding)
    frame = _innermost(stack) if stack else None
    return frame is not None and Path(frame.file) == file and frame.line > 0


def _innermost(stack: Stack) -> Frame | None:
    return next((f for f in stack.frames if not (f.library or f.interceptor)), None)


def followed(finding: Finding, change: Callable[[Frame], Frame]) -> Finding:
    return replace(
        finding,
        fingerprints=(),
        stacks=tuple(
            replace(stack, frames=tuple(map(change, stack.frames))) for stack in finding.stacks
        ),
    )


def names_of(each: Found, folder: Path) -> dict[str, str]:
    """Names of a finding whose program is written to a folder under another name."""
    file = folder / "renamed.c"
    file.write_text(each.text)
    moved = followed(each.finding, lambda frame: _at(frame, each, file, frame.line, frame.column))
    return fingerprints(moved, Sources())


def names_after(each: Found, edit: Edit, folder: Path) -> dict[str, str]:
    file = folder / "edited.c"
    file.write_text(edit.text)

    def change(frame: Frame) -> Frame:
        return _at(frame, each, file, *edit.place(frame.line, frame.column))

    return fingerprints(followed(each.finding, change), Sources())


def _at(frame: Frame, each: Found, file: Path, line: int, column: int) -> Frame:
    if Path(frame.file) != each.case.sources[0]:
        return frame
    return replace(frame, file=str(file), line=line, column=column)


def test_what_does_not_change_the_program_changes_no_name(
    found: list[Found], tmp_path: Path
) -> None:
    n_edits = 0
    for each in found:
        before = names_of(each, tmp_path)
        assert set(_ALL) <= set(before), each.case.name
        for number in range(N_EDITS):
            kind = list(SAFE)[number % len(SAFE)]
            edit = SAFE[kind](each.text, Random(number))
            after = names_after(each, edit, tmp_path)
            for name in _ALL:
                assert after[name] == before[name], (each.case.name, kind, number, name)
            n_edits += 1
    assert n_edits >= 200


def names_after_renaming(each: Found, function: str, folder: Path) -> dict[str, str]:
    edit = renamed(each.text, function, "another_name")
    file = folder / "edited.c"
    file.write_text(edit.text)

    def change(frame: Frame) -> Frame:
        name = "another_name" if frame.function == function else frame.function
        return replace(_at(frame, each, file, *edit.place(frame.line, frame.column)), function=name)

    return fingerprints(followed(each.finding, change), Sources())


def innermost_of(each: Found) -> Frame:
    stack = primary_stack(each.finding)
    frame = _innermost(stack) if stack else None
    assert frame is not None
    return frame


def test_other_names_of_functions(found: list[Found], tmp_path: Path) -> None:
    """A renamed innermost function changes the exact name and the cause, and leaves the text."""
    n_left = 0
    for each in found:
        before = names_of(each, tmp_path)
        after = names_after_renaming(each, innermost_of(each).function, tmp_path)
        assert after[EXACT] != before[EXACT], each.case.name
        assert after[CAUSE] != before[CAUSE], each.case.name
        n_left += after[TEXT] == before[TEXT]
    assert n_left > len(found) // 2  # the others have the function's own name in a statement


def test_another_statement(found: list[Found], tmp_path: Path) -> None:
    for each in found:
        innermost = innermost_of(each)
        before = names_of(each, tmp_path)
        edit = retyped(each.text, innermost.line, innermost.column)
        after = names_after(each, edit, tmp_path)
        assert after[EXACT] != before[EXACT], each.case.name
        assert after[TEXT] != before[TEXT], each.case.name
        assert after[CAUSE] == before[CAUSE], each.case.name


def test_another_kind(found: list[Found]) -> None:
    for each in found:
        before = fingerprints(each.finding, Sources())
        after = fingerprints(replace(each.finding, kind="another"), Sources())
        assert all(after[name] != before[name] for name in _ALL)
