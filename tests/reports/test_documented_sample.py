"""The sample of docs/report-schema.md is the output of a run. IRSAN_BLESS=1 puts a new one there.

Addresses of code, the build's number in the replay token and what differs from run to run are not
compared: the sample stays true when irsan's own code has moved.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from irsan.reports.formats.json_report import json_to_report, report_to_json
from tests.support.irsan_runs import bundled_compiler

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs" / "report-schema.md"
PROGRAM = "examples/use_after_free.c"
_SAMPLE = re.compile(r"(?<=```json\n).*?(?=```)", re.DOTALL)
_VARYING = re.compile(
    r'"(pc|sp|bp|module_offset|schedule|irsan|compiler|llvm|kernel|processor|started)": "[^"]*"'
    r'|"(pid|[a-z]+_s|cached|n_processors)": [^,\n]*'
)


def made_by_a_run(report: Path) -> str:
    """The report of the command that the documentation names."""
    words = ("run", "--cc", bundled_compiler(), "--seed", "7")
    words += ("--root", "/src", f"--cflag=-ffile-prefix-map={ROOT}=/src")
    words += ("--report-path", str(report), PROGRAM, "one", "two words")
    environment = {n: text for n, text in os.environ.items() if n != "PYTEST_CURRENT_TEST"}
    answer = subprocess.run(
        [sys.executable, "-m", "irsan", *words],
        cwd=ROOT,
        env={**environment, "ASAN_OPTIONS": "", "IRSAN_OPTIONS": ""},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert answer.returncode == 66, answer.stderr
    said = f'    "--cc",\n    "{bundled_compiler()}",\n'  # the documented command leaves it out
    return report.read_text().replace(said, "").replace(str(ROOT), "$PWD")


def test_the_sample_is_what_a_run_writes(tmp_path: Path) -> None:
    text = made_by_a_run(tmp_path / "sample.json")
    documented = DOCS.read_text()
    if os.environ.get("IRSAN_BLESS"):
        documented = _SAMPLE.sub(lambda _: text, documented, count=1)
        DOCS.write_text(documented)
    match = _SAMPLE.search(documented)
    assert match is not None
    assert _VARYING.sub("", match[0]) == _VARYING.sub("", text)


def test_the_sample_reads_back() -> None:
    match = _SAMPLE.search(DOCS.read_text())
    assert match is not None
    report = json_to_report(match[0])
    assert report_to_json(report) == match[0]
    assert report.program == PROGRAM and json.loads(match[0])["exit_status"] == 66
