"""Whole programs under every race detector: the same finding, with its stacks, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.runtime.flags.flag_table import FLAGS
from irsan.runtime.layout import options

[FLAG] = [flag for flag in FLAGS if flag.name == "race_detector"]
SOUND = [name for name in FLAG.choices if name != "lockset"]
SHARED = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *volatile block;
static int guarded;
"""
RACY = SHARED + """
static void *work(void *argument) {
    pthread_mutex_lock(&lock); guarded++; pthread_mutex_unlock(&lock);
    block[5] = 1; // second
    return argument;
}
int main(void) {
    pthread_t thread;
    block = malloc(100);
    pthread_create(&thread, 0, work, 0);
    memset(block, 2, 50); // first
    return pthread_join(thread, 0);
}
"""
CLEAN = SHARED + """
static void *work(void *argument) {
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&lock);
        guarded++;
        free(block);
        block = memset(malloc(40 + i), i, 40);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    free(block);
    return guarded != 150;
}
"""


HANDED_OVER = """
#include <pthread.h>
static int value;
static void *work(void *argument) { value++; return argument; }
int main(void) {
    pthread_t thread;
    value = 1;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    value++;
    return value - 3;
}
"""
THREAD = frozenset({"thread"})


def test_every_detector_has_a_number() -> None:
    assert set(FLAG.choices) <= set(options.RACE_DETECTORS)
    assert options.RACE_DETECTORS[options.DEFAULTS[options.RACE_DETECTOR]] == FLAG.default


@pytest.mark.parametrize("variable", ["TSAN_OPTIONS", "IRSAN_OPTIONS"])
@pytest.mark.parametrize("detector", FLAG.choices)
def test_a_race_is_found_with_both_lines(
    runner: BatchRunner, tmp_path: Path, detector: str, variable: str
) -> None:
    path = tmp_path / "racy.c"
    path.write_text(RACY)
    lines = RACY.splitlines()
    expected = {1 + n for n, line in enumerate(lines) if line.endswith(("// first", "// second"))}
    environment = {variable: f"race_detector={detector}"}
    for result in runner.run([path], range(3), environment=environment, sanitize=THREAD):
        [finding] = result.findings
        named = {
            next(frame["line"] for frame in stack["frames"] if frame["line"])
            for stack in finding["stacks"]
            if stack["role"] in ("access", "previous")
        }
        verdict = "bug" if detector in SOUND else "heuristic"
        assert (finding["kind"], named, finding["verdict"]) == ("data race", expected, verdict)
        assert f"\nreplay: {variable}=race_detector={detector} irsan replay " in result.stderr


@pytest.mark.parametrize("detector", SOUND)
def test_a_clean_program_stays_clean(runner: BatchRunner, tmp_path: Path, detector: str) -> None:
    path = tmp_path / "clean.c"
    path.write_text(CLEAN)
    environment = {"TSAN_OPTIONS": f"race_detector={detector}"}
    for result in runner.run([path], range(3), environment=environment, sanitize=THREAD):
        assert (result.exit_status, result.findings) == (0, [])


def test_a_lockset_finding_may_be_false_and_says_so(runner: BatchRunner, tmp_path: Path) -> None:
    """Start and end of a thread order the accesses, which Eraser does not know."""
    path = tmp_path / "handed.c"
    path.write_text(HANDED_OVER)
    environment = {"TSAN_OPTIONS": "race_detector=lockset"}
    [result] = runner.run([path], environment=environment, sanitize=THREAD)
    [finding] = result.findings
    assert (finding["verdict"], result.exit_status) == ("heuristic", 0)
    assert "rests on a heuristic" in result.stderr
    environment = {"TSAN_OPTIONS": "race_detector=fasttrack"}
    [result] = runner.run([path], environment=environment, sanitize=THREAD)
    assert result.findings == []
