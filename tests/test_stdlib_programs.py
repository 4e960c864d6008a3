"""Programs with errors that only a checked C++ library shows, and the same programs mended.

Each program of `tests/programs_stdlib` is annotated as those of `tests/programs` are; `-DFIXED`
mends it. A program is run at -O1 with its own checks, and mended with the default checks and, in
turns, `--sanitize memory` or `--sanitize provenance`; in turns also at -O0 and in the interpreter,
there those with checks of their own in every second part.
The right programs of `tests/unseen/cpp` print the same with either library. One program in three,
and one right one in thirty, is run; IRSAN_PART=all runs all of them everywhere. Each set of checks
has a library of its own, which takes a minute of two processors to compile.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.options import DEFAULT_SANITIZERS
from tests.support.annotations import ProgramCase, discover_cases
from tests.support.irsan_runs import (
    bundled_compiler,
    in_part,
    is_in_part,
    reported_kinds,
    results_to_problems,
)

CASES = discover_cases(Path(__file__).parent / "programs_stdlib")
N_CASES = 56
SEEDS = range(3)
RIGHT = Path(__file__).parent / "unseen" / "cpp"
PARTS, PARTS_BESIDE, PARTS_RIGHT = 3, 9, 30
BESIDE = in_part([frozenset({"memory"}), frozenset({"provenance"})], 2)
MENDED_CHECKS = (DEFAULT_SANITIZERS, *BESIDE)
# The interpreter's library for the default checks, or that for the programs' own.
IN_INTERPRETER = in_part([False, True], 2)
RIGHT_CHECKS = (DEFAULT_SANITIZERS, *(one for one in BESIDE if "memory" in one))

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="needs the extra irsan[cc]"
)


def _params(n_parts: int) -> Iterator[object]:
    for number, case in enumerate(CASES):
        if is_in_part(number, n_parts):
            yield pytest.param(case, id=case.path.stem)


def _clean_programs() -> Iterator[object]:
    for number, program in enumerate(sorted(RIGHT.glob("*.cpp"))):
        if is_in_part(number, PARTS_RIGHT):
            yield pytest.param(program, id=program.stem)


def run(
    runner: BatchRunner, case: ProgramCase, *, level: int = 1, fixed: bool = False,
    engine: str = "jit", sanitize: frozenset[str] = frozenset(),
) -> list[RunResult]:  # fmt: skip
    """Runs of a program with the checked library, one for each seed."""
    return runner.run(
        case.sources, SEEDS if case.may_switch else SEEDS[:1],
        environment=case.environment, stdin=case.stdin.encode(), std="c++23",
        cflags=case.cflags, opt_level=level,
        sanitize=sanitize or case.sanitize or DEFAULT_SANITIZERS, engine=engine,
        defines=("FIXED",) if fixed else (), stdlib="checked", cc=bundled_compiler(),
    )  # fmt: skip


def problems_of(case: ProgramCase, results: list[RunResult]) -> list[str]:
    """What is wrong with runs of the program with its error."""
    if not case.seeds_some:
        return results_to_problems(case, results)
    found = [one for one in results if one.findings]
    return results_to_problems(case, found) if found else [f"{case.name}: not found"]


@pytest.mark.parametrize("case", list(_params(PARTS)))
def test_the_error_is_found(runner: BatchRunner, case: ProgramCase) -> None:
    assert problems_of(case, run(runner, case)) == []


@pytest.mark.parametrize("case", list(_params(PARTS_BESIDE)))
def test_it_is_found_at_o0_and_in_the_interpreter(runner: BatchRunner, case: ProgramCase) -> None:
    assert problems_of(case, run(runner, case, level=0)) == []
    if bool(case.sanitize) in IN_INTERPRETER:
        assert problems_of(case, run(runner, case, engine="interp")) == []


@pytest.mark.parametrize("case", list(_params(PARTS)))
def test_the_mended_program_is_clean(runner: BatchRunner, case: ProgramCase) -> None:
    outputs = set()
    for sanitize in MENDED_CHECKS:
        for result in run(runner, case, fixed=True, sanitize=sanitize):
            assert (reported_kinds(result), result.exit_status) == ([], 0), sorted(sanitize)
            outputs.add(result.stdout)
    assert len(outputs) == 1


def test_the_corpus_is_whole() -> None:
    assert len(CASES) == N_CASES
    assert all(case.expectations for case in CASES)
    assert all("FIXED" in case.path.read_text() for case in CASES)


@pytest.mark.parametrize("program", list(_clean_programs()))
def test_a_right_program_prints_the_same_and_is_clean(
    runner: BatchRunner, program: Path
) -> None:
    outputs = []
    ways = [("native", DEFAULT_SANITIZERS), *(("checked", one) for one in RIGHT_CHECKS)]
    for stdlib, sanitize in ways:
        (result,) = runner.run(
            [program], std="c++20", cflags=("-D_GNU_SOURCE", "-w"), sanitize=sanitize,
            stdlib=stdlib, cc=bundled_compiler(),
        )  # fmt: skip
        assert reported_kinds(result) == [], (stdlib, sorted(sanitize))
        outputs.append((result.stdout, result.exit_status))
    assert len(set(outputs)) == 1
