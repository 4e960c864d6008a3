"""One process, measured: wall time and processor time as the kernel accounts it.

Processor time (user + system of all its threads) is what ratios are made of: on a machine that
others use too, wall time measures them as well.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds, what the process printed on standard output, and its exit status."""

    wall_s: float
    cpu_s: float
    output: str
    errors: str
    status: int


def run_measured(
    command: Sequence[str], environment: Mapping[str, str], timeout_s: float
) -> Measured:
    """Run a command to its end; killed (status -9) after `timeout_s` seconds."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env={**os.environ, **environment},
        )
        timer = threading.Timer(timeout_s, process.kill)
        timer.start()
        _, wait_status, usage = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - started
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(wait_status)
        texts = []
        for stream in (output, errors):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
    return Measured(wall_s, usage.ru_utime + usage.ru_stime, *texts, process.returncode)
