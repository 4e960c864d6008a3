"""A plain read among the same thread's older reads, in a short record.

A thread that reads text does so byte by byte here and by the word there, and in each new epoch
again.  So its older entries have some of the bytes of a read, or more than those:

    before   W 1111 epoch 3 | R 0111 epoch 7 | R 1000 epoch 7          thread 2 is in its epoch 9
    read     0011 at epoch 9
    after    W 1111 epoch 3 | R 0100 epoch 7 | R 1000 epoch 7 | R 0011 epoch 9

The exact way (fasttrack.py) comes to the same entries in four passes, and looks whether other cells
have such a record; that is worth it where it was lately (`has_credit`), else this is.  A read that
races goes the exact way, too.

    a plain write or read of this epoch                             its bytes need not be recorded
    an older read of this thread                                    loses our bytes
    any other                                                       is left alone
    what is left of our bytes                                       a new entry, or in one of this
                                                                    epoch and stack

Source: the read map of FastTrack (PLDI 2009), rules [READ SHARED] and [READ SAME EPOCH], per byte.
Deviation: reads of other threads that happen before ours stay until the exact way drops them, as in
race_shared.py.
Soundness: exact.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_transitions import has_credit
from irsan.runtime.kernels.race.cells.cell_words import pack_half
from irsan.runtime.kernels.race.cells.race_records import NOT_SETTLED, SETTLED, merge_entry
from irsan.runtime.kernels.race.cells.race_shared import (
    EXACT_WAY,
    KNOWN,
    MANY_ENTRIES,
    NO_ENTRY,
    is_same_sid,
    put_entry_first,
    room_for_entry,
)
from irsan.runtime.kernels.race.clocks.race_words import LOW32, READ, WRITE
from irsan.runtime.kernels.race.race_types import entry_at, expanded_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u16, u32, u64

RECORDED = 3  # beside KNOWN and EXACT_WAY


@kernel
def is_short(ctx: Context, rec: u64) -> bool:
    """Whether a record is one for this way: of few entries, with nobody to share it."""
    return u64(expanded_at(rec).n) < MANY_ENTRIES and not has_credit(ctx)


@kernel
def needs_no_read(ctx: Context, half: u64, kind: u64) -> bool:
    """Whether a read of an entry's bytes need not be recorded: plain, and of this epoch."""
    return half & LOW32 == u64(ctx.epoch) and kind & 3 <= WRITE


@kernel
def add_read(ctx: Context, rec: u64, left: u64, stack: u64) -> u64:
    """Record a read of the bytes `left`, in the entry of this epoch and stack if there is one."""
    if merge_entry(rec, u64(ctx.epoch), left, stack, READ):
        return RECORDED
    place = room_for_entry(rec, u64(expanded_at(rec).n))
    if place == NO_ENTRY:
        return EXACT_WAY
    put_entry_first(rec, place, pack_half(u64(ctx.epoch), left, stack), READ)
    expanded_at(rec).flags = SETTLED
    return RECORDED


@kernel(outlined=True)
def put_read(ctx: Context, rec: u64, mask: u64, stack: u64) -> u64:
    """Record a plain read of bytes of a cell in the record at `rec`, which no other cell has.

    The read races with nothing.  KNOWN: nothing was to be recorded;  RECORDED;  EXACT_WAY: there is
    no room.  O(entries).
    """
    left = mask
    source = rec + 4
    target = source
    end = source + u64(expanded_at(rec).n) * 12
    while source < end:
        half = entry_at(source).half
        kind = u64(entry_at(source).kind)
        source += 12
        both = (half >> 60) & mask
        if needs_no_read(ctx, half, kind):
            left &= ~both
        elif kind == READ and is_same_sid(half, u64(ctx.epoch)):
            half &= ~(both << 60)
        if half >> 60 == 0:
            continue
        entry_at(target).half = half
        entry_at(target).kind = u32(kind)
        target += 12
    expanded_at(rec).n = u16((target - rec - 4) // 12)
    expanded_at(rec).flags = NOT_SETTLED
    return add_read(ctx, rec, left, stack) if left != 0 else u64(KNOWN)
