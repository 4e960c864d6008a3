"""The common past: the epochs that happen before all that any thread will do from now on.

A thread's clock only grows, and a new thread begins with its creator's.  So the minimum of the
clocks of the living threads, entry by entry, bounds what a later access can race with: an access at
or before it is nobody's rival any more, and no cell has to remember it.

    COMMON_PAST   u32 per sid   its newest epoch that every living thread knows; always older than
                                the epoch that its owner is in
    LOWEST        u32 per sid   the minimum while it is worked out (past_of_threads.py)

It may lag behind, and what was once in it stays in it.

Source: ours; the idea is the low watermark of multiversion databases, below which versions are
garbage.
Soundness: exact, as far as the minimum is (past_of_threads.py).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    DONTNEED,
    load_u32,
    real_madvise,
    real_memset,
    store_u32,
)
from irsan.runtime.kernels.race.clocks.race_words import CLOCK_BITS, CLOCK_ROW_BYTES
from irsan.runtime.kernels.race.clocks.vclock import clock_join
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import memory_map

COMMON_PAST = memory_map.table("common past", 2 * CLOCK_ROW_BYTES)
LOWEST = COMMON_PAST + CLOCK_ROW_BYTES
ALL_ONES = 255  # each byte of an epoch that is above all others


@kernel(inlined=True)
def is_past(epoch: u64) -> bool:
    """Whether nothing that any thread will do can race with what happened at `epoch`."""
    return epoch <= u64(load_u32(u64(COMMON_PAST) + (epoch >> CLOCK_BITS) * 4))


@kernel
def begin_lowest(n: u64) -> None:
    """No thread bounds the past yet: all epochs of `n` sids are in it."""
    real_memset(u64(LOWEST), ALL_ONES, n * 4)


@kernel
def lower_by_clock(clock: u64, first: u64, n: u64) -> None:
    """One of the threads knows the epochs of a clock of the sids [first, n).  O(n)"""
    target = u64(LOWEST) + first * 4
    end = u64(LOWEST) + n * 4
    clock += first * 4
    while target < end:
        store_u32(target, min(load_u32(target), load_u32(clock)))
        target += 4
        clock += 4


@kernel
def lower_by_both(clock: u64, more: u64, n: u64) -> None:
    """One of the threads knows the `n` epochs of two clocks.  O(n)"""
    target = u64(LOWEST)
    end = target + n * 4
    while target < end:
        known = max(load_u32(clock), load_u32(more))
        store_u32(target, min(load_u32(target), known))
        target += 4
        clock += 4
        more += 4


@kernel
def lower_to(sid: u64, epoch: u64) -> None:
    """What a sid does after `epoch` is not in the past."""
    place = u64(LOWEST) + sid * 4
    store_u32(place, u32(min(u64(load_u32(place)), epoch)))


@kernel
def end_lowest(n: u64) -> None:
    """The minimum over `n` sids is complete: it is in the common past.  O(n)"""
    clock_join(u64(COMMON_PAST), u64(LOWEST), n)


@kernel
def forget_past() -> None:
    """Epochs begin anew: nothing is in the common past."""
    real_madvise(COMMON_PAST, CLOCK_ROW_BYTES, DONTNEED)
