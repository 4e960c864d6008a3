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

An atomic access is put in front, so that one which repeats it (`newest_covers`) is known for
superfluous without a look at the others, and without a stack.  What a thread repeats in a later
epoch mostly needs no pass at all (settled_runs.py).

Source: the read map of FastTrack (PLDI 2009), rule [READ SHARED]: the slot of a thread is written
over, those of others are not looked at.
Deviation: entries of other threads that ours covers are left for the exact way to drop: it comes
when the record is full or something plainly writes.
Soundness: exact.  An entry that is dropped later than it could be still names a true access.
Invariant: the cell's summary never claims a byte for this epoch that has no entry of it.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_transitions import (
    follow_transition,
    has_credit,
    remember_transition,
)
from irsan.runtime.kernels.race.cells.cell_words import is_expanded, pack_half, record_of
from irsan.runtime.kernels.race.cells.race_records import (
    NOT_SETTLED,
    UNIT_BYTES,
    covers,
    record_to_address,
)
from irsan.runtime.kernels.race.cells.record_sharing import is_named, may_change
from irsan.runtime.kernels.race.cells.settled_runs import (
    KINDS,
    MIXED,
    ONLY_READS,
    is_same_sid,
    own_run,
    put_entry,
    put_in_run,
)
from irsan.runtime.kernels.race.clocks.generations import with_reader
from irsan.runtime.kernels.race.clocks.race_words import (
    ATOMIC,
    CLOCK_BITS,
    DEAD,
    EXPANDED,
    LOW32,
    READ,
    WRITE,
)
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.race_types import cell_at, entry_at, expanded_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u16, u64

MANY_ENTRIES = 8
#: answers of `find_own_*` that are no address of an entry
NO_ENTRY = 0
KNOWN = 1  # an entry of this epoch covers the access
EXACT_WAY = 2  # a race, or bytes that do not fit


@kernel(inlined=True)
def find_own_read(ctx: Context, rec: u64, mask: u64) -> u64:
    """The entry of the record at `rec` that a plain read takes the place of, or an answer.

    The entry may be of this epoch: then there is nothing to record.
    mask  bytes of the cell.  O(entries); without branches, as their outcomes are random.
    """
    epoch = u64(ctx.epoch)
    own = u64(NO_ENTRY)
    unfit = False
    entry = rec + 4
    end = entry + u64(expanded_at(rec).n) * 12
    while entry < end:
        half = entry_at(entry).half
        kind = u64(entry_at(entry).kind)
        e = half & LOW32
        shares = (half >> 60) & mask != 0
        is_late = (not epoch_before(e, ctx.vc)) | (e == epoch)
        is_ours = shares & (kind == READ) & is_same_sid(half, epoch)
        is_whole = half >> 60 == mask
        is_late |= kind & DEAD != 0
        unfit |= shares & (kind & WRITE != 0) & is_late
        unfit |= is_ours & (not is_whole)
        own = entry if is_ours & is_whole else own
        entry += 12
    return u64(EXACT_WAY) if unfit else own


@kernel
def drop_entry(rec: u64, entry: u64) -> None:
    """Take an entry out of a record: the last one fills its place."""
    n = u64(expanded_at(rec).n) - 1
    last = rec + 4 + n * 12
    entry_at(entry).half = entry_at(last).half
    entry_at(entry).kind = entry_at(last).kind
    expanded_at(rec).n = u16(n)


@kernel
def races_plainly(ctx: Context, half: u64, old: u64, kind: u64) -> bool:
    """Whether an atomic access of `kind` races with an entry, which only a plain one can."""
    if old & ATOMIC != 0 or (old | kind) & WRITE == 0:
        return False
    return old & DEAD != 0 or not epoch_before(half & LOW32, ctx.vc)


@kernel
def find_own_atomic(ctx: Context, rec: u64, mask: u64, kind: u64) -> u64:
    """The same for an atomic access.  A second entry that it covers is dropped."""
    epoch = u64(ctx.epoch)
    own = u64(NO_ENTRY)
    entry = rec + 4
    while entry < rec + 4 + u64(expanded_at(rec).n) * 12:
        half = entry_at(entry).half
        old = u64(entry_at(entry).kind)
        here = entry
        entry += 12
        if (half >> 60) & mask == 0:
            continue
        if races_plainly(ctx, half, old, kind):
            return EXACT_WAY
        if not is_same_sid(half, epoch):
            continue
        if half & LOW32 == epoch and covers(old, kind):
            if half >> 60 & mask != mask:
                return EXACT_WAY
            put_entry(here, rec + 4, half, old)
            expanded_at(rec).flags = NOT_SETTLED  # what follows was not looked at
            return KNOWN
        if old & ATOMIC != 0 and old & kind == old:
            if half >> 60 != mask:
                return EXACT_WAY
            if own == NO_ENTRY:
                own = here
            else:
                drop_entry(rec, here)
                entry = here
    return own


@kernel
def join_readers(ctx: Context, cell: u64, mask: u64) -> None:
    """Note in an expanded cell that this thread has read `mask` at its present epoch."""
    cell_at(cell).read = with_reader(ctx, cell_at(cell).read, mask)


@kernel(inlined=True)
def newest_covers(ctx: Context, cell: u64, mask: u64, kind: u64) -> bool:
    """Whether an atomic access repeats the newest one: its entry, at this epoch, covers it."""
    if not is_expanded(cell_at(cell).read):
        return False
    first = record_to_address(record_of(cell_at(cell).write)) + 4
    half = entry_at(first).half
    if half & LOW32 != u64(ctx.epoch) or (half >> 60) & mask != mask:
        return False
    return covers(u64(entry_at(first).kind), kind)


@kernel
def room_for_entry(rec: u64, n: u64) -> u64:
    """The place of entry `n` + 1 of a record, which counts it from now on; NO_ENTRY: no room."""
    if 4 + (n + 1) * 12 > UNIT_BYTES << u64(expanded_at(rec).size_class):
        return NO_ENTRY
    expanded_at(rec).n = u16(n + 1)
    return rec + 4 + n * 12


@kernel
def has_only_reads(rec: u64) -> bool:
    """Whether all entries are plain reads: looked up once, until an entry of another kind comes."""
    flags = expanded_at(rec).flags
    if flags & (u8(ONLY_READS) | MIXED) != 0:
        return flags & ONLY_READS != 0
    entry = rec + 4
    end = entry + u64(expanded_at(rec).n) * 12
    while entry < end and u64(entry_at(entry).kind) == READ:
        entry += 12
    answer = u8(ONLY_READS) if entry == end else u8(MIXED)
    expanded_at(rec).flags = u8(flags | answer)
    return answer == ONLY_READS


@kernel
def read_at_home(ctx: Context, rec: u64, mask: u64, stack: u64) -> bool:
    """A plain read of what many read: a thread's entry stands where its sid says.

    So its next read is one look, however many readers there are, if no thread writes; else its
    first one in an epoch looks at all.  Two threads of one home look for their entries among all.
    False as in `shared_access`.
    """
    epoch, n = u64(ctx.epoch), u64(expanded_at(rec).n)
    home = rec + 4 + (epoch >> CLOCK_BITS) % n * 12
    half = entry_at(home).half
    is_read = u64(entry_at(home).kind) == READ
    if half & LOW32 == epoch and half >> 60 == mask and is_read:
        return True
    is_ours = is_read and is_same_sid(half, epoch)
    run = own_run(ctx, rec)
    if is_ours and half >> 60 == mask and has_only_reads(rec):
        entry_at(home).half = pack_half(epoch, mask, stack)
        if run == 0:
            expanded_at(rec).flags = ONLY_READS
        return True
    place = find_own_read(ctx, rec, mask)
    if place > EXACT_WAY and u64(entry_at(place).epoch) == epoch:
        return True
    if place == NO_ENTRY and not has_credit(ctx):
        place = room_for_entry(rec, n)
    if place <= EXACT_WAY:
        return False
    half, kinds = pack_half(epoch, mask, stack), u64(expanded_at(rec).flags) & KINDS
    if run != 0 or is_ours:
        put_in_run(rec, place, half, READ, run, kinds)
        return True
    put_entry(place, home, half, READ)
    expanded_at(rec).flags = u8(kinds)  # the newest entry is not in front
    return True


@kernel
def read_of_many(ctx: Context, cell: u64, mask: u64, stack: u64) -> bool:
    """A plain read of a cell like others: done as to them, or nothing.  False as below."""
    w = cell_at(cell).write
    if follow_transition(ctx, cell, mask, READ, stack):
        return True
    own = find_own_read(ctx, record_to_address(record_of(w)), mask)
    if own <= EXACT_WAY or u64(entry_at(own).epoch) != u64(ctx.epoch):
        return False
    join_readers(ctx, cell, mask)
    remember_transition(ctx, cell, w, EXPANDED, mask, READ, stack)
    return True


@kernel
def stays_shared(ctx: Context, rec: u64, n: u64, own: u64) -> bool:
    """Whether a record stays one of several readers after a read takes the place of `own`."""
    if own == NO_ENTRY and has_credit(ctx):
        return False  # the exact way looks for an equal record
    if n != 2 or own == NO_ENTRY:
        return n > 2
    other = rec + 4 if own != rec + 4 else rec + 4 + 12
    is_read = u64(entry_at(other).kind) == READ
    return is_read and not epoch_before(u64(entry_at(other).epoch), ctx.vc)


@kernel
def shared_access(ctx: Context, cell: u64, mask: u64, kind: u64, stack: u64) -> bool:
    """Check and record a plain read or an atomic access to an expanded cell.

    False: the access is not recorded, because it races or the record must be put in order.
    """
    index = record_of(cell_at(cell).write)
    if kind == READ and is_named(index) and read_of_many(ctx, cell, mask, stack):
        return True
    if not may_change(index):
        return False
    rec = record_to_address(index)
    if kind == READ:
        if u64(expanded_at(rec).n) >= MANY_ENTRIES:
            if not read_at_home(ctx, rec, mask, stack):
                return False
            join_readers(ctx, cell, mask)
            return True
        place = find_own_read(ctx, rec, mask)
        if place > EXACT_WAY and u64(entry_at(place).epoch) == u64(ctx.epoch):
            join_readers(ctx, cell, mask)
            return True
    else:
        place = find_own_atomic(ctx, rec, mask, kind)
    if place == KNOWN or place == EXACT_WAY:
        return place == KNOWN
    n = u64(expanded_at(rec).n)
    if kind == READ and not stays_shared(ctx, rec, n, place):
        return False
    if place == NO_ENTRY:
        place = room_for_entry(rec, n)
        if place == NO_ENTRY:
            return False
    # To make room for an atomic access entries may have been moved.
    run, kinds = u64(0), u64(MIXED)
    if kind == READ:
        run, kinds = own_run(ctx, rec), u64(expanded_at(rec).flags) & KINDS
    put_in_run(rec, place, pack_half(u64(ctx.epoch), mask, stack), kind, run, kinds)
    if kind == READ:
        join_readers(ctx, cell, mask)
    return True
