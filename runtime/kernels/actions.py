"""What a kernel asks of the glue that called it, through `ctx.action`.

A kernel returns its C value and leaves one of these behind; the glue acts after the call:

    NONE    return the value
    REPORT  switch to the host with the facts in ctx.fault, then return the value
    RETRY   let other threads run, then call the kernel again with the same arguments
    YIELD   let other threads run, then return the value
    CANCEL  end the thread as pthread_exit(PTHREAD_CANCELED) does
    HOST    switch to the host with ctx.event and ctx.event_args, then return ctx.event_result
"""

from typing import Final

NONE: Final = 0
REPORT: Final = 1
RETRY: Final = 2
YIELD: Final = 3
HOST: Final = 4
CANCEL: Final = 5
