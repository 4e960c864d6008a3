"""Pages of spans of small blocks are made all at once, if the class needs a second span.

    class      | 1st span: a page at its first touch | 2nd | 3rd ...: 16 pages by one call |
    its cells                                        | 64 pages by one call, while races count |

A program that allocates so much that the first span of a class is full will most likely fill the
next, too, and each of its pages, and of their race shadow, would cost a fault of half a microsecond
or more.  At most one span of each class is made for nothing: 320 KiB, or 64 without race shadow.

Spans of bigger blocks are left alone: what lies in them is often written in part, or not at all.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.page_hints import PRESENT, hint_pages
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell
from irsan.runtime.kernels.race.clocks.race_words import SINGLE
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64


@kernel(outlined=True)
def populate_span(ctx: Context, lo: u64, size_bytes: u64) -> None:
    """Make the pages of a span of the heap, and of what the race detector will write of it."""
    hint_pages(ctx, lo, size_bytes, PRESENT)
    if ctx.sanitize_thread != 0 and ctx.ignore_depth < SINGLE:
        first = addr_to_cell(lo)
        hint_pages(ctx, first, addr_to_cell(lo + size_bytes) - first, PRESENT)
