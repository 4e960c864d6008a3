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

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memmove, store_u64
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell, pack_half
from irsan.runtime.kernels.race.clocks.race_words import (
    U64_0,
    U64_1,
    U64_3,
    U64_4,
    U64_8,
    U64_16,
    U64_24,
    U64_ALLOCATION,
)
from irsan.runtime.layout import mapping_zone, memory_map, options

RACE_DETECTOR = options.RACE_DETECTOR
CAP_ROWS = 1 << 20

_MARKS = memory_map.table("mapping marks", 64 + CAP_ROWS * 24)
MARKS = np.uint64(_MARKS)
LAST_LO = np.uint64(_MARKS + 8)
LAST_HI = np.uint64(_MARKS + 16)
LAST_MARK = np.uint64(_MARKS + 24)
ROWS = np.uint64(_MARKS + 64)
U64_CAP_ROWS = np.uint64(CAP_ROWS)
U64_ROW = np.uint64(24)
U64_15 = np.uint64(15)
U64_ZONE = np.uint64(mapping_zone.ZONE_LO)
ALLOCATED = np.uint64(int(U64_ALLOCATION) << 32)


@kernel("u64(u64)")
def rows_up_to(addr: Any) -> Any:
    """How many rows begin at or below `addr`.  O(log rows)."""
    low = U64_0
    high = load_u64(MARKS)
    while low < high:
        middle = (low + high) >> U64_1
        if load_u64(ROWS + middle * U64_ROW) <= addr:
            low = middle + U64_1
        else:
            high = middle
    return low


@kernel("u64(u64)")
def mark_at(addr: Any) -> Any:
    """The write half that a fresh cell of `addr` has, 0 when nobody mapped it."""
    if addr - load_u64(LAST_LO) < load_u64(LAST_HI) - load_u64(LAST_LO):
        return load_u64(LAST_MARK)
    index = rows_up_to(addr)
    if index == U64_0:
        return U64_0
    row = ROWS + (index - U64_1) * U64_ROW
    if addr >= load_u64(row + U64_8):
        return U64_0
    store_u64(LAST_LO, load_u64(row))
    store_u64(LAST_HI, load_u64(row + U64_8))
    store_u64(LAST_MARK, load_u64(row + U64_16))
    return load_u64(row + U64_16)


@kernel("void(u64,u64,u64,u64)")
def insert_row(index: Any, lo: Any, hi: Any, mark: Any) -> None:
    """Put a row in front of the one numbered `index`; when there is no room, leave it out."""
    n_rows = load_u64(MARKS)
    if n_rows >= U64_CAP_ROWS:
        return
    row = ROWS + index * U64_ROW
    real_memmove(row + U64_24, row, (n_rows - index) * U64_ROW)
    store_u64(row, lo)
    store_u64(row + U64_8, hi)
    store_u64(row + U64_16, mark)
    store_u64(MARKS, n_rows + U64_1)


@kernel("void(u64,u64)", outlined=True)
def forget_mapped(lo: Any, hi: Any) -> None:
    """[lo, hi) is no longer known as mapped by anybody.  O(rows)."""
    store_u64(LAST_LO, U64_0)
    store_u64(LAST_HI, U64_0)
    first = rows_up_to(lo)
    if first != U64_0:
        row = ROWS + (first - U64_1) * U64_ROW
        end = load_u64(row + U64_8)
        is_whole = load_u64(row) == lo
        if end > hi:
            if is_whole:
                store_u64(row, hi)
            else:
                store_u64(row + U64_8, lo)
                insert_row(first, hi, end, load_u64(row + U64_16))
            return
        if end > lo:
            store_u64(row + U64_8, lo)
            if is_whole:
                first -= U64_1
    last = first
    n_rows = load_u64(MARKS)
    while last < n_rows and load_u64(ROWS + last * U64_ROW + U64_8) <= hi:
        last += U64_1
    if last < n_rows and load_u64(ROWS + last * U64_ROW) < hi:
        store_u64(ROWS + last * U64_ROW, hi)
    if last > first:
        left = (n_rows - last) * U64_ROW
        real_memmove(ROWS + first * U64_ROW, ROWS + last * U64_ROW, left)
        store_u64(MARKS, n_rows - (last - first))


@kernel("void()")
def forget_all_mapped() -> None:
    """Nothing is known as mapped by anybody."""
    store_u64(MARKS, U64_0)
    store_u64(LAST_LO, U64_0)
    store_u64(LAST_HI, U64_0)


@kernel("void(ctx,u64,u64)")
def note_mapped(ctx: Any, lo: Any, hi: Any) -> None:
    """[lo, hi), which has no history, was mapped by the running thread, now, here."""
    forget_mapped(lo, hi)
    if ctx.ignore_depth == U64_0 and ctx.options[RACE_DETECTOR] == U64_0:
        mark = pack_half(np.uint64(ctx.epoch), U64_15, np.uint64(access_stack_id(ctx)))
        insert_row(rows_up_to(lo), lo, hi, mark)


@kernel("void(u64,u64)", outlined=True)
def mark_fresh_cells(lo: Any, hi: Any) -> None:
    """Before an access to [lo, hi) is judged: cells without history remember who mapped them."""
    addr = lo & ~U64_3
    while addr < hi:
        cell = addr_to_cell(addr)
        if load_u64(cell) == U64_0 and load_u64(cell + U64_8) == U64_0:
            mark = mark_at(addr)
            if mark != U64_0:
                store_u64(cell, mark)
                store_u64(cell + U64_8, ALLOCATED)
        addr += U64_4
