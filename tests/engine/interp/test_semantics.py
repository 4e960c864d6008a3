"""Every construct in a program of its own: both engines print the same and end the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from tests.support import instruction_programs, intrinsic_programs
from tests.support.instruction_programs import Case, program

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.ll"))
CASES: dict[str, Callable[[], Iterable[Case]]] = {
    "integers": instruction_programs.integer_cases,
    "pointers": instruction_programs.pointer_cases,
    "floats": instruction_programs.float_cases,
    "vectors": instruction_programs.vector_cases,
    "integer intrinsics": intrinsic_programs.intrinsic_integer_cases,
    "float intrinsics": intrinsic_programs.intrinsic_float_cases,
    "zeros and NaNs": intrinsic_programs.intrinsic_special_cases,
}
EXIT_STATUS = {"calls": 7}


def _run(runner: BatchRunner, path: Path, engine: str) -> RunResult:
    (found,) = runner.run(
        [path], [0], engine=engine, sanitize=frozenset({"leak"}),
        environment={"LSAN_OPTIONS": "detect_leaks=0"},
    )  # fmt: skip
    return found


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs(runner: BatchRunner, path: Path) -> None:
    native, interpreted = [_run(runner, path, engine) for engine in ("jit", "interp")]
    assert native.exit_status == EXIT_STATUS.get(path.stem, 0), native.stderr
    assert len(native.stdout.splitlines()) > 5
    assert interpreted.stdout.splitlines() == native.stdout.splitlines(), interpreted.stderr
    assert interpreted.exit_status == native.exit_status


@pytest.mark.parametrize("name", CASES)
def test_single_instructions(runner: BatchRunner, tmp_path: Path, name: str) -> None:
    cases = list(CASES[name]())
    path = tmp_path / "cases.ll"
    path.write_text(program(cases))
    native, interpreted = [_run(runner, path, engine) for engine in ("jit", "interp")]
    assert native.exit_status == interpreted.exit_status == 0, interpreted.stderr
    wanted, found = native.stdout.splitlines(), interpreted.stdout.splitlines()
    assert len(wanted) == len(cases)
    wrong = [
        f"{case.text} of {case.operands}: {got!r}, not {line!r}"
        for case, line, got in zip(cases, wanted, found, strict=True) if got != line
    ]  # fmt: skip
    assert not wrong
