"""What a kernel asks of the glue that called it, through `ctx.action`.

A kernel returns its C value and leaves one of these behind; the glue acts after the call:

    NONE    return the value
    REPORT  switch to the host with the facts in ctx.fault, then return the value
    RETRY   let other threads run, then call the kernel again with the same arguments
    YIELD   let other threads run, then return the value
    CANCEL  end the thread as pthread_exit(PTHREAD_CANCELED) does
    HOST    switch to the host with ctx.event and ctx.event_args, then return ctx.event_result
    OBSERVE   switch to the host in the same way, then return the value
    ANNOUNCE  the same; the host's answer 1 means: call the kernel again
"""

from typing import Final

NONE: Final = 0
REPORT: Final = 1
RETRY: Final = 2
YIELD: Final = 3
HOST: Final = 4
CANCEL: Final = 5
OBSERVE: Final = 6
ANNOUNCE: Final = 7
