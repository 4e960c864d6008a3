"""A plain access to a cell with a short record of its own, in one pass over the entries.

A thread that reads text does so byte by byte here and by the word there, and in each new epoch
again.  So its older entries have some of the bytes of a read, or more than those:

    before   W 1111 epoch 3 | R 0111 epoch 7 | R 1000 epoch 7          thread 2 is in its epoch 9
    read     0011 at epoch 9
    after    W 1111 epoch 3 | R 0100 epoch 7 | R 1000 epoch 7 | R 0011 epoch 9

The exact way (fasttrack.py) comes to the same entries in four passes, and looks whether other cells
have such a record; that is worth it where it was lately (`has_credit`), else this is.  An access
that races goes the exact way, too.

    both     an entry in the common past                  goes
    read     a plain write or read of this epoch          its bytes need not be recorded
             an older read of this thread                 loses our bytes
             any other                                    is left alone
    write    a plain write of this epoch                  its bytes need not be recorded
             any other, which happens before              loses our bytes

What is left of our bytes is a new entry, or joins one of this epoch and stack.

Source: the read map of FastTrack (PLDI 2009), rules [READ SHARED], [READ SAME EPOCH] and [WRITE],
per byte.
Deviation: reads of other threads that happen before a read of ours stay until the exact way drops
them, as in race_shared.py.
Soundness: exact.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_forms import collapse, expand_cell, settle_cell
from irsan.runtime.kernels.race.cells.cell_transitions import has_credit
from irsan.runtime.kernels.race.cells.cell_words import (
    EPOCH_AND_STACK,
    is_expanded,
    pack_half,
    record_of,
)
from irsan.runtime.kernels.race.cells.compact_cells import compact_races_with
from irsan.runtime.kernels.race.cells.race_records import (
    DEAD_OR_KIND,
    is_over,
    record_races_with,
    record_to_address,
)
from irsan.runtime.kernels.race.cells.race_shared import (
    MANY_ENTRIES,
    NO_ENTRY,
    join_readers,
    room_for_entry,
)
from irsan.runtime.kernels.race.cells.record_sharing import may_change
from irsan.runtime.kernels.race.cells.settled_runs import (
    MIXED,
    ONLY_READS,
    is_same_sid,
    note_run,
    own_run,
    put_in_run,
)
from irsan.runtime.kernels.race.clocks.generations import with_reader
from irsan.runtime.kernels.race.clocks.race_words import LOW32, READ, WRITE
from irsan.runtime.kernels.race.race_types import cell_at, entry_at, expanded_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u16, u32, u64

NO_ROOM = 256  # no bytes: the exact way
WRITTEN_SHIFT = 4


@kernel
def is_short(ctx: Context, rec: u64) -> bool:
    """Whether a record is one for this way: of few entries, with nobody to share it."""
    return u64(expanded_at(rec).n) < MANY_ENTRIES and not has_credit(ctx)


@kernel(inlined=True)
def add_bytes(rec: u64, n: u64, run: u64, place: u64, half: u64, kind: u64, kinds: u64) -> bool:
    """Record an access in the entry at `place`, if that is none in a new one; false: no room.

    n, run  entries of the record and of the thread's run;  half  epoch, bytes and stack
    kinds   of all entries (settled_runs.py)
    """
    expanded_at(rec).n = u16(n)
    note_run(rec, run, kinds)
    if half >> 60 == 0:
        return True
    if place != NO_ENTRY:
        entry_at(place).half |= half
        return True
    place = room_for_entry(rec, n)
    if place == NO_ENTRY:
        return False
    put_in_run(rec, place, half, kind, run, kinds)
    return True


@kernel(outlined=True)
def put_read(ctx: Context, rec: u64, mask: u64, stack: u64) -> u64:
    """Record a plain read of bytes of a cell in the record at `rec`, which races with nothing.

    The bytes that have been read in this epoch then; NO_ROOM: it is not recorded.  O(entries).
    """
    epoch = u64(ctx.epoch)
    own = pack_half(epoch, 0, stack)
    left, seen, place, n, run = mask, u64(0), u64(NO_ENTRY), u64(0), u64(0)
    kinds = u64(ONLY_READS)
    source = rec + 4
    target = source
    end = source + u64(expanded_at(rec).n) * 12
    run_end = source + own_run(ctx, rec) * 12
    while source < end:
        half, kind = entry_at(source).half, u64(entry_at(source).kind)
        source += 12
        if half & LOW32 == epoch:
            if kind & 3 <= WRITE:
                left &= ~(half >> 60)
            if kind == READ:
                seen |= half >> 60
                place = target if half & EPOCH_AND_STACK == own else place
        elif is_over(half & LOW32, kind):
            continue
        elif kind == READ and is_same_sid(half, epoch):
            half &= ~(mask << 60)
            if half >> 60 == 0:
                continue
        entry_at(target).half = half
        entry_at(target).kind = u32(kind)
        target += 12
        n += 1
        run += u64(source <= run_end)
        kinds = kinds if kind == READ else u64(MIXED)
    is_done = add_bytes(rec, n, run, place, own | left << 60, READ, kinds)
    return seen | left if is_done else u64(NO_ROOM)


@kernel(outlined=True)
def put_write(ctx: Context, rec: u64, mask: u64, stack: u64) -> u64:
    """The same for a plain write.

    The bytes that have been read in this epoch then, and above WRITTEN_SHIFT those written.
    """
    epoch = u64(ctx.epoch)
    own = pack_half(epoch, 0, stack)
    left, read, written, place, n, run = mask, u64(0), u64(0), u64(NO_ENTRY), u64(0), u64(0)
    source = rec + 4
    target = source
    end = source + u64(expanded_at(rec).n) * 12
    run_end = source + own_run(ctx, rec) * 12
    while source < end:
        half, kind = entry_at(source).half, u64(entry_at(source).kind)
        source += 12
        is_now = half & LOW32 == epoch
        if is_now and kind & DEAD_OR_KIND == WRITE:
            left &= ~(half >> 60)
            written |= half >> 60
            place = target if kind == WRITE and half & EPOCH_AND_STACK == own else place
        else:
            half &= ~(mask << 60)
            if half >> 60 == 0 or is_over(half & LOW32, kind):
                continue
            read |= half >> 60 if is_now and kind == READ else u64(0)
        entry_at(target).half = half
        entry_at(target).kind = u32(kind)
        target += 12
        n += 1
        run += u64(source <= run_end)
    is_done = add_bytes(rec, n, run, place, own | left << 60, WRITE, u64(MIXED))
    return read | (written | left) << WRITTEN_SHIFT if is_done else u64(NO_ROOM)


@kernel
def read_beside(ctx: Context, cell: u64, mask: u64, stack: u64) -> bool:
    """A plain read that a compact cell has no room for; false: it may race, or is not done here."""
    w, r = cell_at(cell).write, cell_at(cell).read
    if has_credit(ctx) or compact_races_with(ctx, w, r, mask, READ):
        return False
    index = expand_cell(ctx, cell)
    if index == 0:
        return False
    put_read(ctx, record_to_address(index), mask, stack)
    settle_cell(ctx, cell, index, 0)
    return True


@kernel
def is_own_short(ctx: Context, index: u64, mask: u64, kind: u64) -> bool:
    """Whether a record is short, of one cell alone, and a plain access does not race with it.

    The record is then going to change.
    """
    rec = record_to_address(index)
    is_quiet = is_short(ctx, rec) and may_change(index)
    return is_quiet and not record_races_with(ctx, rec, mask, kind)


@kernel
def read_record(ctx: Context, cell: u64, mask: u64, stack: u64) -> bool:
    """A plain read of a cell with a short record of its own; false: it races, or is not done."""
    index = record_of(cell_at(cell).write)
    if not is_own_short(ctx, index, mask, READ):
        return False
    seen = put_read(ctx, record_to_address(index), mask, stack)
    if seen == NO_ROOM:
        return False
    if not collapse(ctx, cell, index):
        join_readers(ctx, cell, seen)
    return True


@kernel
def write_record(ctx: Context, cell: u64, mask: u64, stack: u64) -> bool:
    """The same for a plain write, with which a new set of readers begins."""
    index = record_of(cell_at(cell).write)
    if not is_expanded(cell_at(cell).read) or not is_own_short(ctx, index, mask, WRITE):
        return False
    now = put_write(ctx, record_to_address(index), mask, stack)
    if now == NO_ROOM:
        return False
    if not collapse(ctx, cell, index):
        cell_at(cell).write = pack_half(u64(ctx.epoch), now >> WRITTEN_SHIFT, index)
        cell_at(cell).read = with_reader(ctx, 0, now & 15)
    return True
