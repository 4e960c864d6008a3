"""The address shadow of heap blocks: what of a block may be touched while it is allocated or freed.

    allocated   | fa ... | 00 .. 00 k | fa ... |     the bytes asked for, redzone around them
    freed       | fa ... | fd ...  fd | fa ... |

A block of a size class keeps its redzones when it is handed out again, so only the bytes of the
chunk that had it before are filled; a large block is memory of unknown shadow.

Source: LLVM's asan_allocator.cpp (Allocate, QuarantineChunk) for the values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.checks.shadow import (
    HEAP_FREED,
    HEAP_REDZONE,
    fill_addressable,
    fill_shadow,
    unpoison_range,
)
from irsan.runtime.kernels.heap_tables.chunks import chunk_at, chunk_to_block_bytes
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.layout import options
from irsan.runtime.records import guarded_records as gr
from irsan.runtime.records import heap_records as hr

POISON_PARTIAL = options.POISON_PARTIAL

U8_LARGE = np.uint8(hr.LARGE_CLASS)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_7 = np.uint64(7)
U64_PAGE = np.uint64(gr.PAGE_BYTES)
U64_NOT_7 = np.uint64(0xFFFF_FFFF_FFFF_FFF8)


@kernel("void(ctx,u64,u64)")
def poison_whole_block(ctx: Any, at: Any, begin: Any) -> None:
    """Make a large block redzone but for what lies between `begin` and its last redzone's start."""
    chunk = chunk_at(at)
    fill_shadow(ctx, chunk.lo, begin - chunk.lo, HEAP_REDZONE)
    redzone = (begin + chunk.size_bytes + U64_7) & U64_NOT_7
    fill_shadow(ctx, redzone, chunk.lo + chunk_to_block_bytes(ctx, at) - redzone, HEAP_REDZONE)


@kernel("void(ctx,u64,u64,u64)")
def poison_allocated(ctx: Any, at: Any, old_begin: Any, old_bytes: Any) -> None:
    """Shadow of a block just handed out.

    A block of a class is redzone but for the bytes [old_begin, old_begin + old_bytes) of the chunk
    that had it before; a large block is anything.
    """
    chunk = chunk_at(at)
    begin = chunk.begin
    if chunk.size_class == U8_LARGE:
        poison_whole_block(ctx, at, begin)
    elif old_begin != begin or old_bytes > chunk.size_bytes:
        fill_shadow(ctx, old_begin, old_bytes, HEAP_REDZONE)
    if ctx.options[POISON_PARTIAL] != U64_0:
        fill_addressable(ctx, begin, chunk.size_bytes)
    else:
        fill_addressable(ctx, begin, (chunk.size_bytes + U64_7) & U64_NOT_7)


@kernel("void(ctx,u64)")
def poison_freed(ctx: Any, at: Any) -> None:
    """Shadow of a chunk just freed: at least one granule, also for 0 bytes."""
    chunk = chunk_at(at)
    fill_shadow(ctx, chunk.begin, max(chunk.size_bytes, U64_1), HEAP_FREED)


@kernel("void(ctx,u64)")
def poison_guarded(ctx: Any, at: Any) -> None:
    """Shadow of a slot of the guarded pool just handed out; its block may begin anywhere."""
    chunk = chunk_at(at)
    page = chunk.lo + U64_PAGE
    fill_shadow(ctx, page, U64_PAGE, HEAP_REDZONE)
    unpoison_range(ctx, chunk.begin, chunk.size_bytes)
