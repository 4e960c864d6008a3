"""What flags and the program itself make a run say or do around its reports."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.runtime.layout import memory_map
from tests.support.irsan_runs import bundled_compiler
from tests.support.text_runs import FlagRuns, TextRuns

OK = "int main(void) { return 0; }"
OVERFLOW = """
#include <stdlib.h>
int main(void) { volatile char *p = malloc(8); volatile int i = 8; return p[i]; }
"""
MAPPING = """
#include <stdio.h>
void __asan_get_shadow_mapping(size_t *, size_t *);
int main(void) {
    size_t scale, offset;
    __asan_get_shadow_mapping(&scale, &offset);
    printf("%zu %#zx\\n", scale, offset);
    return 0;
}
"""
SUMMARISES = """
#include <stdio.h>
#include <stdlib.h>
void __sanitizer_report_error_summary(const char *text) { printf("told: %s\\n", text); }
int main(void) { volatile char *p = malloc(8); volatile int i = 8; return p[i]; }
"""
POINTED_DEFAULTS = """
const char *options = "print_scariness=1";
const char *__asan_default_options(void) { return options; }
int main(int argc, char **argv) { return *(volatile int *)(long)(argc * 8); }
"""
SHIFTS = """
#include <string.h>
static char text[16] = "abcdefg";
static __attribute__((noinline)) void shift(int n) { strcpy(text + n, text); }
int main(void) { volatile int n = 1; shift(n); return 0; }
"""
HANDLES = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void handler(int number) { printf("handled %d\\n", number); fflush(stdout); exit(5); }
int main(int argc, char **argv) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    printf("%d\\n", sigaction(SIGSEGV, &action, 0));
    printf("%d\\n", sigaction(SIGSEGV, 0, &old));
    printf("%d\\n", old.sa_handler == handler);
    return *(volatile int *)(long)(argc * 8);
}
"""
ABORTS = "#include <stdlib.h>\nint main(void) { abort(); }"
LONG_GONE = """
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *makes(void *p) { shared = malloc(4); return p; }
static void *frees(void *p) { free(shared); return p; }
static void *uses(void *p) { *(volatile int *)shared = 1; return p; }
typedef void *(*Routine)(void *);
static void *runs(void *routine) {
    pthread_t thread;
    pthread_create(&thread, 0, (Routine)routine, 0);
    pthread_join(thread, 0);
    return 0;
}
static void go(Routine routine) {
    pthread_t thread;
    pthread_create(&thread, 0, runs, (void *)routine);
    pthread_join(thread, 0);
}
int main(void) { go(makes); go(frees); go(uses); return 0; }
"""
LIMIT_OF_CORES = """
#include <stdio.h>
#include <sys/resource.h>
int main(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    printf("%d\\n", limit.rlim_cur == 0);
    return 0;
}
"""
CALLS_DATA = """
#include <stdlib.h>
int main(int argc, char **argv) {
    void *volatile block = malloc(64);
    if (argc > 1) block = (void *)16;
    ((void (*)(void))block)();
    return 0;
}
"""
COOKIE = """
#include <cstdio>
struct Noisy { int value; ~Noisy() { std::puts("gone"); } };
__attribute__((noinline)) void give_back(Noisy *all) { delete[] all; }
int main(int argc, char **) {
    Noisy *all = new Noisy[argc];
    give_back(all);
    give_back(all);
}
"""
POISONS = """
#include <pthread.h>
#include <stdlib.h>
void __asan_poison_memory_region(void const volatile *, size_t);
void __asan_unpoison_memory_region(void const volatile *, size_t);
static volatile char *area;
static __attribute__((noinline)) void close_area(int at) {
    __asan_poison_memory_region(area + at, 16);
}
static void *closes(void *p) { close_area(32); return p; }
int main(int argc, char **argv) {
    area = malloc(128);
    pthread_t thread;
    pthread_create(&thread, 0, closes, 0);
    pthread_join(thread, 0);
    close_area(64);
    for (int i = 0; i < 3; i++) {
        __asan_poison_memory_region(area + 96, 8);
        __asan_unpoison_memory_region(area + 96, 8);
    }
    return area[argc * 32];
}
"""
TICKS_ON = """
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static void tick(int number) { (void)number; }
int main(void) {
    struct itimerval every = {{0, 1}, {0, 1}};
    signal(SIGPROF, tick);
    setitimer(ITIMER_PROF, &every, 0);
    for (int i = 0; i < 20000; i++) *(char *volatile *)malloc(64) = 0;
    return 3;
}
"""
MISMATCH = """
#include <stdlib.h>
void operator_delete(void *) __asm__("_ZdlPv");
int main(void) { operator_delete(malloc(10)); return 0; }
"""


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs)


def kinds(result: RunResult) -> list[str]:
    return [finding["kind"] for finding in result.findings]


def test_verbosity_tells_the_layout_that_the_program_sees(run: FlagRuns) -> None:
    result = run(MAPPING, "verbosity=1:quarantine_size_mb=10:redzone=64")
    scale, offset = result.stdout.decode().split()
    assert f"\nSHADOW_SCALE: {scale}\n" in result.stderr
    assert f"\nSHADOW_OFFSET: {offset}\n" in result.stderr
    assert "\nquarantine_size_mb=10M\n" in result.stderr and "\nredzone=64\n" in result.stderr
    assert f"{memory_map.HEAP_LO:#014x}, {memory_map.HEAP_HI - 1:#014x}]` || heap" in result.stderr
    assert "thread_local_quarantine" not in result.stderr
    assert result.stderr.endswith("AddressSanitizer Init done\n")
    assert run(MAPPING).stderr == ""


def test_pauses_are_announced_in_order(run: FlagRuns) -> None:
    flags = ":".join(f"sleep_{when}=1" for when in ("before_init", "after_init", "before_dying"))
    told = re.findall(
        r"Init done|Sleeping for 1 second\(s\) \w+ \w+|ERROR|ABORTING",
        run(OVERFLOW, f"verbosity=1:{flags}").stderr,
    )
    assert told == [
        "Sleeping for 1 second(s) before init", "Init done", "Sleeping for 1 second(s) after init",
        "ERROR", "ABORTING", "Sleeping for 1 second(s) before dying",
    ]  # fmt: skip


def test_statistics_at_the_end_have_a_title(run: FlagRuns) -> None:
    text = run(OK, "atexit=1").stderr
    assert re.match(r"AddressSanitizer exit stats:\nStats: \d+ calls of malloc", text)


def test_the_program_prints_the_summary_when_it_defines_the_function(run: FlagRuns) -> None:
    result = run(SUMMARISES)
    assert re.match(rb"told: AddressSanitizer: heap-buffer-overflow \S+:5:\d+ in main\n",
                    result.stdout)  # fmt: skip
    assert "SUMMARY:" not in result.stderr and "heap-buffer-overflow on" in result.stderr
    assert run(SUMMARISES, "print_summary=0").stdout == b""


@pytest.mark.parametrize("level", [0, 2])
def test_default_options_may_lie_in_a_pointer_variable(
    runner: BatchRunner, tmp_path: Path, level: int
) -> None:
    path = tmp_path / "p.c"
    path.write_text(POINTED_DEFAULTS)
    (result,) = runner.run([path], opt_level=level)
    assert "SCARINESS: 10 (null-deref)" in result.stderr


def test_a_relative_suppression_file_may_lie_beside_the_program(
    runner: BatchRunner, tmp_path: Path
) -> None:
    (tmp_path / "p.c").write_text(SHIFTS)
    (tmp_path / "beside-the-program").write_text("interceptor_via_fun:shift\n")
    for name, status in (("beside-the-program", 0), ("", 66), ("not/there", 2)):
        environment = {"ASAN_OPTIONS": f"suppressions={name}"}
        (result,) = runner.run([tmp_path / "p.c"], environment=environment)
        assert result.exit_status == status, result.stderr
    assert "failed to read suppressions file not/there" in result.stderr


def test_an_exclusive_handler_cannot_be_replaced(run: FlagRuns) -> None:
    replaced = run(HANDLES, "handle_segv=1")
    assert (replaced.stdout, replaced.exit_status) == (b"0\n0\n1\nhandled 11\n", 5)
    kept = run(HANDLES, "handle_segv=2")
    assert (kept.stdout, kinds(kept), kept.exit_status) == (b"0\n0\n0\n", ["SEGV"], 66)
    other = run(HANDLES, "handle_sigbus=exclusive")
    assert other.exit_status == 5


def test_abort_on_error_after_a_signal(run: FlagRuns) -> None:
    result = run(ABORTS, "handle_abort=1:abort_on_error=1")
    assert (kinds(result), result.exit_status) == (["ABRT"], 134)
    assert run(ABORTS, "handle_abort=1").exit_status == 66
    crash = run(CALLS_DATA, "abort_on_error=1", "null")
    assert (kinds(crash), crash.exit_status) == (["SEGV"], 134)


def test_threads_are_known_when_their_places_are_used_again(run: FlagRuns) -> None:
    text = run(LONG_GONE).stderr
    used, freed, made = (
        re.search(pattern, text).group(1)  # type: ignore[union-attr]
        for pattern in (
            r"WRITE of size 4 at \w+ thread T(\d+)",
            r"freed by thread T(\d+)",
            r"allocated by thread T(\d+)",
        )
    )
    assert len({used, freed, made}) == 3
    for thread in (used, freed, made):
        found = re.search(rf"Thread T{thread} created by T(\d+) here:\n.*\n +#1 .* in runs", text)
        assert found is not None
        assert re.search(rf"Thread T{found[1]} created by T0 here:\n.*\n +#1 .* in go", text)


def test_a_jump_into_data_says_so(run: FlagRuns) -> None:
    words = "Hint: PC is at a non-executable region. Maybe a wild jump?"
    result = run(CALLS_DATA)
    assert words in result.stderr and result.findings[0]["details"]["pc_is_data"]
    assert words not in run(CALLS_DATA, "", "null").stderr


def test_the_length_of_a_freed_array_is_not_used(run: FlagRuns) -> None:
    told = "AddressSanitizer: loaded array cookie from free-d memory"
    result = run(COOKIE, suffix=".cpp")
    assert kinds(result) == ["double-free"]
    assert 0 < result.stderr.find(told) < result.stderr.find("attempting double-free")
    assert result.stdout.count(b"gone") == 1
    off = run(COOKIE, "poison_array_cookie=0", suffix=".cpp")
    assert kinds(off) == ["double-free"] and told not in off.stderr


def test_a_mismatch_does_not_show_its_own_free(run: FlagRuns) -> None:
    result = run(MISMATCH)
    assert kinds(result) == ["alloc-dealloc-mismatch"]
    assert re.search(r"inside of 10-byte region .*\nallocated by thread T0 here:", result.stderr)
    assert "freed by thread" not in result.stderr


@pytest.mark.parametrize(("flags", "printed"), [("", b"1\n"), ("disable_coredump=0", b"0\n")])
def test_no_core_files_unless_asked_for(tmp_path: Path, flags: str, printed: bytes) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    if not hard:
        pytest.skip("this process may write no core file")
    (tmp_path / "p.c").write_text(LIMIT_OF_CORES)
    found = subprocess.run(
        [sys.executable, "-m", "irsan", "run", "--sanitize", "address", str(tmp_path / "p.c")],
        env={**os.environ, "IRSAN_CC": bundled_compiler(), "ASAN_OPTIONS": flags},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)),
        stdout=subprocess.PIPE,
        check=True,
    )
    assert found.stdout == printed


def test_who_poisoned_memory_is_told_when_asked(run: FlagRuns) -> None:
    told = r"Memory was manually poisoned by thread T(\d):\n.*__asan_poison_memory_region"
    asked = run(POISONS, "track_poison=10")
    assert kinds(asked) == ["use-after-poison"]
    found = re.search(told + r".*\n +#1 .* in close_area .*\n +#2 .* in closes", asked.stderr)
    assert found is not None and found[1] == "1" and "Thread T1 created by T0" in asked.stderr
    text = run(POISONS, "track_poison=10", "64").stderr
    main = re.search(told + r".*\n +#1 .*\n +#2 .* in main", text)
    assert main is not None and main[1] == "0"
    for flags in ("", "track_poison=4"):  # too few: the three of the loop and one more are newer
        assert re.search(told, run(POISONS, flags).stderr) is None


def test_a_timer_that_still_runs_does_not_end_the_report(runner: BatchRunner, tmp_path: Path
                                                         ) -> None:  # fmt: skip
    path = tmp_path / "p.c"
    path.write_text(TICKS_ON)
    results = runner.run([path], range(5), environment={"ASAN_OPTIONS": "exitcode=0"},
                         sanitize=frozenset({"address", "leak"}))  # fmt: skip
    assert [(result.exit_status, bool(result.findings)) for result in results] == [(3, True)] * 5
