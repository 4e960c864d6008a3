"""numpy is loaded without threads of its own, and nobody sees how."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import os
from irsan.numerics import load_numpy
load_numpy()
print(len(os.listdir("/proc/self/task")), os.environ.get("OPENBLAS_NUM_THREADS"))
"""


def loaded(wanted: str | None) -> list[str]:
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    if wanted is not None:
        environment["OPENBLAS_NUM_THREADS"] = wanted
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    ).stdout.split()


def test_no_thread_is_started_and_the_environment_stays() -> None:
    assert loaded(None) == ["1", "None"]


def test_what_the_user_asks_for_is_kept() -> None:
    assert loaded("1") == ["1", "1"]
