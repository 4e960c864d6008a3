"""Our portable output under clang's own run-times gives their reports, with lines.

A twelfth of the programs is compared (`in_part`; IRSAN_PART=all: every one).
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.instrument import native_link
from tests.support.annotations import parse_program
from tests.support.irsan_runs import in_part
from tests.support.native_oracle import build_native, run_native, text_to_findings

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"

ZIG_SWITCH = "IRSAN_TEST_ZIG_TSAN"  # its ThreadSanitizer is built on first use: minutes

needs_clang = pytest.mark.skipif(
    native_link.CLANG is None, reason="needs clang-19 to link natively"
)
needs_zig = pytest.mark.skipif(
    find_spec("ziglang") is None or not os.environ.get(ZIG_SWITCH),
    reason=f"builds a run-time with the pip-installed compiler: set {ZIG_SWITCH}=1",
)

TWINS = (
    "race/global_write_write.c", "race/heap_struct_field.c", "race/memcpy_race.c",
    "race/thread_chain.c", "race/stack_variable.c", "race/sizes_overlap.c", "race/unaligned.c",
    "race/free_race.c", "memory/heap_overflow_read_1.c", "memory/heap_overflow_read_16.c",
    "memory/heap_overflow_write_odd.c", "memory/heap_underflow_write_2.c",
    "memory/heap_use_after_free_read.c", "memory/list_use_after_free.c", "memory/double_free.c",
    "memory/memset_overflow.c", "memory/strcpy_overflow.c", "cpp/vector_overflow.cpp",
    "memory/global_overflow_write_4.c", "memory/global_overflow_string.c",
    "memory/global_memcpy_overflow.c", "cpp/global_member_overflow.cpp",
    "memory/stack_buffer_overflow_write.c", "memory/stack_buffer_overflow_read.c",
    "memory/stack_buffer_overflow_memset.c", "memory/stack_buffer_overflow_byval.c",
    "memory/stack_buffer_underflow_write.c", "memory/dynamic_stack_overflow.c",
    "memory/dynamic_stack_underflow.c", "memory/stack_use_after_return.c",
    "memory/stack_use_after_scope.c", "memory/stack_use_after_scope_loop.c",
    "cpp/stack_use_after_return_lambda.cpp", "cpp/stack_use_after_scope_temporary.cpp",
)  # fmt: skip


def findings_to_places(findings: Any, file: str) -> set[tuple[str, frozenset[int | None]]]:
    """Kind, and the lines of its accesses: which side of a race comes second is chance."""
    return {
        (finding["kind"], frozenset(_first_line(stack, file) for stack in finding["stacks"]
                                    if stack["role"] in ("access", "previous")))
        for finding in findings
    }  # fmt: skip


def _first_line(stack: dict[str, Any], file: str) -> int | None:
    lines = (f["line"] for f in stack["frames"] if Path(f["file"]).name == file)
    return next(lines, None)


@needs_clang
@pytest.mark.parametrize("program", in_part(TWINS, 12))
def test_our_checks_find_what_clangs_own_checks_find(program: str, tmp_path: Path) -> None:
    case = parse_program(PROGRAMS / program)
    sanitizer = "thread" if program.startswith("race/") else "address"
    build_native(case, sanitizer, tmp_path / "native")
    built = native_link.build(case.path, sanitizer, tmp_path)
    tries = native_link.RACE_TRIES if sanitizer == "thread" else 1
    for _ in range(tries):
        native = findings_to_places(run_native(case, tmp_path / "native").findings, case.path.name)
        _, report = native_link.run(built)
        ours = findings_to_places(text_to_findings(report), case.path.name)
        if ours == native != set():
            return
    pytest.fail(f"natively {native}, ours {ours}: {report}")


@needs_clang
@pytest.mark.parametrize("program", TWINS[:2])
def test_ir_of_a_newer_compiler_links_with_an_older_one(program: str, tmp_path: Path) -> None:
    pytest.importorskip("ziglang", reason="the newer compiler is the pip-installed one")
    source = PROGRAMS / program
    built = native_link.build(source, "thread", tmp_path, compiler=native_link.BUNDLED)
    status, report = native_link.run_until(built, "thread", "data race")
    assert status == 66 and "data race" in report and f"{source.name}:" in report


@needs_zig
@pytest.mark.parametrize("program", TWINS[:3])
def test_the_pip_installed_compiler_alone_is_enough(program: str, tmp_path: Path) -> None:
    source = PROGRAMS / program
    linker = [sys.executable, "-m", "ziglang", "cc"]
    built = native_link.build(
        source, "thread", tmp_path, compiler=native_link.BUNDLED, linker=linker
    )
    status, report = native_link.run_until(built, "thread", "data race")
    assert status == 66 and "data race" in report and f"{source.name}:" in report


@needs_clang
@pytest.mark.parametrize(
    ("program", "sanitizer", "words"),
    [
        (
            "race/global_write_write.c",
            "thread",
            ["data race", "global_write_write.c:", "worker", "main"],
        ),
        ("race/heap_struct_field.c", "thread", ["data race", "deposit", "heap_struct_field.c:"]),
        ("race/memcpy_race.c", "thread", ["data race", "memcpy"]),
        ("cpp/object_race.cpp", "thread", ["data race", "object_race.cpp:"]),
        ("memory/heap_overflow_read_8.c", "address", ["heap-buffer-overflow", "READ of size 8"]),
        ("memory/heap_overflow_write_odd.c", "address", ["heap-buffer-overflow", "WRITE of size"]),
        ("memory/memcpy_use_after_free.c", "address", ["heap-use-after-free", "__asan_memcpy"]),
        (
            "memory/stack_buffer_overflow_write.c",
            "address",
            ["at offset 42 in frame", "in main", "[32, 42) 'buffer' (line", "overflows this"],
        ),
    ],
)
def test_bugs_are_reported_with_their_lines(
    program: str, sanitizer: str, words: list[str], tmp_path: Path
) -> None:
    built = native_link.build(PROGRAMS / program, sanitizer, tmp_path)
    status, report = native_link.run_until(built, sanitizer, words[0])
    assert status == (66 if sanitizer == "thread" else 1), report
    for word in words:
        assert word in report


@needs_clang
@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize(
    ("program", "sanitizer", "word"),
    [
        ("race/atomic_against_plain.c", "thread", "data race"),
        ("cpp/object_race.cpp", "thread", "data race"),
        ("memory/callback_use_after_free.c", "address", "heap-use-after-free"),
        ("cpp/delete_use_after_free.cpp", "address", "heap-use-after-free"),
        ("cpp/exceptions_ok.cpp", "address", ""),
        ("cpp/exception_threads_ok.cpp", "thread", ""),
    ],
)
def test_every_level_links(
    program: str, sanitizer: str, word: str, level: int, tmp_path: Path
) -> None:
    built = native_link.build(PROGRAMS / program, sanitizer, tmp_path, level=level)
    status, report = native_link.run_until(built, sanitizer, word)
    assert word in report and (f"{Path(program).name}:" in report or not word)
    assert (status == 0) is (not word) and (report == "") is (not word)


@needs_clang
@pytest.mark.parametrize(
    ("program", "sanitizer"),
    [
        ("race/counter_mutex_ok.c", "thread"),
        ("race/release_sequence_ok.c", "thread"),
        ("race/spinlock_ok.c", "thread"),
        ("cpp/exceptions_ok.cpp", "thread"),
        ("cpp/exception_threads_ok.cpp", "thread"),
        ("cpp/thread_local_ok.cpp", "thread"),
        ("memory/list_use_after_free_ok.c", "address"),
        ("cpp/containers_ok.cpp", "address"),
        ("memory/stack_buffer_overflow_byval_ok.c", "address"),
        ("memory/dynamic_stack_overflow_ok.c", "address"),
        ("memory/stack_use_after_return_ok.c", "address"),
        ("memory/stack_use_after_return_big_ok.c", "address"),
        ("memory/stack_use_after_scope_ok.c", "address"),
        ("memory/stack_longjmp_ok.c", "address"),
        ("cpp/stack_exception_ok.cpp", "address"),
        ("cpp/stack_use_after_scope_temporary_ok.cpp", "address"),
    ],
)
def test_clean_programs_stay_clean(program: str, sanitizer: str, tmp_path: Path) -> None:
    status, report = native_link.run(native_link.build(PROGRAMS / program, sanitizer, tmp_path))
    assert (status, report) == (0, "")
