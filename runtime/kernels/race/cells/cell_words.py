"""How a race shadow cell is packed, and how many are expanded; fasttrack.py says the rest."""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.cells.record_sharing import drop_share
from irsan.runtime.kernels.race.clocks.race_words import (
    EXPANDED,
    EXPANDED_PAGES,
    STACK_MASK,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.memory_map import ARENA_LO, RACE_SHADOW

# From a cell's offset in the shadow to the index of its application page of 4096 bytes.
PAGE_SHIFT = 14
MINUS_1 = 0xFFFF_FFFF
PAIRED = EXPANDED  # that bit, of the write half of a compact cell: paired_cells.py
EPOCH_AND_STACK = PAIRED - 1  # of a half: all but its bytes


@kernel
def addr_to_cell(addr: u64) -> u64:
    """Cell of an application address."""
    return RACE_SHADOW + (((addr - ARENA_LO) & ~u64(3)) << 2)


@kernel
def cell_to_addr(cell: u64) -> u64:
    """First application address of a cell."""
    return ((cell - RACE_SHADOW) >> 2) + ARENA_LO


@kernel
def cell_to_page(cell: u64) -> u64:
    """Address of the count of expanded cells in the cell's application page."""
    return EXPANDED_PAGES + ((cell - RACE_SHADOW) >> PAGE_SHIFT) * 4


@kernel
def is_expanded(r: u64) -> bool:
    """Whether the cell with read half `r` has a record."""
    return r & EXPANDED != 0


@kernel
def is_paired(w: u64) -> bool:
    """Whether the compact cell with write half `w` has two accesses of one kind."""
    return w & PAIRED != 0


@kernel
def pack_half(epoch: u64, mask: u64, stack: u64) -> u64:
    """One half of a cell: epoch low, bytes and stack high."""
    return epoch | (((mask << 28) | stack) << 32)


@kernel
def record_of(w: u64) -> u64:
    """Index of the record of an expanded cell with the write half `w`."""
    return (w >> 32) & STACK_MASK


@kernel
def count_expanded(cell: u64, change: u32) -> None:
    """Add `change` (1 or 2^32 - 1) to the count of expanded cells of a cell's page."""
    page = cell_to_page(cell)
    store_u32(page, u32(load_u32(page) + change))


@kernel
def begin_expanded(ctx: Context, cell: u64) -> None:
    """A cell has a record from now on."""
    ctx.race.n_expanded += 1
    count_expanded(cell, 1)


@kernel
def release_record(ctx: Context, cell: u64, index: u64) -> None:
    """A cell that is, or is about to be, overwritten leaves its record."""
    drop_share(ctx, index)
    ctx.race.n_expanded -= 1
    count_expanded(cell, MINUS_1)
