"""How a cell of the race shadow becomes a record, and a record a cell again.

    expand_cell    compact cell -> record of its one or two entries, or a copy of a shared record
    settle_cell    record -> compact cell where it fits, else the summary for the fast path

fasttrack.py says what cells are, race_records.py what records are.

Source: ours.
Soundness: exact: both forms say the same of each byte.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_words import (
    begin_expanded,
    is_expanded,
    is_paired,
    pack_half,
    record_of,
    release_record,
)
from irsan.runtime.kernels.race.cells.paired_cells import (
    are_writes,
    newer_of,
    older_of,
    put_pair,
)
from irsan.runtime.kernels.race.cells.race_records import (
    append_entry,
    bytes_at_epoch,
    is_over,
    new_record,
    record_to_address,
)
from irsan.runtime.kernels.race.cells.record_sharing import own_record
from irsan.runtime.kernels.race.clocks.generations import with_reader
from irsan.runtime.kernels.race.clocks.race_words import (
    ALLOCATION,
    DEAD,
    DEAD_EPOCH,
    FREE,
    LOW32,
    READ,
    WRITE,
)
from irsan.runtime.kernels.race.race_types import cell_at, entry_at, expanded_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64

WRITE_FLAGS = FREE | ALLOCATION | DEAD


@kernel
def append_half(rec: u64, half: u64, kind: u64) -> None:
    """Add what a half of a compact cell has to a record, unless that is nothing or over."""
    if half >> 60 != 0 and not is_over(half & LOW32, kind):
        append_entry(rec, half & LOW32, half >> 32, kind)


@kernel
def expand_cell(ctx: Context, cell: u64) -> u64:
    """Index of a record that the cell has alone: its own, or made, or copied; 0 = memory is full.

    An expanded cell has left its record then.
    """
    w = cell_at(cell).write
    r = cell_at(cell).read
    if is_expanded(r):
        own = own_record(ctx, record_of(w))
        if own == 0:
            release_record(ctx, cell, record_of(w))
        return own
    index = new_record(ctx, 0)
    if index == 0:
        return index
    rec = record_to_address(index)
    kind = u64(WRITE)
    begin_expanded(ctx, cell)
    if is_paired(w):
        kind = u64(are_writes(w))
        append_half(rec, older_of(w, r), kind)
        append_half(rec, newer_of(w, r), kind)
        return index
    is_dead = w & LOW32 == DEAD_EPOCH
    if is_dead or r & LOW32 == 0:
        kind |= (r >> 32) & WRITE_FLAGS
    if is_dead:
        w = (w & ~u64(LOW32)) | (r & LOW32)
    append_half(rec, w, kind)
    append_half(rec, r, READ)
    return index


@kernel
def write_pair(ctx: Context, cell: u64, rec: u64) -> bool:
    """Write a record of two entries as a paired cell if it fits; false: nothing was done."""
    one, other = entry_at(rec + 4).half, entry_at(rec + 16).half
    kind = u64(entry_at(rec + 4).kind)
    if kind > WRITE or kind != u64(entry_at(rec + 16).kind) or (one ^ other) >> 60 != 15:
        return False
    if one & LOW32 == u64(ctx.epoch):
        one, other = other, one
    put_pair(cell, other, one, kind == WRITE)
    return True


@kernel
def write_compact(cell: u64, rec: u64) -> bool:
    """Write the record at address `rec` as a compact cell if it fits; false: nothing was done."""
    w = u64(0)
    r = u64(0)
    entry = rec + 4
    end = entry + u64(expanded_at(rec).n) * 12
    while entry < end:
        half = entry_at(entry).half
        kind = u64(entry_at(entry).kind)
        entry += 12
        if kind & 3 == READ and r == 0:
            r = half
        elif kind & 3 == WRITE and w == 0 and (kind == WRITE or r == 0):
            w = half
            r |= (kind & WRITE_FLAGS) << 32
            if kind & DEAD != 0:
                if half >> 60 != 15:
                    return False
                w |= DEAD_EPOCH
                r |= half & LOW32
        else:
            return False
    cell_at(cell).write = w
    cell_at(cell).read = r
    return True


@kernel
def collapse(ctx: Context, cell: u64, index: u64) -> bool:
    """Make a cell compact again, if the record that it has alone fits; false: nothing was done."""
    rec = record_to_address(index)
    n = u64(expanded_at(rec).n)
    if n > 2 or not (write_compact(cell, rec) or (n == 2 and write_pair(ctx, cell, rec))):
        return False
    release_record(ctx, cell, index)
    return True


@kernel
def settle_cell(ctx: Context, cell: u64, index: u64, readers: u64) -> None:
    """Bring a cell up to date with its record: compact again, or expanded with its summary.

    readers  the read half whose set goes on, 0 = none
    """
    if collapse(ctx, cell, index):
        return
    rec = record_to_address(index)
    epoch = u64(ctx.epoch)
    written = bytes_at_epoch(rec, epoch, WRITE)
    cell_at(cell).write = pack_half(epoch if written != 0 else u64(0), written, index)
    read = bytes_at_epoch(rec, epoch, READ)
    cell_at(cell).read = with_reader(ctx, readers, read)


@kernel
def lose_history(ctx: Context, cell: u64) -> None:
    """Side memory is full: the cell forgets everything."""
    ctx.race.n_lost_cells += 1
    cell_at(cell).write = 0
    cell_at(cell).read = 0
