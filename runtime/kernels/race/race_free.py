"""How a block ends: its free counts as a write of all its bytes, then it is marked freed.

    checked    as a write; of a big block only what can have a history, the pages of race shadow
               that are there (race_unmap.py): most of a buffer of 1 MiB may never have been touched
    marked     a later access that is not ordered races with free; a poisoned block is marked at
               its beginning only, a big one has no shadow any more; without address checks the
               block is dead: any later access races with free

While one thread only has ever existed nothing is recorded, and so no use of a dead block would be
seen.  The first free of that time has accesses recorded for a while, ALONE_REFUELS * ALONE_FUEL
safepoints; what happens in that time to freed blocks is found, then speed counts again.

Source: ThreadSanitizer's MemoryRangeFreed (tsan_rtl_access.cpp).
Deviation: without address checks 64 KiB are marked where ThreadSanitizer v3 marks 1024 bytes.
Soundness: exact but for accesses beyond what is marked of a freed block (beyond POISONED_MARK, by
code without address checks, of a poisoned one), which are missed unless they race with an access,
too, for uses of dead blocks by a thread that has long been the only one, and for race shadow of big
blocks that was swapped out.
"""

from __future__ import annotations

from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.access import clip_to_arena
from irsan.runtime.kernels.race.big_marks import MARKED_UP_TO, WHOLE_UP_TO, give_credit
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.cell_pages import PAGE_MASK
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell
from irsan.runtime.kernels.race.cells.found_races import race_report
from irsan.runtime.kernels.race.clocks.race_words import (
    ALONE_FUEL,
    ALONE_REFUELS,
    DEAD,
    FREE,
    LOW32,
    SINGLE,
    WRITE,
)
from irsan.runtime.kernels.race.ignoring import set_ignored
from irsan.runtime.kernels.race.race_ranges import (
    access_bytes,
    all_before,
    race_forget,
    release_records,
    restart_bytes,
)
from irsan.runtime.kernels.race.race_unmap import write_cells, write_present
from irsan.runtime.kernels.race.sync_objects import sync_forget_range
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i64, u64
from irsan.runtime.layout.options import RACE_DETECTOR
from irsan.runtime.records.race.trace_records import INTO_PIPE

POISONED_MARK = 1024  # bytes of a poisoned block, for code without address checks


@kernel
def is_nothing_marked(ctx: Context) -> bool:
    """Whether a free leaves no mark, as one thread only has ever existed; the first one does."""
    if ctx.ignore_depth < SINGLE:
        return False
    if ctx.sanitize_address != 0 or ctx.race.alone != 0:
        return True
    if ctx.recording.mode == INTO_PIPE:
        return True
    ctx.race.alone = ALONE_REFUELS
    set_fuel(ctx, min(ctx.fuel, i64(ALONE_FUEL)))
    set_ignored(ctx, ctx.ignore_depth & LOW32)
    return False


@kernel
def are_marks_unread(ctx: Context) -> bool:
    """Whether freed blocks are poisoned, so that nobody would read their marks.

    A use is reported by the address check; what has the memory next begins a new history.
    """
    return ctx.heap.is_poisoning != 0 and ctx.options[RACE_DETECTOR] == 0


@kernel
def mark_poisoned(ctx: Context, addr: u64, end: u64) -> None:
    """A poisoned block [addr, end) of the arena is freed; code without address checks may use it.

    The race shadow of a big one, four times its bytes, is given back.  Any other one keeps what was
    there behind its first POISONED_MARK bytes, without records.
    """
    if end - addr > MARKED_UP_TO:
        restart_bytes(ctx, addr, end, 0)
        return
    marked = min(end, addr + u64(POISONED_MARK))
    restart_bytes(ctx, addr, marked, FREE)
    release_records(ctx, addr_to_cell(marked + 3), addr_to_cell(end))


@kernel(outlined=True)
def write_big_block(ctx: Context, cell: u64, end: u64, stack: u64) -> None:
    """A write to all bytes of the cells [cell, end), of which whole pages may not be there."""
    first = (cell + PAGE_MASK) & ~u64(PAGE_MASK)
    last = end & ~u64(PAGE_MASK)
    write_cells(ctx, cell, first, stack)
    write_present(ctx, first, last, stack)
    write_cells(ctx, last, end, stack)


@kernel
def write_block(ctx: Context, addr: u64, end: u64, stack: u64) -> None:
    """A write to all bytes of the block [addr, end), if that is not ordered anyway."""
    cell = addr_to_cell(addr)
    cells_end = addr_to_cell(end + 3)
    if end - addr > WHOLE_UP_TO and ctx.options[RACE_DETECTOR] == 0:
        give_credit(ctx, addr, end)
        write_big_block(ctx, cell, cells_end, stack)
    elif not all_before(ctx, cell, cells_end):
        access_bytes(ctx, addr, end, WRITE, stack)


@kernel(outlined=True)
def race_free(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A block is freed: races are reported, sync objects in it are forgotten, then it is marked.

    O(size).  The fault has the bits WRITE and FREE.  A dead block ends at a multiple of 4: the rest
    of its last cell holds no other block.
    """
    size_in_arena = clip_to_arena(addr, size_bytes)
    if size_in_arena == 0 or is_nothing_marked(ctx):
        return
    if ctx.ignore_depth != 0:
        race_forget(ctx, addr, size_in_arena)
        return
    stack = u64(access_stack_id(ctx))
    end = addr + size_in_arena
    ctx.race.n_found = 0
    write_block(ctx, addr, end, stack)
    if ctx.race.n_found != 0:
        race_report(ctx, addr, size_bytes, u64(WRITE) | FREE, stack)
    sync_forget_range(ctx, addr, size_in_arena)
    if are_marks_unread(ctx):
        mark_poisoned(ctx, addr, end)
    elif ctx.sanitize_address != 0:
        restart_bytes(ctx, addr, end, FREE)
    else:
        restart_bytes(ctx, addr, (end + 3) & ~u64(3), u64(FREE) | DEAD)
