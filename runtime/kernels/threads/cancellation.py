"""Whether the running thread must end now because it was cancelled."""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.actions import CANCEL
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.layout.thread_states import (
    WAIT_CONDITION,
    WAIT_INPUT,
    WAIT_JOIN,
    WAIT_SEMAPHORE,
    WAIT_SLEEP,
)

U64_0 = np.uint64(0)
DISABLED = np.uint64(1)  # bits of thread.cancel_state
ASYNCHRONOUS = np.uint64(2)
#: bit per wait kind that is a cancellation point
CANCELABLE = np.uint64(
    1 << WAIT_CONDITION | 1 << WAIT_INPUT | 1 << WAIT_JOIN | 1 << WAIT_SEMAPHORE | 1 << WAIT_SLEEP
)


@kernel("b1(ctx)")
def cancel_due(ctx: Any) -> Any:
    """At a cancellation point: true, with the action set, when the thread must end here."""
    thread = thread_at(ctx.thread)
    if thread.cancel_pending == U64_0 or (thread.cancel_state & DISABLED) != U64_0:
        return False
    thread.cancel_pending = U64_0
    thread.cancel_state = DISABLED
    thread.resuming = U64_0
    ctx.action = CANCEL
    return True


@kernel("void(ctx)")
def end_if_cancelled(ctx: Any) -> None:
    """At a safepoint: the action is set when the thread was cancelled and may end anywhere."""
    thread = thread_at(ctx.thread)
    if thread.cancel_pending != U64_0 and (thread.cancel_state & ASYNCHRONOUS) != U64_0:
        cancel_due(ctx)
