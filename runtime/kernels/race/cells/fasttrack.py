"""Race shadow cells: FastTrack's state of four application bytes in 16 bytes.

    cell of addr   memory_map.RACE_SHADOW + ((addr - ARENA_LO) & ~3) * 4

    |127  r_meta  96|95  r_epoch  64|63  w_meta  32|31  w_epoch  0|
    |bytes 4|1|readers 27|generation|bytes 4|record 28|    epoch  |   expanded

    compact    bytes of w_meta: last plainly written at w_epoch with its stack; bytes of r_meta:
               last plainly read at r_epoch, that being the only reader since the write
    flagged    as compact, with no bytes read and the stack field of r_meta FREE or ALLOCATION: the
               write was a free or a malloc (the flag goes with the next ordered read)
    dead       as flagged with FREE | DEAD, all four bytes, w_epoch DEAD_EPOCH, r_epoch that of the
               free: no clock knows the write's epoch, so every access comes to the exact way
    paired     bit 59 of the write half: two reads or two writes that share the bytes between them,
               and nothing else (paired_cells.py)
    expanded   bit 59 of the read half: race_records.py has the record.  The read half says which
               sids (0 to 26) have read at least those bytes in their present epochs, as long as
               no thread has begun a new epoch since (generations.py); the write half, which bytes
               were written at one epoch

What fits stays compact: the usual transitions of plain accesses are done in place
(compact_cells.py).
Everything else (bytes with different histories, a second concurrent reader, atomics, every race)
goes through an expanded record (cell_forms.py), which is collapsed again when the outcome fits;
plain accesses change a short one in place (short_records.py).  Cells with the same
history share its record, and take the same way on (record_sharing.py, cell_transitions.py).

Source: FastTrack2 (Flanagan and Freund, Williams College, 2017): same epoch, exclusive, share,
write; a read that races is recorded, a write that races replaces W, so a race is found once per
pair and epoch.
Deviations: R is dropped at a write that all reads happen before (the original's rule, which FT2
removed for the sake of its proof): exact, and it keeps cells compact.  What all threads know
(clocks/past_epochs.py) is dropped by whatever comes next, so bytes with different histories become
alike again.
Soundness: exact per byte.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_forms import (
    expand_cell,
    lose_history,
    settle_cell,
)
from irsan.runtime.kernels.race.cells.cell_transitions import (
    follow_transition,
    is_worth_remembering,
    remember_transition,
)
from irsan.runtime.kernels.race.cells.cell_words import (
    cell_to_addr,
    is_expanded,
    record_of,
    release_record,
)
from irsan.runtime.kernels.race.cells.compact_cells import try_read, try_write
from irsan.runtime.kernels.race.cells.race_records import (
    append_entry,
    check_entries,
    drop_bytes,
    grow_record,
    merge_entry,
    record_to_address,
)
from irsan.runtime.kernels.race.cells.race_shared import shared_access
from irsan.runtime.kernels.race.cells.record_interning import intern_record
from irsan.runtime.kernels.race.cells.record_sharing import is_shared
from irsan.runtime.kernels.race.cells.same_epoch import bytes_are_known
from irsan.runtime.kernels.race.cells.settled_runs import repeats_own
from irsan.runtime.kernels.race.cells.short_records import (
    read_beside,
    read_record,
    write_record,
)
from irsan.runtime.kernels.race.clocks.race_words import (
    ATOMIC,
    READ,
    STACK_MASK,
    WRITE,
)
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64

ATOMIC_WRITE = WRITE | ATOMIC


@kernel
def exact_access(ctx: Context, cell: u64, mask: u64, kind: u64, stack: u64) -> None:
    """Any access to any cell, through its record."""
    readers = cell_at(cell).read
    if kind != READ or not is_expanded(readers):
        readers = u64(0)
    index = expand_cell(ctx, cell)
    if index == 0:
        lose_history(ctx, cell)
        return
    rec = record_to_address(index)
    left = check_entries(ctx, rec, cell_to_addr(cell), mask, kind)
    epoch = u64(ctx.epoch)
    if left == 0 or merge_entry(rec, epoch, left, stack, kind):
        settle_cell(ctx, cell, index, readers)
        return
    bigger = grow_record(ctx, index)
    if bigger == 0:
        release_record(ctx, cell, index)
        lose_history(ctx, cell)
        return
    append_entry(record_to_address(bigger), epoch, (left << 28) | stack, kind)
    settle_cell(ctx, cell, bigger, readers)


@kernel
def intern_cell(ctx: Context, cell: u64) -> None:
    """Let a cell that has a record alone take an equal one that others have, if one is known."""
    w = cell_at(cell).write
    if is_expanded(cell_at(cell).read):
        rest = w & ~(u64(STACK_MASK) << 32)
        cell_at(cell).write = rest | (intern_record(ctx, record_of(w)) << 32)


@kernel(inlined=True)
def access_in_place(ctx: Context, cell: u64, mask: u64, kind: u64, stack: u64) -> bool:
    """An access that needs neither transitions nor the exact way; false: not done."""
    if kind == WRITE:
        return try_write(ctx, cell, mask, stack) or write_record(ctx, cell, mask, stack)
    if not is_expanded(cell_at(cell).read):
        return kind == READ and (
            try_read(ctx, cell, mask, stack) or read_beside(ctx, cell, mask, stack)
        )
    if kind > ATOMIC_WRITE:
        return False  # a dead block
    return (
        repeats_own(ctx, cell, mask, kind, stack)
        or (kind == READ and read_record(ctx, cell, mask, stack))
        or shared_access(ctx, cell, mask, kind, stack)
    )


@kernel
def repeats_epoch(ctx: Context, cell: u64, mask: u64, kind: u64) -> bool:
    """Whether a plain access repeats one of its thread in this epoch: a race was told then."""
    return kind <= WRITE and bytes_are_known(ctx, cell, mask, kind == WRITE)


@kernel(outlined=True)
def expanded_access(ctx: Context, cell: u64, mask: u64, kind: u64, stack: u64) -> None:
    """Any access to any cell: as it was done to a cell like this one, if it was, or exactly."""
    if follow_transition(ctx, cell, mask, kind, stack) or repeats_epoch(ctx, cell, mask, kind):
        return
    w = cell_at(cell).write
    r = cell_at(cell).read
    # A record that other cells have stays as it is, and they can take the same way.
    is_kept = not is_expanded(r) or is_shared(record_of(w))
    n_found = ctx.race.n_found
    exact_access(ctx, cell, mask, kind, stack)
    if kind > WRITE or ctx.race.n_found != n_found or not is_worth_remembering(ctx):
        return
    intern_cell(ctx, cell)
    if is_kept:
        remember_transition(ctx, cell, w, r, mask, kind, stack)


@kernel(outlined=True)
def cell_access(ctx: Context, cell: u64, mask: u64, kind: u64, stack: u64) -> None:
    """Check and record one access to bytes of one cell.

    cell  address in the shadow;  mask  bytes 0 to 3 of it;  kind  READ, WRITE or those | ATOMIC
    stack  stack id of the access.  Notes races in ctx.race.n_found.
    """
    if not access_in_place(ctx, cell, mask, kind, stack):
        expanded_access(ctx, cell, mask, kind, stack)


@kernel
def forget_bytes(ctx: Context, cell: u64, mask: u64) -> None:
    """Forget every access to the bytes `mask` of a cell; the others keep their history."""
    if cell_at(cell).write == 0 and cell_at(cell).read == 0:
        return
    index = expand_cell(ctx, cell)
    if index == 0:
        lose_history(ctx, cell)
        return
    rec = record_to_address(index)
    drop_bytes(rec, mask)
    settle_cell(ctx, cell, index, 0)
