"""Ranges that a loop will access in the turns ahead: may all of their bytes be?

    strip_is_clean(ctx, low, stride, count, size)

    low                 low + stride           low + 2 * stride
    | size bytes |      | size bytes |         | size bytes |        ... `count` times

    block    a hull of some length inside a live block of the heap: the heap knows, at once
    dense    strides of at most DENSE bytes: the whole hull is looked at, eight granules at once
    sparse   longer ones: each place for itself

The answer changes nothing and reports nothing: a loop that is told no asks about each access.

Source: ours; `first_poisoned` is the check of a range that memcpy has.
Soundness: yes only if the check of each access would pass.  A hole in a dense hull that may not be
accessed makes the answer no.  The heap is not asked once anything else has poisoned parts of its
blocks (`ctx.heap.has_parts`).
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import addr_to_shadow, first_poisoned, is_range_clean
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_begin, chunk_bytes, chunk_state
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout.memory_map import ARENA_LO, HEAP_LO
from irsan.runtime.records.memory.heap_records import ALLOCATED

DENSE = 128
FEW_BYTES = 512  # looked at as fast as their block is found


@kernel
def is_in_block(ctx: Context, low: u64, length: u64) -> bool:
    """Whether [low, low + length) lies in a live block of the heap that is addressable as a whole.

    O(1); false also means that this is not known.
    """
    if low < HEAP_LO or ctx.heap.has_parts != 0:
        return False
    at = addr_to_chunk(ctx, low)
    if at == 0 or chunk_state(at) != ALLOCATED:
        return False
    begin = chunk_begin(at)
    return low >= begin and low + length <= begin + chunk_bytes(at)


@kernel
def each_is_clean(ctx: Context, addr: u64, stride: u64, count: u64, size: u64) -> bool:
    """Whether all bytes of `count` places in the arena may be accessed.  O(count * size)."""
    while count != 0:
        granules = load_u8(addr_to_shadow(addr)) | load_u8(addr_to_shadow(addr + size - 1))
        if (granules != 0 or size > 8) and first_poisoned(ctx, addr, size) != 0:
            return False
        addr += stride
        count -= 1
    return True


@kernel(outlined=True)
def long_strip_is_clean(
    ctx: Context, low: u64, stride: u64, count: u64, size: u64, length: u64
) -> bool:
    """As `strip_is_clean`, for what is not short and clear, and lies in the arena."""
    if length > FEW_BYTES and is_in_block(ctx, low, length):
        return True
    if stride <= DENSE:
        return first_poisoned(ctx, low, length) == 0
    return each_is_clean(ctx, low, stride, count, size)


@kernel(outlined=True)
def strip_is_clean(ctx: Context, low: u64, stride: u64, count: u64, size: u64) -> bool:
    """Whether all bytes of `count` places, `stride` bytes from one to the next, may be accessed.

    count, size  at least 1.  O(1) in a block, O(count * stride / 64) for dense places, else
    O(count * size).
    """
    length = (count - 1) * stride + size
    used = ctx.arena_used
    offset = low - ARENA_LO
    if offset >= used or length > used - offset:
        return False
    if length <= FEW_BYTES and stride <= DENSE and is_range_clean(low, length):
        return True
    return long_strip_is_clean(ctx, low, stride, count, size, length)
