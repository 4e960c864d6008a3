"""docs/undefined-behaviour.md: every row is true of its program, and every program has a row.

That the programs are reported as they say is for tests/test_programs.py to show; here they are run
once more as bitcode, without the compiler's checks, for what the last column says.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.engine.front_end.frontend import compile_to_ir
from irsan.engine.options import DEFAULT_SANITIZERS, FrontendOptions
from tests.support.annotations import ProgramCase, parse_program

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "programs"
NOT_FOUND = "not found"
LEVELS = {"any": "-O0", "optimised": "-O1"}
IR_LEVELS = {"yes": 0, "optimised": 1, "no": 0}
UNDEFINED = "undefined"


class Row(NamedTuple):
    what: str
    sanitizer: str
    level: str
    flag: str
    kind: str
    program: str
    ir: str

    @property
    def case(self) -> ProgramCase:
        return parse_program(PROGRAMS / self.program)


def rows() -> list[Row]:
    lines = (ROOT / "docs" / "undefined-behaviour.md").read_text().splitlines()
    table = [line for line in lines if line.startswith("| ")]
    return [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in table[1:]]


ROWS = rows()
OWN_ROWS = [row for row in ROWS if row.sanitizer == UNDEFINED and row.kind != NOT_FOUND]


def row_id(row: Row) -> str:
    return f"{row.program}-{row.kind}"


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_the_row_is_what_its_program_shows(row: Row) -> None:
    case = row.case
    kinds = {kind for wanted in case.expectations for kind in wanted.kinds}
    assert (not kinds) if row.kind == NOT_FOUND else (row.kind in kinds)
    assert row.sanitizer in (case.sanitize or DEFAULT_SANITIZERS)
    assert case.only_levels[0] == LEVELS[row.level]
    flags = [f"{name}={value}" for name, value in case.environment.items()]
    assert row.flag in [*case.cflags, *flags, ""]
    assert bool(row.flag) == bool(case.cflags or flags)
    # Checks of memory and threads need nothing of the compiler.
    assert row in OWN_ROWS or row.ir == ("no" if row.kind == NOT_FOUND else "yes")


@pytest.mark.parametrize("row", OWN_ROWS, ids=row_id)
def test_what_ir_alone_shows(row: Row, runner: BatchRunner, tmp_path: Path) -> None:
    is_found = is_found_in_ir(row, IR_LEVELS[row.ir], runner, tmp_path)
    assert is_found == (row.ir != "no")


def is_found_in_ir(row: Row, level: int, runner: BatchRunner, folder: Path) -> bool:
    """Whether something is reported at a line of the row's kind, without the compiler's checks."""
    case = row.case
    options = FrontendOptions(opt_level=level, cc=runner.options.cc, cflags=("-D_GNU_SOURCE",))
    (unit,) = compile_to_ir([case.path], options)
    plain = folder / f"{level}.bc"
    plain.write_bytes(unit.bitcode)
    lines = {wanted.line for wanted in case.expectations if row.kind in wanted.kinds}
    (result,) = runner.run([plain], [0], sanitize=frozenset({UNDEFINED}))
    return any(
        finding["tool"] == "UndefinedBehaviorSanitizer"
        and finding["stacks"][0]["frames"][0]["line"] in lines
        for finding in result.findings
    )


def test_every_program_has_a_row() -> None:
    shown = {row.program for row in ROWS}
    paths = (PROGRAMS / UNDEFINED).iterdir()
    named = {f"{UNDEFINED}/{path.name}" for path in paths if "_ok" not in path.stem}
    assert named - shown == set()
