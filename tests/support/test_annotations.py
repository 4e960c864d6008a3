"""The annotation parser, the judgement of findings, and the programs' own manners."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.annotations import (
    LEVELS,
    AnnotationError,
    Expectation,
    ProgramCase,
    Side,
    discover_cases,
    findings_to_problems,
    parse_program,
)

PROGRAMS = Path(__file__).parents[1] / "programs"

RACE = """\
// FLAGS: TSAN_OPTIONS=report_bugs=1:halt_on_error=0
// ARGS: 3 "two words"
// STDIN: first
// STDIN: second
// EXIT: 7
// ONLY: -O0 -O1 the loop disappears later
// SEEDS: some depends on the lock
total = 1; // PREVIOUS: atomic write 4
total = 2; // EXPECT: data race write 4
create();  // THREAD-CREATED
"""


def write_program(folder: Path, text: str, name: str = "case.c") -> ProgramCase:
    path = folder / name
    path.write_text(text)
    return parse_program(path)


def make_stack(role: str, *places: tuple[str, int]) -> dict[str, Any]:
    frames = [{"function": "f", "file": file, "line": line} for file, line in places]
    return {"role": role, "frames": frames}


def make_race(first: tuple[str, int, int], second: tuple[str, int, int]) -> dict[str, Any]:
    sides = {}
    stacks = []
    for role, (operation, size, line) in (("access", first), ("previous", second)):
        sides[role] = {"operation": operation, "size": size}
        stacks.append(make_stack(role, ("/usr/include/atomic", 90), ("src/case.c", line)))
    return {"kind": "data race", **sides, "stacks": stacks}


def test_every_head_line_sets_its_field(tmp_path: Path) -> None:
    case = write_program(tmp_path, RACE)
    assert dict(case.environment) == {"TSAN_OPTIONS": "report_bugs=1:halt_on_error=0"}
    assert case.args == ("3", "two words")
    assert case.stdin == "first\nsecond\n"
    assert case.exit_status == 7
    assert case.only_levels == ("-O0", "-O1")
    assert case.seeds_some
    assert case.stdout is None


def test_marks_carry_line_operation_and_size(tmp_path: Path) -> None:
    case = write_program(tmp_path, RACE)
    assert case.expectations == (Expectation(9, "data race", "write", 4),)
    assert case.previous == (Side(8, "atomic write", 4),)
    assert case.previous_lines == (8,)
    assert case.lines_of_role("thread-creation") == (10,)


def test_defaults_of_a_clean_program(tmp_path: Path) -> None:
    case = write_program(tmp_path, "// STDOUT: one\n// STDOUT:\nint main() {}\n", "x.cpp")
    assert case.is_clean
    assert case.language == "c++"
    assert case.stdout == "one\n\n"
    assert case.exit_status is None
    assert case.only_levels == LEVELS


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("double-free", Expectation(1, "double-free")),
        ("SEGV read", Expectation(1, "SEGV", "read")),
        ("a|data race read", Expectation(1, "a", "read", None, ("data race",))),
        ("heap-buffer-overflow write 16", Expectation(1, "heap-buffer-overflow", "write", 16)),
        ("data race atomic read 8", Expectation(1, "data race", "atomic read", 8)),
    ],
)
def test_claims(tmp_path: Path, text: str, wanted: Expectation) -> None:
    assert write_program(tmp_path, f"x; // EXPECT: {text}\n").expectations == (wanted,)


def test_one_line_may_carry_several_marks(tmp_path: Path) -> None:
    case = write_program(tmp_path, "free(p); // EXPECT: double-free // FREED // ALLOCATED\n")
    assert case.expectations == (Expectation(1, "double-free"),)
    assert case.role_lines == (("free", 1), ("allocation", 1))


@pytest.mark.parametrize(
    "text",
    [
        "x; // EXPECT\n",
        "x; // PREVIOUS: write 4\n",
        "x; // EXPECT: data race\ny; // PREVIOUS: overwrite\n",
        "// NATIVE: perhaps\n",
        "// SEEDS: all\n",
        "// SEEDS: some\n",
        "// ONLY: -O3\n",
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(AnnotationError, match=r"case\.c"):
        write_program(tmp_path, text)


def test_either_side_of_a_race_may_come_later(tmp_path: Path) -> None:
    case = write_program(tmp_path, RACE.replace("create();  // THREAD-CREATED\n", ""))
    expected, previous = ("write", 4, 9), ("atomic write", 4, 8)
    assert findings_to_problems(case, [make_race(expected, previous)]) == []
    assert findings_to_problems(case, [make_race(previous, expected)]) == []


@pytest.mark.parametrize(
    "finding",
    [
        make_race(("write", 4, 9), ("write", 4, 9)),
        make_race(("write", 8, 9), ("atomic write", 4, 8)),
        make_race(("read", 4, 9), ("atomic write", 4, 8)),
        make_race(("write", 4, 2), ("atomic write", 4, 8)),
    ],
)
def test_wrong_side_size_operation_or_line_is_no_match(
    tmp_path: Path, finding: dict[str, Any]
) -> None:
    case = write_program(tmp_path, RACE)
    problems = findings_to_problems(case, [finding])
    assert len(problems) == 2
    assert "not reported: data race write 4" in problems[0]
    assert "not expected: data race" in problems[1]


def test_a_missing_and_an_extra_finding_are_problems(tmp_path: Path) -> None:
    case = write_program(tmp_path, "x; // EXPECT: double-free\n")
    extra = {"kind": "bad-free", "stacks": [make_stack("access", ("case.c", 1))]}
    wanted = {"kind": "double-free", "stacks": [make_stack("access", ("case.c", 1))]}
    assert len(findings_to_problems(case, [])) == 1
    assert findings_to_problems(case, [wanted]) == []
    assert findings_to_problems(case, [wanted, extra]) == [
        f"{case.name}: not expected: bad-free (at line 1)"
    ]


def test_annotated_roles_are_checked(tmp_path: Path) -> None:
    case = write_program(tmp_path, "a; // ALLOCATED\nb; // EXPECT: double-free\n")
    stacks = [make_stack("access", ("case.c", 2))]
    finding = {"kind": "double-free", "stacks": stacks}
    assert "allocation stack" in findings_to_problems(case, [finding])[0]
    stacks.append(make_stack("allocation", ("malloc.c", 7), ("case.c", 1)))
    assert findings_to_problems(case, [finding]) == []


def test_the_programs_themselves() -> None:
    cases = discover_cases(PROGRAMS)
    names = {case.name for case in cases}
    assert len(names) == len(cases) >= 90
    clean = [case for case in cases if case.is_clean]
    assert len(clean) * 5 >= len(cases) * 2
    for case in cases:
        text = case.path.read_text()
        assert text.startswith("// "), f"{case.name} does not say what it is"
        assert all(len(line) <= 100 for line in text.splitlines()) or "stack_overflow" in case.name
        if case.name.endswith("_ok"):
            assert case.is_clean, f"{case.name} is called clean and expects something"


def test_clean_programs_promise_an_outcome() -> None:
    silent = [
        case.name
        for case in discover_cases(PROGRAMS)
        if case.is_clean and case.stdout is None and case.exit_status is None
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("code", "may_switch"),
    [
        ("#include <pthread.h>\nstatic pthread_mutex_t lock; // a thread\n", False),
        ("/* a signal,\n a fork */ const char *text = \"timer \\\" alarm\";\n", False),
        ("int main(void) { pthread_create(&t, 0, work, 0); }\n", True),
        ("std::jthread worker{work};\n", True),
        ("std::thread worker(work);\n", True),
        ("_Atomic int number;\n", True),
        ("int main(void) { return rand(); }\n", True),
        ('#include "parts/other.h"\n', True),
    ],
)
def test_code_says_what_may_run_beside_main(tmp_path: Path, code: str, may_switch: bool) -> None:
    path = tmp_path / "race" / "one.c"
    path.parent.mkdir()
    path.write_text(code)
    assert parse_program(path).may_switch == may_switch
