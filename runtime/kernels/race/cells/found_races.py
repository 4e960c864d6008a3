"""Races found by the access in progress: all of them noted, one reported.

    found   a FoundRace each, of the PREVIOUS access; ctx.race.n_found of them
    pairs   u64[4096]       direct-mapped: (previous stack, current stack) reported, without locks

One access can race with several others: several concurrent readers, or different bytes with
different writers.  The report names the first whose pair of stacks is new; the whole list stays in
memory until the next slow access, its address and length are in the fault.

    fault   [0] DATA_RACE [1] address [2] size [3] kind [4] stack [5] tid of the access in progress,
            [6] epoch [7] stack [8] kind [9] address [10] bytes (in one cell) of the previous one,
            [11] length and [12] address of the found list, [14] epoch of the access in progress

Deviation: ThreadSanitizer blanks the shadow so that an address reports once; here the history stays
exact and repetitions are filtered by pair of stacks (its suppress_equal_stacks, order-sensitive
here; the host completes it).  ctx.race.dedupe = 0 turns the filter off.  The locks held do not
count, as the host leaves them out: a program with a lock for each object would have as many pairs.
Soundness: a pair may be forgotten when another takes its place in the filter: then it is reported
again and the host drops it.
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.depot import depot_parent, depot_site
from irsan.runtime.kernels.fuel import end_calm
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u64,
    store_u64,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    CAP_FOUND,
    CAP_PAIRS,
    FOUND_ADDR,
    PAIRS_ADDR,
    STACK_MASK,
)
from irsan.runtime.kernels.race.race_types import found_numbered
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.race.lock_records import LOCKSET_MARK

PAIR_SHIFT = 64 - 12
GOLDEN = 0x9E37_79B9_7F4A_7C15
DATA_RACE = int(FaultKind.DATA_RACE)
assert CAP_PAIRS == 1 << 12


@kernel
def note_race(ctx: Context, addr: u64, mask: u64, epoch: u64, meta: u64, kind: u64) -> None:
    """Note that the access in progress races with the access (epoch, meta, kind).

    addr  application address of the cell;  mask  bytes of the cell that race, bits 0 to 3
    """
    end_calm(ctx)
    index = ctx.race.n_found
    if index >= CAP_FOUND:
        return
    ctx.race.n_found = index + 1
    found = found_numbered(index)
    found.address = addr
    found.mask = u32(mask)
    found.kind = u32(kind)
    found.epoch = u32(epoch)
    found.stack = u32(meta & STACK_MASK)
    found.old_mask = u32(meta >> 28)


@kernel
def lockless_stack(stack: u64) -> u64:
    """The same stack without the mark of the locks held."""
    if depot_site(u32(stack)) & LOCKSET_MARK != 0:
        return u64(depot_parent(u32(stack)))
    return stack


@kernel
def is_new_pair(ctx: Context, previous: u64, current: u64) -> bool:
    """Whether this pair of stacks without locks was not reported yet; remembers it."""
    if ctx.race.dedupe == 0:
        return True
    key = (previous << 32) | current | (u64(1) << 28)
    slot = PAIRS_ADDR + ((key * GOLDEN) >> PAIR_SHIFT) * 8
    if load_u64(slot) == key:
        return False
    store_u64(slot, key)
    return True


@kernel
def lowest_byte(mask: u64) -> u64:
    """Index of the lowest set bit of a byte mask of a cell, 0 to 3."""
    if mask & 3 != 0:
        return 1 - (mask & 1)
    return 3 - ((mask >> 2) & 1)


@kernel
def count_bytes(mask: u64) -> u64:
    """Set bits of a byte mask of a cell."""
    pairs = (mask & 5) + ((mask >> 1) & 5)
    return (pairs & 3) + (pairs >> 2)


@kernel(outlined=True)
def race_report(ctx: Context, addr: u64, size_bytes: u64, kind: u64, stack: u64) -> None:
    """Report the first found race with a new pair of stacks; call when ctx.race.n_found > 0.

    Fills ctx.fault as pictured above and sets ctx.action.
    """
    index = u64(0)
    current = lockless_stack(stack)
    while index < ctx.race.n_found:
        found = found_numbered(index)
        if is_new_pair(ctx, lockless_stack(u64(found.stack)), current):
            break
        index += 1
    if index == ctx.race.n_found:
        ctx.race.n_repeated += 1
        return
    ctx.race.n_reported += 1
    found = found_numbered(index)
    previous_mask = u64(found.old_mask)
    ctx.fault[0] = DATA_RACE
    ctx.fault[1] = addr
    ctx.fault[2] = size_bytes
    ctx.fault[3] = kind
    ctx.fault[4] = stack
    ctx.fault[5] = thread_at(ctx.thread).tid
    ctx.fault[6] = u64(found.epoch)
    ctx.fault[7] = u64(found.stack)
    ctx.fault[8] = u64(found.kind)
    ctx.fault[9] = found.address + lowest_byte(previous_mask)
    ctx.fault[10] = count_bytes(previous_mask)
    ctx.fault[11] = ctx.race.n_found
    ctx.fault[12] = FOUND_ADDR
    ctx.fault[14] = u64(ctx.epoch)
    ctx.action = actions.REPORT
