"""Standard streams that a run can rely on, however the process was started.

    descriptor closed      /dev/null takes its place, so that no other file gets its number; while a
                           program runs it is closed again, as the program may expect
    standard error full    the rest is lost; the exit status still says what was found
    text not encodable     file names in other encodings go out as their own bytes, or escaped

Streams that something else has put in place (a test's capture, an embedding program) stay.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import resource
import sys
from pathlib import Path
from typing import Any, Final

_STANDARD: Final = (0, 1, 2)
_HIGHEST: Final = 1 << 16  # a table of more descriptors costs each fork time
_N_OWN: Final = 16  # a report file of each format, and what irsan itself keeps open


class _ForgivingFile(io.FileIO):
    """A descriptor whose write errors lose the bytes and nothing else."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def open_standard_streams() -> None:
    """Make the three descriptors and sys.stdin, stdout, stderr usable."""
    fill_closed_descriptors()
    if sys.stdin is None:
        sys.stdin = _readable(0)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)
    elif sys.stdout is sys.__stdout__ and isinstance(sys.stdout, io.TextIOWrapper):
        is_utf8 = sys.stdout.encoding.lower() == "utf-8"
        sys.stdout.reconfigure(errors="surrogateescape" if is_utf8 else "backslashreplace")
    if sys.stderr is None or sys.stderr is sys.__stderr__:
        sys.stderr = forgiving_text(2, sys.stderr.encoding if sys.stderr is not None else None)


def _readable(descriptor: int) -> io.TextIOWrapper:
    """Text from a descriptor; from nowhere when that is a folder."""
    try:
        return os.fdopen(descriptor, closefd=False)
    except IsADirectoryError:
        return Path(os.devnull).open()


def fill_closed_descriptors() -> None:
    """Put /dev/null where a standard descriptor is closed."""
    for descriptor in _STANDARD:
        _open_if_closed(descriptor)


def empty_filled_descriptors() -> None:
    """Close what fill_closed_descriptors has opened: those alone are not inherited."""
    for descriptor in _STANDARD:
        with contextlib.suppress(OSError):
            if not os.get_inheritable(descriptor):
                os.close(descriptor)


def out_of_the_way(descriptor: int) -> int | None:
    """A copy with a number that a program does not get; None when there is no room for one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_below = 0 <= soft < _HIGHEST and (hard < 0 or soft + _N_OWN <= hard)
    lowest = soft if is_below else min(soft % (1 << 63), _HIGHEST) - _N_OWN
    try:
        if is_below:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft + _N_OWN, hard))
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, max(lowest, 3))
    except (OSError, ValueError):
        return None
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def silence_stdout() -> None:
    """Redirect the rest of the buffer of standard output, which cannot be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_if_closed(descriptor: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        found = os.open(os.devnull, os.O_RDWR)  # the lowest free number: nearly always this one
        if found != descriptor:
            os.dup2(found, descriptor, inheritable=False)
            os.close(found)


def forgiving_text(descriptor: int, encoding: str | None) -> io.TextIOWrapper:
    """Text to a descriptor; what it does not take is lost."""
    raw = io.BufferedWriter(_ForgivingFile(descriptor, "w", closefd=False))
    return io.TextIOWrapper(raw, encoding, "backslashreplace", line_buffering=True)
