"""IR that clang has instrumented finds under irsan what the native tool finds in the same source.

Kind, operation, size and line of every finding; skipped where no clang with run-times is installed.
A twelfth of the programs is compared (`in_part`; IRSAN_PART=all: every one).
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.options import RunOptions
from tests.support.annotations import ProgramCase, parse_program
from tests.support.irsan_runs import in_part
from tests.support.native_oracle import build_native, find_clang, run_native

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
CLANG = find_clang()
CALLS = ("-mllvm", "-asan-instrumentation-with-call-threshold=0")
SEEDS = range(6)

pytestmark = pytest.mark.skipif(CLANG is None, reason="no clang with compiler-rt on PATH")

MEMORY = (
    "memory/heap_overflow_read_1.c", "memory/heap_overflow_read_8.c",
    "memory/heap_overflow_read_16.c", "memory/heap_overflow_write_4.c",
    "memory/heap_overflow_write_odd.c", "memory/heap_underflow_write_2.c",
    "memory/heap_use_after_free_read.c", "memory/list_use_after_free.c",
    "memory/callback_use_after_free.c", "memory/handoff_use_after_free.c",
    "memory/double_free.c", "memory/double_free_thread.c", "memory/bad_free_stack.c",
    "memory/bad_free_global.c", "memory/bad_free_interior.c", "memory/realloc_use_after_free.c",
    "memory/calloc_overflow.c", "memory/memcpy_overlap.c", "memory/memcpy_use_after_free.c",
    "memory/memset_overflow.c", "memory/memmove_overflow_read.c", "memory/negative_size_memset.c",
    "memory/strcpy_overflow.c", "memory/strcat_overflow.c", "memory/strlen_unterminated.c",
    "memory/qsort_use_after_free.c", "memory/stack_overflow.c", "memory/segv_null_write.c",
    "memory/strcpy_overflow_ok.c", "memory/stack_overflow_ok.c", "memory/list_use_after_free_ok.c",
    "cpp/vector_overflow.cpp", "cpp/exceptions_ok.cpp", "cpp/exception_threads_ok.cpp",
)  # fmt: skip
RACE = (
    "race/global_write_write.c", "race/read_write.c", "race/heap_struct_field.c", "race/barrier.c",
    "race/bitfields.c", "race/atomic_against_plain.c", "race/atomic_load_plain_write.c",
    "race/c11_threads.c", "race/condition_variable.c", "race/counter_mutex.c", "race/deep_stack.c",
    "race/double_checked.c", "race/fence_publication.c", "race/finished_thread.c",
    "race/free_race.c", "race/memcpy_race.c", "race/memset_race.c", "race/qsort_race.c",
    "race/relaxed_publication.c", "race/ring_buffer.c", "race/same_byte.c", "race/semaphore.c",
    "race/sizes_overlap.c", "race/stack_variable.c", "race/strlen_race.c", "race/two_races.c",
    "race/unaligned.c", "race/wrong_mutex.c", "race/counter_mutex_ok.c", "race/spinlock_ok.c",
    "race/longjmp_threads_ok.c", "race/double_checked_ok.c", "cpp/queue_race.cpp",
)  # fmt: skip
VARIED = (
    "memory/heap_overflow_write_odd.c", "memory/strcpy_overflow.c", "memory/double_free.c",
    "cpp/delete_use_after_free.cpp",
)  # fmt: skip

Key = tuple[str, str | None, int | None, int | None]


@pytest.fixture(scope="module")
def runner() -> Iterator[BatchRunner]:
    with BatchRunner(RunOptions(programs=())) as made:
        yield made


def compile_to_text(case: ProgramCase, sanitizer: str, folder: Path, *flags: str) -> Path:
    """Instrumented IR as clang writes it."""
    assert CLANG is not None
    is_cpp = case.language == "c++"
    driver = CLANG.replace("clang", "clang++") if is_cpp else CLANG
    output = folder / f"{case.path.stem}.ll"
    standard = "-std=c++17" if is_cpp else "-std=c11"
    command = [driver, standard, "-D_GNU_SOURCE", "-g", "-pthread", f"-fsanitize={sanitizer}"]
    command += [*flags, "-S", "-emit-llvm", str(case.path), "-o", str(output)]
    subprocess.run(command, check=True, capture_output=True)
    return output


def findings_to_keys(findings: Any, source: Path) -> list[Key]:
    """Kind, operation, size in bytes and line of each finding; a signal says no size natively."""
    keys = []
    for finding in findings:
        access = finding.get("access") or {}
        size = None if finding["kind"] == "SEGV" else access.get("size")
        line = _line_of_access(finding, source.name)
        keys.append((finding["kind"], access.get("operation"), size, line))
    return keys


def _line_of_access(finding: dict[str, Any], file: str) -> int | None:
    stack = next((s for s in finding["stacks"] if s["role"] == "access"), {"frames": []})
    lines = (f["line"] for f in stack["frames"] if Path(f.get("file", "")).name == file)
    return next(lines, None)


def run_both(
    runner: BatchRunner, case: ProgramCase, sanitizer: str, folder: Path, *flags: str
) -> tuple[list[Key], list[list[Key]], list[RunResult]]:
    """Keys of the native run, keys of ours by seed, and our runs."""
    level = next((flag for flag in flags if flag.startswith("-O")), "-O1")
    executable = folder / "native"
    build_native(case, sanitizer, executable, level)
    native = findings_to_keys(run_native(case, executable).findings, case.path)
    program = compile_to_text(case, sanitizer, folder, *flags)
    seeds = SEEDS if sanitizer == "thread" else range(1)
    options = replace(runner.options, sanitize=frozenset([sanitizer]), programs=(program,))
    results = runner.run(
        [program],
        seeds,
        arguments=case.args,
        environment=case.environment,
        stdin=case.stdin.encode(),
        sanitize=options.sanitize,
    )
    return native, [findings_to_keys(r.findings, case.path) for r in results], results


@pytest.mark.parametrize("name", in_part(MEMORY, 12))
def test_memory_errors_are_those_of_the_native_tool(
    name: str, runner: BatchRunner, tmp_path: Path
) -> None:
    case = parse_program(PROGRAMS / name)
    native, (ours,), (result,) = run_both(runner, case, "address", tmp_path, "-O1")
    assert ours == native, result.stderr
    assert bool(native) is not case.is_clean


@pytest.mark.parametrize("name", in_part(RACE, 12))
def test_races_are_those_of_the_native_tool(name: str, runner: BatchRunner, tmp_path: Path) -> None:
    case = parse_program(PROGRAMS / name)
    native, ours, results = run_both(runner, case, "thread", tmp_path, "-O1")
    kinds = {kind for kind, _, _, _ in native}.union(*(w.kinds for w in case.expectations))
    lines = {line for _, _, _, line in native} | {w.line for w in case.expectations}
    lines |= {side.line for side in case.previous}  # either side of a race may come second
    for keys, result in zip(ours, results, strict=True):
        assert result.report is not None, result.stderr
        assert all(key[0] in kinds and key[3] in lines for key in keys), keys
    assert any(ours) is not case.is_clean
    if native and not case.is_clean:
        assert any(key[0] == native[0][0] for keys in ours for key in keys)


@pytest.mark.parametrize("flags", [("-O0",), ("-O2",), ("-O1", *CALLS), ("-O0", *CALLS)])
@pytest.mark.parametrize("name", VARIED)
def test_every_level_and_form_of_address_checks(
    name: str, flags: tuple[str, ...], runner: BatchRunner, tmp_path: Path
) -> None:
    case = parse_program(PROGRAMS / name)
    native, (ours,), (result,) = run_both(runner, case, "address", tmp_path, *flags)
    assert ours == native and ours, result.stderr


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize(
    "name", ["race/global_write_write.c", "race/heap_struct_field.c", "cpp/object_race.cpp"]
)
def test_every_level_of_thread_checks(
    name: str, level: str, runner: BatchRunner, tmp_path: Path
) -> None:
    case = parse_program(PROGRAMS / name)
    native, ours, results = run_both(runner, case, "thread", tmp_path, level)
    assert native and any(ours), results[0].stderr


def test_address_instrumented_code_is_checked_for_races_as_well(
    runner: BatchRunner, tmp_path: Path
) -> None:
    case = parse_program(PROGRAMS / "race/global_write_write.c")
    program = compile_to_text(case, "address", tmp_path, "-O1")
    results = runner.run([program], SEEDS, sanitize=frozenset(["address", "thread"]))
    kinds = {finding["kind"] for result in results for finding in result.findings}
    assert kinds == {"data race"}


def test_checks_that_were_not_asked_for_stay_silent(runner: BatchRunner, tmp_path: Path) -> None:
    case = parse_program(PROGRAMS / "race/global_write_write.c")
    program = compile_to_text(case, "thread", tmp_path, "-O1")
    results = runner.run([program], SEEDS, sanitize=frozenset(["address"]))
    assert [result.findings for result in results] == [[] for _ in SEEDS]
