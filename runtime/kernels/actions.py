"""What a kernel asks of the glue that called it, through `ctx.action`.

A kernel returns its C value and leaves one of these behind; the glue acts after the call:

    NONE    return the value
    REPORT  switch to the host with the facts in ctx.fault, then return the value
    RETRY   let other threads run, then call the kernel again with the same arguments
    YIELD   let other threads run, then return the value
    CANCEL  end the thread as pthread_exit(PTHREAD_CANCELED) does
    HOST    switch to the host with number and args of ctx.event, then return its result
    OBSERVE   switch to the host in the same way, then return the value
    ANNOUNCE  the same; the host's answer 1 means: call the kernel again
"""

from __future__ import annotations

from enum import IntEnum


class Action(IntEnum):
    """The values of `ctx.action`; kernels import them by their names below."""

    NONE = 0
    REPORT = 1
    RETRY = 2
    YIELD = 3
    HOST = 4
    CANCEL = 5
    OBSERVE = 6
    ANNOUNCE = 7


NONE, REPORT, RETRY, YIELD = Action.NONE, Action.REPORT, Action.RETRY, Action.YIELD
HOST, CANCEL, OBSERVE, ANNOUNCE = Action.HOST, Action.CANCEL, Action.OBSERVE, Action.ANNOUNCE
