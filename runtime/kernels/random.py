"""The seeded generator behind every random choice of a schedule: xoshiro256**.

State: four words of the Context, `ctx.rng`, filled from the seed by splitmix64 on the host
(`seed_words`).  The generator is the schedule: the same seed and the same sequence of questions
give the same run.

Source: Blackman, Vigna, "Scrambled linear pseudorandom number generators", TOMS 2021.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_5 = np.uint64(5)
U64_7 = np.uint64(7)
U64_9 = np.uint64(9)
U64_17 = np.uint64(17)
U64_19 = np.uint64(19)
U64_32 = np.uint64(32)
U64_45 = np.uint64(45)
U64_57 = np.uint64(57)
U64_64 = np.uint64(64)


@kernel("u64(ctx)", inlined=True)
def random_u64(ctx: Any) -> Any:
    """Next 64 random bits; mutates ctx.rng."""
    s0, s1, s2, s3 = ctx.rng[0], ctx.rng[1], ctx.rng[2], ctx.rng[3]
    x = s1 * U64_5
    result = ((x << U64_7) | (x >> U64_57)) * U64_9
    t = s1 << U64_17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = (s3 << U64_45) | (s3 >> U64_19)
    ctx.rng[0] = s0
    ctx.rng[1] = s1
    ctx.rng[2] = s2
    ctx.rng[3] = s3
    return result


@kernel("u64(ctx,u64)", inlined=True)
def random_below(ctx: Any, bound: Any) -> Any:
    """A number in [0, bound); bound below 2**32 (the bias of 2**-32 is accepted), 0 for bound 0."""
    return ((random_u64(ctx) >> U64_32) * bound) >> U64_32
