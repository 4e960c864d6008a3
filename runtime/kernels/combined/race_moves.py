"""Memory that a collector moves: its race history and its sync objects go along.

    race_move    | cells of [src, src + n) | -> the cells of dst;  what only dst had is forgotten
    sync_move    every sync object of [src, src + n) gets the address it has now; its lock too

Whoever moves memory has stopped all threads, so the move itself is no access.  Stack ids do not
hold addresses, so a history is as true at its new place as it was at the old one.  Addresses and
size are multiples of 8 bytes; the ranges may overlap.

Detectors other than FastTrack forget the history of moved memory, as the original does.

Source: ThreadSanitizer's MetaMap::MoveMemory.
Deviation: ThreadSanitizer forgets the history of moved memory, and so misses races across a move.
Soundness: exact.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_table import lock_numbered
from irsan.runtime.kernels.memory import load_u32, load_u64, real_memmove, store_u32
from irsan.runtime.kernels.race.access import clip_to_arena
from irsan.runtime.kernels.race.cells.cell_words import (
    MINUS_1,
    addr_to_cell,
    count_expanded,
    is_expanded,
)
from irsan.runtime.kernels.race.cells.mapping_marks import forget_mapped
from irsan.runtime.kernels.race.clocks.race_words import SINGLE
from irsan.runtime.kernels.race.clocks.sync_types import sync_numbered
from irsan.runtime.kernels.race.race_ranges import fill_cells, restart_bytes
from irsan.runtime.kernels.race.sync_objects import (
    LINE_BYTES,
    LINE_MASK,
    NEXT,
    addr_to_line,
    count_sync,
    sync_forget_range,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.options import RACE_DETECTOR


@kernel
def take_from_line(ctx: Context, line: u64, lo: u64, hi: u64, taken: u64) -> u64:
    """Unlink the objects of a line whose address is in [lo, hi); the list `taken` grows by them."""
    link = line
    index = load_u32(link)
    while index != 0:
        obj = sync_numbered(u64(index))
        rest = obj.next
        addr = obj.address
        if lo <= addr < hi:
            store_u32(link, rest)
            obj.next = u32(taken)
            count_sync(ctx, addr, MINUS_1)
            taken = u64(index)
        else:
            link = addr_of(obj) + NEXT
        index = rest
    return taken


@kernel
def put_back(ctx: Context, taken: u64, distance: u64) -> None:
    """Link a list of objects in again, `distance` bytes (modulo 2^64) above where they were."""
    while taken != 0:
        obj = sync_numbered(taken)
        index = taken
        taken = u64(obj.next)
        addr = obj.address + distance
        line = addr_to_line(addr)
        obj.address = addr
        obj.next = load_u32(line)
        store_u32(line, u32(index))
        count_sync(ctx, addr, 1)
        number = u64(obj.lock)
        if number != 0:
            lock_numbered(number).address = addr


@kernel
def sync_move(ctx: Context, src: u64, dst: u64, size_bytes: u64) -> None:
    """The sync objects of [src, src + size) are those of dst now.  O(size / 64 + objects)."""
    taken = u64(0)
    line = src & ~u64(LINE_MASK)
    while line < src + size_bytes:
        taken = take_from_line(ctx, addr_to_line(line), src, src + size_bytes, taken)
        line += LINE_BYTES
    sync_forget_range(ctx, dst, size_bytes)
    put_back(ctx, taken, dst - src)


@kernel
def cells_move(ctx: Context, src: u64, dst: u64, size_bytes: u64) -> None:
    """The cells of [src, src + size) are those of dst now, and no cell is both.  O(size)."""
    if dst > src:  # forget what only dst had: its part beyond src
        fresh_lo, fresh_hi = max(dst, src + size_bytes), dst + size_bytes
        left_lo, left_hi = src, min(dst, src + size_bytes)
    else:
        fresh_lo, fresh_hi = dst, min(src, dst + size_bytes)
        left_lo, left_hi = max(src, dst + size_bytes), src + size_bytes
    if fresh_lo < fresh_hi:
        restart_bytes(ctx, fresh_lo, fresh_hi, 0)
    first, target = addr_to_cell(src), addr_to_cell(dst)
    n_bytes = size_bytes * 4
    cell = first
    while cell < first + n_bytes:
        if is_expanded(load_u64(cell + 8)):
            count_expanded(cell, MINUS_1)
            count_expanded(cell + (target - first), 1)
        cell += 16
    real_memmove(target, first, n_bytes)
    fill_cells(addr_to_cell(left_lo), addr_to_cell(left_hi), 0, 0)


@kernel
def race_move(ctx: Context, src: u64, dst: u64, size_bytes: u64) -> None:
    """Memory [src, src + size) lies at dst now; see the head of this file.  O(size)."""
    if ctx.ignore_depth >= SINGLE or src == dst:
        return
    if clip_to_arena(src, size_bytes) != size_bytes or clip_to_arena(dst, size_bytes) != size_bytes:
        return
    sync_move(ctx, src, dst, size_bytes)
    forget_mapped(src, src + size_bytes)
    forget_mapped(dst, dst + size_bytes)
    if ctx.options[RACE_DETECTOR] != 0:
        restart_bytes(ctx, src, src + size_bytes, 0)
        restart_bytes(ctx, dst, dst + size_bytes, 0)
        return
    cells_move(ctx, src, dst, size_bytes)
