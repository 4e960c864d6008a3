"""A suite of processes that run side by side, some of which are killed: nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from irsan.reports.formats.json_report import json_to_report
from tests.engine.builds.test_driver import Build

N_PROCESSES = 6
HOW_THEY_END = ("0", "killed", "aborted")
PROGRAM = """
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int *freed;
__attribute__((noinline)) static void first(void) { *(volatile int *)freed = 1; }
__attribute__((noinline)) static void second(void) { volatile int seen = freed[1]; (void)seen; }
int main(int argc, char **argv) {
    freed = malloc(8);
    free(freed);
    first();
    if (argc > 2) second();
    if (!strcmp(argv[1], "killed")) kill(getpid(), SIGKILL);
    if (!strcmp(argv[1], "aborted")) abort();
    return 0;
}
"""


def test_what_every_process_has_found_is_merged(tmp_path: Path) -> None:
    build = Build(tmp_path)
    build.file("p.c", PROGRAM)
    build.run("p.c", "-o", "p")
    reports = tmp_path / "reports"
    reports.mkdir()
    environment = {
        **os.environ, "ASAN_OPTIONS": "halt_on_error=0:handle_abort=0",
        "IRSAN_OPTIONS": f"report_path={reports}/%p.json",
    }  # fmt: skip
    running = [
        subprocess.Popen(
            ["./p", HOW_THEY_END[number % 3], *["more"] * (number % 2)], cwd=tmp_path,
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for number in range(N_PROCESSES)
    ]  # fmt: skip
    for process in running:
        process.wait(timeout=300)
    assert len(list(reports.iterdir())) == N_PROCESSES
    merged = subprocess.run(
        [sys.executable, "-m", "irsan", "report", "merge", str(reports), "-o", "all.json"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert merged.returncode == 0 and not merged.stderr, merged.stderr
    report = json_to_report((tmp_path / "all.json").read_text())
    (finding,) = report.findings  # two uses of one freed block are reported as one, and counted
    assert (finding.kind, finding.count) == ("heap-use-after-free", N_PROCESSES + N_PROCESSES // 2)
    assert len({seen.file for seen in finding.seen}) == N_PROCESSES
    n_killed = sum(HOW_THEY_END[number % 3] == "killed" for number in range(N_PROCESSES))
    assert [(cut.what, cut.n) for cut in report.cut] == [("end of the run", n_killed)]
