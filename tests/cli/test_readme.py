"""The report that README.md shows is what a run writes, but for pid, token and folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.support.irsan_runs import bundled_compiler

ROOT = Path(__file__).resolve().parents[2]
_SHOWN = re.compile(r"^    \$ irsan run (\S+)\n((?:(?:    .*)?\n)+)", re.MULTILINE)
_VARYING = re.compile(r"pid=\d+|(?<=1-0-O1-alt-)[0-9a-f]{8}|0x[0-9a-f]+")


def comparable(text: str) -> str:
    """The text without what another build of the program, or another process, has of its own."""
    return _VARYING.sub("*", text.strip())


def test_the_shown_report_is_real() -> None:
    [(program, shown)] = _SHOWN.findall((ROOT / "README.md").read_text())
    answer = subprocess.run(
        [sys.executable, "-m", "irsan", "run", "--cc", bundled_compiler(), program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    made = answer.stderr.replace(f"{ROOT}/", "/home/you/irsan/")
    made = re.sub(r"(?<=alt-[0-9a-f]{8}) --cc .*? (?=examples/)|--cc '[^']*' ", " ", made)
    lines = [line.removeprefix("    ") for line in shown.splitlines()]
    assert comparable(made) == comparable("\n".join(lines))
    assert answer.returncode == 66
