"""Fuel: safepoints until the scheduler is asked, and the virtual time that spent ones stand for.

    ctx.fuel                 safepoints left
    ctx.schedule.fuel_mark   what that was when its time was last counted: the rest has been spent

While one thread is alone, its work is what makes time pass: SAFEPOINT_NS each, about what a call or
a turn of a loop takes natively.  Programs that measure themselves (clock(), a loop that is repeated
until it has taken a while) need that.  With several threads time passes with scheduling.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i64, u64

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
def count_work(ctx: Context) -> None:
    """Let the time of spent safepoints pass."""
    spent = ctx.schedule.fuel_mark - ctx.fuel
    if spent > 0:
        ctx.schedule.clock_ns += u64(spent) * SAFEPOINT_NS
    ctx.schedule.fuel_mark = ctx.fuel
