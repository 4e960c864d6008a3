"""OpenMP programs as users run them: flags, threads of the environment, both engines, refusals."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from tests.support.annotations import discover_cases
from tests.support.irsan_runs import in_part, new_runner, results_to_problems, run_case

PROGRAMS = Path(__file__).parents[1] / "programs" / "openmp"
CASES = discover_cases(PROGRAMS)
RACE = """
#include <stdio.h>
static void solve(int *sum) {
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < 30; i++) *sum += i;
}
int main(void) { int sum = 0; solve(&sum); printf("%d\\n", sum > 0); }
"""
TASKS = """
#include <stdio.h>
static void step(int *x) {
#pragma omp task
    *x += 1;
}
int main(void) {
    int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; i++) step(&x);
    printf("%d\\n", x > 0);
}
"""
IR = """
@name = common global [8 x i32] zeroinitializer
@x = global i32 0
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare void @__kmpc_critical(ptr, i32, ptr)
declare void @__kmpc_end_critical(ptr, i32, ptr)
define void @body(ptr %gtid, ptr %btid, ptr %p, i64 %by) {
  %id = load i32, ptr %gtid
  call void @__kmpc_critical(ptr null, i32 %id, ptr @name)
  %old = load i32, ptr %p
  %add = trunc i64 %by to i32
  %new = add i32 %old, %add
  store i32 %new, ptr %p
  call void @__kmpc_end_critical(ptr null, i32 %id, ptr @name)
  ret void
}
define i32 @main() {
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 2, ptr @body, ptr @x, i64 5)
  %r = load i32, ptr @x
  ret i32 %r
}
"""


@pytest.fixture(scope="module")
def runner() -> BatchRunner:
    return new_runner()


@pytest.mark.parametrize("n_threads", [2, 8])
@pytest.mark.parametrize("case", in_part(CASES, 3), ids=lambda case: case.path.stem)
def test_programs_with_other_numbers_of_threads(runner, case, n_threads: int) -> None:  # type: ignore[no-untyped-def]
    environment = {**case.environment, "OMP_NUM_THREADS": str(n_threads)}
    results = run_case(runner, replace(case, environment=environment), "-O1", (0, 5))
    assert results_to_problems(case, results) == []


@pytest.mark.parametrize("case", in_part(CASES, 6), ids=lambda case: case.path.stem)
def test_programs_under_the_interpreter(runner, case) -> None:  # type: ignore[no-untyped-def]
    results = run_case(runner, case, "-O1", (1,), engine="interp")
    assert results_to_problems(case, results) == []


def irsan(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "irsan", "run", *words], cwd=folder, text=True, check=False,
        capture_output=True, env={**os.environ, **environment},
    )  # fmt: skip


def test_a_report_names_the_region(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(RACE)
    done = irsan(tmp_path, "-fopenmp", "a.c")
    assert done.returncode == 66 and "data race" in done.stderr
    assert "'parallel region of solve, thread 1 of 3'" in done.stderr
    again = irsan(tmp_path, "--cflag=-fopenmp", "a.c")
    assert [line for line in again.stderr.splitlines() if "pid=" not in line] == [
        line for line in done.stderr.splitlines() if "pid=" not in line
    ]


def test_a_report_names_the_task(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(TASKS)
    done = irsan(tmp_path, "-fopenmp", "a.c")
    assert done.returncode == 66 and "'task of step'" in done.stderr


def test_ir_needs_no_compiler(tmp_path: Path) -> None:
    (tmp_path / "a.ll").write_text(IR)
    done = irsan(tmp_path, "a.ll", PATH="/nowhere", OMP_NUM_THREADS="3")
    assert (done.returncode, done.stderr) == (15, "")


def test_many_arguments_reach_a_region(tmp_path: Path) -> None:
    names = [f"v{n}" for n in range(23)]
    text = (
        "#include <stdio.h>\nint main(void) { int "
        + ", ".join(f"{name} = {n}" for n, name in enumerate(names))
        + ", bad = 0;\n#pragma omp parallel firstprivate(v0, v7) num_threads(2)\n{\n"
        "#pragma omp critical\nbad += " + " + ".join(names) + f" != {sum(range(23))};\n}}\n"
        'printf("%d\\n", bad); return 0; }\n'
    )
    (tmp_path / "a.c").write_text(text)
    done = irsan(tmp_path, "-fopenmp", "-O0", "a.c")
    assert (done.stdout, done.returncode) == ("0\n", 0)


def test_a_variable_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(RACE)
    done = irsan(tmp_path, "-fopenmp", "a.c", OMP_NUM_THREADS="many")
    assert "irsan: OMP_NUM_THREADS=many: expected a number from 1 to 1024" in done.stderr


def test_devices_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.ll").write_text(
        "declare i32 @__tgt_target_kernel(ptr, i64, i32, i32, ptr, ptr)\n"
        "define i32 @main() {\n  %r = call i32 @__tgt_target_kernel(ptr null, i64 0, i32 0, i32 0,"
        " ptr null, ptr null)\n  ret i32 %r\n}\n"
    )
    done = irsan(tmp_path, "a.ll")
    assert done.returncode == 69 and "__tgt_target_kernel" in done.stderr
    assert "on a device" in done.stderr and "Traceback" not in done.stderr
