"""numpy is loaded without threads of its own, and nobody sees how."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os
from irsan.runtime.numpy_import import import_numpy_alone
import_numpy_alone()
print(len(os.listdir("/proc/self/task")), os.environ.get("OPENBLAS_NUM_THREADS"))
"""


@pytest.mark.parametrize("wanted", [None, "1", "7"])
def test_no_thread_is_started_and_the_environment_stays(wanted: str | None) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    if wanted is not None:
        environment["OPENBLAS_NUM_THREADS"] = wanted
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == ["1", str(wanted)]
