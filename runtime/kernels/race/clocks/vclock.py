"""Vector clocks: one row of u32 per thread slot, and the three things one does with them.

    CLOCKS + slot * 64 KiB    u32[4096]  clock of the thread: entry i, an epoch of sid i
                 + 16 KiB     u32[4096]  released clocks that relaxed loads have seen
                 + 32 KiB     u32[4096]  clock at the last release fence
                 + 48 KiB     u64        0 = the clock is a tree (clock_forms.py)
                              u64        1 = the two clocks before may hold something

Entries hold whole epochs (sid in the top bits) so that comparison and maximum need no mask: two
entries of one column have the same sid.  Joins and copies run over the first ctx.race.n_sids
columns only; columns beyond have never been in use and are zero everywhere.

Source: vector clocks of Fidge and Mattern (1988); epochs of FastTrack (Flanagan and Freund, PLDI
2009, section 3).
Deviation: entries are epochs, not bare clock values.
Invariant: clock[sid of ctx.epoch] == ctx.epoch for the running thread.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_memcpy, store_u32
from irsan.runtime.kernels.race.clocks.race_words import (
    CLOCK_BITS,
    CLOCK_SLOT_BYTES,
    CLOCKS,
)
from irsan.runtime.kernels.scalars import u64


@kernel
def slot_to_clock(slot: u64) -> u64:
    """Address of the vector clock of a thread slot."""
    return CLOCKS + slot * CLOCK_SLOT_BYTES


@kernel(inlined=True)
def epoch_before(epoch: u64, clock: u64) -> bool:
    """Whether what happened at `epoch` happens before the owner of `clock`; epoch 0 always does."""
    return epoch <= u64(load_u32(clock + (epoch >> CLOCK_BITS) * 4))


@kernel(inlined=True)
def clock_join(target: u64, source: u64, n: u64) -> None:
    """target := pointwise maximum of target and source over `n` entries.  O(n)."""
    end = target + n * 4
    while target < end:
        store_u32(target, max(load_u32(target), load_u32(source)))  # no branch: it would be random
        target += 4
        source += 4


@kernel
def clock_copy(target: u64, source: u64, n: u64) -> None:
    """target := source over `n` entries.  O(n)."""
    real_memcpy(target, source, n * 4)
