"""Races over ranges: memcpy and similar, malloc, free, and memory that begins a new life.

    range    | head bytes | whole cells, 16 bytes of shadow per 4 ............. | tail bytes |

    race_range     checked and recorded like the single accesses it stands for
    race_malloc    history gone; written by this thread, now, with the stack of the allocation
    race_forget    history gone (stacks, mappings)

How a block ends: race_free.py.

Edges are exact to the byte.  Of a big block only the beginning may be marked (big_marks.py); the
rest of its race shadow is zeroed where it is there, a long one given back to the system.

Source: ThreadSanitizer's MemoryRangeImitateWrite (tsan_rtl_access.cpp).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import DONTNEED, load_u32, real_madvise
from irsan.runtime.kernels.race.access import clip_to_arena
from irsan.runtime.kernels.race.big_marks import MARKED_UP_TO, marked_bytes
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.alike_cells import access_alike
from irsan.runtime.kernels.race.cells.cell_pages import FRESH_BYTES, make_fresh, zero_cells
from irsan.runtime.kernels.race.cells.cell_words import (
    addr_to_cell,
    cell_to_page,
    is_expanded,
    pack_half,
    record_of,
    release_record,
)
from irsan.runtime.kernels.race.cells.fasttrack import cell_access, forget_bytes
from irsan.runtime.kernels.race.cells.found_races import race_report
from irsan.runtime.kernels.race.cells.mapping_marks import forget_mapped, mark_fresh_cells
from irsan.runtime.kernels.race.cells.race_records import record_races_with, record_to_address
from irsan.runtime.kernels.race.cells.same_epoch import first_unknown, range_is_known
from irsan.runtime.kernels.race.clocks.race_words import (
    ALLOCATION,
    DEAD,
    DEAD_EPOCH,
    LOW32,
    RANGE,
    READ,
    SINGLE,
    WRITE,
)
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.race_detectors import (
    counts_free,
    detector_access,
    detector_restart,
)
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.race.sync_objects import sync_forget_range
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.layout.memory_map import RACE_SHADOW
from irsan.runtime.layout.options import RACE_DETECTOR

PAGE_MASK = 4095
DISCARD_FROM = 1 << 16
# Shadow of one application page of 4096 bytes.
PAGE_SHADOW = 4096 * 4


@kernel
def head_mask(addr: u64, end: u64) -> u64:
    """Bytes of the first cell of [addr, end) when that cell is not covered whole, else 0."""
    first = addr & 3
    n = min(4 - first, end - addr)
    if n == 4:
        return 0
    return ((1 << n) - 1) << first


@kernel
def tail_mask(whole_lo: u64, end: u64) -> u64:
    """Bytes of the last, partly covered cell; `whole_lo` is where the whole cells start."""
    if end <= whole_lo:
        return 0
    return (1 << (end & 3)) - 1


@kernel
def access_whole_cells(ctx: Context, cell: u64, end: u64, kind: u64, stack: u64) -> None:
    """Check and record an access of all bytes of the cells [cell, end)."""
    if end - cell >= FRESH_BYTES:
        make_fresh(ctx, cell, end)
    cell = first_unknown(ctx, cell, end, kind != READ)
    while cell < end:
        alike_end = access_alike(ctx, cell, end, kind, stack)
        if alike_end == cell:
            cell_access(ctx, cell, 15, kind, stack)
            alike_end += 16
        cell = first_unknown(ctx, alike_end, end, kind != READ)


@kernel
def access_bytes(ctx: Context, addr: u64, end: u64, kind: u64, stack: u64) -> None:
    """Check and record an access to [addr, end) of the arena."""
    if ctx.options[RACE_DETECTOR] != 0:
        detector_access(ctx, addr, end - addr, kind, stack)
        return
    if end > ZONE_LO:
        mark_fresh_cells(max(addr, u64(ZONE_LO)), end)
    mask = head_mask(addr, end)
    if mask != 0:
        cell_access(ctx, addr_to_cell(addr), mask, kind, stack)
        addr = (addr | 3) + 1
    if addr >= end:
        return
    access_whole_cells(ctx, addr_to_cell(addr), addr_to_cell(end), kind, stack)
    mask = tail_mask(addr, end)
    if mask != 0:
        cell_access(ctx, addr_to_cell(end), mask, kind, stack)


@kernel(outlined=True)
def race_range(ctx: Context, addr: u64, size_bytes: u64, kind: u64) -> None:
    """Check and record an access of a function like memcpy to [addr, addr + size).

    kind  READ or WRITE, further bits are passed on to the fault.  O(size).
    """
    size_in_arena = clip_to_arena(addr, size_bytes)
    if ctx.ignore_depth != 0 or size_in_arena == 0:
        return
    end = addr + size_in_arena
    has_cells = ctx.options[RACE_DETECTOR] == 0 and end <= ZONE_LO
    if has_cells and range_is_known(ctx, addr, end, kind & WRITE != 0):
        return
    stack = u64(access_stack_id(ctx))
    ctx.race.n_found = 0
    access_bytes(ctx, addr, end, kind & 3, stack)
    if ctx.race.n_found != 0:
        race_report(ctx, addr, size_bytes, kind | RANGE, stack)


@kernel(outlined=True)
def release_records(ctx: Context, cell: u64, end: u64) -> None:
    """Free the records of all expanded cells of [cell, end), which the caller overwrites."""
    while cell < end:
        n_pages = (cell - RACE_SHADOW) // PAGE_SHADOW + 1
        page_end = min(RACE_SHADOW + n_pages * PAGE_SHADOW, end)
        page = cell_to_page(cell)
        while cell < page_end and load_u32(page) != 0:
            if is_expanded(cell_at(cell).read):
                release_record(ctx, cell, record_of(cell_at(cell).write))
                cell_at(cell).write = 0
                cell_at(cell).read = 0
            cell += 16
        cell = page_end


@kernel
def fill_cells(cell: u64, end: u64, w: u64, r: u64) -> None:
    """Store the halves w and r into every cell of [cell, end)."""
    while cell < end:
        cell_at(cell).write = w
        cell_at(cell).read = r
        cell += 16


@kernel
def clear_cells(cell: u64, end: u64) -> None:
    """Zero the cells of [cell, end); whole pages of a long stretch go back to the system."""
    if end - cell >= DISCARD_FROM and end > cell:
        first = (cell + PAGE_MASK) & ~u64(PAGE_MASK)
        last = end & ~u64(PAGE_MASK)
        fill_cells(cell, first, 0, 0)
        real_madvise(first, last - first, DONTNEED)
        cell = last
    fill_cells(cell, end, 0, 0)


@kernel
def restart_cells(ctx: Context, cell: u64, end: u64, flag: u64) -> None:
    """Replace the history of whole cells by a write of this thread, now; `flag` says which kind.

    A flag of 0 leaves no history at all.
    """
    if end <= cell:
        return
    release_records(ctx, cell, end)
    if flag == 0:
        clear_cells(cell, end)
        return
    marked = cell + marked_bytes(ctx, (end - cell) >> 2, flag) * 4
    epoch = u64(ctx.epoch)
    stack = u64(access_stack_id(ctx))
    if flag & DEAD != 0:
        dead = pack_half(DEAD_EPOCH, 15, stack)
        fill_cells(cell, marked, dead, (flag << 32) | epoch)
    else:
        fill_cells(cell, marked, pack_half(epoch, 15, stack), flag << 32)
    if end - marked > u64(MARKED_UP_TO) * 4:
        clear_cells(marked, end)
    elif marked < end:
        zero_cells(marked, end)


@kernel
def restart_edge(ctx: Context, addr: u64, mask: u64, flag: u64) -> None:
    """The same for some bytes of the cell of `addr`."""
    if mask == 0:
        return
    cell = addr_to_cell(addr)
    forget_bytes(ctx, cell, mask)
    if flag != 0:
        kind = u64(WRITE)
        if flag & DEAD != 0:
            kind |= flag
        cell_access(ctx, cell, mask, kind, u64(access_stack_id(ctx)))


@kernel(outlined=True)
def restart_bytes(ctx: Context, addr: u64, end: u64, flag: u64) -> None:
    """Replace the history of [addr, end) of the arena, edges exact to the byte."""
    if ctx.options[RACE_DETECTOR] != 0:
        detector_restart(ctx, addr, end, flag)
        return
    if end > ZONE_LO:
        forget_mapped(max(addr, u64(ZONE_LO)), end)
    mask = head_mask(addr, end)
    restart_edge(ctx, addr, mask, flag)
    if mask != 0:
        addr = (addr | 3) + 1
    if addr >= end:
        return
    restart_cells(ctx, addr_to_cell(addr), addr_to_cell(end), flag)
    restart_edge(ctx, end, tail_mask(addr, end), flag)


@kernel
def race_forget(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """Memory [addr, addr + size) begins a new life: no history, no sync objects.  O(size)."""
    size_in_arena = clip_to_arena(addr, size_bytes)
    if ctx.ignore_depth >= SINGLE or size_in_arena == 0:
        return
    sync_forget_range(ctx, addr, size_in_arena)
    restart_bytes(ctx, addr, addr + size_in_arena, 0)


@kernel(outlined=True)
def race_malloc(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A block is handed out: its bytes are written by this thread, now, here.  O(size).

    Accesses by threads that the allocation does not happen before race with it.
    """
    size_in_arena = clip_to_arena(addr, size_bytes)
    if ctx.ignore_depth >= SINGLE or size_in_arena == 0:
        return
    if ctx.ignore_depth != 0:
        race_forget(ctx, addr, size_in_arena)
        return
    restart_bytes(ctx, addr, addr + size_in_arena, ALLOCATION)


@kernel
def all_before(ctx: Context, cell: u64, end: u64) -> bool:
    """Whether all that [cell, end) remembers happens before now, as far as a write cares.

    With another detector the cells do not show it: false if it takes the end of a block for a
    write.
    """
    if ctx.options[RACE_DETECTOR] != 0:
        return not counts_free(ctx)
    while cell < end:
        w = cell_at(cell).write
        r = cell_at(cell).read
        if is_expanded(r):
            if record_races_with(ctx, record_to_address(record_of(w)), 15, WRITE):
                return False
        elif not (epoch_before(w & LOW32, ctx.vc) and epoch_before(r & LOW32, ctx.vc)):
            return False
        cell += 16
    return True
