"""Expanded cells: the exact history of four bytes when it does not fit into one cell.

A record is a multiple of 64 bytes at RECORDS_ADDR + index * 64:

    | n u16, class u8, settled u8 | entry 0 | entry 1 | ...   class c: 64 << c bytes, 5, 10, 21 ...
    entry   12 bytes  {epoch u32, meta u32 (bytes, stack id), kind u32}
    settled 1: the first entry is the newest access, and it raced with none (see race_shared.py);
            further bits: record_sharing.py, race_shared.py

An entry is one access that may still race with a later one.  When a new access of kind K reaches
bytes that an entry of kind O has, the entry loses those bytes if it happens before the new access
and everything that conflicts with O conflicts with K as well: whoever races with the old access
would race with the new one.  Conflicts and covers:

    conflict  at least one writes, not both atomic
    K covers O   iff   K is a plain write, or O is an atomic read, or K and O are alike

A DEAD entry happens before nothing, stays, and its bytes are recorded for nobody else.

and the new access need not be recorded on bytes where its own epoch has a covering entry already.
These two rules give FastTrack's states (one write epoch, one read epoch, read set) for plain
accesses, and keep for atomic ones the sets that a mixture with plain accesses needs.

The cell of an expanded record holds  {epoch, bytes plainly written at it | record index} and the
readers of this generation (generations.py), for the fast path.

Source: FastTrack2 (rules of 8.1 in the notes), generalised from {read, write} to the four kinds.
Deviations: bytes lost to a racing plain write are dropped, as FT2 keeps W up to date after a race.
Soundness: exact. When 16 GiB of records are in use a cell that needs one forgets its history,
counted in N_LOST_CELLS: it may miss a race, never invent one.
Invariant: n <= 12 * MAX_SIDS + 4, as per byte and sid at most one entry of each kind survives.
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
    real_memcpy,
    store_u8,
    store_u16,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.cells.found_races import note_race
from irsan.runtime.kernels.race.clocks.race_words import (
    N_RECORD_CLASSES,
    RECORD_BUMP,
    RECORD_FREE,
    RECORDS_ADDR,
    STACK_BITS,
    U64_0,
    U64_1,
    U64_2,
    U64_3,
    U64_4,
    U64_8,
    U64_12,
    U64_28,
    U64_ATOMIC,
    U64_DEAD,
    U64_STACK_MASK,
    U64_WRITE,
)
from irsan.runtime.kernels.race.clocks.vclock import epoch_before

UNIT_BYTES = 64
ENTRY_BYTES = 12
N_CLASSES = N_RECORD_CLASSES

NOT_SETTLED = np.uint8(0)
SETTLED = np.uint8(1)
U64_RECORDS = np.uint64(RECORDS_ADDR)
U64_UNIT_BITS = np.uint64(6)
U64_UNIT = np.uint64(UNIT_BYTES)
U64_LAST_UNIT = np.uint64((1 << STACK_BITS) - 1)
U64_60 = np.uint64(60)
U64_DEAD_OR_KIND = np.uint64(U64_DEAD | U64_3)
U64_BIGGEST = np.uint64(N_CLASSES - 1)


@kernel("u64(u64)")
def record_to_address(index: Any) -> Any:
    """Address of the record with an index."""
    return U64_RECORDS + (index << U64_UNIT_BITS)


@kernel("u64(ctx,u64)")
def new_record(ctx: Any, size_class: Any) -> Any:
    """Index of an empty record, 0 when side memory is full."""
    head = ctx.race[RECORD_FREE + np.int64(size_class)]
    if head != U64_0:
        rec = record_to_address(head)
        ctx.race[RECORD_FREE + np.int64(size_class)] = np.uint64(load_u32(rec + U64_4))
    else:
        head = ctx.race[RECORD_BUMP] + U64_1
        last = ctx.race[RECORD_BUMP] + (U64_1 << size_class)
        if last >= U64_LAST_UNIT:
            return U64_0
        ctx.race[RECORD_BUMP] = last
        rec = record_to_address(head)
    store_u16(rec, np.uint16(0))
    store_u16(rec + U64_2, np.uint16(size_class))
    return head


@kernel("void(ctx,u64)")
def free_record(ctx: Any, index: Any) -> Any:
    """Put a record on the free list of its class."""
    rec = record_to_address(index)
    word = RECORD_FREE + np.int64(load_u8(rec + U64_2))
    store_u32(rec + U64_4, np.uint32(ctx.race[word]))
    ctx.race[word] = index


@kernel("u64(ctx,u64)")
def grow_record(ctx: Any, index: Any) -> Any:
    """Index of a record with room for one more entry and the same entries; 0 when memory is full.

    The old record is freed if another one is returned.
    """
    rec = record_to_address(index)
    n = np.uint64(load_u16(rec))
    size_class = np.uint64(load_u8(rec + U64_2))
    if U64_4 + (n + U64_1) * U64_12 <= U64_UNIT << size_class:
        return index
    if size_class == U64_BIGGEST:
        return U64_0
    bigger = new_record(ctx, size_class + U64_1)
    if bigger == U64_0:
        return U64_0
    target = record_to_address(bigger)
    real_memcpy(target + U64_4, rec + U64_4, n * U64_12)
    store_u16(target, np.uint16(n))
    free_record(ctx, index)
    return bigger


@kernel("void(u64,u64,u64,u64)")
def append_entry(rec: Any, epoch: Any, meta: Any, kind: Any) -> Any:
    """Add an entry at the end of the record at address `rec`; there must be room."""
    n = np.uint64(load_u16(rec))
    entry = rec + U64_4 + n * U64_12
    store_u32(entry, np.uint32(epoch))
    store_u32(entry + U64_4, np.uint32(meta))
    store_u32(entry + U64_8, np.uint32(kind))
    store_u16(rec, np.uint16(n + U64_1))


@kernel("void(u64,u64)")
def swap_entries(a: Any, b: Any) -> Any:
    """Two entries of a record change places."""
    half, kind = load_u64(a), load_u32(a + U64_8)
    store_u64(a, load_u64(b))
    store_u32(a + U64_8, load_u32(b + U64_8))
    store_u64(b, half)
    store_u32(b + U64_8, kind)


@kernel("b1(u64,u64)")
def conflicts(one: Any, other: Any) -> Any:
    """Whether two kinds of access race when unordered: one writes, not both atomic."""
    return ((one | other) & U64_WRITE) > (one & other & U64_ATOMIC) >> U64_1


@kernel("b1(u64,u64)")
def covers(kind: Any, old: Any) -> Any:
    """Whether everything that conflicts with kind `old` conflicts with `kind`, too.

    A dead entry covers nothing: what it races with is told.
    """
    if kind & U64_DEAD != U64_0:
        return False
    kind &= U64_3
    old &= U64_3
    if kind == U64_WRITE or kind == old:
        return True
    return old == U64_ATOMIC


@kernel("u64(ctx,u64,u64,u64,u64)")
def check_entries(ctx: Any, rec: Any, addr: Any, mask: Any, kind: Any) -> Any:
    """Check an access against every entry of a record and drop the entries it makes superfluous.

    mask  bytes of the cell, bits 0 to 3;  addr  application address of the cell
    Returns the bytes on which the access must be recorded.  Notes races.  O(entries).
    """
    n = np.uint64(load_u16(rec))
    store_u8(rec + U64_3, NOT_SETTLED)
    epoch = np.uint64(ctx.epoch)
    left = mask
    source = rec + U64_4
    target = source
    end = source + n * U64_12
    while source < end:
        e = np.uint64(load_u32(source))
        meta = np.uint64(load_u32(source + U64_4))
        k = np.uint64(load_u32(source + U64_8))
        source += U64_12
        both = (meta >> U64_28) & mask
        if both != U64_0:
            is_dead = k & U64_DEAD != U64_0
            ordered = epoch_before(e, ctx.vc) and not is_dead
            if not ordered and conflicts(k, kind):
                note_race(ctx, addr, both, e, meta, k)
            if is_dead or (e == epoch and covers(k, kind)):
                left &= ~both
            elif covers(kind, k) and (ordered or kind & U64_3 == U64_WRITE):
                meta &= ~(both << U64_28)
        if meta >> U64_28 == U64_0:
            continue
        store_u32(target, np.uint32(e))
        store_u32(target + U64_4, np.uint32(meta))
        store_u32(target + U64_8, np.uint32(k))
        target += U64_12
    store_u16(rec, np.uint16((target - rec - U64_4) // U64_12))
    return left


@kernel("b1(u64,u64,u64,u64,u64)")
def merge_entry(rec: Any, epoch: Any, mask: Any, stack: Any, kind: Any) -> Any:
    """Add bytes to the entry of the same epoch, stack and kind; false when there is none."""
    entry = rec + U64_4
    end = entry + np.uint64(load_u16(rec)) * U64_12
    while entry < end:
        meta = np.uint64(load_u32(entry + U64_4))
        same_stack = meta & U64_STACK_MASK == stack
        if load_u32(entry) == epoch and same_stack and load_u32(entry + U64_8) == kind:
            store_u32(entry + U64_4, np.uint32(meta | (mask << U64_28)))
            return True
        entry += U64_12
    return False


@kernel("u64(u64,u64,u64)")
def bytes_at_epoch(rec: Any, epoch: Any, kind: Any) -> Any:
    """Bytes that have an entry of exactly this epoch and kind, and are not dead."""
    entry = rec + U64_4
    end = entry + np.uint64(load_u16(rec)) * U64_12
    mask = U64_0
    while entry < end:
        entry_kind = np.uint64(load_u32(entry + U64_8)) & U64_DEAD_OR_KIND
        if load_u32(entry) == epoch and entry_kind == kind:
            mask |= np.uint64(load_u32(entry + U64_4)) >> U64_28
        entry += U64_12
    return mask


@kernel("void(u64,u64)")
def drop_bytes(rec: Any, mask: Any) -> Any:
    """Take the bytes `mask` from every entry; entries without bytes go."""
    store_u8(rec + U64_3, NOT_SETTLED)
    source = rec + U64_4
    target = source
    end = source + np.uint64(load_u16(rec)) * U64_12
    while source < end:
        half = load_u64(source) & ~(mask << U64_60)
        kind = load_u32(source + U64_8)
        source += U64_12
        if half >> U64_60 == U64_0:
            continue
        store_u64(target, half)
        store_u32(target + U64_8, kind)
        target += U64_12
    store_u16(rec, np.uint16((target - rec - U64_4) // U64_12))
