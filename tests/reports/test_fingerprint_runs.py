"""Fingerprints of annotated programs that are edited, compiled and run again.

An edit for each program: its text is changed, or the file's name, the level, the seed, the
compiler. Names stay or change as docs/report-schema.md says. IRSAN_PART=all makes 310 edits, as
many of each kind.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.reports.derived.places import primary_stack
from irsan.reports.formats.json_report import object_to_report
from irsan.reports.model.fingerprints import CAUSE, EXACT, TEXT
from irsan.reports.model.report import Finding
from tests.support.annotations import ProgramCase, discover_cases
from tests.support.irsan_runs import is_in_part, new_runner, run_case
from tests.support.source_edits import SAFE, functions_swapped, moved_out, renamed

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
N_EDITS = 310  # nine of them compare nothing: the function to be renamed is main
N_PARTS = 75
OTHER_COMPILER = "clang-19"
_NAMES = (EXACT, TEXT, CAUSE)

Findings = tuple[Finding, ...]
#: writes the edited program into a folder; None where it has nothing to edit
Rewrite = Callable[[ProgramCase, Path, Random], "Path | None"]


def _written(name: str) -> Rewrite:
    def rewrite(case: ProgramCase, folder: Path, random: Random) -> Path | None:
        edit = SAFE[name](case.path.read_text(), random)
        return _put(folder / case.path.name, edit.text)

    return rewrite


def _renamed(case: ProgramCase, folder: Path, _random: Random) -> Path | None:
    return _put(folder / f"another_name{case.path.suffix}", case.path.read_text())


def _swapped(case: ProgramCase, folder: Path, random: Random) -> Path | None:
    edit = functions_swapped(case.path.read_text(), random)
    return _put(folder / case.path.name, edit.text) if edit else None


def _moved(case: ProgramCase, folder: Path, random: Random) -> Path | None:
    moved = moved_out(case.path.read_text(), random, "moved_here.h")
    if moved is None:
        return None
    _put(folder / "moved_here.h", moved[1])
    return _put(folder / case.path.name, moved[0])


def _put(path: Path, text: str) -> Path:
    for header in PROGRAMS.glob("*/*.h"):
        if f'"{header.name}"' in text:
            shutil.copy(header, path.parent)
    path.write_text(text)
    return path


TEXTS: dict[str, Rewrite] = {
    **{name: _written(name) for name in SAFE},
    "rename file": _renamed, "swap functions": _swapped, "move function": _moved,
}  # fmt: skip
RUNS = ("level", "seed", "compiler")
RENAMED = "rename function"
KINDS = (*TEXTS, *RUNS, RENAMED)


def edits() -> list[tuple[ProgramCase, str]]:
    """Programs and the kind of the edit of each; as many of every kind.

    In the order of their names' sums, so that a new program changes one choice and not all: one of
    a program in which several pairs race would find another pair with another seed.
    """
    cases = [
        case for case in discover_cases(PROGRAMS)
        if not (case.is_clean or case.parts or case.seeds_some or has_own_headers(case))
    ]  # fmt: skip
    cases.sort(key=lambda case: crc32(case.name.encode()))
    chosen = []
    for kind in islice(cycle(KINDS), N_EDITS):
        case = next((case for case in cases if is_possible(case, kind)), None)
        if case is not None:
            cases.remove(case)
            chosen.append((case, kind))
    return [pair for number, pair in enumerate(chosen) if is_in_part(number, N_PARTS)]


def has_own_headers(case: ProgramCase) -> bool:
    """Whether a program needs files beside it, which a copy of it does not have."""
    return '#include "' in case.path.read_text()


def is_possible(case: ProgramCase, kind: str) -> bool:
    """Whether there is anything to edit; without an other compiler nothing is compared."""
    text = case.path.read_text()
    if kind == "swap functions":
        return functions_swapped(text, Random(case.name)) is not None
    if kind in ("move function", RENAMED):
        return moved_out(text, Random(case.name), "moved_here.h") is not None
    return kind != "level" or len(case.only_levels) > 1


@pytest.fixture(scope="module")
def runner() -> Iterator[BatchRunner]:
    with new_runner() as made:
        yield made


def findings(
    runner: BatchRunner, case: ProgramCase, level: str, seed: int = 0, cc: str = ""
) -> Findings:
    more = {"cc": cc} if cc else {}
    (result,) = run_case(runner, case, level, (seed,), **more)
    assert result.report is not None, (case.name, result.exit_status, result.stderr[-2000:])
    return object_to_report(result.report).findings


def names(found: Findings, kind: str) -> list[str]:
    """All names of one kind, in order."""
    return sorted(each.value for f in found for each in f.fingerprints if each.name == kind)


def by_place(found: Findings) -> dict[tuple[object, ...], Finding]:
    """Findings by kind and lines of their own frames; none that share these."""
    places: dict[tuple[object, ...], list[Finding]] = {}
    for finding in found:
        told = [stack for stack in finding.stacks if stack.role != "thread-creation"]
        lines = {
            (stack.role not in ("access", "previous") and stack.role, frame.function, frame.line)
            for stack in told for frame in stack.frames
            if not (frame.interceptor or frame.library)
        }  # fmt: skip
        places.setdefault((finding.kind, frozenset(lines)), []).append(finding)
    return {place: each[0] for place, each in places.items() if len(each) == 1}


def in_another_run(
    runner: BatchRunner, case: ProgramCase, kind: str
) -> tuple[Findings, Findings] | None:
    """The findings of two runs of one text; None where there is no other run."""
    level = case.only_levels[0]
    before = findings(runner, case, level)
    if kind == "seed":
        return before, findings(runner, case, level, seed=3)
    if kind == "compiler":
        is_there = shutil.which(OTHER_COMPILER) is not None
        return (before, findings(runner, case, level, cc=OTHER_COMPILER)) if is_there else None
    if len(case.only_levels) < 2:
        return None
    return before, findings(runner, case, case.only_levels[-1])


def problems_of_text(
    runner: BatchRunner, case: ProgramCase, kind: str, folder: Path
) -> list[str] | None:
    path = TEXTS[kind](case, folder, Random(case.name))
    if path is None:
        return None
    level = case.only_levels[0]
    before = findings(runner, case, level)
    after = findings(runner, replace(case, path=path), level)
    return [
        f"{case.name}: {kind}: {name}: {names(before, name)} became {names(after, name)}"
        for name in _NAMES if names(before, name) != names(after, name)
    ]  # fmt: skip


def problems_of_name(runner: BatchRunner, case: ProgramCase, folder: Path) -> list[str] | None:
    """The innermost function gets another name: so do the exact name and the cause, not the text.

    None where that function is main, or no function of this file.
    """
    level, text = case.only_levels[0], case.path.read_text()
    before = findings(runner, case, level)
    function = innermost_function(before[0])
    if function in ("", "main") or f"{function}(" not in text:
        return None
    path = _put(folder / case.path.name, renamed(text, function, "another_name").text)
    after = findings(runner, replace(case, path=path), level)
    stay = {name: set(names(before[:1], name)) & set(names(after, name)) for name in _NAMES}
    wrong = [name for name in (EXACT, CAUSE) if stay[name]]
    in_statement = any(function in line for line in statements(before[0]))
    wrong += [] if stay[TEXT] or in_statement else [TEXT]
    return [f"{case.name}: {function} renamed: wrong {name}" for name in wrong]


def innermost_function(finding: Finding) -> str:
    stack = primary_stack(finding)
    frames = stack.frames if stack else ()
    return next((f.function for f in frames if not (f.library or f.interceptor)), "")


def statements(finding: Finding) -> list[str]:
    """The lines on which the finding's own frames lie, and those around."""
    own = (frame for stack in finding.stacks for frame in stack.frames if frame.line)
    texts = {frame: Path(frame.file) for frame in own if Path(frame.file).is_file()}
    return [
        line for frame, path in texts.items()
        for line in path.read_text().splitlines()[max(frame.line - 3, 0) : frame.line + 2]
    ]  # fmt: skip


def problems_of_run(runner: BatchRunner, case: ProgramCase, kind: str) -> list[str] | None:
    """What stands at one place in both runs has one name; None when nothing does."""
    runs = in_another_run(runner, case, kind)
    if runs is None:
        return None
    before, after = (by_place(found) for found in runs)
    common = before.keys() & after.keys()
    return [
        f"{case.name}: {kind}: {name} of {before[place].kind} differs"
        for place in common for name in _NAMES
        if names((before[place],), name) != names((after[place],), name)
    ] if common else None  # fmt: skip


def problems(
    runner: BatchRunner, case: ProgramCase, kind: str, folder: Path
) -> list[str] | None:
    """What is wrong with the names after an edit; None where there was nothing to compare."""
    if kind in TEXTS:
        return problems_of_text(runner, case, kind, folder)
    if kind == RENAMED:
        return problems_of_name(runner, case, folder)
    return problems_of_run(runner, case, kind)


def test_names_of_edited_programs(runner: BatchRunner, tmp_path: Path) -> None:
    wrong: list[str] = []
    n_compared = 0
    for number, (case, kind) in enumerate(edits()):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = problems(runner, case, kind, folder)
        n_compared += found is not None
        wrong += found or ()
    assert not wrong, "\n".join(wrong)
    assert n_compared >= len(edits()) // 2


