"""Many runs of one program: what each answers, and what one run cannot do to the others."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.engine.options import RunOptions
from irsan.errors import UsageError
from tests.support.irsan_runs import bundled_compiler

ECHO = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char line[80];
    if (!fgets(line, sizeof line, stdin)) return 9;
    const char *word = getenv("WORD");
    printf("%d %s %s %s", argc, argv[1], word ? word : "-", line);
    return 3;
}
"""
RACE = """
#include <pthread.h>
static volatile int shared;
static void *work(void *argument) { shared = 1; return argument; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    shared = 2;
    return pthread_join(thread, 0);
}
"""
ENDLESS = "int main(int argc, char **argv) { while (argc) ; return 0; }"
KILLED = "#include <signal.h>\nint main(void) { raise(SIGTERM); }"


@pytest.fixture(scope="module")
def runner() -> Iterator[BatchRunner]:
    options = RunOptions(programs=(), cc=bundled_compiler())
    with BatchRunner(options, timeout_s=60) as found:
        yield found


def write(folder: Path, text: str) -> Path:
    path = folder / "program.c"
    path.write_text(text)
    return path


def test_arguments_environment_input_and_status_reach_the_run(
    runner: BatchRunner, tmp_path: Path
) -> None:
    path = write(tmp_path, ECHO)
    (first,) = runner.run([path], arguments=["one"], environment={"WORD": "w"}, stdin=b"text\n")
    (second,) = runner.run([path], arguments=["two"])
    assert (first.exit_status, first.stdout) == (3, b"2 one w text\n")
    assert (second.exit_status, second.findings) == (9, [])


def test_each_seed_is_a_run_of_its_own(runner: BatchRunner, tmp_path: Path) -> None:
    results = runner.run([write(tmp_path, RACE)], range(4))
    assert [result.seed for result in results] == [0, 1, 2, 3]
    assert [result.exit_status for result in results] == [66] * 4
    assert all(result.report and result.report["seed"] == result.seed for result in results)
    assert all("data race" in result.stderr for result in results)


def test_a_run_without_end_is_stopped_and_the_next_is_well(tmp_path: Path) -> None:
    options = RunOptions(programs=(), cc=bundled_compiler())
    with BatchRunner(options, timeout_s=0.5) as runner:
        (endless,) = runner.run([write(tmp_path, ENDLESS)])
        assert endless.is_timeout and endless.exit_status == 128 + signal.SIGKILL
        assert endless.report is None
    with BatchRunner(options, timeout_s=60) as runner:
        (killed,) = runner.run([write(tmp_path, KILLED)])
        assert killed.exit_status == 128 + signal.SIGTERM
        assert killed.report is not None and killed.findings == []


def test_what_cannot_be_linked_is_said_by_every_run(runner: BatchRunner, tmp_path: Path) -> None:
    path = write(tmp_path, "int nowhere(void); int main(void) { return nowhere(); }")
    results = runner.run([path], range(2))
    assert [result.exit_status for result in results] == [69, 69]
    assert all("nowhere" in result.stderr for result in results)
    (fine,) = runner.run([write(tmp_path, RACE)])
    assert fine.exit_status == 66


def test_what_does_not_compile_is_a_usage_error(runner: BatchRunner, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        runner.run([write(tmp_path, "int main(void) { return x; }")])


def test_options_of_the_run_may_differ(runner: BatchRunner, tmp_path: Path) -> None:
    path = write(tmp_path, RACE)
    (unchecked,) = runner.run([path], sanitize=frozenset({"address"}))
    assert (unchecked.exit_status, unchecked.findings) == (0, [])
    with pytest.raises(TypeError):
        runner.run([path], no_such_option=1)
