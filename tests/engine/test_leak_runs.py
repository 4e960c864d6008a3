"""What flags, sanitizers and ways to end do to the leak search of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.commands.batch import RunResult
from tests.support.text_runs import TextRuns

LEAKS = """
#include <stdio.h>
#include <stdlib.h>
static __attribute__((noinline)) void *make(int size) {
    void *volatile *block = malloc(size);
    block[0] = 0;
    return block;
}
static __attribute__((noinline)) void lose_big(void) { make(100); make(100); }
static __attribute__((noinline)) void lose_small(void) { make(10); }
static __attribute__((noinline)) void lose_two(void) { *(void *volatile *)make(20) = make(30); }
int main(int argc, char **argv) {
    lose_small(); lose_big(); lose_two();
    puts("end");
    return 3;
}
"""
KEPT = """
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
void __lsan_register_root_region(const void *, unsigned long);
static void *volatile global;
static __thread void *volatile local;
static void **volatile region;
static __attribute__((noinline)) void *make(int size) {
    volatile char *block = malloc(size);
    block[0] = 1;
    return (void *)block;
}
static __attribute__((noinline)) void fill(void) {
    global = make(1);
    local = make(2);
    region = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    __lsan_register_root_region(region, 4096);
    region[0] = make(3);
}
static __attribute__((noinline)) int end(void *volatile *kept) {
    exit(kept[0] == 0);
}
int main(void) {
    void *volatile kept = make(4);
    fill();
    return end(&kept);
}
"""
STALE = """
#include <stdlib.h>
int main(void) {
    void *volatile slots[1000];
    volatile char *block = malloc(50);
    block[0] = 1;
    for (int i = 0; i < 1000; i++) slots[i] = (void *)block;
    return slots[7] == 0;
}
"""
FORKS = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static __attribute__((noinline)) void lose(int size) { *(volatile char *)malloc(size) = 1; }
int main(void) {
    int status;
    if (fork() == 0) { lose(77); return 0; }
    wait(&status);
    printf("child %d\\n", WEXITSTATUS(status));
    return 0;
}
"""
ERROR_THEN_LEAK = """
#include <stdlib.h>
static __attribute__((noinline)) void lose(int size) { *(volatile char *)malloc(size) = 1; }
int main(void) {
    lose(5);
    volatile char *block = malloc(8);
    block[8] = 1;
    free((void *)block);
    return 0;
}
"""
DEATHS = """
#include <signal.h>
#include <stdlib.h>
static __attribute__((noinline)) void lose(int size) { *(volatile char *)malloc(size) = 1; }
int main(int argc, char **argv) {
    lose(5);
    if (argc == 1) abort();
    raise(SIGTERM);
}
"""

Run = Callable[..., RunResult]


@pytest.fixture
def run(text_runs: TextRuns) -> Run:
    """Run a program's text: `run(TEXT, "leak", *arguments, LSAN_OPTIONS="...")`."""

    def run_text(
        text: str, sanitize: str = "address,thread,leak", *words: str, **environment: str
    ) -> RunResult:
        return text_runs(text, *words, environment=environment, sanitize=sanitize, opt_level=0)

    return run_text


def leaks(result: RunResult) -> list[tuple[str, int, int]]:
    """(kind, bytes, blocks) of every finding."""
    return [
        (f["kind"], f["details"]["total_bytes"], f["details"]["n_objects"]) for f in result.findings
    ]


def lost_bytes(result: RunResult) -> set[int]:
    return {size for _, size, _ in leaks(result)}


ALL_LEAKS = {
    ("direct-leak", 10, 1), ("direct-leak", 100, 1), ("direct-leak", 20, 1),
    ("indirect-leak", 30, 1),
}  # fmt: skip


@pytest.mark.parametrize(
    ("sanitize", "tool"),
    [
        ("address,thread,leak", "AddressSanitizer"),
        ("leak", "LeakSanitizer"),
        ("thread,leak", "LeakSanitizer"),
    ],
)
def test_leaks_are_found_alone_and_beside_others(run: Run, sanitize: str, tool: str) -> None:
    result = run(LEAKS, sanitize)
    assert set(leaks(result)) == ALL_LEAKS
    assert result.exit_status == 66
    assert result.stdout == b"end\n"
    assert "ERROR: LeakSanitizer: detected memory leaks" in result.stderr
    assert f"SUMMARY: {tool}: 260 byte(s) leaked in 5 allocation(s)." in result.stderr


def test_direct_leaks_come_first_then_the_larger(run: Run) -> None:
    text = run(LEAKS).stderr
    heads = [line.split(" allocated")[0] for line in text.splitlines() if "leak of" in line]
    direct = [head for head in heads if head.startswith("Direct")]
    assert heads[: len(direct)] == direct
    sizes = [int(head.split()[3]) for head in direct]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("sanitize", ["address", "thread", "address,thread"])
def test_without_leak_nobody_looks(run: Run, sanitize: str) -> None:
    result = run(LEAKS, sanitize)
    assert (leaks(result), result.exit_status) == ([], 3)


@pytest.mark.parametrize(
    "flags",
    [
        {"ASAN_OPTIONS": "detect_leaks=0"},
        {"LSAN_OPTIONS": "detect_leaks=0"},
        {"LSAN_OPTIONS": "leak_check_at_exit=0"},
    ],
)
def test_flags_that_switch_it_off(run: Run, flags: dict[str, str]) -> None:
    result = run(LEAKS, **flags)
    assert (leaks(result), result.exit_status, result.stderr) == ([], 3, "")


@pytest.mark.parametrize(
    ("flags", "status"),
    [
        ({"LSAN_OPTIONS": "exitcode=23"}, 23),
        ({"ASAN_OPTIONS": "exitcode=24"}, 24),
        ({"TSAN_OPTIONS": "exitcode=25"}, 66),
        ({"LSAN_OPTIONS": "exitcode=0"}, 3),
    ],
)
def test_exit_status(run: Run, flags: dict[str, str], status: int) -> None:
    assert run(LEAKS, **flags).exit_status == status


def test_max_leaks_limits_what_is_printed(run: Run) -> None:
    result = run(LEAKS, LSAN_OPTIONS="max_leaks=1")
    assert "The 1 top leak(s):" in result.stderr
    assert result.stderr.count(" leak of ") == 1
    assert len(result.findings) > 1


def test_report_objects_lists_the_blocks(run: Run) -> None:
    result = run(LEAKS, LSAN_OPTIONS="report_objects=1")
    assert "Objects leaked above:" in result.stderr
    assert "(30 bytes)" in result.stderr


def test_resolution_puts_stacks_together(run: Run) -> None:
    result = run(LEAKS, LSAN_OPTIONS="resolution=2")
    assert sorted(leaks(result)) == [("direct-leak", 230, 4), ("indirect-leak", 30, 1)]


def test_suppressions_hide_and_are_listed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "suppressions"
    path.write_text("leak:lose_b*g\nleak:lose_two\n")
    result = run(LEAKS, LSAN_OPTIONS=f"suppressions={path}")
    assert leaks(result) == [("direct-leak", 10, 1)]
    assert "Suppressions used:" in result.stderr
    assert "      2        200 lose_b*g" in result.stderr
    quiet = run(LEAKS, LSAN_OPTIONS=f"suppressions={path}:print_suppressions=0")
    assert "Suppressions used:" not in quiet.stderr


def test_what_a_suppressed_block_points_to_is_hidden_with_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "suppressions"
    path.write_text("leak:p*.c\n")
    result = run(LEAKS, LSAN_OPTIONS=f"suppressions={path}")
    assert (leaks(result), result.exit_status) == ([], 3)


@pytest.mark.parametrize(
    ("flag", "lost"),
    [
        ("", set()),
        ("use_globals=0", {1}),
        ("use_tls=0", {2}),
        ("use_root_regions=0", {3}),
        ("use_stacks=0:use_registers=0", {4}),
    ],
)
def test_roots_by_flag(run: Run, flag: str, lost: set[int]) -> None:
    assert lost_bytes(run(KEPT, LSAN_OPTIONS=flag)) == lost


def test_dead_stack_counts_when_asked_for(run: Run) -> None:
    assert lost_bytes(run(STALE)) == {50}
    assert lost_bytes(run(STALE, LSAN_OPTIONS="use_dead_stack=1")) == set()


def test_a_child_looks_for_its_own(run: Run) -> None:
    result = run(FORKS)
    assert result.stdout == b"child 66\n"
    assert "Direct leak of 77 byte(s)" in result.stderr
    assert (leaks(result), result.exit_status) == ([], 0)


def test_a_program_stopped_by_an_error_is_not_searched(run: Run) -> None:
    stopped = run(ERROR_THEN_LEAK)
    assert [finding["kind"] for finding in stopped.findings] == ["heap-buffer-overflow"]
    went_on = run(ERROR_THEN_LEAK, ASAN_OPTIONS="halt_on_error=0")
    kinds = [finding["kind"] for finding in went_on.findings]
    assert kinds == ["heap-buffer-overflow", "direct-leak"]


@pytest.mark.parametrize(("arguments", "status"), [((), 66), (("term",), 143)])
def test_killed_programs_are_not_searched(run: Run, arguments: Any, status: int) -> None:
    result = run(DEATHS, "address,thread,leak", *arguments)
    assert "LeakSanitizer" not in result.stderr
    assert result.exit_status == status
