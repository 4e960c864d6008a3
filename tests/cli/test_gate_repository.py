"""A repository of three commits, bug in, bug moved, bug fixed, goes through the whole gate."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.irsan_runs import bundled_compiler

BUG_IN = """
#include <stdlib.h>
struct entry { int hits; };
static int lookup(volatile struct entry *e) { return ++e->hits; }
int main(void) {
    struct entry *e = malloc(sizeof *e);
    e->hits = 0;
    free(e);
    return lookup(e) * 0;
}
"""
LOOKUP = "static int lookup(volatile struct entry *e) { return ++e->hits; }\n"
HEADER = """
/* lookups have a file of their own now */
static int lookup(volatile struct entry *e)
{
    return  ++e->hits;   /* counted */
}
"""
BUG_MOVED = BUG_IN.replace(LOOKUP, '\n\n#include "lookup.h"\n')
BUG_FIXED = BUG_MOVED.replace(
    "    free(e);\n    return lookup(e) * 0;",
    "    int n = lookup(e);\n    free(e);\n    return n * 0;",
)
TOOLS = {"IRSAN_OPTIONS": "", "ASAN_OPTIONS": "", "PYTEST_CURRENT_TEST": ""}


class Repository:
    """A repository; `check` runs its program and returns the status and the report."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q", "-b", "main")

    def git(self, *words: str) -> None:
        own = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *own, *words], cwd=self.folder, check=True, timeout=60)

    def commit(self, message: str, **files: str) -> None:
        for name, text in files.items():
            path = self.folder / "src" / name.replace("_", ".")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def check(self, report: Path, *options: str) -> tuple[int, dict[str, Any], str]:
        cc = os.environ.get("IRSAN_CC") or bundled_compiler()
        words = ("run", "--cc", cc, *options, "--report-path", str(report), "src/main.c")
        answer = self.irsan(*words)
        return answer.returncode, json.loads(report.read_text()), answer.stderr

    def irsan(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "irsan", *words],
            cwd=self.folder, env={**os.environ, **TOOLS}, capture_output=True, text=True,
            timeout=300, check=False,
        )  # fmt: skip

    def told(self, *words: str) -> str:
        """What a command prints that must end well."""
        answer = self.irsan(*words)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_new_known_fixed(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    first, second, third = (tmp_path / f"{n}.json" for n in (1, 2, 3))

    repository.commit("bug in", main_c=BUG_IN)
    status, report, _ = repository.check(first, "--fail-on", "error")
    assert status == 66
    (finding,) = report["findings"]
    assert finding["kind"] == "heap-use-after-free"
    assert report["root"] == str(tmp_path)

    repository.commit("bug moved", main_c=BUG_MOVED, lookup_h=HEADER)
    status, report, text = repository.check(second, "--baseline", str(first))
    assert status == 0, text
    assert [(each["id"], each["baseline"]) for each in report["findings"]] == [
        (finding["id"], "updated")
    ]
    assert "irsan: 0 new findings, 1 that the baseline has; 0 fail the run" in text
    shown = repository.told("report", "diff", str(first), str(second))
    assert "moved" in shown and "src/lookup.h:5" in shown and "(was src/main.c:4" in shown

    words = ("--id", finding["id"], "--verdict", "wont-fix", "--reason", "a demonstration")
    repository.told("report", "triage", str(second), *words)
    assert (tmp_path / ".irsan" / "triage.json").exists()
    _, report, text = repository.check(tmp_path / "hidden.json")
    assert (report["findings"], "heap-use-after-free" in text) == ([], False)
    assert report["suppressed"][0]["template"] == finding["id"]
    (tmp_path / ".irsan" / "triage.json").unlink()

    repository.commit("bug fixed", main_c=BUG_FIXED)
    status, report, _ = repository.check(third, "--baseline", str(first))
    assert (status, report["findings"]) == (0, [])
    shown = repository.told("report", "diff", str(second), str(third))
    assert "SUMMARY: 0 new, 1 fixed, 0 moved, 0 unchanged" in shown
