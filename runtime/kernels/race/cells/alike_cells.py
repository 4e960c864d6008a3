"""A run of cells with one history: an access to all of them is worked out for the first.

    | w, r | w, r | w, r | w, r | other |      a buffer that was filled at once, and is read at once
      ^ here         these become what it became

Source: ThreadSanitizer's MemoryAccessRange (tsan_rtl_access.cpp) checks each shadow cell anew; the
run is ours.
Soundness: exact.  What an access makes of a compact cell without a race depends on its two halves
alone (compact_cells.py, `try_read` and `try_write`).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.race.cells.cell_words import is_expanded
from irsan.runtime.kernels.race.cells.compact_cells import try_read, try_write
from irsan.runtime.kernels.race.clocks.race_words import READ, WRITE
from irsan.runtime.kernels.race.race_types import cell_at
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64


@kernel(inlined=True)
def access_alike(ctx: Context, cell: u64, end: u64, kind: u64, stack: u64) -> u64:
    """A plain access to all bytes of a compact cell and of those behind it that are like it.

    cell, end  a range of cells, not empty;  kind  READ or WRITE, of any other nothing is done
    The first cell that it was not done to: `cell` itself if that races or needs a record.
    """
    w, r = cell_at(cell).write, cell_at(cell).read
    if is_expanded(r):
        return cell
    is_done = kind == READ and try_read(ctx, cell, 15, stack)
    if not is_done and not (kind == WRITE and try_write(ctx, cell, 15, stack)):
        return cell
    new_w, new_r = cell_at(cell).write, cell_at(cell).read
    cell += 16
    while cell < end and cell_at(cell).write == w and cell_at(cell).read == r:
        cell_at(cell).write = new_w
        cell_at(cell).read = new_r
        cell += 16
    return cell
