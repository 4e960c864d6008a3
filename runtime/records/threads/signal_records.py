"""Signals, forks and joins for the detector of misuse: fault numbers and words; no numba here.

The faults are those of FaultKind (runtime/layout/faults.py) that few kernels leave behind, so that
these alone depend on this file.

    thread.handler.top     top of the shadow call stack when the outermost handler was called
          .mask            signals blocked by the handlers in progress, bit n - 1 for signal n
          .state           number of the innermost one's signal | ASYNC when it came by itself
          .ran             handlers that ran since its wait for the outside began: RAN | ENDS

A handler may be left by longjmp or an exception: then the call stack is no higher than
`top`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from irsan.runtime.layout import memory_map


class ThreadFault(IntEnum):
    """What these kernels find, beside FaultKind."""

    SIGNAL_UNSAFE = 49  # [6] number of the signal whose handler calls
    ERRNO_SPOILED = 50  # [6] number of the signal, [7] address of its handler
    INVALID_JOIN = 51  # [6] JOIN_*
    THREAD_AFTER_FORK = 52


JOINED: Final = 1  # a thread that was joined, or has ended detached
DETACHED: Final = 2
NO_THREAD: Final = 3  # never was one: not reported, creating it may have failed

# bits of thread.handler.ran
RAN: Final = 1  # any: poll, select and epoll_wait end
ENDS: Final = 2  # one without SA_RESTART: read, write, accept, wait and similar calls end
ASYNC: Final = 1 << 8

# Signals that mean a fault of the running code: who sends one by pthread_kill means it so.
SYNCHRONOUS: Final = (4, 5, 6, 7, 8, 11, 13, 31)
SPOILED_ERRNO: Final = 99  # what errno is when a handler begins; no call of the C library sets it
SIGTERM: Final = 15
#: every signal whose default action ends the process, but SIGKILL and the C library's own two
FATAL_SIGNALS: Final = tuple(
    number for number in range(1, 65) if number not in (9, *range(17, 24), 28, 32, 33)
)
FIRST_REAL_TIME: Final = 32  # from here on each one that is sent waits
ALTERNATE_STACKS: Final = memory_map.table("alternate stacks", memory_map.MAX_LIVE_THREADS * 64)
