"""Programs that a signal from outside ends say where their threads are."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from typing import Any

import pytest

from irsan.engine.commands.batch import RunResult
from irsan.engine.findings import outside_signals
from tests.support.text_runs import TextRuns

# A child that the program has forked sends the signal once both threads are about to wait.
HANG = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <signal.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int told[2], silent[2];
static void *await_call(void *unused) {
    pthread_mutex_lock(&mutex);
    write(told[1], "c", 1);
    for (;;) pthread_cond_wait(&never, &mutex);
}
static void *await_input(void *unused) {
    char byte;
    write(told[1], "i", 1);
    read(silent[0], &byte, 1);
    return unused;
}
int main(int n_words, char **words) {
    pthread_t caller, other, input;
    char byte;
    if (pipe(told) || pipe(silent)) return 1;
    if (!fork()) {
        for (int n = 0; n < 3; n++) read(told[0], &byte, 1);
        usleep(300000);
        kill(getppid(), atoi(words[1]));
        _exit(0);
    }
    pthread_create(&caller, 0, await_call, 0);
    pthread_create(&other, 0, await_call, 0);
    pthread_create(&input, 0, await_input, 0);
    pthread_join(caller, 0);
    return 0;
}
"""
# All threads wait for a handler, so the host sleeps, and not the program.
SERVER = """
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static sem_t work;
static void arrived(int number) { sem_post(&work); }
int main(int n_words, char **words) {
    sem_init(&work, 0, 0);
    signal(SIGUSR1, arrived);
    if (!fork()) {
        usleep(200000);
        kill(getppid(), SIGUSR1);
        usleep(200000);
        kill(getppid(), atoi(words[1]));
        _exit(0);
    }
    while (1) sem_wait(&work);
}
"""
# The thread is nearly always inside a call, and main is not.
BUSY = """
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static void *volatile block;
static void *use_heap(void *unused) {
    for (;;) {
        block = malloc(8 << 20);
        free(block);
    }
    return unused;
}
int main(int n_words, char **words) {
    pthread_t user;
    if (!fork()) {
        usleep(500000);
        kill(getppid(), atoi(words[1]));
        _exit(0);
    }
    pthread_create(&user, 0, use_heap, 0);
    pthread_join(user, 0);
    return 0;
}
"""
ENDS_ITSELF = "#include <signal.h>\nint main(void) { return raise(SIGTERM); }\n"
WATCHDOG = """
#include <unistd.h>
int main(void) { alarm(1); for (volatile int turn = 0;; turn++) { } }
"""
# The parent ends its child, as servers do, and goes on.
ENDS_CHILD = """
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int child = fork(), status;
    if (!child) for (;;) pause();
    usleep(100000);
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    return WTERMSIG(status) == SIGTERM ? 0 : 1;
}
"""


def ended_by(
    text_runs: TextRuns, text: str, number: int, environment: Mapping[str, str] | None = None
) -> RunResult:
    return text_runs(text, str(int(number)), environment=environment)


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_each_thread_has_a_line(text_runs: TextRuns, engine: str) -> None:
    result = text_runs(HANG, str(int(signal.SIGTERM)), engine=engine)
    assert result.exit_status == 128 + signal.SIGTERM
    said = result.stderr
    assert "irsan: ended by SIGTERM from process " in said
    assert "  main thread waits for thread T1 to end in main " in said
    assert "  threads T1 and T2 wait for a condition variable at 0x" in said
    assert " in await_call " in said
    assert "  thread T3 waits for input in await_input " in said


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGABRT])
def test_who_asks_for_a_dump_gets_stacks(text_runs: TextRuns, number: int) -> None:
    said = ended_by(text_runs, HANG, number).stderr
    head, _, dump = said.partition("irsan: ended by ")
    assert "  threads T1 and T2 wait for a condition variable at " in dump
    assert "    #0 await_call " in dump
    assert "    #0 main " in dump
    assert ("AddressSanitizer: ABRT" in head) == (number == signal.SIGABRT)


def test_the_call_that_one_thread_is_in_is_its_own(text_runs: TextRuns) -> None:
    said = ended_by(text_runs, BUSY, signal.SIGQUIT).stderr
    waits = said.partition("main thread waits for thread T1 to end")[2]
    assert waits.splitlines()[1].lstrip().startswith("#0 main "), said


@pytest.mark.parametrize(("level", "is_told", "has_stacks"), [(0, 0, 0), (1, 1, 0), (2, 1, 1)])
def test_flag_says_how_much(
    text_runs: TextRuns, level: int, is_told: bool, has_stacks: bool
) -> None:
    flags = {"IRSAN_OPTIONS": f"dump_threads={level}"}
    said = ended_by(text_runs, HANG, signal.SIGTERM, flags).stderr
    assert ("irsan: ended by" in said) == is_told
    assert ("#0 await_input" in said) == has_stacks


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGABRT])
def test_signal_arrives_while_the_host_sleeps(text_runs: TextRuns, number: int) -> None:
    result = ended_by(text_runs, SERVER, number)
    assert f"irsan: ended by {signal.Signals(number).name} from process " in result.stderr
    assert "main thread waits for a semaphore at 0x" in result.stderr
    assert result.exit_status == (66 if number == signal.SIGABRT else 128 + number)


class Asleep:
    """A guest whose threads sleep; a signal ends it when it has been looked at 50 times."""

    def __init__(self) -> None:
        self.looks = 0
        self.ctx = {
            "signals": {"noted": 0}, "host": {"sent_signal": 0}, "schedule": {"clock_ns": 0},
        }  # fmt: skip

    def threads(self) -> list[Any]:
        self.looks += 1
        self.ctx["host"]["sent_signal"] = 15 * (self.looks > 50)
        return []


@pytest.mark.parametrize(("long_s", "n_told"), [(0.005, 1), (60.0, 0)])
def test_who_sleeps_for_long_says_so_once(
    monkeypatch: pytest.MonkeyPatch, long_s: float, n_told: int
) -> None:
    """A framework's handler of SIGINT must not make a lost wake-up silent."""
    monkeypatch.setattr(outside_signals, "LONG_S", long_s)
    told: list[int] = []
    machine: Any = Asleep()
    outside_signals.await_signal(machine, lambda: told.append(machine.looks))
    assert len(told) == n_told
    assert machine.looks > 50


def test_watchdog_of_the_program_itself(text_runs: TextRuns) -> None:
    result = text_runs(WATCHDOG)
    assert "irsan: ended by SIGALRM; its threads:\n  main thread is in main " in result.stderr


@pytest.mark.parametrize("text", [ENDS_ITSELF, ENDS_CHILD])
def test_nothing_is_said_of_what_a_program_does_itself(text_runs: TextRuns, text: str) -> None:
    assert text_runs(text).stderr == ""


def test_forked_process_is_told_of_when_asked(text_runs: TextRuns) -> None:
    result = text_runs(ENDS_CHILD, environment={"IRSAN_OPTIONS": "dump_threads=2"})
    assert "main thread is here:\n    #0 main " in result.stderr
