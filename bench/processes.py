"""One process, measured: wall time, processor time and peak memory as the kernel accounts them.

Processor time (user + system of all its threads) is what ratios are made of: on a machine that
others use too, wall time measures them as well.  Peak memory is that of the process or of the
largest that it started, whichever is larger.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

LAUNCHER_SOURCE = Path(__file__).resolve().parent / "launcher.c"


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds, bytes, what the process printed on standard output, and its exit status."""

    wall_s: float
    cpu_s: float
    output: str
    errors: str
    status: int
    peak_bytes: int = 0


def build_launcher(compiler: Sequence[str], folder: Path) -> Path:
    """The program that starts what is measured; CalledProcessError when it does not compile."""
    target = folder / "launcher"
    words = (*compiler, "-O1", str(LAUNCHER_SOURCE), "-o", str(target))
    subprocess.run(words, check=True, capture_output=True)
    return target


def run_measured(
    launcher: Path,
    command: Sequence[str],
    environment: Mapping[str, str],
    timeout_s: float,
    folder: Path | None = None,
) -> Measured:
    """Run a command in a folder to its end; killed (status -9) after `timeout_s` seconds."""
    with (
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
        tempfile.NamedTemporaryFile("r") as usage,
    ):
        started = time.perf_counter()
        process = subprocess.Popen(
            [str(launcher), usage.name, *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env={**os.environ, **environment},
            start_new_session=True,
            cwd=folder,
        )
        timer = threading.Timer(timeout_s, _kill_group, (process.pid,))
        timer.start()
        launched = process.wait()
        wall_s = time.perf_counter() - started
        timer.cancel()
        texts = []
        for stream in (output, errors):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
        words = usage.read().split()
    if launched != 0 or len(words) != 3:
        return Measured(wall_s, 0.0, *texts, launched or -signal.SIGKILL)
    cpu_us, peak_kib, status = map(int, words)
    code = os.waitstatus_to_exitcode(status)
    return Measured(wall_s, cpu_us / 1e6, *texts, code, peak_kib << 10)


def _kill_group(leader: int) -> None:
    """Ends the launcher and what it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
