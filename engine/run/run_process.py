"""What a run does to the process it is in: buffers, core limit, timers, and the process's end."""

from __future__ import annotations

import ctypes
import locale
import os
import resource
import signal
import sys

from irsan.engine.guest.machine import Outcome
from irsan.runtime.flags.flags import Flags
from irsan.streams import silence_stdout

_BUFFER_BYTES = 4096
_FULLY_BUFFERED, _LINE_BUFFERED = 0, 1  # setvbuf's modes


def prepare_process(flags: Flags) -> None:
    """Streams, locale and limits as a program of its own finds them."""
    sys.stdout.flush()
    locale.setlocale(locale.LC_ALL, "C")  # Python has taken LC_CTYPE from the environment
    _buffer_standard_streams()
    if flags.get_bool("disable_coredump"):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _buffer_standard_streams() -> None:
    """What a C program finds at its start: `python -u` has made these streams unbuffered."""
    if not os.environ.get("PYTHONUNBUFFERED"):
        return
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    for name, number in (("stdin", 0), ("stdout", 1)):
        mode = _LINE_BUFFERED if os.isatty(number) else _FULLY_BUFFERED
        # Without a buffer of ours, a stream that was unbuffered keeps its one byte.
        buffer = ctypes.c_void_p(libc.malloc(_BUFFER_BYTES))
        stream = ctypes.c_void_p.in_dll(libc, name)
        libc.setvbuf(stream, buffer, mode, ctypes.c_size_t(_BUFFER_BYTES))


def disarm_timers() -> None:
    """A timer of the program would end this process once its handler is gone."""
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)


def flush_guest_streams() -> None:
    """Write what the program has put into streams of the C library."""
    ctypes.CDLL(None).fflush(None)


def end_process(outcome: Outcome, status: int, *, has_findings: bool) -> int:
    """End as the program did: by its signal, unless there are findings, or with `status`."""
    try:
        sys.stdout.flush()
    except OSError:
        silence_stdout()  # the sink has said so, and has written to standard error instead
    sys.stderr.flush()
    if outcome.signal and not has_findings:
        signal.signal(outcome.signal, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {outcome.signal})
        os.kill(os.getpid(), outcome.signal)
    os._exit(status)
