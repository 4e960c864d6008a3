"""Whole programs with tree clocks, and logical times in reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.runtime.flags.flag_table import FLAGS
from tests.support.annotations import parse_program
from tests.support.irsan_runs import results_to_problems, run_case

RACE_PROGRAMS = Path(__file__).parents[1] / "programs" / "race"
# What makes trees, merges several releases, reads clocks by fences, and reuses numbers of threads.
PROGRAMS = (
    "barrier", "barrier_ok", "condition_variable_ok", "counter_mutex_ok", "fence_publication",
    "fence_publication_ok", "managed_finalizer_ok", "many_threads", "many_threads_ok",
    "release_sequence", "release_sequence_ok", "rwlock_ok", "semaphore", "semaphore_ok",
    "thousand_alive", "thousand_alive_ok", "thread_chain", "thread_chain_ok",
)  # fmt: skip
TOLD = """
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int word;
static void *work(void *argument) {
    for (int i = 0; i < 3; i++) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
    word = 1;
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    while (word == 0) {}
    return pthread_join(thread, 0);
}
"""


def test_the_default_is_the_vector() -> None:
    [flag] = [flag for flag in FLAGS if flag.name == "clock"]
    assert (flag.default, set(flag.choices)) == ("vector", {"vector", "tree"})


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_have_the_same_verdict_with_trees(runner: BatchRunner, name: str) -> None:
    case = parse_program(RACE_PROGRAMS / f"{name}.c")
    environment = dict(case.environment)
    words = [word for word in (environment.get("TSAN_OPTIONS", ""), "clock=tree") if word]
    case = replace(case, environment={**environment, "TSAN_OPTIONS": ":".join(words)})
    results = run_case(runner, case, "-O1", range(5))
    assert results_to_problems(case, results) == []


@pytest.mark.parametrize("clock", ["vector", "tree"])
def test_reports_tell_logical_times_on_request(
    runner: BatchRunner, tmp_path: Path, clock: str
) -> None:
    """The thread is at time 4 after three unlocks; main was at 2 when it had created it."""
    path = tmp_path / "told.c"
    path.write_text(TOLD)
    environment = {"TSAN_OPTIONS": f"print_clocks=1:clock={clock}"}
    sanitize = frozenset({"thread"})
    for result in runner.run([path], range(3), environment=environment, sanitize=sanitize):
        [finding] = result.findings
        times = {
            access["thread"]: (access["clock"]["time"], access["clock"]["lamport"])
            for access in (finding["access"], finding["previous_access"])
        }
        assert times == {"T0": (2, 2), "T1": (4, 5)}
        later = finding["access"]["clock"]["known"]
        expected = {"T0": [], "T1": [{"thread": "T0", "time": 1}]}
        assert later == expected[finding["access"]["thread"]]
        assert finding["previous_access"]["clock"]["known"] == []
        assert "  Logical times:\n    access: " in result.stderr
        assert "is not before its access" in result.stderr
    [result] = runner.run([path], sanitize=sanitize)
    assert "clock" not in result.findings[0]["access"]
    assert "Logical times" not in result.stderr
