"""Cells that several threads keep reading, or use atomically: their records, updated in place.

A location read by many threads, or used by atomics, stays expanded (race_records.py), and every
access in a new epoch must replace the entry of the same thread's older access.  The exact way in
fasttrack.py does so in four passes over the record: check and drop, look for a mergeable entry,
append, count the bytes of the epoch.  For a plain read and for atomics one pass is enough:

    an entry without a byte of ours, or that does not conflict       is left alone
    an entry that conflicts and does not happen before us            a race: the exact way
    this thread's entry, at this epoch, that covers ours             nothing is recorded
    this thread's entry, older, covered by ours, on the same bytes   becomes ours, where it stands
    no such entry, and room left                                     ours is added

While it pays (`has_credit`), a thread's first read goes the exact way instead, which looks for an
equal record (record_interning.py).

The newest entry is kept in front, so that an atomic access which repeats it (`newest_covers`) is
known for superfluous without a look at the others, and without a stack.  While a record is
`settled`, and one cell has it alone, what made the newest entry raced with nothing and nothing was
recorded since: the same thread's next access of that kind to the same bytes cannot race either, and
takes its place in O(1).

Source: the read map of FastTrack (PLDI 2009), rule [READ SHARED]: the slot of a thread is written
over, those of others are not looked at.
Deviation: entries of other threads that ours covers are left for the exact way to drop: it comes
when the record is full or something plainly writes.
Soundness: exact (the O(1) rule rests once a sid was reused too early: its new owner does not know
what the old one did).  An entry that is dropped later than it could be still names a true access.
Invariant: the cell's summary never claims a byte for this epoch that has no entry of it.
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
from irsan.runtime.kernels.race.cells.cell_transitions import (
    follow_transition,
    has_credit,
    remember_transition,
)
from irsan.runtime.kernels.race.cells.cell_words import is_expanded, pack_half, record_of
from irsan.runtime.kernels.race.cells.race_records import (
    NOT_SETTLED,
    SETTLED,
    U64_UNIT,
    covers,
    record_to_address,
    swap_entries,
)
from irsan.runtime.kernels.race.cells.record_sharing import is_named, may_change
from irsan.runtime.kernels.race.clocks.generations import with_reader
from irsan.runtime.kernels.race.clocks.race_words import (
    N_INEXACT_SIDS,
    U64_0,
    U64_1,
    U64_2,
    U64_3,
    U64_4,
    U64_8,
    U64_12,
    U64_ATOMIC,
    U64_CLOCK_BITS,
    U64_DEAD,
    U64_EXPANDED,
    U64_LOW32,
    U64_READ,
    U64_WRITE,
)
from irsan.runtime.kernels.race.clocks.vclock import epoch_before

U64_60 = np.uint64(60)
MANY_ENTRIES = U64_8
# Bits of the record's byte 3 beside SETTLED and NAMED (record_sharing.py).
ONLY_READS = np.uint8(4)
MIXED = np.uint8(8)
U8_0 = np.uint8(0)
#: answers of `find_own_*` that are no address of an entry
NO_ENTRY = U64_0
KNOWN = U64_1  # an entry of this epoch covers the access
EXACT_WAY = U64_2  # a race, or bytes that do not fit


@kernel("b1(u64,u64)")
def is_same_sid(half: Any, epoch: Any) -> Any:
    """Whether an entry's first word holds an epoch of the same sid as `epoch`."""
    return ((half & U64_LOW32) ^ epoch) >> U64_CLOCK_BITS == U64_0


@kernel("u64(ctx,u64,u64)", inlined=True)
def find_own_read(ctx: Any, rec: Any, mask: Any) -> Any:
    """The entry of the record at `rec` that a plain read takes the place of, or an answer.

    The entry may be of this epoch: then there is nothing to record.
    mask  bytes of the cell.  O(entries); without branches, as their outcomes are random.
    """
    epoch = np.uint64(ctx.epoch)
    own = NO_ENTRY
    unfit = False
    entry = rec + U64_4
    end = entry + np.uint64(load_u16(rec)) * U64_12
    while entry < end:
        half = load_u64(entry)
        kind = np.uint64(load_u32(entry + U64_8))
        e = half & U64_LOW32
        shares = (half >> U64_60) & mask != U64_0
        is_late = (not epoch_before(e, ctx.vc)) | (e == epoch)
        is_ours = shares & (kind == U64_READ) & is_same_sid(half, epoch)
        is_whole = half >> U64_60 == mask
        is_late |= kind & U64_DEAD != U64_0
        unfit |= shares & (kind & U64_WRITE != U64_0) & is_late
        unfit |= is_ours & (not is_whole)
        own = entry if is_ours & is_whole else own
        entry += U64_12
    return EXACT_WAY if unfit else own


@kernel("void(u64,u64)")
def drop_entry(rec: Any, entry: Any) -> Any:
    """Take an entry out of a record: the last one fills its place."""
    n = np.uint64(load_u16(rec)) - U64_1
    last = rec + U64_4 + n * U64_12
    store_u64(entry, load_u64(last))
    store_u32(entry + U64_8, load_u32(last + U64_8))
    store_u16(rec, np.uint16(n))


@kernel("b1(ctx,u64,u64,u64)")
def races_plainly(ctx: Any, half: Any, old: Any, kind: Any) -> Any:
    """Whether an atomic access of `kind` races with an entry, which only a plain one can."""
    if old & U64_ATOMIC != U64_0 or (old | kind) & U64_WRITE == U64_0:
        return False
    return old & U64_DEAD != U64_0 or not epoch_before(half & U64_LOW32, ctx.vc)


@kernel("void(u64,u64,u64,u64)")
def put_entry_first(rec: Any, place: Any, half: Any, kind: Any) -> Any:
    """Write an entry over the one at `place`, or at the end, and swap it with the first one."""
    first = rec + U64_4
    store_u64(place, load_u64(first))
    store_u32(place + U64_8, load_u32(first + U64_8))
    store_u64(first, half)
    store_u32(first + U64_8, np.uint32(kind))


@kernel("u64(ctx,u64,u64,u64)")
def find_own_atomic(ctx: Any, rec: Any, mask: Any, kind: Any) -> Any:
    """The same for an atomic access.  A second entry that it covers is dropped."""
    epoch = np.uint64(ctx.epoch)
    own = NO_ENTRY
    entry = rec + U64_4
    while entry < rec + U64_4 + np.uint64(load_u16(rec)) * U64_12:
        half = load_u64(entry)
        old = np.uint64(load_u32(entry + U64_8))
        here = entry
        entry += U64_12
        if (half >> U64_60) & mask == U64_0:
            continue
        if races_plainly(ctx, half, old, kind):
            return EXACT_WAY
        if not is_same_sid(half, epoch):
            continue
        if half & U64_LOW32 == epoch and covers(old, kind):
            if half >> U64_60 & mask != mask:
                return EXACT_WAY
            put_entry_first(rec, here, half, old)
            store_u8(rec + U64_3, NOT_SETTLED)  # what follows was not looked at
            return KNOWN
        if old & U64_ATOMIC != U64_0 and old & kind == old:
            if half >> U64_60 != mask:
                return EXACT_WAY
            if own == NO_ENTRY:
                own = here
            else:
                drop_entry(rec, here)
                entry = here
    return own


@kernel("void(ctx,u64,u64)")
def join_readers(ctx: Any, cell: Any, mask: Any) -> Any:
    """Note in an expanded cell that this thread has read `mask` at its present epoch."""
    store_u64(cell + U64_8, with_reader(ctx, load_u64(cell + U64_8), mask))


@kernel("b1(ctx,u64,u64,u64)", inlined=True)
def newest_covers(ctx: Any, cell: Any, mask: Any, kind: Any) -> Any:
    """Whether an atomic access repeats the newest one: its entry, at this epoch, covers it."""
    if not is_expanded(load_u64(cell + U64_8)):
        return False
    first = record_to_address(record_of(load_u64(cell))) + U64_4
    half = load_u64(first)
    if half & U64_LOW32 != np.uint64(ctx.epoch) or (half >> U64_60) & mask != mask:
        return False
    return covers(np.uint64(load_u32(first + U64_8)), kind)


@kernel("b1(ctx,u64,u64,u64,u64)", inlined=True)
def repeats_newest(ctx: Any, cell: Any, mask: Any, kind: Any, stack: Any) -> Any:
    """The newest access of a settled record again, in a later epoch: renew its entry."""
    rec = record_to_address(record_of(load_u64(cell)))
    half = load_u64(rec + U64_4)
    epoch = np.uint64(ctx.epoch)
    if load_u8(rec + U64_3) != SETTLED or half >> U64_60 != mask or not is_same_sid(half, epoch):
        return False
    if np.uint64(load_u32(rec + U64_12)) != kind or ctx.race[N_INEXACT_SIDS] != U64_0:
        return False
    if half & U64_LOW32 != epoch:
        store_u64(rec + U64_4, pack_half(epoch, mask, stack))
    if kind == U64_READ:
        join_readers(ctx, cell, mask)
    return True


@kernel("u64(u64,u64)")
def room_for_entry(rec: Any, n: Any) -> Any:
    """The place of entry `n` + 1 of a record, which counts it from now on; NO_ENTRY: no room."""
    if U64_4 + (n + U64_1) * U64_12 > U64_UNIT << np.uint64(load_u8(rec + U64_2)):
        return NO_ENTRY
    store_u16(rec, np.uint16(n + U64_1))
    return rec + U64_4 + n * U64_12


@kernel("b1(u64)")
def has_only_reads(rec: Any) -> Any:
    """Whether all entries are plain reads: looked up once, until an entry of another kind comes."""
    flags = load_u8(rec + U64_3)
    if flags & (ONLY_READS | MIXED) != U8_0:
        return flags & ONLY_READS != U8_0
    entry = rec + U64_4
    end = entry + np.uint64(load_u16(rec)) * U64_12
    while entry < end and np.uint64(load_u32(entry + U64_8)) == U64_READ:
        entry += U64_12
    answer = ONLY_READS if entry == end else MIXED
    store_u8(rec + U64_3, flags | answer)
    return answer == ONLY_READS


@kernel("b1(ctx,u64,u64,u64)")
def read_at_home(ctx: Any, rec: Any, mask: Any, stack: Any) -> Any:
    """A plain read of what many read: a thread's entry stands where its sid says.

    So its next read is one look, however many readers there are, if nobody writes; else its first
    one in an epoch looks at all.  Two threads of one home look for their entries among all.
    False as in `shared_access`.
    """
    epoch, n = np.uint64(ctx.epoch), np.uint64(load_u16(rec))
    home = rec + U64_4 + (epoch >> U64_CLOCK_BITS) % n * U64_12
    half = load_u64(home)
    is_read = np.uint64(load_u32(home + U64_8)) == U64_READ
    if half & U64_LOW32 == epoch and half >> U64_60 == mask and is_read:
        return True
    is_ours = is_read and half >> U64_60 == mask and is_same_sid(half, epoch)
    if is_ours and has_only_reads(rec):
        store_u64(home, pack_half(epoch, mask, stack))
        store_u8(rec + U64_3, ONLY_READS)
        return True
    place = find_own_read(ctx, rec, mask)
    if place == NO_ENTRY and not has_credit(ctx):
        place = room_for_entry(rec, n)
    if place <= EXACT_WAY:
        return False
    if np.uint64(load_u32(place)) != epoch:
        store_u64(place, pack_half(epoch, mask, stack))
        store_u32(place + U64_8, np.uint32(U64_READ))
    swap_entries(place, home)
    kinds = load_u8(rec + U64_3) & (ONLY_READS | MIXED)
    store_u8(rec + U64_3, kinds)  # the newest entry is not in front
    return True


@kernel("b1(ctx,u64,u64,u64)")
def read_of_many(ctx: Any, cell: Any, mask: Any, stack: Any) -> Any:
    """A plain read of a cell like others: done as to them, or nothing.  False as below."""
    w = load_u64(cell)
    if follow_transition(ctx, cell, mask, U64_READ, stack):
        return True
    own = find_own_read(ctx, record_to_address(record_of(w)), mask)
    if own <= EXACT_WAY or np.uint64(load_u32(own)) != np.uint64(ctx.epoch):
        return False
    join_readers(ctx, cell, mask)
    remember_transition(ctx, cell, w, U64_EXPANDED, mask, U64_READ, stack)
    return True


@kernel("b1(ctx,u64,u64,u64)")
def stays_shared(ctx: Any, rec: Any, n: Any, own: Any) -> Any:
    """Whether a record stays one of several readers after a read takes the place of `own`."""
    if own == NO_ENTRY and has_credit(ctx):
        return False  # the exact way looks for an equal record
    if n != U64_2 or own == NO_ENTRY:
        return n > U64_2
    other = rec + U64_4 if own != rec + U64_4 else rec + U64_4 + U64_12
    is_read = np.uint64(load_u32(other + U64_8)) == U64_READ
    return is_read and not epoch_before(np.uint64(load_u32(other)), ctx.vc)


@kernel("b1(ctx,u64,u64,u64,u64)")
def shared_access(ctx: Any, cell: Any, mask: Any, kind: Any, stack: Any) -> Any:
    """Check and record a plain read or an atomic access to an expanded cell.

    False: the access is not recorded, because it races or the record must be put in order.
    """
    index = record_of(load_u64(cell))
    if kind == U64_READ and is_named(index) and read_of_many(ctx, cell, mask, stack):
        return True
    if not may_change(index):
        return False
    rec = record_to_address(index)
    if kind == U64_READ:
        if np.uint64(load_u16(rec)) >= MANY_ENTRIES:
            if not read_at_home(ctx, rec, mask, stack):
                return False
            join_readers(ctx, cell, mask)
            return True
        place = find_own_read(ctx, rec, mask)
        if place > EXACT_WAY and np.uint64(load_u32(place)) == np.uint64(ctx.epoch):
            join_readers(ctx, cell, mask)
            return True
    else:
        place = find_own_atomic(ctx, rec, mask, kind)
    if place == KNOWN or place == EXACT_WAY:
        return place == KNOWN
    n = np.uint64(load_u16(rec))
    if kind == U64_READ and not stays_shared(ctx, rec, n, place):
        return False
    if place == NO_ENTRY:
        place = room_for_entry(rec, n)
        if place == NO_ENTRY:
            return False
    put_entry_first(rec, place, pack_half(np.uint64(ctx.epoch), mask, stack), kind)
    store_u8(rec + U64_3, SETTLED)
    if kind == U64_READ:
        join_readers(ctx, cell, mask)
    return True
