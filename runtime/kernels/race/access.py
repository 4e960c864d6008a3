"""The exact way of a memory access: what the quick answers leave undecided.

    if (!race_read4_fast(ctx, addr)                      same_epoch.py: it is known
        && !race_read4_renewed(ctx, addr, site))         renewal.py: it takes a few steps
        race_access_slow(ctx, addr, 4, READ);

An access is cut into cells of four bytes.  A cell changes in place when its state stays
compact (fasttrack.py), its record is short (short_records.py) or has this thread's entry already
(settled_runs.py, race_shared.py); else expanded_access does it the exact way.  Two neighbouring
cells that are alike, an 8-byte variable, are done once.

The other detectors (`race_detector=`, race_detectors.py) take the same way in.

Source: FastTrack (Flanagan and Freund, PLDI 2009), section 3, figure 2.
Soundness: exact per byte, whichever way is taken.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.cell_transitions import (
    copy_state,
    follow_transition,
)
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell, is_expanded, record_of
from irsan.runtime.kernels.race.cells.compact_cells import try_read, try_write
from irsan.runtime.kernels.race.cells.fasttrack import (
    access_in_place,
    expanded_access,
    repeats_epoch,
)
from irsan.runtime.kernels.race.cells.found_races import race_report
from irsan.runtime.kernels.race.cells.mapping_marks import mark_fresh_cells
from irsan.runtime.kernels.race.cells.race_shared import shared_access
from irsan.runtime.kernels.race.cells.record_sharing import add_share, is_named, lend_share
from irsan.runtime.kernels.race.cells.settled_runs import repeats_own
from irsan.runtime.kernels.race.clocks.race_words import WRITE
from irsan.runtime.kernels.race.race_detectors import detector_access
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.layout.memory_map import ARENA_LO, ARENA_SIZE
from irsan.runtime.layout.options import RACE_DETECTOR


@kernel
def clip_to_arena(addr: u64, size_bytes: u64) -> u64:
    """How many of `size_bytes` from addr on lie in the arena; 0 when addr does not."""
    offset = addr - ARENA_LO
    if offset >= ARENA_SIZE:
        return 0
    return min(size_bytes, ARENA_SIZE - offset)


@kernel(inlined=True)
def access_word(ctx: Context, cell: u64, mask: u64, kind: u64, stack: u64) -> None:
    """One access to bytes of one cell: in place if that can be, else the exact way."""
    if not access_in_place(ctx, cell, mask, kind, stack):
        expanded_access(ctx, cell, mask, kind, stack)


@kernel(inlined=True)
def access_first(ctx: Context, cell: u64, kind: u64, stack: u64) -> bool:
    """A plain access to all bytes of a cell, if what it does can be done to another one like it."""
    w = cell_at(cell).write
    if not is_expanded(cell_at(cell).read):
        is_write = kind == WRITE
        done = try_write(ctx, cell, 15, stack) if is_write else try_read(ctx, cell, 15, stack)
        return done or follow_transition(ctx, cell, 15, kind, stack)
    return is_named(record_of(w)) and follow_transition(ctx, cell, 15, kind, stack)


@kernel(inlined=True)
def pair_in_place(ctx: Context, cell: u64, kind: u64, stack: u64) -> bool:
    """An access to two cells that have one record for themselves: the record changes in place.

    False: it is as it was, but for its stamp.
    """
    w = cell_at(cell).write
    if not is_expanded(cell_at(cell).read) or not lend_share(record_of(w)):
        return False
    done = kind != WRITE and (
        repeats_own(ctx, cell, 15, kind, stack) or shared_access(ctx, cell, 15, kind, stack)
    )
    add_share(record_of(w))
    if done:
        cell_at(cell + 16).read = cell_at(cell).read
    return done


@kernel(inlined=True)
def access_pair(ctx: Context, cell: u64, kind: u64, stack: u64) -> None:
    """An access to all bytes of two neighbouring cells: equal histories stay equal."""
    second = cell + 16
    one, other = cell_at(cell), cell_at(second)
    are_alike = one.write == other.write and one.read == other.read
    if are_alike and pair_in_place(ctx, cell, kind, stack):
        return
    if are_alike and kind <= WRITE and access_first(ctx, cell, kind, stack):
        if not copy_state(ctx, cell, second):
            access_word(ctx, second, 15, kind, stack)
        return
    access_word(ctx, cell, 15, kind, stack)
    access_word(ctx, second, 15, kind, stack)


@kernel
def access_cells(ctx: Context, addr: u64, end: u64, kind: u64, stack: u64) -> None:
    """An access to the bytes [addr, end), cell by cell."""
    here = addr
    while here < end:
        first = here & 3
        n = min(4 - first, end - here)
        mask = ((1 << n) - 1) << first
        cell = addr_to_cell(here)
        if not repeats_epoch(ctx, cell, mask, kind):
            access_word(ctx, cell, mask, kind, stack)
        here += n


@kernel
def race_access_slow(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> None:
    """Check and record an access of any size and alignment.

    addr  application address;  kind  READ or WRITE, | ATOMIC (race_words.py)
    On a race: ctx.fault and ctx.action = REPORT; all races of this access are in the found list.
    Foreign addresses and ignored accesses are skipped.  O(size).
    """
    size_in_arena = clip_to_arena(addr, size_bytes)
    if ctx.ignore_depth != 0 or size_in_arena == 0:
        return
    stack = u64(access_stack_id(ctx))
    ctx.race.n_found = 0
    if addr >= ZONE_LO:
        mark_fresh_cells(addr, addr + size_in_arena)
    if ctx.options[RACE_DETECTOR] != 0:
        detector_access(ctx, addr, size_in_arena, kind & 3, stack)
    elif addr & 3 == 0 and size_in_arena == 4:
        access_word(ctx, addr_to_cell(addr), 15, kind & 3, stack)
    elif addr & 3 == 0 and size_in_arena == 8:
        access_pair(ctx, addr_to_cell(addr), kind & 3, stack)
    else:
        access_cells(ctx, addr, addr + size_in_arena, kind & 3, stack)
    if ctx.race.n_found != 0:
        race_report(ctx, addr, size_bytes, kind, stack)
