"""The address shadow of heap blocks: what of a block may be touched while it is allocated or freed.

    allocated   | fa ... | 00 .. 00 k | fa ... |     the bytes asked for, redzone around them
    freed       | fa ... | fd ...  fd | fa ... |

A block of a size class keeps its redzones when it is handed out again, so only the bytes of the
chunk that had it before are filled; a large block is memory of unknown shadow.

Source: LLVM's asan_allocator.cpp (Allocate, QuarantineChunk) for the values.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import (
    HEAP_FREED,
    HEAP_REDZONE,
    fill_addressable,
    fill_shadow,
    unpoison_range,
)
from irsan.runtime.kernels.heap_tables.chunk_records import (
    chunk_begin,
    chunk_bytes,
    chunk_lo,
    chunk_span,
    shape_to_offset,
)
from irsan.runtime.kernels.heap_tables.spans import span_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.options import POISON_PARTIAL
from irsan.runtime.records.memory.guarded_records import PAGE_BYTES
from irsan.runtime.records.memory.heap_records import (
    LARGE_CLASS,
    NEVER_USED,
    SIZE_MASK,
    STATE_SHIFT,
)

NOT_7 = 0xFFFF_FFFF_FFFF_FFF8


@kernel
def poison_whole_block(ctx: Context, lo: u64, hi: u64, begin: u64, size_bytes: u64) -> None:
    """Make a large block redzone but for what lies between `begin` and its last redzone's start."""
    fill_shadow(ctx, lo, begin - lo, HEAP_REDZONE)
    redzone = (begin + size_bytes + 7) & NOT_7
    fill_shadow(ctx, redzone, hi - redzone, HEAP_REDZONE)


@kernel
def poison_allocated(
    ctx: Context, at: u64, lo: u64, begin: u64, size_bytes: u64, old_shape: u64
) -> None:
    """Shadow of a block at `lo` just handed out, of which [begin, begin + size) is the program's.

    A block of a class is redzone but for the bytes of the chunk that had it before, whose record
    had `old_shape`; a large block is anything.
    """
    span = span_at(chunk_span(at))
    if span.size_class == LARGE_CLASS:
        poison_whole_block(ctx, lo, lo + span.size_bytes, begin, size_bytes)
    elif old_shape >> STATE_SHIFT != NEVER_USED:
        old_begin = lo + shape_to_offset(old_shape)
        old_bytes = max(old_shape & SIZE_MASK, u64(1))
        if old_begin != begin or old_bytes > size_bytes:
            fill_shadow(ctx, old_begin, old_bytes, HEAP_REDZONE)
    if ctx.options[POISON_PARTIAL] != 0:
        fill_addressable(ctx, begin, size_bytes)
    else:
        fill_addressable(ctx, begin, (size_bytes + 7) & NOT_7)


@kernel
def poison_freed(ctx: Context, begin: u64, size_bytes: u64) -> None:
    """Shadow of a chunk just freed: at least one granule, also for 0 bytes."""
    fill_shadow(ctx, begin, max(size_bytes, u64(1)), HEAP_FREED)


@kernel
def poison_guarded(ctx: Context, at: u64) -> None:
    """Shadow of a slot of the guarded pool just handed out; its block may begin anywhere."""
    page = chunk_lo(at) + PAGE_BYTES
    fill_shadow(ctx, page, PAGE_BYTES, HEAP_REDZONE)
    unpoison_range(ctx, chunk_begin(at), chunk_bytes(at))
