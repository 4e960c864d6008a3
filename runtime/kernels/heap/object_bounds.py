"""Exact objects: where the object of a pointer lies, and what to say of an access outside of it.

    object_lo(root)    heap      the block of the live chunk that holds `root`
                       stack,    up to the nearest redzones around it, looked for in
                       globals   SCAN_BYTES each way, FAR_BYTES once in a while (kept_extents.py)
                       else      0: everything; ctx.bounds.length is the length

The program compares with the answer, inlined; only an access outside comes here again.

A pointer may point one past its object, into a redzone, or nowhere: then nothing is known of it,
and nothing is what it is held to.  Heap bounds are those of the block and not of the request: the
shadow, which is checked too, knows exact ends.  Only one end of an object on the stack may be near
enough to be found; the extent is then half of all addresses, since lengths are compared unsigned.

Source: Akritidis, Costa, Castro, Hand, "Baggy Bounds Checking", USENIX Security 2009, for bounds of
allocation blocks; the scan is ours.
Soundness: before a finding, a heap object is asked for again: one that has died in between says
nothing, since programs move pointers by `new - old` after realloc; nor does one in which a pointer
lies that was kept outside of its own (outside_pointers.py).  Missed: roots whose object was
freed and whose block was handed out again before the look-up; stack and global objects of more
than SCAN_BYTES without an end nearby, until they are looked for far; memory that was not allocated
here.
"""

from __future__ import annotations

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
from irsan.runtime.kernels.heap.outside_pointers import bounds_nobody
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_begin, chunk_bytes, chunk_state
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk
from irsan.runtime.kernels.heap_tables.spans import addr_to_span, span_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import WRITE, report_fault
from irsan.runtime.kernels.scalars import u8, u64
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.memory_map import ARENA_LO, GLOBALS_LO, HEAP_LO
from irsan.runtime.records.memory.heap_records import ALLOCATED

SCAN_BYTES = 2048  # of the program's memory, each way
FAR_BYTES = 64 << 10
EXACT = 2  # bit of info: the extent is exactly the object
INNER = 4  # bit of info: it is an array inside of an object
SIZE_SHIFT = 3  # info is size_bytes << SIZE_SHIFT | bits

HALF = 1 << 63
ALL = (1 << 64) - 1
SCAN = SCAN_BYTES >> 3
FAR = FAR_BYTES >> 3
OBJECT_BOUNDS = int(FaultKind.OBJECT_BOUNDS)


@kernel
def is_redzone(value: u8) -> bool:
    """Whether a shadow byte stands between two objects of the stack or of the globals."""
    is_stack = value == STACK_LEFT or value == STACK_MIDDLE or value == STACK_RIGHT
    return is_stack or value == GLOBAL_REDZONE or value == ALLOCA_LEFT or value == ALLOCA_RIGHT


@kernel
def is_all_usable(shadow: u64) -> bool:
    """Whether 32 bytes of shadow say that all they stand for may be used."""
    low = load_u64(shadow) | load_u64(shadow + 8)
    return low | load_u64(shadow + 16) | load_u64(shadow + 24) == 0


@kernel
def redzone_above(shadow: u64, scan: u64) -> u64:
    """Shadow address of the nearest redzone in `scan` bytes from `shadow` on, 0 without one."""
    end = shadow + scan
    while shadow < end:
        if is_all_usable(shadow):
            shadow += 32
        elif load_u64(shadow) == 0:
            shadow += 8
        elif is_redzone(load_u8(shadow)):
            return shadow
        else:
            shadow += 1
    return 0


@kernel
def redzone_below(shadow: u64, scan: u64) -> u64:
    """Shadow address of the nearest redzone in `scan` bytes below `shadow`, 0 without one."""
    end = shadow - scan
    while shadow > end:
        if is_all_usable(shadow - 32):
            shadow -= 32
        elif load_u64(shadow - 8) == 0:
            shadow -= 8
        elif is_redzone(load_u8(shadow - 1)):
            return shadow - 1
        else:
            shadow -= 1
    return 0


@kernel
def scanned_lo(ctx: Context, addr: u64, scan: u64) -> u64:
    """Extent of an object between redzones; one end that is not found is half a world away."""
    shadow = addr_to_shadow(addr)
    above, below = redzone_above(shadow, scan), redzone_below(shadow, scan)
    if above == 0 and below == 0:
        return 0
    if above == 0:
        ctx.bounds.length = HALF
        return shadow_to_addr(below + 1)
    hi = shadow_to_addr(above)
    if below == 0:
        ctx.bounds.length = HALF
        return hi - HALF
    lo = shadow_to_addr(below + 1)
    ctx.bounds.length = hi - lo
    return lo


@kernel
def heap_lo(ctx: Context, addr: u64) -> u64:
    """First byte of the block that holds `addr`; its length is left in ctx.bounds."""
    at = addr_to_span(ctx, addr)
    if at == 0 or ctx.heap.is_poisoning == 0:
        return 0
    span = span_at(at)
    index = ((addr - span.lo) * span.inverse) >> 40
    ctx.bounds.length = span.block_bytes
    return span.lo + index * span.block_bytes


@kernel
def object_lo(ctx: Context, addr: u64, scan: u64) -> u64:
    """First byte of the extent of the live object at `addr`; length in ctx.bounds.length.

    scan: how far redzones are looked for, in bytes of shadow.
    0 and a length of 2^64 - 1 when nothing is known.  O(1) on the heap, else O(scan / 16).
    """
    ctx.bounds.length = ALL
    if addr - ARENA_LO >= ctx.arena_used:
        return 0
    shadow = load_u8(addr_to_shadow(addr))
    if shadow >= 8 or (shadow != 0 and is_poisoned(addr)):
        return 0
    if addr >= HEAP_LO:
        return heap_lo(ctx, addr)
    if addr < GLOBALS_LO:
        return 0
    return scanned_lo(ctx, addr, scan)


@kernel(outlined=True)
def report_bounds(
    ctx: Context, addr: u64, lo: u64, length: u64, size_bytes: u64, info: u64
) -> None:
    """Leave OBJECT_BOUNDS for an access at `addr`, unless the object has died in between or is
    perhaps not the pointer's, which the IR names when the extent is exact."""
    if (info & (u64(EXACT) | INNER)) == 0 and bounds_nobody(ctx, lo, length):
        return
    root = lo
    if not is_arena(root):
        root = lo + length - 1
    hi = lo + length
    if root >= HEAP_LO:
        at = addr_to_chunk(ctx, root)
        if at == 0 or chunk_state(at) != ALLOCATED:
            return
        if (info & INNER) == 0:
            root = chunk_begin(at)
            lo = root
            hi = root + chunk_bytes(at)
    report_fault(ctx, OBJECT_BOUNDS, addr, size_bytes, info & WRITE)
    ctx.fault[6] = root
    ctx.fault[7] = lo
    ctx.fault[8] = hi
    ctx.fault[9] = (info & (u64(EXACT) | INNER)) | u64(root >= HEAP_LO)


@kernel
def bounds_left(ctx: Context, addr: u64, lo: u64, length: u64, info: u64) -> None:
    """An access begins outside [lo, lo + length).

    info  size_bytes << SIZE_SHIFT | INNER | EXACT | WRITE; when EXACT the length lacks the last
    bytes of the size, so that one comparison has asked for both ends.
    """
    size_bytes = info >> SIZE_SHIFT
    if (info & EXACT) != 0:
        length += size_bytes - 1
    report_bounds(ctx, addr, lo, length, size_bytes, info)


@kernel
def bounds_near(ctx: Context, addr: u64, root: u64, info: u64) -> None:
    """The shadow between the root of an access and the access is not that of one whole object."""
    lo = object_lo(ctx, root, SCAN)
    length = ctx.bounds.length
    if addr - lo >= length:
        report_bounds(ctx, addr, lo, length, info >> SIZE_SHIFT, info)


@kernel
def bounds_range(ctx: Context, addr: u64, lo: u64, length: u64, size_bytes: u64, info: u64) -> None:
    """Check a range of run-time size; an empty one may be anywhere.

    What begins inside and runs out is left to the shadow when a redzone follows: that report names
    the copying function.  So are sizes that are negative as signed numbers.
    """
    if size_bytes == 0 or size_bytes >= HALF:
        return
    offset = addr - lo
    if offset < length:
        is_inside = size_bytes <= length - offset
        if is_inside or (info & EXACT) == 0 or is_poisoned(lo + length):
            return
        addr = lo + length
    report_bounds(ctx, addr, lo, length, size_bytes, info)
