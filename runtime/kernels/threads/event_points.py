"""Points before an operation that its caller makes again: may another thread go on first?

A kernel asks at its begin.  Where the answer is yes, the action is RETRY: another thread runs, and
the same call is made once more.  In a schedule that is explored such an operation is an event
(schedulers/exploring.py); else it is asked whether fuel is left.
"""

from __future__ import annotations

from irsan.runtime.kernels.actions import RETRY, YIELD
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.schedulers.exploring import event_point, point_behind
from irsan.runtime.layout.explore_words import WRITES


@kernel
def event_is_left(ctx: Context, addr: u64, needs: u64) -> bool:
    """An event comes next in a schedule that is explored: whether another thread goes on first.

    Then the action is RETRY.  False where nothing is explored.  needs: as of event_point.
    """
    if ctx.explore.is_on == 0:
        return False
    event_point(ctx, addr, WRITES, needs)
    if ctx.explore.chosen == 0:
        return False
    thread_at(ctx.thread).point.asks_again = 1
    ctx.action = RETRY
    return True


@kernel(inlined=True)
def release_is_left(ctx: Context, addr: u64) -> bool:
    """The running thread is about to give up a lock: as event_is_left, if others may try to lock.

    Who only locks cannot tell: it waits.
    """
    return ctx.explore.has_tries != 0 and event_is_left(ctx, addr, 0)


@kernel
def switch_behind(ctx: Context) -> None:
    """The running thread has let others go on, where only a schedule that is explored asks."""
    if ctx.explore.is_on != 0 and point_behind(ctx):
        ctx.action = YIELD


@kernel(inlined=True)
def wants_switch(ctx: Context, addr: u64, needs: u64) -> bool:
    """Whether a synchronisation call should let others run first; then the action is RETRY.

    addr: the object that the call is about;  needs: as of event_point.
    """
    if ctx.explore.is_on != 0:
        return event_is_left(ctx, addr, needs)
    if ctx.fuel > 0 or ctx.schedule.n_runnable <= 1:
        return False
    ctx.action = RETRY
    return True
