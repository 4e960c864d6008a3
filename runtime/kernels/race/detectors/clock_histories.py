"""Vector clocks per location: the record that the detectors `vector` and `djit` share.

    record   {threads n u16, class u8, kinds per thread u8, units u32}
             n * kinds entries {epoch u32, stack id and flags u32}

    entry (thread, kind)   the thread's latest access of that kind: column `kind` is one vector
                           clock, R for plain reads and W for plain writes; two more, for atomic
                           accesses, are added with the first of these (kinds = 4)
    flags                  bit 29 the write was a free, bit 31 an allocation

A location is a byte; bytes with one history share a record (shared_histories.py).

Soundness: exact for the first race of every byte: of the accesses of one kind by one thread the
latest is the last that others can know, so looking at it alone is enough.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u16,
    load_u32,
    load_u64,
    store_u8,
    store_u16,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.cells.race_records import UNIT_BYTES, conflicts, record_to_address
from irsan.runtime.kernels.race.clocks.race_words import (
    ALLOCATION,
    ATOMIC,
    CLOCK_BITS,
    FREE,
    WRITE,
)
from irsan.runtime.kernels.race.detectors.shared_histories import (
    forget_places,
    give_history,
    new_history,
    note_races,
    own_history,
    run_end,
    unit_to_place,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u16, u32, u64
from irsan.runtime.layout.memory_map import ARENA_LO, RACE_SHADOW

STACK_BITS = (1 << 27) - 1
WRITE_FLAGS = FREE | ALLOCATION


@kernel
def addr_to_place(addr: u64) -> u64:
    """Place of a byte of the arena."""
    return unit_to_place(addr - ARENA_LO)


@kernel
def place_to_addr(place: u64) -> u64:
    """The byte whose place it is."""
    return ((place - RACE_SHADOW) >> 2) + ARENA_LO


@kernel
def clock_entry(rec: u64, sid: u64, kind: u64) -> u64:
    """Address of the entry of a thread and a kind; the record must have room for both."""
    return rec + 8 + (sid * u64(load_u8(rec + 3)) + kind) * 8


@kernel
def has_entry(rec: u64, sid: u64, kind: u64) -> bool:
    """Whether a record has room for a thread and a kind."""
    return sid < u64(load_u16(rec)) and kind < u64(load_u8(rec + 3))


@kernel
def clocks_to_class(n_sids: u64, n_kinds: u64) -> u64:
    """Size class of a record for so many threads and kinds."""
    size_class = u64(0)
    while UNIT_BYTES << size_class < 8 + n_sids * n_kinds * 8:
        size_class += 1
    return size_class


@kernel
def new_clocks(ctx: Context, n_sids: u64, n_kinds: u64) -> u64:
    """Index of a record of zero clocks, with as many threads as its size allows; 0 when full."""
    size_class = clocks_to_class(n_sids, n_kinds)
    index = new_history(ctx, size_class)
    if index == 0:
        ctx.race.n_lost_cells += 1
        return 0
    rec = record_to_address(index)
    store_u16(rec, u16(((UNIT_BYTES << size_class) - 8) // (n_kinds * 8)))
    store_u8(rec + 3, u8(n_kinds))
    return index


@kernel
def copy_clocks(target: u64, source: u64) -> None:
    """Copy all entries of the record at `source` to a zero record that has room for them."""
    n_kinds = u64(load_u8(source + 3))
    n_entries = u64(load_u16(source)) * n_kinds
    number = u64(0)
    while number < n_entries:
        to = clock_entry(target, number // n_kinds, number % n_kinds)
        store_u64(to, load_u64(source + 8 + number * 8))
        number += 1


@kernel
def own_clocks(ctx: Context, place: u64, end: u64, kind: u64) -> u64:
    """The record of the run [place, end), no other's, with room for this thread's `kind`.

    Returns its address, 0 when memory is full: the run has no history then.
    """
    sid = u64(ctx.epoch) >> CLOCK_BITS
    index = u64(load_u32(place))
    if index != 0:
        old = record_to_address(index)
        if has_entry(old, sid, kind):
            index = own_history(ctx, place, end, 0)
            return record_to_address(index) if index != 0 else u64(0)
        n_sids = max(sid + 1, u64(load_u16(old)))
        n_kinds = max(u64(load_u8(old + 3)), (kind & ATOMIC) + 2)
    else:
        old = u64(0)
        n_sids = sid + 1
        n_kinds = (kind & ATOMIC) + 2
    bigger = new_clocks(ctx, n_sids, n_kinds)
    if bigger != 0 and old != 0:
        copy_clocks(record_to_address(bigger), old)
    give_history(ctx, place, end, bigger)
    return record_to_address(bigger) if bigger != 0 else u64(0)


@kernel
def check_clocks(ctx: Context, place: u64, end: u64, kind: u64) -> None:
    """Note the races of an access to the run [place, end) with what its record says.  O(threads)"""
    index = u64(load_u32(place))
    if index == 0:
        return
    rec = record_to_address(index)
    n_kinds = u64(load_u8(rec + 3))
    n_sids = u64(load_u16(rec))
    sid = u64(0)
    entry = rec + 8
    while sid < n_sids:
        known = load_u32(ctx.vc + sid * 4)
        old = u64(0)
        while old < n_kinds:
            if load_u32(entry) > known and conflicts(old, kind):
                meta = u64(load_u32(entry + 4))
                was = old | ((meta >> 27) & WRITE_FLAGS)
                epoch = u64(load_u32(entry))
                stack = meta & STACK_BITS
                note_races(ctx, place_to_addr(place), place_to_addr(end), epoch, stack, was)
            old += 1
            entry += 8
        sid += 1


@kernel
def record_clocks(ctx: Context, place: u64, end: u64, kind: u64, meta: u64) -> None:
    """Enter an access of this thread, now, into the record of the run [place, end)."""
    rec = own_clocks(ctx, place, end, kind)
    if rec == 0:
        return
    entry = clock_entry(rec, u64(ctx.epoch) >> CLOCK_BITS, kind)
    store_u32(entry, ctx.epoch)
    store_u32(entry + 4, u32(meta))


@kernel
def is_same_epoch(ctx: Context, place: u64, kind: u64) -> bool:
    """Whether this thread has made an access of `kind` to a unit in its present epoch."""
    index = u64(load_u32(place))
    sid = u64(ctx.epoch) >> CLOCK_BITS
    if index == 0 or not has_entry(record_to_address(index), sid, kind):
        return False
    return load_u32(clock_entry(record_to_address(index), sid, kind)) == ctx.epoch


@kernel(inlined=True)
def access_clocks(
    ctx: Context, addr: u64, size_bytes: u64, kind: u64, stack: u64, skips_epoch: bool
) -> None:
    """Check and record an access to [addr, addr + size) of the arena.  O(bytes + runs * threads).

    skips_epoch  whether a thread's second access of `kind` in one epoch does nothing
    """
    place = addr_to_place(addr)
    end = addr_to_place(addr + size_bytes)
    while place < end:
        stop = run_end(place, end)
        if not (skips_epoch and is_same_epoch(ctx, place, kind)):
            check_clocks(ctx, place, stop, kind)
            record_clocks(ctx, place, stop, kind, stack)
        place = stop


@kernel
def restart_clocks(ctx: Context, addr: u64, end: u64, flag: u64, stack: u64) -> None:
    """Replace the history of [addr, end) by a write of this thread, now; by nothing with flag 0.

    flag  FREE or ALLOCATION;  end  at most what of a block is to be marked
    """
    place = addr_to_place(addr)
    forget_places(ctx, place, addr_to_place(end))
    if flag != 0:
        record_clocks(ctx, place, addr_to_place(end), WRITE, stack | (flag << 27))
