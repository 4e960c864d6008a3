"""Frozen memory, in a process of its own: one that has a guest's arena is no host to be frozen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKS = Path(__file__).with_name("frozen_memory_checks.py")


def test_what_was_frozen_is_there_and_can_be_changed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(CHECKS)],
        capture_output=True, text=True, timeout=300, check=False,
        cwd=CHECKS.parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
