"""Why a guest thread switches to the host: numbers in `ctx.event`."""

from typing import Final

NONE: Final = 0
HOST_CALL: Final = 1  # an interceptor the host serves: ctx.event_routine, ctx.event_args
ERRNO_WORD: Final = 15  # of event_args: what errno is behind a routine of the host; 0: what it was
REPORT: Final = 2  # a kernel found something: ctx.fault
IDLE: Final = 3  # no thread can ever run
EXIT: Final = 4  # the program ended: event_args[0] = status
CRASH: Final = 5  # a native fault: ctx.crash
CHECK_MAPPING: Final = 6  # is this foreign address readable? event_args[0] = address, [1] = size
THREAD_ENDED: Final = 7  # a detached or joined thread's slot can be recycled
ALLOCATED: Final = 8  # event_args: a new block, its size, the old one of realloc, measure now?
FREEING: Final = 9  # event_args[0] = a block about to be freed; 1 = go on
CALLED: Final = 10  # a function that the host has called has returned

# what the host may answer to REPORT, in ctx.event_result
ONCE_MORE: Final = 1  # the kernel looks again
HANDLE_SIGNALS: Final = 2  # before that, the running thread's handlers that are due
