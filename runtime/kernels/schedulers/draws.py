"""Random choices of the strategies that explore: a generator of their own, splitmix64.

The program's draws (which waiter is woken, addresses of the guarded pool) come from ctx.rng.  Two
generators, so that a schedule that is replayed from its switches alone, without any draw of a
strategy, still sees the program's draws.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.random import mixed_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64

GOLDEN = 0x9E37_79B9_7F4A_7C15


@kernel(inlined=True)
def draw_u64(ctx: Context) -> u64:
    """Next 64 random bits; mutates ctx.explore.rng."""
    ctx.explore.rng = ctx.explore.rng + u64(GOLDEN)
    return mixed_u64(ctx.explore.rng)


@kernel(inlined=True)
def draw_below(ctx: Context, bound: u64) -> u64:
    """A number in [0, bound); bound below 2**32, 0 for bound 0."""
    return ((draw_u64(ctx) >> 32) * bound) >> 32
