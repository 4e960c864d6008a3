"""How a race shadow cell is packed, and how many are expanded; fasttrack.py says the rest."""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32
from irsan.runtime.kernels.race.cells.record_sharing import drop_share
from irsan.runtime.kernels.race.clocks.race_words import (
    EXPANDED_PAGES,
    N_EXPANDED,
    U64_0,
    U64_1,
    U64_2,
    U64_3,
    U64_4,
    U64_28,
    U64_32,
    U64_ARENA_LO,
    U64_EXPANDED,
    U64_RACE_SHADOW,
    U64_STACK_MASK,
)

U64_EXPANDED_PAGES = np.uint64(EXPANDED_PAGES)
# From a cell's offset in the shadow to the index of its application page of 4096 bytes.
U64_PAGE_SHIFT = np.uint64(14)
U32_1 = np.uint32(1)
U32_MINUS_1 = np.uint32(0xFFFF_FFFF)


@kernel("u64(u64)")
def addr_to_cell(addr: Any) -> Any:
    """Cell of an application address."""
    return U64_RACE_SHADOW + (((addr - U64_ARENA_LO) & ~U64_3) << U64_2)


@kernel("u64(u64)")
def cell_to_addr(cell: Any) -> Any:
    """First application address of a cell."""
    return ((cell - U64_RACE_SHADOW) >> U64_2) + U64_ARENA_LO


@kernel("u64(u64)")
def cell_to_page(cell: Any) -> Any:
    """Address of the count of expanded cells in the cell's application page."""
    return U64_EXPANDED_PAGES + ((cell - U64_RACE_SHADOW) >> U64_PAGE_SHIFT) * U64_4


@kernel("b1(u64)")
def is_expanded(r: Any) -> Any:
    """Whether the cell with read half `r` has a record."""
    return r & U64_EXPANDED != U64_0


@kernel("u64(u64,u64,u64)")
def pack_half(epoch: Any, mask: Any, stack: Any) -> Any:
    """One half of a cell: epoch low, bytes and stack high."""
    return epoch | (((mask << U64_28) | stack) << U64_32)


@kernel("u64(u64)")
def record_of(w: Any) -> Any:
    """Index of the record of an expanded cell with the write half `w`."""
    return (w >> U64_32) & U64_STACK_MASK


@kernel("void(u64,u32)")
def count_expanded(cell: Any, change: Any) -> None:
    """Add `change` (1 or 2^32 - 1) to the count of expanded cells of a cell's page."""
    page = cell_to_page(cell)
    store_u32(page, np.uint32(load_u32(page) + change))


@kernel("void(ctx,u64)")
def begin_expanded(ctx: Any, cell: Any) -> Any:
    """A cell has a record from now on."""
    ctx.race[N_EXPANDED] += U64_1
    count_expanded(cell, U32_1)


@kernel("void(ctx,u64,u64)")
def release_record(ctx: Any, cell: Any, index: Any) -> Any:
    """A cell that is, or is about to be, overwritten leaves its record."""
    drop_share(ctx, index)
    ctx.race[N_EXPANDED] -= U64_1
    count_expanded(cell, U32_MINUS_1)
