"""Exact objects: where the object of a pointer lies, and what to say of an access outside of it.

    object_lo(root)    heap      the block of the live chunk that holds `root`
                       stack,    up to the nearest redzones around it, looked for in
                       globals   SCAN_BYTES each way
                       else      0: everything; ctx.bounds[LENGTH] is the length

The program compares with what it is told, inlined; only an access outside comes here again.

A pointer may point one past its object, into a redzone, or nowhere: then nothing is known of it,
and nothing is what it is held to.  Heap bounds are those of the block and not of the request: the
shadow, which is checked too, knows exact ends.  Only one end of an object on the stack may be near
enough to be found; the extent is then half of all addresses, since lengths are compared unsigned.

Source: Akritidis, Costa, Castro, Hand, "Baggy Bounds Checking", USENIX Security 2009, for bounds of
allocation blocks; the scan is ours.
Soundness: before a finding, a heap object is asked for again: one that has died in between says
nothing, since programs move pointers by `new - old` after realloc.  Missed: roots whose object was
freed and whose block was handed out again before the look-up; stack and global objects of more
than SCAN_BYTES without an end nearby; memory that nobody allocated here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import (
    ALLOCA_LEFT,
    ALLOCA_RIGHT,
    GLOBAL_REDZONE,
    STACK_LEFT,
    STACK_MIDDLE,
    STACK_RIGHT,
    addr_to_shadow,
    is_poisoned,
    shadow_to_addr,
)
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk, chunk_at
from irsan.runtime.kernels.heap_tables.spans import addr_to_span, span_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64
from irsan.runtime.kernels.report_fault import WRITE, report_fault
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records import heap_records as hr

LENGTH = 0  # word of ctx.bounds
SCAN_BYTES = 2048  # of the program's memory, each way
EXACT = 2  # bit of info: the extent is exactly the object
INNER = 4  # bit of info: it is an array inside of an object
SIZE_SHIFT = 3  # info is size_bytes << SIZE_SHIFT | bits

U8_0 = np.uint8(0)
U8_8 = np.uint8(8)
U8_ALLOCATED = np.uint8(hr.ALLOCATED)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_40 = np.uint64(40)
U64_HALF = np.uint64(1 << 63)
U64_ALL = np.uint64((1 << 64) - 1)
U64_EXACT = np.uint64(EXACT)
U64_INNER = np.uint64(INNER)
U64_SIZE_SHIFT = np.uint64(SIZE_SHIFT)
U64_SCAN = np.uint64(SCAN_BYTES >> 3)
U64_HEAP_LO = np.uint64(memory_map.HEAP_LO)
U64_GLOBALS_LO = np.uint64(memory_map.GLOBALS_LO)
U64_ARENA_LO = np.uint64(memory_map.ARENA_LO)
U64_OBJECT_BOUNDS = np.uint64(int(FaultKind.OBJECT_BOUNDS))
POISONING = hr.POISONING


@kernel("b1(u8)")
def is_redzone(value: Any) -> Any:
    """Whether a shadow byte stands between two objects of the stack or of the globals."""
    is_stack = value == STACK_LEFT or value == STACK_MIDDLE or value == STACK_RIGHT
    return is_stack or value == GLOBAL_REDZONE or value == ALLOCA_LEFT or value == ALLOCA_RIGHT


@kernel("u64(u64)")
def redzone_above(shadow: Any) -> Any:
    """Shadow address of the nearest redzone from `shadow` on, 0 when there is none nearby."""
    end = shadow + U64_SCAN
    while shadow < end:
        if load_u64(shadow) == U64_0:
            shadow += U64_8
        elif is_redzone(load_u8(shadow)):
            return shadow
        else:
            shadow += U64_1
    return U64_0


@kernel("u64(u64)")
def redzone_below(shadow: Any) -> Any:
    """Shadow address of the nearest redzone below `shadow`, 0 when there is none nearby."""
    end = shadow - U64_SCAN
    while shadow > end:
        if load_u64(shadow - U64_8) == U64_0:
            shadow -= U64_8
        elif is_redzone(load_u8(shadow - U64_1)):
            return shadow - U64_1
        else:
            shadow -= U64_1
    return U64_0


@kernel("u64(ctx,u64)")
def scanned_lo(ctx: Any, addr: Any) -> Any:
    """Extent of an object between redzones; one end that is not found is half a world away."""
    shadow = addr_to_shadow(addr)
    above, below = redzone_above(shadow), redzone_below(shadow)
    if above == U64_0 and below == U64_0:
        return U64_0
    if above == U64_0:
        ctx.bounds[LENGTH] = U64_HALF
        return shadow_to_addr(below + U64_1)
    hi = shadow_to_addr(above)
    if below == U64_0:
        ctx.bounds[LENGTH] = U64_HALF
        return hi - U64_HALF
    lo = shadow_to_addr(below + U64_1)
    ctx.bounds[LENGTH] = hi - lo
    return lo


@kernel("u64(ctx,u64)")
def heap_lo(ctx: Any, addr: Any) -> Any:
    """First byte of the block that holds `addr`; its length is left in ctx.bounds."""
    at = addr_to_span(ctx, addr)
    if at == U64_0 or ctx.heap[POISONING] == U64_0:
        return U64_0
    span = span_at(at)
    index = ((addr - span.lo) * span.inverse) >> U64_40
    ctx.bounds[LENGTH] = span.block_bytes
    return span.lo + index * span.block_bytes


@kernel("u64(ctx,u64)")
def object_lo(ctx: Any, addr: Any) -> Any:
    """First byte of the extent of the live object at `addr`; length in ctx.bounds[LENGTH].

    0 and a length of 2^64 - 1 when nothing is known.  O(1) on the heap, else O(SCAN_BYTES / 64).
    """
    ctx.bounds[LENGTH] = U64_ALL
    if addr - U64_ARENA_LO >= ctx.arena_used:
        return U64_0
    shadow = load_u8(addr_to_shadow(addr))
    if shadow >= U8_8 or (shadow != U8_0 and is_poisoned(addr)):
        return U64_0
    if addr >= U64_HEAP_LO:
        return heap_lo(ctx, addr)
    if addr < U64_GLOBALS_LO:
        return U64_0
    return scanned_lo(ctx, addr)


@kernel("void(ctx,u64,u64,u64,u64,u64)", outlined=True)
def report_bounds(ctx: Any, addr: Any, lo: Any, length: Any, size_bytes: Any, info: Any) -> None:
    """Leave OBJECT_BOUNDS for an access at `addr`, unless the object has died in between."""
    root = lo
    if not is_arena(root):
        root = lo + length - U64_1
    hi = lo + length
    if root >= U64_HEAP_LO:
        at = addr_to_chunk(ctx, root)
        if at == U64_0 or chunk_at(at).state != U8_ALLOCATED:
            return
        if (info & U64_INNER) == U64_0:
            root = chunk_at(at).begin
            lo = root
            hi = root + chunk_at(at).size_bytes
    report_fault(ctx, U64_OBJECT_BOUNDS, addr, size_bytes, info & WRITE)
    ctx.fault[6] = root
    ctx.fault[7] = lo
    ctx.fault[8] = hi
    ctx.fault[9] = (info & (U64_EXACT | U64_INNER)) | np.uint64(root >= U64_HEAP_LO)


@kernel("void(ctx,u64,u64,u64,u64)")
def bounds_left(ctx: Any, addr: Any, lo: Any, length: Any, info: Any) -> None:
    """An access begins outside [lo, lo + length).

    info  size_bytes << SIZE_SHIFT | INNER | EXACT | WRITE; when EXACT the length lacks the last
    bytes of the size, so that one comparison has asked for both ends.
    """
    size_bytes = info >> U64_SIZE_SHIFT
    if (info & U64_EXACT) != U64_0:
        length += size_bytes - U64_1
    report_bounds(ctx, addr, lo, length, size_bytes, info)


@kernel("void(ctx,u64,u64,u64,u64,u64)")
def bounds_range(ctx: Any, addr: Any, lo: Any, length: Any, size_bytes: Any, info: Any) -> None:
    """Check a range of run-time size; an empty one may be anywhere.

    What begins inside and runs out is left to the shadow when a redzone follows: that report names
    the copying function.  So are sizes that are negative as signed numbers.
    """
    if size_bytes == U64_0 or size_bytes >= U64_HALF:
        return
    offset = addr - lo
    if offset < length:
        is_inside = size_bytes <= length - offset
        if is_inside or (info & U64_EXACT) == U64_0 or is_poisoned(lo + length):
            return
        addr = lo + length
    report_bounds(ctx, addr, lo, length, size_bytes, info)
