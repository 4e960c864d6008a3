"""Accesses that a loop will surely make in the turns ahead, recorded at once.

    strip_touched(ctx, addr, stride, count, size, kind)

    addr                addr + stride          addr + 2 * stride
    | size bytes |      | size bytes |         | size bytes |         ... `count` times

Nothing else runs before the last of these turns, so what is recorded is what the accesses would
have left, but for their order.  An access that would race is not recorded, nor is any behind it:
the loop then makes each access by itself, finds what was recorded in its own epoch, and reports the
race at its turn.

Source: FastTrack (PLDI 2009), figure 2, cell by cell; fasttrack.py has the rules.
Soundness: exact.  `races_with` says yes exactly when the exact way would note a race.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.alike_cells import access_alike
from irsan.runtime.kernels.race.cells.cell_words import (
    addr_to_cell,
    is_expanded,
    record_of,
)
from irsan.runtime.kernels.race.cells.compact_cells import compact_races_with
from irsan.runtime.kernels.race.cells.fasttrack import (
    access_in_place,
    expanded_access,
    repeats_epoch,
)
from irsan.runtime.kernels.race.cells.mapping_marks import mark_fresh_cells
from irsan.runtime.kernels.race.cells.race_records import record_races_with, record_to_address
from irsan.runtime.kernels.race.cells.same_epoch import first_unknown, is_nobodys
from irsan.runtime.kernels.race.clocks.race_words import READ
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.layout.memory_map import ARENA_HI, ARENA_LO
from irsan.runtime.layout.options import RACE_DETECTOR

SIGN = 1 << 63


@kernel
def races_with(ctx: Context, cell: u64, mask: u64, kind: u64) -> bool:
    """Whether a plain access to the bytes `mask` of a cell races with what it remembers."""
    w, r = cell_at(cell).write, cell_at(cell).read
    if is_expanded(r):
        return record_races_with(ctx, record_to_address(record_of(w)), mask, kind)
    return compact_races_with(ctx, w, r, mask, kind)


@kernel(outlined=True)
def touch_cell(ctx: Context, cell: u64, mask: u64, kind: u64, stack: u64) -> bool:
    """Record a plain access to bytes of one cell; false: it races, and nothing was done."""
    if access_in_place(ctx, cell, mask, kind, stack) or repeats_epoch(ctx, cell, mask, kind):
        return True
    if races_with(ctx, cell, mask, kind):
        return False
    expanded_access(ctx, cell, mask, kind, stack)
    return True


@kernel
def touch_whole_cells(ctx: Context, cell: u64, end: u64, kind: u64, stack: u64) -> bool:
    """Record accesses to all bytes of the cells [cell, end) up to one that races: false."""
    cell = first_unknown(ctx, cell, end, kind != READ)
    while cell < end:
        alike_end = access_alike(ctx, cell, end, kind, stack)
        if alike_end == cell:
            if not touch_cell(ctx, cell, 15, kind, stack):
                return False
            alike_end += 16
        cell = first_unknown(ctx, alike_end, end, kind != READ)
    return True


@kernel
def touch_bytes(ctx: Context, addr: u64, end: u64, kind: u64, stack: u64) -> bool:
    """Record accesses to [addr, end) of the arena up to one that races: false."""
    while addr < end and (addr & 3 != 0 or end - addr < 4):
        n = min(4 - (addr & 3), end - addr)
        mask = ((1 << n) - 1) << (addr & 3)
        if not touch_cell(ctx, addr_to_cell(addr), mask, kind, stack):
            return False
        addr += n
    if addr >= end:
        return True
    if not touch_whole_cells(ctx, addr_to_cell(addr), addr_to_cell(end), kind, stack):
        return False
    rest = end & 3
    return rest == 0 or touch_cell(ctx, addr_to_cell(end), (1 << rest) - 1, kind, stack)


@kernel
def touch_each(ctx: Context, addr: u64, stride: u64, count: u64, size: u64, kind: u64) -> bool:
    """Record `count` accesses of `size` bytes, `stride` bytes from one to the next."""
    stack = u64(access_stack_id(ctx))
    while count != 0:
        if not touch_bytes(ctx, addr, addr + size, kind, stack):
            return False
        addr += stride
        count -= 1
    return True


@kernel(outlined=True)
def strip_touched(ctx: Context, addr: u64, stride: u64, count: u64, size: u64, kind: u64) -> bool:
    """Record accesses of the turns ahead; false: they must be made one by one.

    addr    of the first one;  stride  bytes from one to the next, modulo 2^64
    count   how many, not 0;  size  bytes of each;  kind  READ or WRITE
    False where one races, where schedules are explored or another detector is asked, and where the
    accesses lie inside the arena in part.  O(count * size), or of contiguous bytes their number.
    """
    if ctx.options[RACE_DETECTOR] != 0 or ctx.explore.is_on != 0:
        return False
    is_downwards = stride >= SIGN
    step = 0 - stride if is_downwards else stride
    length = (count - 1) * step
    low = addr - length if is_downwards else addr
    end = low + length + size
    if is_nobodys(ctx, low) and is_nobodys(ctx, end - 1):
        return ctx.ignore_depth != 0 or (low < end and (low >= ARENA_HI or end <= ARENA_LO))
    if is_nobodys(ctx, low) or is_nobodys(ctx, end - 1) or low >= end:
        return False
    if end > ZONE_LO:
        mark_fresh_cells(max(low, u64(ZONE_LO)), end)
    # Downwards, turns that overlap are not told apart: a later one would be recorded before a race.
    if step == size or (step < size and not is_downwards):
        return touch_bytes(ctx, low, end, kind, u64(access_stack_id(ctx)))
    return touch_each(ctx, addr, stride, count, size, kind)
