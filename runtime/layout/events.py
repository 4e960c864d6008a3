"""Why a guest thread switches to the host: numbers in `ctx.event.number`."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Event(IntEnum):
    """The values of `ctx.event.number`; others import them by their names below."""

    NONE = 0
    HOST_CALL = 1  # an interceptor the host serves: ctx.event.routine, ctx.event.args
    REPORT = 2  # a kernel found something: ctx.fault
    IDLE = 3  # no thread can ever run
    EXIT = 4  # the program ended: event_args[0] = status
    CRASH = 5  # a native fault: ctx.crash
    ALLOCATED = 8  # event_args: a new block, its size, the old one of realloc, measure now?
    FREEING = 9  # event_args[0] = a block about to be freed; 1 = go on
    CALLED = 10  # a function that the host has called has returned


NONE, HOST_CALL, REPORT, IDLE = Event.NONE, Event.HOST_CALL, Event.REPORT, Event.IDLE
EXIT, CRASH, CALLED = Event.EXIT, Event.CRASH, Event.CALLED
ALLOCATED, FREEING = Event.ALLOCATED, Event.FREEING

ERRNO_WORD: Final = 15  # of event_args: what errno is behind a routine of the host; 0: what it was

# what the host may answer to REPORT, in ctx.event.result
ONCE_MORE: Final = 1  # the kernel looks again
HANDLE_SIGNALS: Final = 2  # before that, the running thread's handlers that are due
