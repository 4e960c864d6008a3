"""Which pages have memory behind them: a look at any other would make one.

    ask_present(first page, n)    asks the system (mincore) about up to CHUNK_PAGES pages
    is_present(index)             what it has said of one of them

A page that was swapped out counts as one that is not there.

Source: mincore(2).
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, real_memset, real_mincore
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.layout import memory_map

CHUNK_PAGES = 1 << 16
PRESENT = memory_map.table("present pages", 1 << 16)  # one byte per page of a chunk
PAGE_BYTES = 4096


@kernel
def ask_present(page: u64, n_pages: u64) -> None:
    """Ask about pages from the address `page` on; all are there where the system does not say."""
    if i32(real_mincore(page, n_pages * PAGE_BYTES, PRESENT)) != 0:
        real_memset(PRESENT, 1, n_pages)


@kernel
def is_present(index: u64) -> bool:
    """Whether the page with this number, of those last asked about, is there."""
    return u64(load_u8(PRESENT + index)) & 1 != 0
