"""Extents that questions keep: the last answer at a place is the next one, if the root is in it.

    question at a place     root - kept.lo < kept.kept_bytes and shadow[root] == 0 ?  kept
                            else  extent_of(root, place)                asks, and keeps the answer

Most questions are about the object that they were about the last time: the array of a loop that
calls, a page, a table. What is compared inlined are three words of the program's own place.

Kept are blocks of the heap and globals. What lies on the stack may be another object in the next
call: an answer holds there if all of it is accessible still, between redzones, which takes less
than to look for these. Of what is not known nothing holds for another root: it is asked for again.
On the stack a question does not look for both ends of the object where all that it is asked for is
near its root (fields of a structure): no redzone up to there is as good.
Where no redzone is near (the middle of a large array), the ends are looked for far away, too: once
in FIRST_WAIT such answers of a place, and twice as rarely after each time that found none. A large
object's answer holds as long as both ends are redzones: to look at all that lies between would
cost what looking for them does.

Soundness: a kept answer is what object_lo would say now. A block has the bounds of its slot, which
stay while its span does: spans of size classes are never given back, and when a large block is,
all answers are forgotten (`forget_extents`), as they are when a library is opened. A root in a
redzone, or whose object has died, has shadow that is not 0, and is asked anew; so is one in the
last bytes of an object, whose shadow is its size. A large object of a frame that has ended, whose
ends are redzones again while several objects lie between, is taken for one: what leaves one of
these for another is then missed, and nothing is reported falsely, as no object goes over a redzone.
Two questions may have one place: then they forget each other's answers. Questions about elements of
an array (rows of a matrix, the vectors of a graph) share N_SHARED places, one of which the root
chooses: what one of them was told about a root, the next one finds. Others have one of their own,
whose line stays in the cache.

An access that is the only one to ask (`__irsan_bounds_asked`) compares root and address with the
kept block, and does not look at the root's shadow: where the object has died, or the root points
behind it, nothing is known and nothing is what the access is held to; inside of the block that is
the same.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import addr_to_shadow, is_all_clear
from irsan.runtime.kernels.heap.object_bounds import (
    FAR,
    HALF,
    SCAN,
    SCAN_BYTES,
    is_redzone,
    object_lo,
)
from irsan.runtime.kernels.heap_tables.heap_classes import MAX_BLOCK_BYTES
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, real_memset
from irsan.runtime.kernels.record_types import Context, Extent
from irsan.runtime.kernels.records import record_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout.memory_map import GLOBALS_HI, HEAP_LO, STACKS_LO
from irsan.runtime.records.memory.extent_records import EXTENTS, TABLE_BYTES

extent_at = record_at(Extent)
FIRST_WAIT = 16  # answers of a place from one look far away to the next
LONGEST_WAIT = 1 << 12


@kernel
def is_clean(root: u64, size_bytes: u64) -> bool:
    """Whether all that [root, root + size_bytes) touches of 8 bytes each is accessible."""
    return is_all_clear(addr_to_shadow(root), addr_to_shadow(root + size_bytes - 1) + 1)


@kernel
def is_still_between_redzones(extent: Extent, root: u64) -> bool:
    """Whether an answer on the stack is what a search from `root` for redzones would find now."""
    lo, length = extent.lo, extent.length
    if length >= HALF or root - lo >= length:
        return False
    first = addr_to_shadow(lo)
    if not is_redzone(load_u8(first - 1)) or not is_redzone(load_u8(first + (length >> 3))):
        return False
    if length > SCAN_BYTES:
        return load_u8(addr_to_shadow(root)) == 0
    return is_clean(lo, length)


@kernel
def far_lo(ctx: Context, extent: Extent, root: u64, lo: u64) -> u64:
    """What object_lo says with ends that are far away, once in a while, else `lo`, its answer."""
    if extent.to_wait > 0:
        extent.to_wait = u32(extent.to_wait - 1)
        return lo
    lo = object_lo(ctx, root, u64(FAR))
    wait = u64(FIRST_WAIT)
    if ctx.bounds.length >= HALF:
        wait = min(max(2 * u64(extent.waited), wait), u64(LONGEST_WAIT))
    extent.waited = u32(wait)
    extent.to_wait = u32(wait)
    return lo


@kernel
def extent_of(ctx: Context, root: u64, place: u64, reach_bytes: u64) -> None:
    """Leave the extent of the live object at `root` at a place (in bytes) of the table.

    reach_bytes: where all that asks lies within so many bytes behind the root, else 0.
    """
    extent = extent_at(EXTENTS + place)
    is_stack = root - STACKS_LO < u64(HEAP_LO - STACKS_LO)
    if reach_bytes != 0 and is_stack and is_clean(root, reach_bytes):
        extent.lo = root
        extent.length = reach_bytes
        extent.kept_bytes = 0
        return
    if is_stack and is_still_between_redzones(extent, root):
        return
    lo = object_lo(ctx, root, u64(SCAN))
    if ctx.bounds.length >= HALF and root < HEAP_LO:
        lo = far_lo(ctx, extent, root, lo)
    length = ctx.bounds.length
    extent.lo = lo
    extent.length = length
    extent.kept_bytes = 0
    if length >= HALF or (root >= GLOBALS_HI and root < HEAP_LO):
        return
    extent.kept_bytes = length
    if root >= HEAP_LO and length > MAX_BLOCK_BYTES:  # a span of its own
        ctx.bounds.keeps_large = 1


@kernel
def forget_extents(ctx: Context) -> None:
    """Keep no answer: what a question was told may be another object now.  O(N_PLACES)."""
    ctx.bounds.keeps_large = 0
    real_memset(EXTENTS, 0, TABLE_BYTES)


@kernel
def forget_large_extents(ctx: Context) -> None:
    """The same before a large block's memory becomes something else."""
    if ctx.bounds.keeps_large != 0:
        forget_extents(ctx)
