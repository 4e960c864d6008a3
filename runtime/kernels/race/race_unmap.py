"""The end of a mapping as a write of it: who still uses it has a race.

    pages of shadow that are there    | -- | cells | -- | -- | cells | cells | -- |
    checked                                  1 KiB             2 KiB

Most of a big mapping was never touched, and neither was its shadow: the system is asked in chunks
which pages of shadow it has (mincore), and only these are read.

Source: ours; see mapping_marks.py.
Soundness: exact for shadow in memory; what was swapped out is not looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, real_mincore
from irsan.runtime.kernels.race.cells.access_stack import access_stack_id
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell, cell_to_addr
from irsan.runtime.kernels.race.cells.found_races import race_report
from irsan.runtime.kernels.race.clocks.race_words import (
    N_FOUND,
    U64_0,
    U64_1,
    U64_RANGE,
    U64_WRITE,
)
from irsan.runtime.kernels.race.race_ranges import access_bytes, all_before
from irsan.runtime.layout import memory_map, options

RACE_DETECTOR = options.RACE_DETECTOR
CHUNK_PAGES = np.uint64(1 << 16)
PRESENT = np.uint64(memory_map.table("present pages", 1 << 16))  # one byte per page of a chunk
PAGE_BYTES = np.uint64(4096)


@kernel("void(ctx,u64,u64,u64)")
def write_page(ctx: Any, cell: Any, end: Any, stack: Any) -> None:
    """A write to all bytes of the cells [cell, end), if that is not ordered anyway."""
    if not all_before(ctx, cell, end):
        access_bytes(ctx, cell_to_addr(cell), cell_to_addr(end), U64_WRITE, stack)


@kernel("void(ctx,u64,u64)", outlined=True)
def race_unmap(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """Whole pages [addr, addr + size) of the arena are about to go: races are reported.

    O(pages of shadow), and the cells of those that are there.
    """
    if ctx.ignore_depth != U64_0 or ctx.options[RACE_DETECTOR] != U64_0:
        return
    stack = np.uint64(access_stack_id(ctx))
    ctx.race[N_FOUND] = U64_0
    cell, end = addr_to_cell(addr), addr_to_cell(addr + size_bytes)
    while cell < end:
        n_pages = min(CHUNK_PAGES, (end - cell) // PAGE_BYTES)
        if np.int32(real_mincore(cell, n_pages * PAGE_BYTES, PRESENT)) == np.int32(0):
            for page in range(n_pages):
                if np.uint64(load_u8(PRESENT + np.uint64(page))) & U64_1 != U64_0:
                    here = cell + np.uint64(page) * PAGE_BYTES
                    write_page(ctx, here, here + PAGE_BYTES, stack)
        cell += n_pages * PAGE_BYTES
    if ctx.race[N_FOUND] != U64_0:
        race_report(ctx, addr, size_bytes, U64_WRITE | U64_RANGE, stack)
