"""Code of kernels, in a process of its own: the checks free code that other tests would call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKS = Path(__file__).with_name("kernel_code_checks.py")


def test_kernels_are_linked_and_called() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(CHECKS)],
        capture_output=True, text=True, timeout=300, check=False,
        cwd=CHECKS.parents[3],
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
