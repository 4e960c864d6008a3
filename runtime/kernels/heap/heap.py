"""The guest's heap: allocate and free, with redzones, quarantine and exact ends.

    request -> redzone + rounding -> class block or span of its own -> begin in the block
    begin      lo + left redzone, moved up to the alignment
    shadow     [lo, begin) fa, [begin, begin + size) addressable to the byte, the rest fa
    free       [begin, begin + size) fd, then quarantine

A chunk remembers who allocated and who freed it (stack ids, thread numbers), its family (malloc,
new, new[]) and the alignment asked for, until its block is handed out again: even a chunk that left
the quarantine explains a late use as long as nobody has got its memory.

A sampled request is served by the guarded pool (guarded_pool.py).  A plain heap (IS_PLAIN) has no
redzones, no stacks and no quarantine: it is for runs that only sample.

Findings: SIZE_TOO_BIG, OUT_OF_MEMORY, DOUBLE_FREE, BAD_FREE, ALLOC_DEALLOC_MISMATCH,
NEW_DELETE_SIZE_MISMATCH, BAD_USABLE_SIZE, GUARDED_* (runtime/layout/faults.py).  A mismatched free
is done all the same; a double or bad free changes nothing.

Source: LLVM's asan_allocator.cpp for what is checked when, and the order of the checks.
Deviations: a request of 0 bytes gives a distinct pointer with no addressable byte (the original
makes one byte addressable, and so misses its use).  Metadata is out of line.
Soundness: no false alarm; missed are uses of memory handed out again, and jumps over redzones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import set_bytes, shadow_init
from irsan.runtime.kernels.errno import set_errno
from irsan.runtime.kernels.heap.guarded_pool import (
    guarded_give,
    guarded_init,
    guarded_take,
    is_crashed_slot,
    is_guarded,
    record_guarded_allocation,
)
from irsan.runtime.kernels.heap.heap_shadow import poison_allocated, poison_freed, poison_guarded
from irsan.runtime.kernels.heap.leak_scopes import new_chunk_mark
from irsan.runtime.kernels.heap.quarantine import quarantine_put
from irsan.runtime.kernels.heap_tables.chunks import (
    addr_to_chunk,
    chunk_at,
    chunk_give,
    chunk_take,
    large_take,
)
from irsan.runtime.kernels.heap_tables.heap_classes import (
    MAX_BLOCK_BYTES,
    floor_log2,
    size_to_class,
    size_to_redzone,
)
from irsan.runtime.kernels.heap_tables.spans import spans_init
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_memset
from irsan.runtime.kernels.report_fault import (
    FREE,
    MAPPINGS_MAY_BE_STALE,
    current_tid,
    report_fault,
)
from irsan.runtime.layout import options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records import guarded_records as gr
from irsan.runtime.records import heap_records as hr
from irsan.runtime.records import leak_records as lr

# What heap_free returns when nothing was freed.
NOT_FREED = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
# What a caller passes when operator delete gets no size or no alignment.
UNKNOWN_SIZE = np.uint64(0xFFFF_FFFF_FFFF_FFFF)

SEQUENCE = hr.SEQUENCE
N_FREED = hr.N_FREED
N_LIVE = hr.N_LIVE
LIVE_BYTES = hr.LIVE_BYTES
PEAK_BYTES = hr.PEAK_BYTES
N_REFUSED = hr.N_REFUSED
POISONING = hr.POISONING
IS_FRESH = hr.IS_FRESH
IS_PLAIN = hr.IS_PLAIN
COUNTDOWN = gr.COUNTDOWN
BUDGET_BYTES = hr.QUARANTINE_BUDGET_BYTES
QUARANTINE_BYTES = options.QUARANTINE_BYTES
N_DISABLED = lr.N_DISABLED
POISON_HEAP = options.POISON_HEAP
MAX_MALLOC_FILL_BYTES = options.MAX_MALLOC_FILL_BYTES
MALLOC_FILL_BYTE = options.MALLOC_FILL_BYTE
MAX_FREE_FILL_BYTES = options.MAX_FREE_FILL_BYTES
FREE_FILL_BYTE = options.FREE_FILL_BYTE
MAX_ALLOCATION_BYTES = options.MAX_ALLOCATION_BYTES
MACHINE_BYTES = options.MACHINE_BYTES
ALLOCATOR_MAY_RETURN_NULL = options.ALLOCATOR_MAY_RETURN_NULL
ALLOC_DEALLOC_MISMATCH = options.ALLOC_DEALLOC_MISMATCH
NEW_DELETE_TYPE_MISMATCH = options.NEW_DELETE_TYPE_MISMATCH
CHECK_MALLOC_USABLE_SIZE = options.CHECK_MALLOC_USABLE_SIZE
CHECK_UNMALLOCED_FREE = options.CHECK_UNMALLOCED_FREE

U8_0 = np.uint8(0)
U8_LARGE = np.uint8(hr.LARGE_CLASS)
U8_GUARDED = np.uint8(hr.GUARDED_CLASS)
U8_ALLOCATED = np.uint8(hr.ALLOCATED)
U32_0 = np.uint32(0)
ENOMEM = np.uint32(12)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_15 = np.uint64(15)
U64_16 = np.uint64(16)
U64_NOT_15 = np.uint64(0xFFFF_FFFF_FFFF_FFF0)
U64_MAX_BLOCK = np.uint64(MAX_BLOCK_BYTES)
U64_MALLOC = np.uint64(hr.MALLOC)
U64_KIND_SIZE_TOO_BIG = np.uint64(int(FaultKind.SIZE_TOO_BIG))
U64_KIND_OUT_OF_MEMORY = np.uint64(int(FaultKind.OUT_OF_MEMORY))
U64_KIND_DOUBLE_FREE = np.uint64(int(FaultKind.DOUBLE_FREE))
U64_KIND_BAD_FREE = np.uint64(int(FaultKind.BAD_FREE))
U64_KIND_MISMATCH = np.uint64(int(FaultKind.ALLOC_DEALLOC_MISMATCH))
U64_KIND_SIZE_MISMATCH = np.uint64(int(FaultKind.NEW_DELETE_SIZE_MISMATCH))
U64_KIND_GUARDED_DOUBLE = np.uint64(int(FaultKind.GUARDED_DOUBLE_FREE))
U64_KIND_GUARDED_INVALID = np.uint64(int(FaultKind.GUARDED_INVALID_FREE))
U64_KIND_USABLE_SIZE = np.uint64(int(FaultKind.BAD_USABLE_SIZE))


@kernel("void(ctx)")
def heap_init(ctx: Any) -> None:
    """Start an empty heap.  Call once, after ctx.options and ctx.sanitize_* are set."""
    shadow_init(ctx)
    spans_init(ctx)
    if ctx.sanitize_address != U64_0:
        ctx.heap[BUDGET_BYTES] = ctx.options[QUARANTINE_BYTES]
        ctx.heap[POISONING] = ctx.options[POISON_HEAP]
    guarded_init(ctx)


@kernel("u64(ctx,u64,u64,u64)")
def refuse(ctx: Any, kind: Any, size_bytes: Any, limit_bytes: Any) -> Any:
    """An allocation that cannot be granted: ENOMEM, a finding unless null may be returned; 0."""
    ctx.heap[N_REFUSED] += U64_1
    set_errno(ctx, ENOMEM)
    if ctx.options[ALLOCATOR_MAY_RETURN_NULL] != U64_0:
        return U64_0
    report_fault(ctx, kind, U64_0, size_bytes, U64_0)
    ctx.fault[6] = limit_bytes
    ctx.fault[7] = size_bytes + size_to_redzone(ctx, size_bytes)
    return U64_0


@kernel("void(ctx,u64,u64,u64,u64)")
def record_allocation(ctx: Any, at: Any, size_bytes: Any, alignment: Any, family: Any) -> None:
    """Write the facts of a new allocation to its chunk and count it."""
    chunk = chunk_at(at)
    chunk.size_bytes = size_bytes
    chunk.state = U8_ALLOCATED
    chunk.family = np.uint8(family)
    chunk.align_log = U8_0
    if alignment >= U64_8:
        chunk.align_log = np.uint8(floor_log2(alignment))
    if ctx.heap[IS_PLAIN] == U64_0 or chunk.size_class == U8_GUARDED:
        chunk.alloc_stack = current_stack_id(ctx)
        chunk.alloc_tid = np.uint32(current_tid(ctx))
    chunk.free_stack = U32_0
    chunk.mark = U32_0
    if ctx.leaks[N_DISABLED] != U64_0:
        chunk.mark = new_chunk_mark(ctx)
    ctx.heap[SEQUENCE] += U64_1
    chunk.sequence = ctx.heap[SEQUENCE]
    ctx.heap[N_LIVE] += U64_1
    ctx.heap[LIVE_BYTES] += size_bytes
    ctx.heap[PEAK_BYTES] = max(ctx.heap[PEAK_BYTES], ctx.heap[LIVE_BYTES])


@kernel("u64(ctx,u64,u64,u64)")
def block_take(ctx: Any, size_bytes: Any, redzone: Any, alignment: Any) -> Any:
    """Record of a block for a request, 0 when the heap is full."""
    need = ((max(size_bytes, U64_1) + U64_15) & U64_NOT_15) + redzone
    if alignment > U64_16:
        need += alignment
    if need <= U64_MAX_BLOCK:
        return chunk_take(ctx, size_to_class(need))
    return large_take(ctx, need + redzone)


@kernel("u64(ctx,u64,u64,u64)", outlined=True)
def sampled_allocate(ctx: Any, size_bytes: Any, alignment: Any, family: Any) -> Any:
    """Record of a new chunk in the guarded pool, 0 when the heap has to serve the request."""
    at = guarded_take(ctx, size_bytes, alignment)
    if at == U64_0:
        return U64_0
    record_allocation(ctx, at, size_bytes, alignment, family)
    record_guarded_allocation(ctx, at)
    if ctx.heap[POISONING] != U64_0:
        poison_guarded(ctx, at)
    ctx.heap[IS_FRESH] = U64_0
    return at


@kernel("u64(ctx,u64,u64,u64)", outlined=True)
def chunk_allocate(ctx: Any, size_bytes: Any, alignment: Any, family: Any) -> Any:
    """Record of a new chunk, its memory as it was; 0 with the finding left.

    ctx.heap[IS_FRESH] says whether that memory was never used and so reads as zero.
    """
    limit = ctx.options[MAX_ALLOCATION_BYTES]
    if size_bytes > limit or alignment > limit:
        return refuse(ctx, U64_KIND_SIZE_TOO_BIG, size_bytes, limit)
    if size_bytes > ctx.options[MACHINE_BYTES]:
        return refuse(ctx, U64_KIND_OUT_OF_MEMORY, size_bytes, U64_0)
    countdown = ctx.guarded[COUNTDOWN] - U64_1
    ctx.guarded[COUNTDOWN] = countdown
    if countdown == U64_0:
        sampled = sampled_allocate(ctx, size_bytes, alignment, family)
        if sampled != U64_0:
            return sampled
    redzone = U64_0
    if ctx.heap[IS_PLAIN] == U64_0:
        redzone = size_to_redzone(ctx, size_bytes)
    at = block_take(ctx, size_bytes, redzone, alignment)
    if at == U64_0:
        return refuse(ctx, U64_KIND_OUT_OF_MEMORY, size_bytes, U64_0)
    chunk = chunk_at(at)
    old_begin = chunk.begin
    old_bytes = max(chunk.size_bytes, U64_1)
    if chunk.sequence == U64_0:
        old_bytes = U64_0
    ctx.heap[IS_FRESH] = np.uint64(chunk.sequence == U64_0)
    begin = chunk.lo + redzone
    if alignment > U64_16:
        begin = (begin + alignment - U64_1) & ~(alignment - U64_1)
    chunk.begin = begin
    record_allocation(ctx, at, size_bytes, alignment, family)
    if ctx.heap[POISONING] != U64_0:
        poison_allocated(ctx, at, old_begin, old_bytes)
    return at


@kernel("u64(ctx,u64,u64,u64)", outlined=True)
def heap_allocate(ctx: Any, size_bytes: Any, alignment: Any, family: Any) -> Any:
    """Address of `size_bytes` new bytes, filled as malloc_fill_byte says; 0 when refused.

    alignment  a power of two, 0 for the default of 16;  family  heap_records.MALLOC, NEW, NEW_ARRAY
    O(1) but for the fill and the shadow.
    """
    at = chunk_allocate(ctx, size_bytes, alignment, family)
    if at == U64_0:
        return U64_0
    begin = chunk_at(at).begin
    if ctx.sanitize_address != U64_0:
        n_filled = min(size_bytes, ctx.options[MAX_MALLOC_FILL_BYTES])
        set_bytes(begin, n_filled, np.uint8(ctx.options[MALLOC_FILL_BYTE]))
    return begin


@kernel("u64(ctx,u64)")
def heap_allocate_zeroed(ctx: Any, size_bytes: Any) -> Any:
    """As heap_allocate for calloc: all bytes 0.  Memory never used before is not written."""
    at = chunk_allocate(ctx, size_bytes, U64_0, U64_MALLOC)
    if at == U64_0:
        return U64_0
    if ctx.heap[IS_FRESH] == U64_0:
        real_memset(chunk_at(at).begin, U64_0, size_bytes)
    return chunk_at(at).begin


@kernel("u64(ctx,u64)")
def owned_chunk(ctx: Any, addr: Any) -> Any:
    """Record of the chunk that begins exactly at `addr`, in whatever state; else 0."""
    at = addr_to_chunk(ctx, addr)
    if at == U64_0 or chunk_at(at).begin != addr or chunk_at(at).sequence == U64_0:
        return U64_0
    return at


@kernel("void(ctx,u64,u64)")
def refuse_guarded_free(ctx: Any, at: Any, addr: Any) -> None:
    """Report a free of a pointer into the pool that is no live block (`at`: a freed one's record).

    A slot that was reported before stays silent: what it does now follows from that.
    """
    if is_crashed_slot(ctx, addr):
        return
    kind = U64_KIND_GUARDED_INVALID
    if at != U64_0:
        kind = U64_KIND_GUARDED_DOUBLE
    report_fault(ctx, kind, addr, U64_0, FREE)


@kernel("u64(ctx,u64)")
def live_chunk_to_free(ctx: Any, addr: Any) -> Any:
    """Record of the live chunk at `addr`; 0 with DOUBLE_FREE, BAD_FREE or a pool fault left."""
    at = owned_chunk(ctx, addr)
    if at != U64_0 and chunk_at(at).state == U8_ALLOCATED:
        return at
    if is_guarded(ctx, addr):
        refuse_guarded_free(ctx, at, addr)
    elif at != U64_0:
        report_fault(ctx, U64_KIND_DOUBLE_FREE, addr, U64_0, FREE)
    elif ctx.options[CHECK_UNMALLOCED_FREE] != U64_0:
        stale = U64_0
        if not is_arena(addr):
            stale = MAPPINGS_MAY_BE_STALE
        report_fault(ctx, U64_KIND_BAD_FREE, addr, U64_0, FREE | stale)
    return U64_0


@kernel("void(ctx,u64,u64)")
def check_family(ctx: Any, at: Any, family: Any) -> None:
    """Report memory of one family freed by another."""
    chunk = chunk_at(at)
    if np.uint64(chunk.family) == family or ctx.options[ALLOC_DEALLOC_MISMATCH] == U64_0:
        return
    report_fault(ctx, U64_KIND_MISMATCH, chunk.begin, chunk.size_bytes, FREE)
    ctx.fault[6] = np.uint64(chunk.family)
    ctx.fault[7] = family


@kernel("void(ctx,u64,u64,u64)")
def check_delete(ctx: Any, at: Any, size_bytes: Any, alignment: Any) -> None:
    """Report a sized or aligned delete that contradicts the new; alignment 0 = the default one."""
    chunk = chunk_at(at)
    if ctx.options[NEW_DELETE_TYPE_MISMATCH] == U64_0:
        return
    allocated_alignment = U64_0
    if chunk.align_log != U8_0:
        allocated_alignment = U64_1 << np.uint64(chunk.align_log)
    if alignment < U64_8:  # so little is no alignment, as in the original
        alignment = U64_0
    same_size = size_bytes == UNKNOWN_SIZE or size_bytes == chunk.size_bytes
    if same_size and allocated_alignment == alignment:
        return
    report_fault(ctx, U64_KIND_SIZE_MISMATCH, chunk.begin, chunk.size_bytes, FREE)
    ctx.fault[6] = chunk.size_bytes
    ctx.fault[7] = size_bytes
    ctx.fault[8] = allocated_alignment
    ctx.fault[9] = alignment


@kernel("void(ctx,u64)")
def chunk_free(ctx: Any, at: Any) -> None:
    """Free a live chunk: facts, junk, poison, quarantine."""
    chunk = chunk_at(at)
    guarded = is_guarded(ctx, chunk.lo)
    if ctx.heap[IS_PLAIN] == U64_0 or guarded:
        chunk.free_stack = current_stack_id(ctx)
        chunk.free_tid = np.uint32(current_tid(ctx))
    ctx.heap[N_FREED] += U64_1
    ctx.heap[N_LIVE] -= U64_1
    ctx.heap[LIVE_BYTES] -= chunk.size_bytes
    n_filled = min(chunk.size_bytes, ctx.options[MAX_FREE_FILL_BYTES])
    if n_filled != U64_0:
        real_memset(chunk.begin, ctx.options[FREE_FILL_BYTE], n_filled)
    if ctx.heap[POISONING] != U64_0:
        poison_freed(ctx, at)
    if guarded:
        guarded_give(ctx, at)
    elif ctx.heap[IS_PLAIN] != U64_0 and chunk.size_class != U8_LARGE:
        chunk_give(ctx, at)
    else:
        quarantine_put(ctx, at)


@kernel("u64(ctx,u64,u64,u64,u64)", outlined=True)
def heap_free(ctx: Any, addr: Any, family: Any, size_bytes: Any, alignment: Any) -> Any:
    """Free the chunk at `addr`; returns its requested size, NOT_FREED when it was not live.

    family      who frees: heap_records.MALLOC, NEW, NEW_ARRAY
    size_bytes  as passed to a sized delete, UNKNOWN_SIZE without one
    alignment   as passed to an aligned delete, 0 without one; only looked at for NEW families
    A family or size mismatch is left as a finding and the chunk is freed all the same.
    """
    at = live_chunk_to_free(ctx, addr)
    if at == U64_0:
        return NOT_FREED
    chunk = chunk_at(at)
    freed_bytes = chunk.size_bytes
    if np.uint64(chunk.family) != family:
        check_family(ctx, at, family)
    elif family != U64_MALLOC:
        check_delete(ctx, at, size_bytes, alignment)
    chunk_free(ctx, at)
    return freed_bytes


@kernel("u64(ctx,u64)")
def heap_usable_size(ctx: Any, addr: Any) -> Any:
    """Requested size of the live chunk at `addr`; 0 with BAD_USABLE_SIZE left if there is none."""
    if addr == U64_0:
        return U64_0
    at = owned_chunk(ctx, addr)
    if at != U64_0 and chunk_at(at).state == U8_ALLOCATED:
        return chunk_at(at).size_bytes
    if ctx.options[CHECK_MALLOC_USABLE_SIZE] != U64_0:
        report_fault(ctx, U64_KIND_USABLE_SIZE, addr, U64_0, U64_0)
    return U64_0
