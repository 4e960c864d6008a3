"""Races over ranges: memcpy and its kin, malloc, free, and memory that begins a new life.

    range    | head bytes | whole cells, 16 bytes of shadow per 4 ............. | tail bytes |

    race_range     checked and recorded like the single accesses it stands for
    race_free      checked as a write, then marked freed: a later unordered access races with free;
                   without address checks the block is dead: any later access races with free
    race_malloc    history gone; written by this thread, now, with the stack of the allocation
    race_forget    history gone (stacks, mappings)

While one thread only has ever existed nothing is recorded, and so no use of a dead block would be
seen.  The first free of that time has accesses recorded for a while, ALONE_REFUELS * ALONE_FUEL
safepoints; what happens in that time to freed blocks is found, then speed counts again.

Edges are exact to the byte.  A big block keeps its FREE and ALLOCATION marks on its first
MARK_LIMIT bytes; the rest is given back to the system.

Source: ThreadSanitizer's MemoryRangeFreed and MemoryRangeImitateWrite (notes 8.5).
Deviation: 1 MiB is marked where ThreadSanitizer v3 marks 1024 bytes of a freed block.
Soundness: exact but for accesses beyond MARK_LIMIT of a freed block, which are missed unless they
race with an access, too, and for uses of dead blocks by a thread that has long been the only one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import U64_DONTNEED, load_u32, load_u64, real_madvise, store_u64
from irsan.runtime.kernels.race.access import clip_to_arena
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
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
from irsan.runtime.kernels.race.cells.mapping_marks import (
    U64_ZONE,
    forget_mapped,
    mark_fresh_cells,
)
from irsan.runtime.kernels.race.cells.same_epoch import ALL_BYTES, read_is_known, write_is_known
from irsan.runtime.kernels.race.clocks.race_words import (
    ALONE,
    ALONE_FUEL,
    ALONE_REFUELS,
    N_FOUND,
    U32_0,
    U64_0,
    U64_1,
    U64_3,
    U64_4,
    U64_8,
    U64_16,
    U64_32,
    U64_ALLOCATION,
    U64_DEAD,
    U64_DEAD_EPOCH,
    U64_FREE,
    U64_LOW32,
    U64_RACE_SHADOW,
    U64_RANGE,
    U64_READ,
    U64_SINGLE,
    U64_WRITE,
)
from irsan.runtime.kernels.race.clocks.vclock import epoch_before
from irsan.runtime.kernels.race.race_detectors import (
    MARK_LIMIT,
    counts_free,
    detector_access,
    detector_restart,
)
from irsan.runtime.kernels.race.recording import INTO_PIPE, IS_RECORDING
from irsan.runtime.kernels.race.sync_objects import sync_forget_range
from irsan.runtime.layout import options

RACE_DETECTOR = options.RACE_DETECTOR

U64_MARK_LIMIT = np.uint64(MARK_LIMIT)
U64_ALONE_REFUELS = np.uint64(ALONE_REFUELS)
I64_ALONE_FUEL = np.int64(ALONE_FUEL)
U64_15 = np.uint64(15)
U64_PAGE_MASK = np.uint64(4095)
U64_DISCARD_FROM = np.uint64(1 << 16)
# Shadow of one application page of 4096 bytes.
U64_PAGE_SHADOW = np.uint64(4096 * 4)


@kernel("u64(u64,u64)")
def head_mask(addr: Any, end: Any) -> Any:
    """Bytes of the first cell of [addr, end) when that cell is not covered whole, else 0."""
    first = addr & U64_3
    n = min(U64_4 - first, end - addr)
    if n == U64_4:
        return U64_0
    return ((U64_1 << n) - U64_1) << first


@kernel("u64(u64,u64)")
def tail_mask(whole_lo: Any, end: Any) -> Any:
    """Bytes of the last, partly covered cell; `whole_lo` is where the whole cells start."""
    if end <= whole_lo:
        return U64_0
    return (U64_1 << (end & U64_3)) - U64_1


@kernel("void(ctx,u64,u64,u64,u64)")
def access_whole_cells(ctx: Any, cell: Any, end: Any, kind: Any, stack: Any) -> Any:
    """Check and record an access of all bytes of the cells [cell, end)."""
    wanted = np.uint64(ctx.epoch) | ALL_BYTES
    while cell < end:
        if kind == U64_READ:
            if not read_is_known(ctx, cell, wanted):
                cell_access(ctx, cell, U64_15, kind, stack)
        elif not write_is_known(cell, wanted):
            cell_access(ctx, cell, U64_15, kind, stack)
        cell += U64_16


@kernel("void(ctx,u64,u64,u64,u64)")
def access_bytes(ctx: Any, addr: Any, end: Any, kind: Any, stack: Any) -> Any:
    """Check and record an access to [addr, end) of the arena."""
    if ctx.options[RACE_DETECTOR] != U64_0:
        detector_access(ctx, addr, end - addr, kind, stack)
        return
    if end > U64_ZONE:
        mark_fresh_cells(max(addr, U64_ZONE), end)
    mask = head_mask(addr, end)
    if mask != U64_0:
        cell_access(ctx, addr_to_cell(addr), mask, kind, stack)
        addr = (addr | U64_3) + U64_1
    if addr >= end:
        return
    access_whole_cells(ctx, addr_to_cell(addr), addr_to_cell(end), kind, stack)
    mask = tail_mask(addr, end)
    if mask != U64_0:
        cell_access(ctx, addr_to_cell(end), mask, kind, stack)


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def race_range(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> Any:
    """Check and record an access of a function like memcpy to [addr, addr + size).

    kind  READ or WRITE, further bits are passed on to the fault.  O(size).
    """
    size_in_arena = clip_to_arena(addr, size_bytes)
    if ctx.ignore_depth != U64_0 or size_in_arena == U64_0:
        return
    stack = np.uint64(access_stack_id(ctx))
    ctx.race[N_FOUND] = U64_0
    access_bytes(ctx, addr, addr + size_in_arena, kind & U64_3, stack)
    if ctx.race[N_FOUND] != U64_0:
        race_report(ctx, addr, size_bytes, kind | U64_RANGE, stack)


@kernel("void(ctx,u64,u64)", outlined=True)
def release_records(ctx: Any, cell: Any, end: Any) -> Any:
    """Free the records of all expanded cells of [cell, end), which the caller overwrites."""
    while cell < end:
        n_pages = (cell - U64_RACE_SHADOW) // U64_PAGE_SHADOW + U64_1
        page_end = min(U64_RACE_SHADOW + n_pages * U64_PAGE_SHADOW, end)
        page = cell_to_page(cell)
        while cell < page_end and load_u32(page) != U32_0:
            if is_expanded(load_u64(cell + U64_8)):
                release_record(ctx, cell, record_of(load_u64(cell)))
                store_u64(cell + U64_8, U64_0)
            cell += U64_16
        cell = page_end


@kernel("void(u64,u64,u64,u64)")
def fill_cells(cell: Any, end: Any, w: Any, r: Any) -> Any:
    """Store the halves w and r into every cell of [cell, end)."""
    while cell < end:
        store_u64(cell, w)
        store_u64(cell + U64_8, r)
        cell += U64_16


@kernel("void(u64,u64)")
def clear_cells(cell: Any, end: Any) -> Any:
    """Zero the cells of [cell, end); whole pages of a long stretch go back to the system."""
    if end - cell >= U64_DISCARD_FROM and end > cell:
        first = (cell + U64_PAGE_MASK) & ~U64_PAGE_MASK
        last = end & ~U64_PAGE_MASK
        fill_cells(cell, first, U64_0, U64_0)
        real_madvise(first, last - first, U64_DONTNEED)
        cell = last
    fill_cells(cell, end, U64_0, U64_0)


@kernel("void(ctx,u64,u64,u64)")
def restart_cells(ctx: Any, cell: Any, end: Any, flag: Any) -> Any:
    """Replace the history of whole cells by a write of this thread, now; `flag` tells which kind.

    A flag of 0 leaves no history at all.
    """
    if end <= cell:
        return
    release_records(ctx, cell, end)
    if flag == U64_0:
        clear_cells(cell, end)
        return
    marked = min(end, cell + U64_MARK_LIMIT * U64_4)
    epoch = np.uint64(ctx.epoch)
    stack = np.uint64(access_stack_id(ctx))
    if flag & U64_DEAD != U64_0:
        dead = pack_half(U64_DEAD_EPOCH, U64_15, stack)
        fill_cells(cell, marked, dead, (flag << U64_32) | epoch)
    else:
        fill_cells(cell, marked, pack_half(epoch, U64_15, stack), flag << U64_32)
    clear_cells(marked, end)


@kernel("void(ctx,u64,u64,u64)")
def restart_edge(ctx: Any, addr: Any, mask: Any, flag: Any) -> Any:
    """The same for some bytes of the cell of `addr`."""
    if mask == U64_0:
        return
    cell = addr_to_cell(addr)
    forget_bytes(ctx, cell, mask)
    if flag != U64_0:
        kind = U64_WRITE
        if flag & U64_DEAD != U64_0:
            kind |= flag
        cell_access(ctx, cell, mask, kind, np.uint64(access_stack_id(ctx)))


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def restart_bytes(ctx: Any, addr: Any, end: Any, flag: Any) -> Any:
    """Replace the history of [addr, end) of the arena, edges exact to the byte."""
    if ctx.options[RACE_DETECTOR] != U64_0:
        detector_restart(ctx, addr, end, flag)
        return
    if end > U64_ZONE:
        forget_mapped(max(addr, U64_ZONE), end)
    mask = head_mask(addr, end)
    restart_edge(ctx, addr, mask, flag)
    if mask != U64_0:
        addr = (addr | U64_3) + U64_1
    if addr >= end:
        return
    restart_cells(ctx, addr_to_cell(addr), addr_to_cell(end), flag)
    restart_edge(ctx, end, tail_mask(addr, end), flag)


@kernel("void(ctx,u64,u64)")
def race_forget(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """Memory [addr, addr + size) begins a new life: no history, no sync objects.  O(size)."""
    size_in_arena = clip_to_arena(addr, size_bytes)
    if ctx.ignore_depth >= U64_SINGLE or size_in_arena == U64_0:
        return
    sync_forget_range(ctx, addr, size_in_arena)
    restart_bytes(ctx, addr, addr + size_in_arena, U64_0)


@kernel("void(ctx,u64,u64)", outlined=True)
def race_malloc(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """A block is handed out: its bytes are written by this thread, now, here.  O(size).

    Accesses by threads that the allocation does not happen before race with it.
    """
    size_in_arena = clip_to_arena(addr, size_bytes)
    if ctx.ignore_depth >= U64_SINGLE or size_in_arena == U64_0:
        return
    if ctx.ignore_depth != U64_0:
        race_forget(ctx, addr, size_in_arena)
        return
    restart_bytes(ctx, addr, addr + size_in_arena, U64_ALLOCATION)


@kernel("b1(ctx)")
def is_nothing_marked(ctx: Any) -> Any:
    """Whether a free leaves no mark, as one thread only has ever existed; the first one does."""
    if ctx.ignore_depth < U64_SINGLE:
        return False
    if ctx.sanitize_address != U64_0 or ctx.race[ALONE] != U64_0:
        return True
    if ctx.race[IS_RECORDING] == INTO_PIPE:
        return True
    ctx.race[ALONE] = U64_ALONE_REFUELS
    set_fuel(ctx, min(ctx.fuel, I64_ALONE_FUEL))
    ctx.ignore_depth &= U64_LOW32
    return False


@kernel("b1(ctx,u64,u64)")
def all_before(ctx: Any, cell: Any, end: Any) -> Any:
    """Whether all that [cell, end) remembers happens before now; false if a cell is expanded.

    With another detector the cells do not tell: false if it takes the end of a block for a write.
    """
    if ctx.options[RACE_DETECTOR] != U64_0:
        return not counts_free(ctx)
    while cell < end:
        w = load_u64(cell)
        r = load_u64(cell + U64_8)
        if is_expanded(r):
            return False
        if not (epoch_before(w & U64_LOW32, ctx.vc) and epoch_before(r & U64_LOW32, ctx.vc)):
            return False
        cell += U64_16
    return True


@kernel("void(ctx,u64,u64)", outlined=True)
def race_free(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """A block is freed: races are reported, sync objects in it are forgotten, then it is marked.

    O(size).  The fault has the bits WRITE and FREE.  A dead block ends at a multiple of 4: what is
    left of its last cell is nobody's.
    """
    size_in_arena = clip_to_arena(addr, size_bytes)
    if size_in_arena == U64_0 or is_nothing_marked(ctx):
        return
    if ctx.ignore_depth != U64_0:
        race_forget(ctx, addr, size_in_arena)
        return
    stack = np.uint64(access_stack_id(ctx))
    end = addr + size_in_arena
    ctx.race[N_FOUND] = U64_0
    if not all_before(ctx, addr_to_cell(addr), addr_to_cell(end + U64_3)):
        access_bytes(ctx, addr, end, U64_WRITE, stack)
    if ctx.race[N_FOUND] != U64_0:
        race_report(ctx, addr, size_bytes, U64_WRITE | U64_FREE, stack)
    sync_forget_range(ctx, addr, size_in_arena)
    if ctx.sanitize_address != U64_0:
        restart_bytes(ctx, addr, end, U64_FREE)
    else:
        restart_bytes(ctx, addr, (end + U64_3) & ~U64_3, U64_FREE | U64_DEAD)
