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
    chunk_at,
    chunk_begin,
    chunk_bytes,
    chunk_lo,
)
from irsan.runtime.kernels.heap_tables.chunks import chunk_to_block_bytes
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.options import POISON_PARTIAL
from irsan.runtime.records.memory.guarded_records import PAGE_BYTES
from irsan.runtime.records.memory.heap_records import LARGE_CLASS

NOT_7 = 0xFFFF_FFFF_FFFF_FFF8


@kernel
def poison_whole_block(ctx: Context, at: u64, begin: u64) -> None:
    """Make a large block redzone but for what lies between `begin` and its last redzone's start."""
    chunk = chunk_at(at)
    lo = chunk_lo(ctx, chunk)
    fill_shadow(ctx, lo, begin - lo, HEAP_REDZONE)
    redzone = (begin + chunk_bytes(chunk) + 7) & NOT_7
    fill_shadow(ctx, redzone, lo + chunk_to_block_bytes(ctx, at) - redzone, HEAP_REDZONE)


@kernel
def poison_allocated(ctx: Context, at: u64, old_begin: u64, old_bytes: u64) -> None:
    """Shadow of a block just handed out.

    A block of a class is redzone but for the bytes [old_begin, old_begin + old_bytes) of the chunk
    that had it before; a large block is anything.
    """
    chunk = chunk_at(at)
    begin, size_bytes = chunk_begin(chunk), chunk_bytes(chunk)
    if chunk.size_class == LARGE_CLASS:
        poison_whole_block(ctx, at, begin)
    elif old_begin != begin or old_bytes > size_bytes:
        fill_shadow(ctx, old_begin, old_bytes, HEAP_REDZONE)
    if ctx.options[POISON_PARTIAL] != 0:
        fill_addressable(ctx, begin, size_bytes)
    else:
        fill_addressable(ctx, begin, (size_bytes + 7) & NOT_7)


@kernel
def poison_freed(ctx: Context, at: u64) -> None:
    """Shadow of a chunk just freed: at least one granule, also for 0 bytes."""
    chunk = chunk_at(at)
    fill_shadow(ctx, chunk_begin(chunk), max(chunk_bytes(chunk), u64(1)), HEAP_FREED)


@kernel
def poison_guarded(ctx: Context, at: u64) -> None:
    """Shadow of a slot of the guarded pool just handed out; its block may begin anywhere."""
    chunk = chunk_at(at)
    page = chunk_lo(ctx, chunk) + PAGE_BYTES
    fill_shadow(ctx, page, PAGE_BYTES, HEAP_REDZONE)
    unpoison_range(ctx, chunk_begin(chunk), chunk_bytes(chunk))
