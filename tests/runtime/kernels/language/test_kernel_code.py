"""Code of kernels, in a process of its own: the checks free code that other tests would call."""

from __future__ import annotations

from pathlib import Path

from tests.support.apart import run_apart


def test_kernels_are_linked_and_called() -> None:
    run_apart(Path(__file__).with_name("kernel_code_checks.py"))
