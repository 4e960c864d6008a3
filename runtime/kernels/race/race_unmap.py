"""The end of a mapping as a write of it: who still uses it has a race.

    pages of shadow that are there    | -- | cells | -- | -- | cells | cells | -- |
    checked                                  1 KiB             2 KiB

Most of a big mapping was never touched, and neither was its shadow: the system is asked in chunks
which pages of shadow it has (mincore), and only these are read.

Source: ours; see mapping_marks.py.
Soundness: exact for shadow in memory; what was swapped out is not looked at.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.present_pages import (
    CHUNK_PAGES,
    PAGE_BYTES,
    ask_present,
    is_present,
)
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell, cell_to_addr
from irsan.runtime.kernels.race.cells.found_races import race_report
from irsan.runtime.kernels.race.clocks.race_words import RANGE, WRITE
from irsan.runtime.kernels.race.race_ranges import access_bytes, all_before
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.options import RACE_DETECTOR


@kernel
def write_cells(ctx: Context, cell: u64, end: u64, stack: u64) -> None:
    """A write to all bytes of the cells [cell, end), if that is not ordered anyway."""
    if not all_before(ctx, cell, end):
        access_bytes(ctx, cell_to_addr(cell), cell_to_addr(end), WRITE, stack)


@kernel
def write_present(ctx: Context, cell: u64, end: u64, stack: u64) -> None:
    """The same for whole pages of cells, of which those that are not there have no history."""
    while cell < end:
        n_pages = min(u64(CHUNK_PAGES), (end - cell) // PAGE_BYTES)
        ask_present(cell, n_pages)
        for page in range(n_pages):
            if is_present(u64(page)):
                here = cell + u64(page) * PAGE_BYTES
                write_cells(ctx, here, here + PAGE_BYTES, stack)
        cell += n_pages * PAGE_BYTES


@kernel(outlined=True)
def race_unmap(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """Whole pages [addr, addr + size) of the arena are about to go: races are reported.

    O(pages of shadow), and the cells of those that are there.
    """
    if ctx.ignore_depth != 0 or ctx.options[RACE_DETECTOR] != 0:
        return
    stack = u64(access_stack_id(ctx))
    ctx.race.n_found = 0
    write_present(ctx, addr_to_cell(addr), addr_to_cell(addr + size_bytes), stack)
    if ctx.race.n_found != 0:
        race_report(ctx, addr, size_bytes, u64(WRITE) | RANGE, stack)
