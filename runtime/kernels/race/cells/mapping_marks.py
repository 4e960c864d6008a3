"""mmap as a write of what it maps, at the cost of a row: cells learn of it when first touched.

    MARKS  n_rows | last lo, hi, mark | row 0: lo, hi, mark | row 1 ...   rows sorted and disjoint

    mapped     one row: the mapping thread wrote [lo, hi) then and there (epoch and stack of mark)
    touched    a cell without any history gets its mark before the access is judged
    forgotten  [lo, hi) leaves the rows: what begins a new life later has not been mapped by anybody

To the detector this is the same as storing the mark into every cell when memory is mapped, as
malloc does it for blocks, which would cost 4 bytes of shadow for each byte mapped.

    unmapped   checked as a write, but only where cells can have a history: in pages of shadow that
               the system says are there (mincore)

Source: ThreadSanitizer's mmap interceptor (MemoryRangeImitateWriteOrResetRange); the rows are ours.
Deviation: ThreadSanitizer takes munmap for no access, so misses who still uses what goes.
Soundness: exact, but for mappings beyond the CAP_ROWS-th at one time, and shadow that was swapped
out, which are not looked at.  With other detectors than FastTrack nothing is marked or checked.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memmove, store_u64
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell, pack_half
from irsan.runtime.kernels.race.clocks.race_words import ALLOCATION
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.options import RACE_DETECTOR

CAP_ROWS = 1 << 20

_MARKS = memory_map.table("mapping marks", 64 + CAP_ROWS * 24)
MARKS = _MARKS
LAST_LO = _MARKS + 8
LAST_HI = _MARKS + 16
LAST_MARK = _MARKS + 24
ROWS = _MARKS + 64
ROW = 24
ALLOCATED = int(ALLOCATION) << 32


@kernel
def rows_up_to(addr: u64) -> u64:
    """How many rows begin at or below `addr`.  O(log rows)."""
    low = u64(0)
    high = load_u64(MARKS)
    while low < high:
        middle = (low + high) >> 1
        if load_u64(ROWS + middle * ROW) <= addr:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def mark_at(addr: u64) -> u64:
    """The write half that a fresh cell of `addr` has, 0 when it was not mapped."""
    if addr - load_u64(LAST_LO) < load_u64(LAST_HI) - load_u64(LAST_LO):
        return load_u64(LAST_MARK)
    index = rows_up_to(addr)
    if index == 0:
        return 0
    row = ROWS + (index - 1) * ROW
    if addr >= load_u64(row + 8):
        return 0
    store_u64(LAST_LO, load_u64(row))
    store_u64(LAST_HI, load_u64(row + 8))
    store_u64(LAST_MARK, load_u64(row + 16))
    return load_u64(row + 16)


@kernel
def insert_row(index: u64, lo: u64, hi: u64, mark: u64) -> None:
    """Put a row in front of the one numbered `index`; when there is no room, leave it out."""
    n_rows = load_u64(MARKS)
    if n_rows >= CAP_ROWS:
        return
    row = ROWS + index * ROW
    real_memmove(row + 24, row, (n_rows - index) * ROW)
    store_u64(row, lo)
    store_u64(row + 8, hi)
    store_u64(row + 16, mark)
    store_u64(MARKS, n_rows + 1)


@kernel(outlined=True)
def forget_mapped(lo: u64, hi: u64) -> None:
    """[lo, hi) is no longer known as mapped by anybody.  O(rows)."""
    store_u64(LAST_LO, 0)
    store_u64(LAST_HI, 0)
    first = rows_up_to(lo)
    if first != 0:
        row = ROWS + (first - 1) * ROW
        end = load_u64(row + 8)
        is_whole = load_u64(row) == lo
        if end > hi:
            if is_whole:
                store_u64(row, hi)
            else:
                store_u64(row + 8, lo)
                insert_row(first, hi, end, load_u64(row + 16))
            return
        if end > lo:
            store_u64(row + 8, lo)
            if is_whole:
                first -= 1
    last = first
    n_rows = load_u64(MARKS)
    while last < n_rows and load_u64(ROWS + last * ROW + 8) <= hi:
        last += 1
    if last < n_rows and load_u64(ROWS + last * ROW) < hi:
        store_u64(ROWS + last * ROW, hi)
    if last > first:
        left = (n_rows - last) * ROW
        real_memmove(ROWS + first * ROW, ROWS + last * ROW, left)
        store_u64(MARKS, n_rows - (last - first))


@kernel
def forget_all_mapped() -> None:
    """Nothing is known as mapped by anybody."""
    store_u64(MARKS, 0)
    store_u64(LAST_LO, 0)
    store_u64(LAST_HI, 0)


@kernel
def note_mapped(ctx: Context, lo: u64, hi: u64) -> None:
    """[lo, hi), which has no history, was mapped by the running thread, now, here."""
    forget_mapped(lo, hi)
    if ctx.ignore_depth == 0 and ctx.options[RACE_DETECTOR] == 0:
        mark = pack_half(u64(ctx.epoch), 15, u64(access_stack_id(ctx)))
        insert_row(rows_up_to(lo), lo, hi, mark)


@kernel(outlined=True)
def mark_fresh_cells(lo: u64, hi: u64) -> None:
    """Before an access to [lo, hi) is judged: cells without history remember who mapped them."""
    addr = lo & ~u64(3)
    while addr < hi:
        cell = addr_to_cell(addr)
        if load_u64(cell) == 0 and load_u64(cell + 8) == 0:
            mark = mark_at(addr)
            if mark != 0:
                store_u64(cell, mark)
                store_u64(cell + 8, ALLOCATED)
        addr += 4
