"""Fuel: safepoints until the scheduler is asked, and the virtual time that spent ones stand for.

    ctx.fuel                 safepoints left
    ctx.schedule.fuel_mark   what that was when its time was last counted: the rest has been spent

While one thread is alone, its work is what makes time pass: SAFEPOINT_NS each, about what a call or
a turn of a loop takes natively.  Programs that measure themselves (clock(), a loop that is repeated
until it has taken a while) need that.  With several threads time passes with scheduling.

Calm: a switch of threads costs what lies in the processor's caches.  While threads only compute,
each for itself, the order in which they do it changes nothing, so slices grow.  Whatever others can
see, an operation on threads, locks or atomics, or a race, ends that.

    ctx.turns.calm      slices that ran out since the last such operation
    ctx.turns.stretch   the present slice is 2^stretch times as long as usual
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i64, u64
from irsan.runtime.layout.thread_states import CALM_QUESTIONS, MAX_STRETCH

SAFEPOINT_NS = 4


@kernel(inlined=True)
def set_fuel(ctx: Context, safepoints: i64) -> None:
    """So many safepoints are left; what has been spent stays spent."""
    ctx.schedule.fuel_mark += safepoints - ctx.fuel
    ctx.fuel = safepoints


@kernel(inlined=True)
def forget_work(ctx: Context) -> None:
    """Safepoints spent so far stand for no time of their own."""
    ctx.schedule.fuel_mark = ctx.fuel


@kernel(inlined=True)
def work_spent(ctx: Context) -> i64:
    """Safepoints spent that stand for no time yet."""
    return ctx.schedule.fuel_mark - ctx.fuel


@kernel(inlined=True)
def count_work(ctx: Context) -> None:
    """Let the time of spent safepoints pass."""
    spent = work_spent(ctx)
    if spent > 0:
        ctx.schedule.clock_ns += u64(spent) * SAFEPOINT_NS
    ctx.schedule.fuel_mark = ctx.fuel


@kernel(inlined=True)
def mean_slice(ctx: Context) -> u64:
    """Mean safepoints of a slice that begins now."""
    return ctx.schedule.preempt_mean << ctx.turns.stretch


@kernel
def stretch_slice(ctx: Context) -> None:
    """Say how much longer than usual the next slice is.

    Not at all while a thread waits for a time, for the outside or for the end of the others: such
    waits end at questions to the scheduler.
    """
    ctx.turns.stretch = 0
    if ctx.schedule.n_timed != 0 or ctx.turns.exit_left != 0 or ctx.outside.n_trying != 0:
        return
    if ctx.turns.calm > CALM_QUESTIONS:
        ctx.turns.stretch = min(ctx.turns.calm - CALM_QUESTIONS, u64(MAX_STRETCH))


@kernel(inlined=True)
def end_calm(ctx: Context) -> None:
    """Something happened that others can see: slices are as short as usual, the present one too."""
    if ctx.turns.calm != 0:
        ctx.turns.calm = 0
        if ctx.turns.stretch != 0:
            ctx.turns.stretch = 0
            set_fuel(ctx, min(ctx.fuel, i64(ctx.schedule.preempt_mean)))
