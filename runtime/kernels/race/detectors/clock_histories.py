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

from typing import Any

import numpy as np

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
from irsan.runtime.kernels.race.cells.race_records import (
    U64_UNIT,
    conflicts,
    record_to_address,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    N_LOST_CELLS,
    U64_0,
    U64_1,
    U64_2,
    U64_3,
    U64_4,
    U64_8,
    U64_ALLOCATION,
    U64_ARENA_LO,
    U64_ATOMIC,
    U64_CLOCK_BITS,
    U64_FREE,
    U64_RACE_SHADOW,
    U64_WRITE,
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

U64_27 = np.uint64(27)
U64_STACK_BITS = np.uint64((1 << 27) - 1)
U64_WRITE_FLAGS = np.uint64(U64_FREE | U64_ALLOCATION)


@kernel("u64(u64)")
def addr_to_place(addr: Any) -> Any:
    """Place of a byte of the arena."""
    return unit_to_place(addr - U64_ARENA_LO)


@kernel("u64(u64)")
def place_to_addr(place: Any) -> Any:
    """The byte whose place it is."""
    return ((place - U64_RACE_SHADOW) >> U64_2) + U64_ARENA_LO


@kernel("u64(u64,u64,u64)")
def clock_entry(rec: Any, sid: Any, kind: Any) -> Any:
    """Address of the entry of a thread and a kind; the record must have room for both."""
    return rec + U64_8 + (sid * np.uint64(load_u8(rec + U64_3)) + kind) * U64_8


@kernel("b1(u64,u64,u64)")
def has_entry(rec: Any, sid: Any, kind: Any) -> Any:
    """Whether a record has room for a thread and a kind."""
    return sid < np.uint64(load_u16(rec)) and kind < np.uint64(load_u8(rec + U64_3))


@kernel("u64(u64,u64)")
def clocks_to_class(n_sids: Any, n_kinds: Any) -> Any:
    """Size class of a record for so many threads and kinds."""
    size_class = U64_0
    while U64_UNIT << size_class < U64_8 + n_sids * n_kinds * U64_8:
        size_class += U64_1
    return size_class


@kernel("u64(ctx,u64,u64)")
def new_clocks(ctx: Any, n_sids: Any, n_kinds: Any) -> Any:
    """Index of a record of zero clocks, with as many threads as its size allows; 0 when full."""
    size_class = clocks_to_class(n_sids, n_kinds)
    index = new_history(ctx, size_class)
    if index == U64_0:
        ctx.race[N_LOST_CELLS] += U64_1
        return U64_0
    rec = record_to_address(index)
    store_u16(rec, np.uint16(((U64_UNIT << size_class) - U64_8) // (n_kinds * U64_8)))
    store_u8(rec + U64_3, np.uint8(n_kinds))
    return index


@kernel("void(u64,u64)")
def copy_clocks(target: Any, source: Any) -> Any:
    """Copy all entries of the record at `source` to a zero record that has room for them."""
    n_kinds = np.uint64(load_u8(source + U64_3))
    n_entries = np.uint64(load_u16(source)) * n_kinds
    number = U64_0
    while number < n_entries:
        to = clock_entry(target, number // n_kinds, number % n_kinds)
        store_u64(to, load_u64(source + U64_8 + number * U64_8))
        number += U64_1


@kernel("u64(ctx,u64,u64,u64)")
def own_clocks(ctx: Any, place: Any, end: Any, kind: Any) -> Any:
    """The record of the run [place, end), no other's, with room for this thread's `kind`.

    Returns its address, 0 when memory is full: the run has no history then.
    """
    sid = np.uint64(ctx.epoch) >> U64_CLOCK_BITS
    index = np.uint64(load_u32(place))
    if index != U64_0:
        old = record_to_address(index)
        if has_entry(old, sid, kind):
            index = own_history(ctx, place, end, U64_0)
            return record_to_address(index) if index != U64_0 else U64_0
        n_sids = max(sid + U64_1, np.uint64(load_u16(old)))
        n_kinds = max(np.uint64(load_u8(old + U64_3)), (kind & U64_ATOMIC) + U64_2)
    else:
        old = U64_0
        n_sids = sid + U64_1
        n_kinds = (kind & U64_ATOMIC) + U64_2
    bigger = new_clocks(ctx, n_sids, n_kinds)
    if bigger != U64_0 and old != U64_0:
        copy_clocks(record_to_address(bigger), old)
    give_history(ctx, place, end, bigger)
    return record_to_address(bigger) if bigger != U64_0 else U64_0


@kernel("void(ctx,u64,u64,u64)")
def check_clocks(ctx: Any, place: Any, end: Any, kind: Any) -> Any:
    """Note the races of an access to the run [place, end) with what its record says.  O(threads)"""
    index = np.uint64(load_u32(place))
    if index == U64_0:
        return
    rec = record_to_address(index)
    n_kinds = np.uint64(load_u8(rec + U64_3))
    n_sids = np.uint64(load_u16(rec))
    sid = U64_0
    entry = rec + U64_8
    while sid < n_sids:
        known = load_u32(ctx.vc + sid * U64_4)
        old = U64_0
        while old < n_kinds:
            if load_u32(entry) > known and conflicts(old, kind):
                meta = np.uint64(load_u32(entry + U64_4))
                was = old | ((meta >> U64_27) & U64_WRITE_FLAGS)
                epoch = np.uint64(load_u32(entry))
                stack = meta & U64_STACK_BITS
                note_races(ctx, place_to_addr(place), place_to_addr(end), epoch, stack, was)
            old += U64_1
            entry += U64_8
        sid += U64_1


@kernel("void(ctx,u64,u64,u64,u64)")
def record_clocks(ctx: Any, place: Any, end: Any, kind: Any, meta: Any) -> Any:
    """Enter an access of this thread, now, into the record of the run [place, end)."""
    rec = own_clocks(ctx, place, end, kind)
    if rec == U64_0:
        return
    entry = clock_entry(rec, np.uint64(ctx.epoch) >> U64_CLOCK_BITS, kind)
    store_u32(entry, ctx.epoch)
    store_u32(entry + U64_4, np.uint32(meta))


@kernel("b1(ctx,u64,u64)")
def is_same_epoch(ctx: Any, place: Any, kind: Any) -> Any:
    """Whether this thread has made an access of `kind` to a unit in its present epoch."""
    index = np.uint64(load_u32(place))
    sid = np.uint64(ctx.epoch) >> U64_CLOCK_BITS
    if index == U64_0 or not has_entry(record_to_address(index), sid, kind):
        return False
    return load_u32(clock_entry(record_to_address(index), sid, kind)) == ctx.epoch


@kernel("void(ctx,u64,u64,u64,u64,b1)", inlined=True)
def access_clocks(
    ctx: Any, addr: Any, size_bytes: Any, kind: Any, stack: Any, skips_epoch: Any
) -> Any:
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


@kernel("void(ctx,u64,u64,u64,u64)")
def restart_clocks(ctx: Any, addr: Any, end: Any, flag: Any, stack: Any) -> Any:
    """Replace the history of [addr, end) by a write of this thread, now; by nothing with flag 0.

    flag  FREE or ALLOCATION;  end  at most what of a block is to be marked
    """
    place = addr_to_place(addr)
    forget_places(ctx, place, addr_to_place(end))
    if flag != U64_0:
        record_clocks(ctx, place, addr_to_place(end), U64_WRITE, stack | (flag << U64_27))
