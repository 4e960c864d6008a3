"""The seeded generator behind every random choice of a schedule: xoshiro256**.

State: four words of the Context, `ctx.schedule.rng`, filled from the seed by splitmix64 on the host
(`seed_words`).  The generator is the schedule: the same seed and the same sequence of questions
give the same run.

Source: Blackman, Vigna, "Scrambled linear pseudorandom number generators", TOMS 2021.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64


@kernel(inlined=True)
def mixed_u64(state: u64) -> u64:
    """What splitmix64 makes of a state: each bit depends on all of them.

    Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    """
    z = (state ^ (state >> 30)) * u64(0xBF58_476D_1CE4_E5B9)
    z = (z ^ (z >> 27)) * u64(0x94D0_49BB_1331_11EB)
    return z ^ (z >> 31)


@kernel(inlined=True)
def random_u64(ctx: Context) -> u64:
    """Next 64 random bits; mutates the state."""
    rng = ctx.schedule.rng
    s0, s1, s2, s3 = rng[0], rng[1], rng[2], rng[3]
    x = s1 * 5
    result = ((x << 7) | (x >> 57)) * 9
    t = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = (s3 << 45) | (s3 >> 19)
    rng[0] = s0
    rng[1] = s1
    rng[2] = s2
    rng[3] = s3
    return result


@kernel(inlined=True)
def random_below(ctx: Context, bound: u64) -> u64:
    """A number in [0, bound); bound below 2**32 (the bias of 2**-32 is accepted), 0 for bound 0."""
    return ((random_u64(ctx) >> 32) * bound) >> 32
