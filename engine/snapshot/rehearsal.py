"""Which pages a process that goes on from a snapshot needs: a child that does its work finds out.

    subject    forks a child, which plays a run to its end and stops there
    take.py    asks the kernel which of the child's pages it has touched (other_process.py)

The kernel keeps for each page whether it was touched, but tells sums for each mapping.  So the
child makes a mapping of each page: neighbours differ in whether a core dump would have them.  A
restored process that reads any other page of a file gets its fifteen neighbours with it.

Sources: proc(5) on smaps and clear_refs, madvise(2); `do_fault_around` of Linux.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from irsan.engine.snapshot.other_process import PAGE_BYTES

_DONTDUMP: Final = 16
_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG
_LARGE_BYTES: Final = 1 << 30
_CLEAR_TOUCHED: Final = "1"
_MAX_S: Final = 60  # more than any machine takes for the sample
_MAX_PIECES: Final = 50_000  # of the 65530 mappings that a process may have


def rehearse(act: Callable[[], object]) -> int:
    """Do `act` in a child twice, as the first may have to build something; the second's number.

    That child has stopped where it would have ended, and ends with this process.
    """
    first = _fork(act, is_watched=False)
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    return _fork(act, is_watched=True)


def _fork(act: Callable[[], object], *, is_watched: bool) -> int:
    """A child that has done `act` and stopped, or has ended before."""
    child = os.fork()
    if child == 0:
        _play(act, is_watched=is_watched)
    os.waitid(os.P_PID, child, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
    return child


def _play(act: Callable[[], object], *, is_watched: bool) -> None:
    leave, own = os._exit, os.getpid()

    def stop(status: int) -> None:
        if os.getpid() == own:
            os.kill(own, signal.SIGSTOP)
        leave(status)  # also a process that the run has forked

    try:
        signal.alarm(_MAX_S)
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
        silent = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(silent, number)
        os.close(silent)
        os._exit = stop  # type: ignore[assignment]  # what a run ends by
        if is_watched:
            _make_pages_tell()
        act()
    finally:
        stop(1)


def _make_pages_tell() -> None:
    """Make each page a mapping, and forget which have been touched."""
    libc = ctypes.CDLL(None)
    pages = (page for lo, hi in _own_ranges() for page in range(lo, hi, 2 * PAGE_BYTES))
    for _, page in zip(range(_MAX_PIECES // 2), pages, strict=False):
        libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(PAGE_BYTES), _DONTDUMP)
    Path("/proc/self/clear_refs").write_text(_CLEAR_TOUCHED)


def _own_ranges() -> Iterator[tuple[int, int]]:
    """Memory of this process, but what irsan reserves and what the kernel gives each process."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        words = line.split(maxsplit=5)
        lo, hi = (int(part, 16) for part in words[0].split("-"))
        is_kernels = len(words) > 5 and words[5].startswith(("[v", "[stack"))
        if words[1][0] == "r" and words[1][3] == "p" and not is_kernels and hi - lo < _LARGE_BYTES:
            yield lo, hi
