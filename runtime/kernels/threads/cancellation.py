"""Whether the running thread must end now because it was cancelled."""

from __future__ import annotations

from irsan.runtime.kernels.actions import CANCEL
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.layout.thread_states import (
    WAIT_CONDITION,
    WAIT_INPUT,
    WAIT_JOIN,
    WAIT_SEMAPHORE,
    WAIT_SLEEP,
)

DISABLED = 1  # bits of thread.cancel.state
ASYNCHRONOUS = 2
#: bit per wait kind that is a cancellation point
CANCELABLE = (
    1 << WAIT_CONDITION | 1 << WAIT_INPUT | 1 << WAIT_JOIN | 1 << WAIT_SEMAPHORE | 1 << WAIT_SLEEP
)


@kernel
def cancel_due(ctx: Context) -> bool:
    """At a cancellation point: true, with the action set, when the thread must end here."""
    thread = thread_at(ctx.thread)
    if thread.cancel.pending == 0 or (thread.cancel.state & DISABLED) != 0:
        return False
    thread.cancel.pending = 0
    thread.cancel.state = DISABLED
    thread.wait.resuming = 0
    ctx.action = CANCEL
    return True


@kernel
def end_if_cancelled(ctx: Context) -> None:
    """At a safepoint: the action is set when the thread was cancelled and may end anywhere."""
    thread = thread_at(ctx.thread)
    if thread.cancel.pending != 0 and (thread.cancel.state & ASYNCHRONOUS) != 0:
        cancel_due(ctx)
