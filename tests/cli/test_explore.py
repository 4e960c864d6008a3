"""`irsan explore` from its command line to its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.irsan_runs import bundled_compiler

#: NULL of the second allocation alone is not looked at
UNTESTED = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *first = malloc(4), *second = malloc(4);
    if (!first) return 1;
    *second = 2;
    *first = *second;
    printf("%d\\n", *first);
    free(first);
    free(second);
    return 0;
}
"""


def irsan(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "irsan", *words]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "untested.c"
    path.write_text(UNTESTED)
    return path


def test_a_crash_behind_an_injected_failure_names_it_and_is_replayed(program: Path) -> None:
    path = program.with_suffix(".json")
    built = ["--cc", bundled_compiler(), "-O0"]
    run = irsan(
        "explore", "--inject", "malloc", "--schedules", "40", *built,
        "--report-format", "json", "--report-path", str(path), str(program),
    )  # fmt: skip
    assert run.returncode == 66, run.stderr
    report = json.loads(path.read_text())
    endings = {one["ending"] for one in report["exploration"]["outcomes"]}
    assert {"SEGV", "exit status 0", "exit status 1"} <= endings
    (crash,) = (one for one in report["findings"] if one["kind"] == "SEGV")
    assert crash["injected"]["call"] == "malloc(4)"
    assert [stack["role"] for stack in crash["stacks"]].count("injected") == 1
    token = crash["explored"]["first"]["schedule"]
    again = irsan("replay", token, *built, str(program))
    assert again.returncode == 66
    assert "behind an injected failure: malloc(4) returned NULL at main" in again.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--exhaustive", "--inject", "malloc"], "explore with --inject alone"),
        (["--exhaustive", "--strategy", "pos"], "goes with no --strategy"),
        (["--exhaustive", "--cluster", "tcp://127.0.0.1:9"], "goes with no --cluster"),
        (["--cluster", "tcp://127.0.0.1:9", "--jobs", "2"], "does not go with --cluster"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    program: Path, words: list[str], message: str
) -> None:
    run = irsan("explore", *words, str(program))
    assert run.returncode == 2
    assert message in " ".join(run.stderr.split())
    assert "Traceback" not in run.stderr
