"""What flags of the race detector change in a run: one small program each, with and without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from irsan.engine.commands.batch import RunResult
from tests.support.text_runs import TextRuns

Run = Callable[..., RunResult]

ATOMIC_AND_PLAIN = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int mixed;
static volatile int plain;
static void *work(void *argument) { mixed = 1; plain = 1; return argument; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    *(volatile int *)&mixed = 2;
    plain = 2;
    return pthread_join(thread, 0);
}
"""
RELAXED_HANDOVER = """
#include <pthread.h>
#include <stdatomic.h>
static volatile int data;
static atomic_int ready;
static void *work(void *argument) {
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    while (!atomic_load_explicit(&ready, memory_order_relaxed)) {}
    data = 2;
    return pthread_join(thread, 0);
}
"""
COPIED = """
#include <pthread.h>
#include <string.h>
char text[64], other[64];
static volatile int plain;
static void *work(void *argument) { memset(text, 1, 40); plain = 1; return argument; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    memcpy(other, text, 40);
    plain = 2;
    return pthread_join(thread, 0);
}
"""
TWICE_AT_ONE_ADDRESS = """
#include <pthread.h>
static volatile int value, elsewhere;
static void *one(void *argument) { value = 1; return argument; }
static void *two(void *argument) { value = 2; elsewhere = 2; return argument; }
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    value = 3;
    elsewhere = 3;
    return pthread_join(first, 0) || pthread_join(second, 0);
}
"""
HANDLER = """
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int handled;
static void on_signal(int number) {
    char *volatile block = malloc(number);
    free(block);
    errno = number;
    handled = 1;
}
static void *work(void *argument) { while (!handled) {} return argument; }
int main(void) {
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, 0, work, 0);
    pthread_kill(thread, SIGUSR1);
    return pthread_join(thread, 0);
}
"""
FORKS = """
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_barrier_t barrier;
static int counter;
static void *wait_there(void *argument) { pthread_barrier_wait(&barrier); return argument; }
static void *count(void *argument) { counter += 3; return argument; }
static int child_status(void) {
    pthread_t thread;
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        pthread_create(&thread, NULL, count, NULL);
        pthread_join(thread, NULL);
        _exit(counter);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
int main(void) {
    pthread_t thread;
    int alone = child_status();
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, wait_there, NULL);
    int among_others = child_status();
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    printf("%d %d\\n", alone, among_others);
    return 0;
}
"""
JOINED_TWICE = """
#include <errno.h>
#include <pthread.h>
static void *work(void *argument) { return argument; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return pthread_join(thread, 0) == ESRCH ? 0 : 1;
}
"""
UNSAFE = "signal-unsafe call inside of a signal"
SPOILED = "signal handler spoils errno"


@pytest.fixture
def run(text_runs: TextRuns) -> Run:
    """Run a program's text under some flags."""
    return lambda text, **flags: text_runs(text, environment=flags, sanitize="address,thread")


def kinds(result: RunResult) -> list[str]:
    return [finding["kind"] for finding in result.findings]


@pytest.mark.parametrize(
    ("program", "option", "usual", "asked"),
    [
        (ATOMIC_AND_PLAIN, "report_atomic_races=0", ["data race"] * 2, ["data race"]),
        (RELAXED_HANDOVER, "force_seq_cst_atomics=1", ["data race"], []),
        (COPIED, "ignore_interceptors_accesses=1", ["data race"] * 2, ["data race"]),
        (HANDLER, "report_signal_unsafe=0", [UNSAFE, UNSAFE, SPOILED], [SPOILED]),
        (HANDLER, "report_bugs=0", [UNSAFE, UNSAFE, SPOILED], []),
        (JOINED_TWICE, "detect_invalid_join=0", ["join of an already joined thread"], []),
    ],
)
def test_a_flag_changes_what_is_told(
    run: Run, program: str, option: str, usual: list[str], asked: list[str]
) -> None:
    assert kinds(run(program)) == usual
    assert kinds(run(program, TSAN_OPTIONS=option, ASAN_OPTIONS=shared(option))) == asked


def shared(option: str) -> str:
    """A flag of all tools is set for all."""
    return option if option.startswith("detect_") else ""


def test_one_race_for_each_address_when_asked(run: Run) -> None:
    addresses = [f["access"]["address"] for f in run(TWICE_AT_ONE_ADDRESS).findings]
    assert len(addresses) > len(set(addresses)) == 2
    found = run(TWICE_AT_ONE_ADDRESS, TSAN_OPTIONS="suppress_equal_addresses=1").findings
    assert sorted(f["access"]["address"] for f in found) == sorted(set(addresses))


def test_calls_in_handlers_are_suppressed_by_function(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "suppressions"
    path.write_text("signal:on_signal\n", encoding="utf-8")
    assert kinds(run(HANDLER, TSAN_OPTIONS=f"suppressions={path}")) == []


def test_a_child_without_its_threads_starts_new_ones_unless_told(run: Run) -> None:
    usual, asked = run(FORKS), run(FORKS, TSAN_OPTIONS="die_after_fork=1")
    assert (usual.stdout, asked.stdout) == (b"3 3\n", b"3 66\n")
    assert asked.stderr.count("starting new threads after multi-threaded fork") == 1


def test_what_is_said_of_a_call_in_a_handler(run: Run) -> None:
    result = run(HANDLER)
    assert result.findings[0]["details"]["number"] == 10
    assert "  The call is made in the handler of signal 10.\n" in result.stderr
    assert "  Signal 10 handler invoked at:\n    #0 on_signal " in result.stderr
