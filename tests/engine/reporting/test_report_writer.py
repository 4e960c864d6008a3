"""Reports of processes that are killed, and files that are whole whenever they are read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.reports.atomic_file import write_atomically
from irsan.reports.sets.merge import merge
from irsan.reports.sets.report_files import read_all
from tests.support.irsan_runs import bundled_compiler

KILLED = """
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static void use(volatile int *p) { p[4]++; }
int main(void) {
    if (chdir("/")) return 1;
    for (int i = 0; i < 2; i++)
        if (!fork()) {
            use(malloc(16));
            kill(getpid(), SIGKILL);
        }
    while (wait(0) > 0) {}
    return 0;
}
"""


def test_processes_that_are_killed_leave_what_they_found(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(KILLED)
    cc = os.environ.get("IRSAN_CC") or bundled_compiler()
    answer = subprocess.run(
        [sys.executable, "-m", "irsan", "run", "--cc", cc, "--report-path", "out.%p.json", "a.c"],
        cwd=tmp_path, env={**os.environ, "ASAN_OPTIONS": "halt_on_error=0", "IRSAN_OPTIONS": ""},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    files = sorted(path.name for path in tmp_path.iterdir() if path.name != "a.c")
    assert len(files) == 2 and all(name.endswith(".json") for name in files), answer.stderr
    report = merge(read_all([tmp_path]))
    (finding,) = report.findings
    assert (finding.kind, finding.count, len(finding.seen)) == ("heap-buffer-overflow", 2, 2)
    assert [(cut.what, cut.n) for cut in report.cut] == [("end of the run", 2)]


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(0o640)
    with path.open() as reader:
        write_atomically(path, "new\udcff")
        assert reader.read() == "old"
    assert path.read_bytes() == b"new\xff"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [child.name for child in tmp_path.iterdir()] == ["a.json"]


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "\ud800")
    assert path.read_text() == "old"
    assert [child.name for child in tmp_path.iterdir()] == ["a.json"]


def test_links_and_pipes_are_written_in_place(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", json.dumps(1))
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "1"
