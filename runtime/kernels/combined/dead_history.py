"""Race shadow of freed blocks is given back: four bytes of it for each byte in the quarantine.

    heap          | live | fd fd fd fd fd fd fd fd fd fd fd fd fd fd fd | live |
    race shadow   |  page  |  page  |  page  |  page  |  page  |  page  |  page  |    1 KiB each
                           |<------------ given back --------->|

While blocks are poisoned, the address check reports each use of a freed one, with both stacks, and
a block that is handed out again begins a new history.  So nobody reads the cells of a page of race
shadow all of whose bytes are freed or redzone, and the page goes back to the system.

Asking after each free would cost a system call for each KiB.  So each span (spans.py) counts what
was freed there and where.  When that is a sixteenth of it, what lies between the lowest and the
highest of these blocks is looked at, 8 bytes of address shadow at a time: that is at most one load
for each 4 bytes freed, and one for each 64 where neighbours are freed together.  The last block of
a span is followed by a look, too: a sixteenth of a span can lie on all of its pages.

Pages that are used again have to be made again, at two microseconds each, which a program that
allocates and frees all the time would pay for each KiB (json_parse with a quarantine of 8 MiB: 1.6
times its time).  So a span gives back as many bytes as it has, then no more: what blocks cost that
the quarantine keeps while the heap grows is saved, and a heap that no longer grows runs as before.
Big blocks (MARKED_UP_TO in big_marks.py) have no race shadow from the moment they are freed,
however often: there are few of them, and what they would keep is much.

Source: the idea is that of ThreadSanitizer, which remaps the shadow of unmapped memory
(UnmapShadow); it has no quarantine.
Deviations: by page of the shadow, not by mapping.
Soundness: with `poison_heap=0`, with the thread check alone, or with another detector nothing is
given back.  Memory that the program has poisoned or a container does not use keeps its history: it
may become usable again.  After a use of a freed block that did not end the run (halt_on_error=0),
further races with that use may be missed.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import addr_to_shadow
from irsan.runtime.kernels.heap_tables.chunks import SPAN_TAIL
from irsan.runtime.kernels.heap_tables.spans import addr_to_span, span_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import DONTNEED, load_u64, real_madvise
from irsan.runtime.kernels.race.big_marks import MARKED_UP_TO
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell
from irsan.runtime.kernels.race.clocks.race_words import SINGLE
from irsan.runtime.kernels.race.race_free import are_marks_unread
from irsan.runtime.kernels.race.race_ranges import release_records
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64

# What one page of race shadow describes, in bytes of the program and of its address shadow.
PAGE_BYTES = 1024
PAGE_GRANULES = PAGE_BYTES >> 3
PAGE_MASK = u64(PAGE_BYTES - 1)
SHARE_BITS = 4  # a span is looked at when a sixteenth of it has been freed
# Freed (fd) and redzone (fa) are the two bytes 11111xyz with x != y and y != z.
HIGH_BITS = 0xF8F8_F8F8_F8F8_F8F8
LOW_PAIRS = 0x0303_0303_0303_0303


@kernel
def is_dead_word(granules: u64) -> bool:
    """Whether each of 8 shadow bytes says redzone of the heap or freed heap."""
    changes = granules ^ (granules >> 1)
    return granules & HIGH_BITS == HIGH_BITS and changes & LOW_PAIRS == LOW_PAIRS


@kernel
def is_dead_page(addr: u64) -> bool:
    """Whether no byte of a page's worth of the heap, which begins at `addr`, may be touched."""
    shadow = addr_to_shadow(addr)
    end = shadow + PAGE_GRANULES
    while shadow < end and is_dead_word(load_u64(shadow)):
        shadow += 8
    return shadow == end


@kernel
def give_back(ctx: Context, addr: u64, end: u64) -> None:
    """Give the race shadow of [addr, end) back: whole pages of it, none of which may be touched."""
    if addr == end:
        return
    first, last = addr_to_cell(addr), addr_to_cell(end)
    release_records(ctx, first, last)
    real_madvise(first, last - first, DONTNEED)


@kernel(outlined=True)
def forget_dead(ctx: Context, addr: u64, end: u64) -> None:
    """Give the race shadow of all dead pages of [addr, end) back; both are multiples of 1 KiB."""
    lo = addr
    while addr < end:
        if not is_dead_page(addr):
            give_back(ctx, lo, addr)
            lo = addr + PAGE_BYTES
        addr += PAGE_BYTES
    give_back(ctx, lo, end)


@kernel
def count_dead(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """A block of the heap, freed and poisoned, has no race shadow of its own any more, some day.

    addr, size_bytes  what the program had.  Amortised O(size_bytes / 16).
    """
    if not are_marks_unread(ctx) or ctx.ignore_depth >= SINGLE:
        return
    if size_bytes > MARKED_UP_TO:  # it has none since it was freed
        return
    at = addr_to_span(ctx, addr)
    if at == 0:
        return
    span = span_at(at)
    block_bytes = span.block_bytes
    if span.fresh_bytes < block_bytes:
        return
    span.fresh_bytes -= block_bytes
    if span.dead_bytes == 0:
        span.dead_lo = addr
        span.dead_hi = addr
    span.dead_lo = min(span.dead_lo, addr)
    span.dead_hi = max(span.dead_hi, addr + size_bytes)
    span.dead_bytes += block_bytes
    is_last = span.fresh_bytes < block_bytes + SPAN_TAIL
    if span.dead_bytes < span.size_bytes >> SHARE_BITS and not is_last:
        return
    span.dead_bytes = 0
    forget_dead(ctx, span.dead_lo & ~PAGE_MASK, (span.dead_hi + PAGE_MASK) & ~PAGE_MASK)
