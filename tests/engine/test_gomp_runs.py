"""Programs that call OpenMP as GCC and Polly do: both engines, and the native libraries."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from tests.engine.test_openmp_runs import CASES as PRAGMAS
from tests.engine.test_openmp_runs import irsan
from tests.support.annotations import discover_cases
from tests.support.irsan_runs import in_part, new_runner, results_to_problems, run_case

HERE = Path(__file__).parent
CASES = discover_cases(HERE.parent / "programs" / "gomp")
CLEAN = [case for case in CASES if case.path.stem.endswith("_ok")]
POLLY = (
    "-polly", "-polly-parallel", "-polly-parallel-force", "-polly-process-unprofitable",
)  # fmt: skip
#: programs with pragmas, which gcc itself turns into calls; one waits in a loop that nothing sees
NOT_LOWERED = ("flag_by_flush_ok", "many_tasks_ok")  # the other takes its time
LOWERED = [case for case in PRAGMAS if case.stdout and case.path.stem not in NOT_LOWERED]
START = "int lowered(int, char **);\nint main(int n, char **v) { return lowered(n, v); }\n"
#: of LLVM's library, version 19: what it does otherwise
LLVM_DEVIATES = {
    "detach_ok": "waits for ever for an event that a task fulfils itself",
    "loop_schedules_ok": "takes the step of an unsigned loop that counts down for its negative",
    "task_copies_ok": "gives a task that is not deferred what was to be copied",
    "taskloop_ull_ok": "fails an assertion for a loop that counts down",
    "teams_ok": "makes no more teams than there are processors",
}
NAMES = """
#include "parts/gomp.h"
static int x;
static void part(void *data) { x++; }
static void body(void *data) { x++; }
static void solve(void) { GOMP_parallel(part, NULL, 3, 0); }
static void tasks(void *data) {
    if (GOMP_single_start())
        for (int i = 0; i < 2; i++) GOMP_task(body, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
}
int main(int argc, char **argv) {
    if (argc == 1) solve();
    else GOMP_parallel(tasks, NULL, 2, 0);
}
"""


@pytest.fixture(scope="module")
def runner() -> BatchRunner:
    return new_runner()


@pytest.mark.parametrize("n_threads", [2, 8])
@pytest.mark.parametrize("case", in_part(CASES, 3), ids=lambda case: case.path.stem)
def test_programs_with_other_numbers_of_threads(runner, case, n_threads: int) -> None:  # type: ignore[no-untyped-def]
    environment = {**case.environment, "OMP_NUM_THREADS": str(n_threads)}
    results = run_case(runner, replace(case, environment=environment), "-O1", (0, 1, 5))
    assert results_to_problems(case, results) == []


@pytest.mark.parametrize("case", in_part(CASES, 6), ids=lambda case: case.path.stem)
def test_programs_under_the_interpreter(runner, case) -> None:  # type: ignore[no-untyped-def]
    results = run_case(runner, case, "-O1", (0, 1), engine="interp")
    assert results_to_problems(case, results) == []


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
@pytest.mark.parametrize("case", in_part(CLEAN, 4), ids=lambda case: case.path.stem)
def test_native_libraries_print_the_same(case, compiler: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    if compiler != "gcc" and case.path.stem in LLVM_DEVIATES:
        pytest.skip(f"LLVM's library {LLVM_DEVIATES[case.path.stem]}")
    words = ["-O1", "-w", "-fopenmp", str(case.path), "-o", str(tmp_path / "a")]
    if subprocess.run([compiler, *words], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"{compiler} has no OpenMP library")
    environment = {**os.environ, **case.environment, "OMP_NUM_THREADS": "4"}
    done = subprocess.run(
        [str(tmp_path / "a")], capture_output=True, text=True, check=False, env=environment,
        timeout=60,
    )  # fmt: skip
    assert done.stdout == case.stdout


@pytest.mark.parametrize("case", in_part(LOWERED, 4), ids=lambda case: case.path.stem)
def test_objects_of_gcc_run_in_teams(case, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    words = ["-O1", "-w", "-fPIC", "-fopenmp", "-D_GNU_SOURCE", "-std=c11", "-Dmain=lowered"]
    subprocess.run(["gcc", *words, "-c", str(case.path), "-o", "b.o"], cwd=tmp_path, check=True)
    (tmp_path / "a.c").write_text(START)
    done = irsan(tmp_path, "a.c", "b.o", **case.environment)
    assert (done.stdout, done.returncode) == (case.stdout, 0)


@pytest.mark.parametrize(
    ("words", "name"), [((), "parallel region of solve, thread 1 of 3"), (("1",), "task of tasks")]
)
def test_a_report_names_the_region_and_the_task(
    tmp_path: Path, words: tuple[str, ...], name: str
) -> None:
    (tmp_path / "a.c").write_text(NAMES)
    folder = HERE.parent / "programs" / "gomp"
    done = irsan(tmp_path, "-fopenmp", "-O0", "-I", str(folder), "a.c", *words)
    assert done.returncode == 66 and f"'{name}'" in done.stderr


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize("n_threads", ["2", "4", "8"])
def test_ir_that_polly_has_made_parallel(tmp_path: Path, engine: str, n_threads: str) -> None:
    shutil.copy(HERE / "polly_shift.ll", tmp_path)
    words = (f"--engine={engine}", "polly_shift.ll")
    clean = irsan(tmp_path, *words, OMP_NUM_THREADS=n_threads)
    assert (clean.stdout, clean.stderr, clean.returncode) == ("130\n", "", 0)
    race = irsan(tmp_path, *words, "overlap", OMP_NUM_THREADS=n_threads)
    assert race.returncode == 66 and "data race" in race.stderr
    assert "parallel region of add" in race.stderr and "add_polly_subfn" in race.stderr


def test_polly_in_the_compiler(tmp_path: Path) -> None:
    if shutil.which("clang-19") is None:
        pytest.skip("clang-19, which has Polly, is not installed")
    shutil.copy(HERE / "polly_shift.c", tmp_path)
    flags = [f"--cflag={word}" for name in POLLY for word in ("-mllvm", name)]
    clean = irsan(tmp_path, "-O2", *flags, "polly_shift.c", IRSAN_CC="clang-19")
    assert (clean.stdout, clean.returncode) == ("130\n", 0)
    race = irsan(tmp_path, "-O2", *flags, "polly_shift.c", "overlap", IRSAN_CC="clang-19")
    assert race.returncode == 66 and "parallel region of add" in race.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("GOMP_target_ext", "on a device"), ("GOMP_scope_start", "compile with clang"),
        ("GOMP_taskwait_depend_nowait", "compile with clang"),
    ],
)  # fmt: skip
def test_what_is_missing_is_refused_by_name(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "a.ll").write_text(
        f"declare void @{name}(ptr)\ndefine i32 @main() {{\n  call void @{name}(ptr null)\n"
        "  ret i32 0\n}\n"
    )
    done = irsan(tmp_path, "a.ll")
    assert done.returncode == 69 and name in done.stderr and said in done.stderr


def test_memory_of_a_loop_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        '#include "parts/gomp.h"\nint main(void) { long a, b; void *memory = (void *)8;\n'
        "return GOMP_loop_start(0, 1, 1, 2, 1, &a, &b, NULL, &memory); }\n"
    )
    folder = HERE.parent / "programs" / "gomp"
    done = irsan(tmp_path, "-fopenmp", "-I", str(folder), "a.c")
    assert done.returncode == 69 and "lastprivate(conditional" in done.stderr
