"""Fuel: safepoints until the scheduler is asked, and the virtual time that spent ones stand for.

    ctx.fuel        safepoints left
    ctx.fuel_mark   what that was when its time was last counted: the difference has been spent

While one thread is alone, its work is what makes time pass: SAFEPOINT_NS each, about what a call or
a turn of a loop takes natively.  Programs that measure themselves (clock(), a loop that is repeated
until it has taken a while) need that.  With several threads time passes with scheduling.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel

SAFEPOINT_NS = np.uint64(4)
I64_0 = np.int64(0)


@kernel("void(ctx,i64)", inlined=True)
def set_fuel(ctx: Any, safepoints: Any) -> None:
    """So many safepoints are left; what has been spent stays spent."""
    ctx.fuel_mark += safepoints - ctx.fuel
    ctx.fuel = safepoints


@kernel("void(ctx)", inlined=True)
def forget_work(ctx: Any) -> None:
    """Safepoints spent so far stand for no time of their own."""
    ctx.fuel_mark = ctx.fuel


@kernel("void(ctx)", inlined=True)
def count_work(ctx: Any) -> None:
    """Let the time of spent safepoints pass."""
    spent = ctx.fuel_mark - ctx.fuel
    if spent > I64_0:
        ctx.clock_ns += np.uint64(spent) * SAFEPOINT_NS
    ctx.fuel_mark = ctx.fuel
