"""Which pages of race shadow are there: the others hold no history, and to read one would make it.

    ask_present(first page, n)    asks the system (mincore) about up to CHUNK_PAGES pages
    is_present(index)             what it has said of one of them
    zero_present(cell, end)       forgets the history of cells, page by page, where there can be any
    make_fresh(cell, end)         before a long range without history is looked at and written: all
                                  its pages at once.  A look at a page that is not there maps one of
                                  zeros, and the write behind it makes another: two faults for each

Most of a big block was never touched, and neither was its race shadow, four times its size.

Soundness: a page that was swapped out counts as one that is not there.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, real_memset, real_mincore
from irsan.runtime.kernels.page_hints import PRESENT as MAKE_PRESENT
from irsan.runtime.kernels.page_hints import hint_pages
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.layout import memory_map

CHUNK_PAGES = 1 << 16
PRESENT = memory_map.table("present pages", 1 << 16)  # one byte per page of a chunk
PAGE_BYTES = 4096
PAGE_MASK = PAGE_BYTES - 1
FRESH_BYTES = 8 * PAGE_BYTES  # of shadow, from which on to make it at once is worth the call


@kernel
def ask_present(page: u64, n_pages: u64) -> bool:
    """Ask about pages from the address `page` on; whether the system has answered."""
    return i32(real_mincore(page, n_pages * PAGE_BYTES, PRESENT)) == 0


@kernel
def is_present(index: u64) -> bool:
    """Whether the page with this number, of those last asked about, is there."""
    return u64(load_u8(PRESENT + index)) & 1 != 0


@kernel(outlined=True)
def zero_present(cell: u64, end: u64) -> None:
    """The cells [cell, end) have no history; of at most CHUNK_PAGES pages."""
    page = cell & ~u64(PAGE_MASK)
    n_pages = (end - page + PAGE_MASK) // PAGE_BYTES
    if cell >= end or not ask_present(page, n_pages):
        return
    for index in range(n_pages):
        if is_present(u64(index)):
            lo = max(cell, page)
            real_memset(lo, 0, min(page + PAGE_BYTES, end) - lo)
        page += PAGE_BYTES


@kernel(outlined=True)
def make_fresh(ctx: Context, cell: u64, end: u64) -> None:
    """Make the pages of the cells [cell, end), if these look as if nobody had touched them.

    The beginning of a block is marked: its middle and its end tell.
    """
    middle = (cell + (end - cell) // 2) & ~u64(15)
    if load_u64(middle) == 0 and load_u64(end - 16) == 0:
        first = (cell + PAGE_MASK) & ~u64(PAGE_MASK)
        hint_pages(ctx, first, (end & ~u64(PAGE_MASK)) - first, MAKE_PRESENT)
