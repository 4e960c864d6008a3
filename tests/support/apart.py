"""Tests in a process of their own: a folder's `*_checks.py`, which pytest does not collect."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.turns import VARIABLE

ROOT = Path(__file__).parents[2]


def run_apart(checks: Path) -> None:
    """Run the tests of a file in a new process, each of them; all pass."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(checks)],
        capture_output=True, text=True, timeout=300, check=False, cwd=ROOT,
        env={**os.environ, VARIABLE: "all"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
