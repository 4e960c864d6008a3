"""Delay and preemption bounding: a run without preemptions, but for a few that are drawn.

    delay     threads in the order of their slots, each until it waits; at d - 1 drawn points the
              running one is passed over for the next
    preempt   the same points, but the next thread is drawn there, and wherever one waits

Most bugs need one or two.  Sources: Emmi, Qadeer, Rakamaric, "Delay-bounded scheduling", POPL 2011;
Musuvathi, Qadeer, "Iterative context bounding for systematic testing", PLDI 2007.
Deviation: points are drawn, not enumerated.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import b1, u64
from irsan.runtime.kernels.schedulers.draws import draw_below
from irsan.runtime.kernels.schedulers.pct import change_at
from irsan.runtime.kernels.schedulers.round_robin import robin_place
from irsan.runtime.layout.thread_states import RUNNABLE


@kernel(inlined=True)
def goes_on(ctx: Context) -> b1:
    """Whether the running thread can go on, and does not spin."""
    return thread_at(ctx.thread).state == RUNNABLE and ctx.explore.is_spinning == 0


@kernel
def default_place(ctx: Context) -> u64:
    """Without preemptions: the running thread, or the next one in the order of slots."""
    if goes_on(ctx):
        return thread_at(ctx.thread).run_index
    return robin_place(ctx)


@kernel
def delay_place(ctx: Context) -> u64:
    """The next thread in the order of slots where a delay was drawn or the running one waits."""
    return robin_place(ctx) if change_at(ctx) != 0 else default_place(ctx)


@kernel
def preempt_place(ctx: Context) -> u64:
    """Any other thread where a preemption was drawn, any one where the running one waits."""
    if change_at(ctx) == 0 and goes_on(ctx):
        return thread_at(ctx.thread).run_index
    current = thread_at(ctx.thread)
    if current.state != RUNNABLE:
        return draw_below(ctx, ctx.schedule.n_runnable)
    place = draw_below(ctx, ctx.schedule.n_runnable - 1)
    return place + 1 if place >= current.run_index else place
