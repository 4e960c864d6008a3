"""Flags around a report and limits of memory: what each of them changes in a run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irsan.engine.commands.batch import RunResult
from tests.support.text_runs import FlagRuns, TextRuns

OVERFLOW = """
#include <stdlib.h>
int main(void) { volatile char *p = malloc(8); volatile int i = 8; return p[i]; }
"""
CRASH = "int main(int argc, char **argv) { *(volatile int *)(long)(argc * 8) = 1; return 0; }"
DIVIDES = "int main(int argc, char **argv) { volatile int zero = argc - 1; return argc / zero; }"
FREES = """
#include <stdio.h>
#include <stdlib.h>
static int global;
int main(void) { int *volatile p = &global; free(p); puts("on"); return 0; }
"""
GROWS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int n_refused = 0;
    for (int i = 0; i < 40; i++) {
        char *volatile p = malloc(4 << 20);
        if (p) memset(p, 1, 4 << 20);
        n_refused += !p;
    }
    printf("%d\\n", n_refused > 0);
    return 0;
}
"""
EXECUTES = """
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
    void *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d\\n", p != MAP_FAILED);
    return 0;
}
"""
STATS = """
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
int main(void) {
    char *path = malloc(1);
    path[0] = '/';
    struct stat found;
    stat(path, &found);
    char *volatile copy = strndup(path, 2);
    puts(copy[0] == '/' ? "on" : "");
    free(copy);
    return 0;
}
"""
MISMATCH = """
#include <stdlib.h>
void operator_delete(void *) __asm__("_ZdlPv");
static __attribute__((noinline)) void give_back(void *p) { operator_delete(p); }
int main(void) { give_back(malloc(4)); return 0; }
"""
OVERLAP = """
#include <string.h>
static char text[16] = "abcdefg";
static __attribute__((noinline)) void shift(int n) { strcpy(text + n, text); }
int main(void) { volatile int n = 1; shift(n); return 0; }
"""


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs)


def kinds(result: RunResult) -> list[str]:
    return [finding["kind"] for finding in result.findings]


def test_print_scariness(run: FlagRuns) -> None:
    text = run(OVERFLOW, "print_scariness=1").stderr
    assert "SCARINESS: 12 (1-byte-read-heap-buffer-overflow)" in text
    assert "SCARINESS" not in run(OVERFLOW).stderr
    assert "SCARINESS: 10 (null-deref)" in run(CRASH, "print_scariness=1").stderr


def test_print_stats_and_atexit(run: FlagRuns) -> None:
    after = run(OVERFLOW, "print_stats=1").stderr
    assert re.search(r"ABORTING\n(?s:.*)Stats: \d+ calls of malloc", after)
    assert "Stats:" not in run(OVERFLOW).stderr
    ok = "int main(void) { return 0; }"
    assert "Stats:" in run(ok, "atexit=1").stderr and run(ok).stderr == ""


def test_print_module_map(run: FlagRuns) -> None:
    ok = "int main(void) { return 0; }"
    assert "libc.so" in run(ok, "print_module_map=1").stderr
    assert run(ok, "print_module_map=2").stderr == ""
    assert "Process module map follows:" in run(OVERFLOW, "print_module_map=2").stderr


def test_what_a_crash_shows(run: FlagRuns) -> None:
    shown = run(DIVIDES, "dump_instruction_bytes=1").stderr
    assert re.search(r"First 16 instruction bytes at pc:( [0-9a-f]{2}){16}", shown)
    assert "Register values" in shown and "instruction bytes" not in run(DIVIDES).stderr
    assert "Register values" not in run(DIVIDES, "dump_registers=0").stderr


def test_enable_unmalloced_free_check(run: FlagRuns) -> None:
    assert kinds(run(FREES)) == ["bad-free"]
    off = run(FREES, "enable_unmalloced_free_check=0")
    assert (kinds(off), off.stdout, off.exit_status) == ([], b"on\n", 0)


def test_limits_of_the_resident_size(run: FlagRuns) -> None:
    assert run(GROWS, "soft_rss_limit_mb=900:hard_rss_limit_mb=900").stdout == b"0\n"
    soft = run(GROWS, "soft_rss_limit_mb=40")
    assert kinds(soft) == ["rss-limit-exceeded"] and "soft_rss_limit_mb=40" in soft.stderr
    nulls = run(GROWS, "soft_rss_limit_mb=40:allocator_may_return_null=1")
    assert (kinds(nulls), nulls.stdout) == ([], b"1\n")
    hard = run(GROWS, "hard_rss_limit_mb=40")
    assert kinds(hard) == ["rss-limit-exceeded"] and "hard_rss_limit_mb=40" in hard.stderr
    assert (hard.stdout, hard.exit_status) == (b"", 66)


def test_detect_write_exec_warns(run: FlagRuns) -> None:
    assert run(EXECUTES).stderr == ""
    warned = run(EXECUTES, "detect_write_exec=1")
    assert "WARNING: AddressSanitizer: writable-executable page usage" in warned.stderr
    assert "SUMMARY: AddressSanitizer: w-and-x-usage" in warned.stderr
    assert (warned.stdout, warned.exit_status) == (b"1\n", 0)


def test_intercept_stat_and_strndup(run: FlagRuns) -> None:
    assert kinds(run(STATS, "halt_on_error=0")) == ["heap-buffer-overflow"] * 2
    one = run(STATS, "halt_on_error=0:intercept_stat=0")
    assert [f["stacks"][0]["frames"][0]["function"] for f in one.findings] == ["strndup"]
    off = run(STATS, "intercept_stat=0:intercept_strndup=0")
    assert (kinds(off), off.stdout) == ([], b"on\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (MISMATCH, "alloc_dealloc_mismatch:give_back"),
        (OVERLAP, "interceptor_name:strcpy"),
        (OVERLAP, "interceptor_via_fun:shift"),
        (OVERLAP, "interceptor_via_lib:*.c"),
        (STATS, "interceptor_name:str*"),
    ],
)
def test_suppressions_by_interceptor(run: FlagRuns, tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "list").write_text(line + "\n")
    before = kinds(run(text, "halt_on_error=0"))
    after = run(text, f"halt_on_error=0:suppressions={tmp_path / 'list'}")
    assert len(kinds(after)) == len(before) - 1
    (used,) = after.report["suppressed"]
    assert f"{used['type']}:{used['template']}" == line and used["count"] == 1


def test_no_interceptor_suppression_hides_a_wrong_free(run: FlagRuns, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("interceptor_name:free\n")
    assert kinds(run(FREES, f"suppressions={tmp_path / 'list'}")) == ["bad-free"]
