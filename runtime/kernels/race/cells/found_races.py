"""Races found by the access in progress: all of them noted, one reported.

    found   32 bytes each   {cell address u64, mask u32, kind u32, epoch u32, stack u32,
                             size u32, spare u32} of the PREVIOUS access; ctx.race[N_FOUND] of them
    pairs   u64[4096]       direct-mapped: (previous stack, current stack) already reported

One access can race with several others: several concurrent readers, or different bytes with
different writers.  The report names the first whose pair of stacks is new; the whole list stays in
memory until the next slow access, its address and length are in the fault.

    fault   [0] DATA_RACE [1] address [2] size [3] kind [4] stack [5] tid of the access in progress,
            [6] epoch [7] stack [8] kind [9] address [10] bytes (in one cell) of the previous one,
            [11] length and [12] address of the found list, [14] epoch of the access in progress

Deviation: ThreadSanitizer blanks the shadow so that an address reports once; here the history stays
exact and repetitions are filtered by pair of stacks (its suppress_equal_stacks, order-sensitive
here; the host completes it).  ctx.race[DEDUPE] = 0 turns the filter off.
Soundness: a pair may be forgotten when another takes its place in the filter: then it is reported
again and the host drops it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    CAP_FOUND,
    CAP_PAIRS,
    DEDUPE,
    FOUND_ADDR,
    FOUND_BYTES,
    N_FOUND,
    N_REPEATED,
    N_REPORTED,
    PAIRS_ADDR,
    U64_0,
    U64_1,
    U64_2,
    U64_3,
    U64_8,
    U64_12,
    U64_16,
    U64_24,
    U64_28,
    U64_32,
    U64_STACK_MASK,
)
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.layout.faults import FaultKind

U64_FOUND = np.uint64(FOUND_ADDR)
U64_FOUND_BYTES = np.uint64(FOUND_BYTES)
U64_CAP_FOUND = np.uint64(CAP_FOUND)
U64_PAIRS = np.uint64(PAIRS_ADDR)
U64_PAIR_SHIFT = np.uint64(64 - 12)
U64_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
U64_DATA_RACE = np.uint64(int(FaultKind.DATA_RACE))
U64_20 = np.uint64(20)
assert CAP_PAIRS == 1 << 12


@kernel("void(ctx,u64,u64,u64,u64,u64)")
def note_race(ctx: Any, addr: Any, mask: Any, epoch: Any, meta: Any, kind: Any) -> Any:
    """Note that the access in progress races with the access (epoch, meta, kind).

    addr  application address of the cell;  mask  bytes of the cell that race, bits 0 to 3
    """
    index = ctx.race[N_FOUND]
    if index >= U64_CAP_FOUND:
        return
    ctx.race[N_FOUND] = index + U64_1
    entry = U64_FOUND + index * U64_FOUND_BYTES
    store_u64(entry, addr)
    store_u32(entry + U64_8, np.uint32(mask))
    store_u32(entry + U64_12, np.uint32(kind))
    store_u32(entry + U64_16, np.uint32(epoch))
    store_u32(entry + U64_20, np.uint32(meta & U64_STACK_MASK))
    store_u32(entry + U64_24, np.uint32(meta >> U64_28))


@kernel("b1(ctx,u64,u64)")
def is_new_pair(ctx: Any, previous: Any, current: Any) -> Any:
    """Whether this pair of stacks was not reported yet; remembers it."""
    if ctx.race[DEDUPE] == U64_0:
        return True
    key = (previous << U64_32) | current | (U64_1 << U64_28)
    slot = U64_PAIRS + ((key * U64_GOLDEN) >> U64_PAIR_SHIFT) * U64_8
    if load_u64(slot) == key:
        return False
    store_u64(slot, key)
    return True


@kernel("u64(u64)")
def lowest_byte(mask: Any) -> Any:
    """Index of the lowest set bit of a byte mask of a cell, 0 to 3."""
    if mask & U64_3 != U64_0:
        return U64_1 - (mask & U64_1)
    return U64_3 - ((mask >> U64_2) & U64_1)


@kernel("u64(u64)")
def count_bytes(mask: Any) -> Any:
    """Set bits of a byte mask of a cell."""
    pairs = (mask & np.uint64(5)) + ((mask >> U64_1) & np.uint64(5))
    return (pairs & U64_3) + (pairs >> U64_2)


@kernel("void(ctx,u64,u64,u64,u64)", outlined=True)
def race_report(ctx: Any, addr: Any, size_bytes: Any, kind: Any, stack: Any) -> Any:
    """Report the first found race with a new pair of stacks; call when ctx.race[N_FOUND] > 0.

    Fills ctx.fault as pictured above and sets ctx.action.
    """
    index = U64_0
    while index < ctx.race[N_FOUND]:
        entry = U64_FOUND + index * U64_FOUND_BYTES
        if is_new_pair(ctx, np.uint64(load_u32(entry + U64_20)), stack):
            break
        index += U64_1
    if index == ctx.race[N_FOUND]:
        ctx.race[N_REPEATED] += U64_1
        return
    ctx.race[N_REPORTED] += U64_1
    entry = U64_FOUND + index * U64_FOUND_BYTES
    previous_mask = np.uint64(load_u32(entry + U64_24))
    ctx.fault[0] = U64_DATA_RACE
    ctx.fault[1] = addr
    ctx.fault[2] = size_bytes
    ctx.fault[3] = kind
    ctx.fault[4] = stack
    ctx.fault[5] = thread_at(ctx.thread).tid
    ctx.fault[6] = np.uint64(load_u32(entry + U64_16))
    ctx.fault[7] = np.uint64(load_u32(entry + U64_20))
    ctx.fault[8] = np.uint64(load_u32(entry + U64_12))
    ctx.fault[9] = load_u64(entry) + lowest_byte(previous_mask)
    ctx.fault[10] = count_bytes(previous_mask)
    ctx.fault[11] = ctx.race[N_FOUND]
    ctx.fault[12] = U64_FOUND
    ctx.fault[14] = np.uint64(ctx.epoch)
    ctx.action = actions.REPORT
