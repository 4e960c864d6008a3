"""A schedule's process seen from outside: its streams, its end, and what it has left behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from irsan.engine.commands.forking import memory_file
from irsan.explore.schedules import Ending, Limits

TIMED_OUT: Final = 124  # the exit status of timeout(1)
_LOOK_S: Final = 0.05  # between two looks at the size of the output
_PR_SET_CHILD_SUBREAPER: Final = 36
_MIB: Final = 1 << 20


class Streams:
    """Standard input, output and error of this process and its children, as files in memory."""

    def __init__(self) -> None:
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.renew()

    def renew(self) -> None:
        """Other files, as a process that will not end may still write to these."""
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            made = memory_file(name)
            os.dup2(made, number, inheritable=True)
            os.close(made)

    def rewind(self, stdin: bytes) -> None:
        """Nothing is written yet and all input is to be read."""
        for number in (1, 2):
            os.lseek(number, 0, os.SEEK_SET)
            os.ftruncate(number, 0)
        if stdin:
            os.ftruncate(0, 0)
            os.pwrite(0, stdin, 0)
        os.lseek(0, 0, os.SEEK_SET)

    def n_bytes(self) -> int:
        """Size of the larger of standard output and error."""
        return max(os.fstat(number).st_size for number in (1, 2))

    def output(self) -> bytes:
        """What was written to standard output."""
        size = os.fstat(1).st_size
        return os.pread(1, size, 0) if size else b""


@dataclass(frozen=True, slots=True)
class Watch:
    """How a process ended. ending: what it was stopped for, None when it ended by itself."""

    status: int
    signal: int
    ending: Ending | None = None


def await_child(child: int, limits: Limits, streams: Streams) -> Watch:
    """Wait for the end of a child, and stop it at its limits."""
    watch = os.pidfd_open(child)
    try:
        ending = await_end(watch, lambda: child, limits, streams)
    finally:
        os.close(watch)
    return watch_of(os.waitpid(child, 0)[1], ending)


def await_end(
    readable: int, child: Callable[[], int], limits: Limits, streams: Streams
) -> Ending | None:
    """Wait until a descriptor can be read as a process has ended, which is stopped at its limits.

    child: the process, which leads a group; 0 before there is one
    Returns what it was stopped for.
    """
    poll = select.poll()
    poll.register(readable, select.POLLIN)
    end_s = time.monotonic() + limits.time_s
    while not poll.poll(min(_LOOK_S, limits.time_s) * 1000):
        ending = _limit_reached(limits, end_s, streams)
        if ending is not None and child() > 0:
            _kill_group(child())
            return ending
    return None


def watch_of(status: int, ending: Ending | None) -> Watch:
    """How a process ended. status: as waitpid says it"""
    code = os.waitstatus_to_exitcode(status)
    return Watch(max(code, 0), max(-code, 0), ending)


def end_strays(child: int) -> bool:
    """End what the processes of a schedule have left running; whether there was something."""
    _kill_group(child)
    found = False
    while _reap_ended():
        found = True
        own = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
        for number in map(int, own.split()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        time.sleep(0.001)
    return found


def _reap_ended() -> bool:
    """Whether children remain once those that have ended are gone."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def _limit_reached(limits: Limits, end_s: float, streams: Streams) -> Ending | None:
    if streams.n_bytes() > limits.output_bytes:
        size = f"{limits.output_bytes // _MIB} MiB"
        return Ending(f"more than {size} of output", 128 + signal.SIGKILL, is_bad=True)
    if time.monotonic() >= end_s:
        return Ending(f"no end within {limits.time_s:g} s", TIMED_OUT, is_bad=True)
    return None


def _kill_group(child: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
