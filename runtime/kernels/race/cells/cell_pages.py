"""Pages of race shadow: those that are not there hold no history.

    zero_cells(cell, end)         forgets the history of cells: pages that are there are zeroed, the
                                  others given back, as they may have been swapped out
    make_fresh(cell, end)         before a long range without history is looked at and written: all
                                  its pages at once.  A look at a page that is not there maps one of
                                  zeros, and the write behind it makes another: two faults for each

Most of a big block was never touched, and neither was its race shadow, four times its size.

Soundness: a page that was swapped out counts as one that is not there: what it remembers is missed
when its block is freed.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import DONTNEED, load_u64, real_madvise, real_memset
from irsan.runtime.kernels.page_hints import PRESENT as MAKE_PRESENT
from irsan.runtime.kernels.page_hints import hint_pages
from irsan.runtime.kernels.present_pages import PAGE_BYTES, ask_present, is_present
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64

PAGE_MASK = PAGE_BYTES - 1
FRESH_BYTES = 8 * PAGE_BYTES  # of shadow, from which on to make it at once is worth the call


@kernel
def zero_cell_pages(page: u64, n_pages: u64) -> None:
    """Make whole pages read as zero."""
    ask_present(page, n_pages)
    absent = page  # so are all pages from here to the one that is looked at
    for index in range(n_pages):
        if is_present(u64(index)):
            if absent != page:
                real_madvise(absent, page - absent, DONTNEED)
            real_memset(page, 0, PAGE_BYTES)
            absent = page + PAGE_BYTES
        page += PAGE_BYTES
    if absent != page:
        real_madvise(absent, page - absent, DONTNEED)


@kernel(outlined=True)
def zero_cells(cell: u64, end: u64) -> None:
    """The cells [cell, end) have no history; of at most CHUNK_PAGES pages.

    The first and the last page may hold other cells, too.
    """
    first = min((cell + PAGE_MASK) & ~u64(PAGE_MASK), end)
    last = max(end & ~u64(PAGE_MASK), first)
    real_memset(cell, 0, first - cell)
    if first != last:
        zero_cell_pages(first, (last - first) // PAGE_BYTES)
    real_memset(last, 0, end - last)


@kernel(outlined=True)
def make_fresh(ctx: Context, cell: u64, end: u64) -> None:
    """Make the pages of the cells [cell, end), if these look as if nobody had touched them.

    The beginning of a block is marked: its middle and its end tell.
    """
    middle = (cell + (end - cell) // 2) & ~u64(15)
    if load_u64(middle) == 0 and load_u64(end - 16) == 0:
        first = (cell + PAGE_MASK) & ~u64(PAGE_MASK)
        hint_pages(ctx, first, (end & ~u64(PAGE_MASK)) - first, MAKE_PRESENT)
