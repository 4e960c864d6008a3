"""The corpus of programs whose bugs only some schedules show, as its head lines say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.commands.batch import RunResult
from tests.support.explored_programs import (
    ROOT,
    discover_programs,
    fixed_problems,
    parse_programs,
)

PROGRAM = """// Wrong.
// KIND: deadlock
// FAILS: output|deadlock
// STDOUT: right
// WHEN: first this,
// WHEN: then that
// PREEMPTIONS: N-1
// DEFINES: N=2 N=3
int main(void) { return 0; }
#ifdef FIXED
#endif
"""


def result(stdout: bytes = b"right\n", *kinds: str, exit_status: int = 0) -> RunResult:
    report = {"findings": [{"kind": kind} for kind in kinds]}
    return RunResult(7, exit_status, stdout, "", report, 0.1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "wrong.c").write_text(PROGRAM)
    return tmp_path / "wrong.c"


def test_head_lines_are_read(path: Path) -> None:
    two, three = parse_programs(path)
    assert (two.name, two.defines, two.preemptions) == ("wrong_2", ("N=2",), 1)
    assert (three.name, three.defines, three.preemptions) == ("wrong_3", ("N=3",), 2)
    assert two.when == "first this, then that" and two.stdout == "right\n"
    assert two.options(fixed=True)["defines"] == ("N=2", "FIXED")


def test_an_unknown_head_line_is_refused(path: Path) -> None:
    path.write_text(PROGRAM.replace("STDOUT", "OUTPUT"))
    with pytest.raises(ValueError, match="unknown head line OUTPUT"):
        list(parse_programs(path))


def test_a_missing_head_line_is_named(path: Path) -> None:
    path.write_text(PROGRAM.replace("// KIND", "// kind"))
    with pytest.raises(ValueError, match="no head line KIND"):
        list(parse_programs(path))


def test_consequences(path: Path) -> None:
    program = next(parse_programs(path))
    assert program.fails_in(result()) == ""
    assert program.fails_in(result(b"wrong\n")) == "output"
    assert program.fails_in(result(b"right\n", "lock-order-inversion (potential deadlock)")) == ""
    assert program.fails_in(result(b"right\n", "deadlock")) == "deadlock"


def test_problems_of_a_right_twin(path: Path) -> None:
    program = next(parse_programs(path))
    assert fixed_problems(program, result()) == []
    assert len(fixed_problems(program, result(b"wrong\n", "data race", exit_status=66))) == 3


def test_there_are_enough_kinds_of_bugs() -> None:
    programs = discover_programs("bugs")
    assert len(programs) >= 40 and len({program.kind for program in programs}) >= 12
    assert all("def FIXED" in program.path.read_text() for program in discover_programs())
    assert len({program.name for program in discover_programs()}) == len(discover_programs())
    assert any(program.path.suffix == ".cpp" for program in programs) and ROOT.is_dir()
