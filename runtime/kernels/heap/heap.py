"""The guest's heap: allocate and free, with redzones, quarantine and exact ends.

    request -> redzone + rounding -> class block or span of its own -> begin in the block
    begin      lo + left redzone, moved up to the alignment
    shadow     [lo, begin) fa, [begin, begin + size) addressable to the byte, the rest fa
    free       [begin, begin + size) fd, then quarantine

A chunk remembers who allocated and who freed it (stack ids, thread numbers), its family (malloc,
new, new[]) and the alignment asked for, until its block is handed out again: even a chunk that left
the quarantine explains a late use as long as its memory is not allocated again.

A sampled request is served by the guarded pool (guarded_pool.py).  A plain heap (IS_PLAIN) has no
redzones, no stacks and no quarantine: it is for runs that only sample.

Findings: SIZE_TOO_BIG, OUT_OF_MEMORY, DOUBLE_FREE, BAD_FREE, ALLOC_DEALLOC_MISMATCH,
NEW_DELETE_SIZE_MISMATCH, BAD_USABLE_SIZE, GUARDED_* (runtime/layout/faults.py).  A mismatched free
is done all the same; a double or bad free changes nothing.

Source: LLVM's asan_allocator.cpp for the checks and their order.
Deviations: a request of 0 bytes gives a distinct pointer with no addressable byte (the original
makes one byte addressable, and so misses its use).  Metadata is out of line.
Soundness: no false alarm; missed are uses of memory handed out again, and jumps over redzones.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import current_stack_id, prefetch_stack
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
from irsan.runtime.kernels.heap_tables.chunk_records import (
    begin_life,
    chunk_at,
    chunk_begin,
    chunk_bytes,
    chunk_lo,
    chunk_place,
    set_alloc_tid,
    set_free_tid,
)
from irsan.runtime.kernels.heap_tables.chunks import (
    addr_to_chunk,
    chunk_give,
    chunk_take,
    large_take,
)
from irsan.runtime.kernels.heap_tables.heap_classes import (
    MAX_BLOCK_BYTES,
    size_to_class,
    size_to_redzone,
)
from irsan.runtime.kernels.heap_tables.spans import spans_init
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_memset
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import (
    FREE,
    MAPPINGS_MAY_BE_STALE,
    current_tid,
    report_fault,
)
from irsan.runtime.kernels.scalars import u8, u64
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.options import (
    ALLOC_DEALLOC_MISMATCH,
    ALLOCATOR_MAY_RETURN_NULL,
    CHECK_MALLOC_USABLE_SIZE,
    CHECK_UNMALLOCED_FREE,
    FREE_FILL_BYTE,
    MACHINE_BYTES,
    MALLOC_FILL_BYTE,
    MAX_ALLOCATION_BYTES,
    MAX_FREE_FILL_BYTES,
    MAX_MALLOC_FILL_BYTES,
    NEW_DELETE_TYPE_MISMATCH,
    POISON_HEAP,
    QUARANTINE_BYTES,
)
from irsan.runtime.records.memory.heap_records import (
    ALLOCATED,
    GUARDED_CLASS,
    LARGE_CLASS,
    MALLOC,
    NEVER_USED,
)

# What heap_free returns when nothing was freed.
NOT_FREED = 0xFFFF_FFFF_FFFF_FFFF
# What a caller passes when operator delete gets no size or no alignment.
UNKNOWN_SIZE = 0xFFFF_FFFF_FFFF_FFFF


ENOMEM = 12
NOT_15 = 0xFFFF_FFFF_FFFF_FFF0
KIND_SIZE_TOO_BIG = int(FaultKind.SIZE_TOO_BIG)
KIND_OUT_OF_MEMORY = int(FaultKind.OUT_OF_MEMORY)
KIND_DOUBLE_FREE = int(FaultKind.DOUBLE_FREE)
KIND_BAD_FREE = int(FaultKind.BAD_FREE)
KIND_MISMATCH = int(FaultKind.ALLOC_DEALLOC_MISMATCH)
KIND_SIZE_MISMATCH = int(FaultKind.NEW_DELETE_SIZE_MISMATCH)
KIND_GUARDED_DOUBLE = int(FaultKind.GUARDED_DOUBLE_FREE)
KIND_GUARDED_INVALID = int(FaultKind.GUARDED_INVALID_FREE)
KIND_USABLE_SIZE = int(FaultKind.BAD_USABLE_SIZE)


@kernel
def heap_init(ctx: Context) -> None:
    """Start an empty heap.  Call once, after ctx.options and ctx.sanitize_* are set."""
    shadow_init(ctx)
    spans_init(ctx)
    if ctx.sanitize_address != 0:
        ctx.heap.quarantine_budget_bytes = ctx.options[QUARANTINE_BYTES]
        ctx.heap.is_poisoning = ctx.options[POISON_HEAP]
    guarded_init(ctx)


@kernel
def refuse(ctx: Context, kind: u64, size_bytes: u64, limit_bytes: u64) -> u64:
    """An allocation that cannot be granted: ENOMEM, a finding unless null may be returned; 0."""
    ctx.heap.n_refused += 1
    set_errno(ctx, ENOMEM)
    if ctx.options[ALLOCATOR_MAY_RETURN_NULL] != 0:
        return 0
    report_fault(ctx, kind, 0, size_bytes, 0)
    ctx.fault[6] = limit_bytes
    ctx.fault[7] = size_bytes + size_to_redzone(ctx, size_bytes)
    return 0


@kernel
def record_allocation(ctx: Context, at: u64, size_bytes: u64, alignment: u64, family: u64) -> None:
    """Write the facts of a new allocation to its chunk and count it."""
    ctx.heap.sequence += 1
    begin_life(at, ctx.heap.sequence, alignment, family)
    chunk = chunk_at(at)
    if ctx.heap.is_plain == 0 or chunk.size_class == GUARDED_CLASS:
        chunk.alloc_stack = current_stack_id(ctx)
        set_alloc_tid(at, current_tid(ctx))
    if ctx.leaks.n_disabled != 0:
        chunk.mark = new_chunk_mark(ctx)
    ctx.heap.n_live += 1
    ctx.heap.live_bytes += size_bytes
    ctx.heap.peak_bytes = max(ctx.heap.peak_bytes, ctx.heap.live_bytes)


@kernel
def block_take(ctx: Context, size_bytes: u64, redzone: u64, alignment: u64) -> u64:
    """Record of a block for a request, 0 when the heap is full."""
    need = ((max(size_bytes, u64(1)) + 15) & NOT_15) + redzone
    if alignment > 16:
        need += alignment
    if need <= MAX_BLOCK_BYTES:
        return chunk_take(ctx, size_to_class(need))
    return large_take(ctx, need + redzone)


@kernel(outlined=True)
def sampled_allocate(ctx: Context, size_bytes: u64, alignment: u64, family: u64) -> u64:
    """Record of a new chunk in the guarded pool, 0 when the heap has to serve the request."""
    at = guarded_take(ctx, size_bytes, alignment)
    if at == 0:
        return 0
    record_allocation(ctx, at, size_bytes, alignment, family)
    record_guarded_allocation(ctx, at)
    if ctx.heap.is_poisoning != 0:
        poison_guarded(ctx, at)
    ctx.heap.is_fresh = 0
    return at


@kernel(outlined=True)
def chunk_allocate(ctx: Context, size_bytes: u64, alignment: u64, family: u64) -> u64:
    """Record of a new chunk, its memory as it was; 0 with the finding left.

    ctx.heap.is_fresh says whether that memory was never used and so reads as zero.
    """
    limit = ctx.options[MAX_ALLOCATION_BYTES]
    if size_bytes > limit or alignment > limit:
        return refuse(ctx, KIND_SIZE_TOO_BIG, size_bytes, limit)
    if size_bytes > ctx.options[MACHINE_BYTES]:
        return refuse(ctx, KIND_OUT_OF_MEMORY, size_bytes, 0)
    countdown = ctx.guarded.countdown - 1
    ctx.guarded.countdown = countdown
    if countdown == 0:
        sampled = sampled_allocate(ctx, size_bytes, alignment, family)
        if sampled != 0:
            return sampled
    redzone = u64(0)
    if ctx.heap.is_plain == 0:
        prefetch_stack(ctx)
        redzone = size_to_redzone(ctx, size_bytes)
    at = block_take(ctx, size_bytes, redzone, alignment)
    if at == 0:
        return refuse(ctx, KIND_OUT_OF_MEMORY, size_bytes, 0)
    chunk = chunk_at(at)
    old_begin = chunk_begin(chunk)
    old_bytes = max(chunk_bytes(chunk), u64(1))
    if chunk.state == NEVER_USED:
        old_bytes = u64(0)
    ctx.heap.is_fresh = u64(chunk.state == NEVER_USED)
    lo = chunk_lo(ctx, chunk)
    begin = lo + redzone
    if alignment > 16:
        begin = (begin + alignment - 1) & ~(alignment - 1)
    chunk_place(chunk, lo, begin, size_bytes)
    record_allocation(ctx, at, size_bytes, alignment, family)
    if ctx.heap.is_poisoning != 0:
        poison_allocated(ctx, at, old_begin, old_bytes)
    return at


@kernel(outlined=True)
def heap_allocate(ctx: Context, size_bytes: u64, alignment: u64, family: u64) -> u64:
    """Address of `size_bytes` new bytes, filled as malloc_fill_byte says; 0 when refused.

    alignment  a power of two, 0 for the default of 16;  family  heap_records.MALLOC, NEW, NEW_ARRAY
    O(1) but for the fill and the shadow.
    """
    at = chunk_allocate(ctx, size_bytes, alignment, family)
    if at == 0:
        return 0
    begin = chunk_begin(chunk_at(at))
    if ctx.sanitize_address != 0:
        n_filled = min(size_bytes, ctx.options[MAX_MALLOC_FILL_BYTES])
        set_bytes(begin, n_filled, u8(ctx.options[MALLOC_FILL_BYTE]))
    return begin


@kernel
def heap_allocate_zeroed(ctx: Context, size_bytes: u64) -> u64:
    """As heap_allocate for calloc: all bytes 0.  Memory never used before is not written."""
    at = chunk_allocate(ctx, size_bytes, 0, MALLOC)
    if at == 0:
        return 0
    if ctx.heap.is_fresh == 0:
        real_memset(chunk_begin(chunk_at(at)), 0, size_bytes)
    return chunk_begin(chunk_at(at))


@kernel
def owned_chunk(ctx: Context, addr: u64) -> u64:
    """Record of the chunk that begins exactly at `addr`, in whatever state; else 0."""
    at = addr_to_chunk(ctx, addr)
    if at == 0 or chunk_begin(chunk_at(at)) != addr or chunk_at(at).state == NEVER_USED:
        return 0
    return at


@kernel
def refuse_guarded_free(ctx: Context, at: u64, addr: u64) -> None:
    """Report a free of a pointer into the pool that is no live block (`at`: a freed one's record).

    A slot that was reported before stays silent: what it does now follows from that.
    """
    if is_crashed_slot(ctx, addr):
        return
    kind = u64(KIND_GUARDED_INVALID)
    if at != 0:
        kind = u64(KIND_GUARDED_DOUBLE)
    report_fault(ctx, kind, addr, 0, FREE)


@kernel
def live_chunk_to_free(ctx: Context, addr: u64) -> u64:
    """Record of the live chunk at `addr`; 0 with DOUBLE_FREE, BAD_FREE or a pool fault left."""
    at = owned_chunk(ctx, addr)
    if at != 0 and chunk_at(at).state == ALLOCATED:
        return at
    if is_guarded(ctx, addr):
        refuse_guarded_free(ctx, at, addr)
    elif at != 0:
        report_fault(ctx, KIND_DOUBLE_FREE, addr, 0, FREE)
    elif ctx.options[CHECK_UNMALLOCED_FREE] != 0:
        stale = u64(0)
        if not is_arena(addr):
            stale = u64(MAPPINGS_MAY_BE_STALE)
        report_fault(ctx, KIND_BAD_FREE, addr, 0, FREE | stale)
    return 0


@kernel
def check_family(ctx: Context, at: u64, family: u64) -> None:
    """Report memory of one family freed by another."""
    chunk = chunk_at(at)
    if u64(chunk.family) == family or ctx.options[ALLOC_DEALLOC_MISMATCH] == 0:
        return
    report_fault(ctx, KIND_MISMATCH, chunk_begin(chunk), chunk_bytes(chunk), FREE)
    ctx.fault[6] = u64(chunk.family)
    ctx.fault[7] = family


@kernel
def check_delete(ctx: Context, at: u64, size_bytes: u64, alignment: u64) -> None:
    """Report a sized or aligned delete that contradicts the new; alignment 0 = the default one."""
    chunk = chunk_at(at)
    if ctx.options[NEW_DELETE_TYPE_MISMATCH] == 0:
        return
    allocated_alignment = u64(0)
    if chunk.align_log != 0:
        allocated_alignment = 1 << u64(chunk.align_log)
    if alignment < 8:  # so little is no alignment, as in the original
        alignment = u64(0)
    same_size = size_bytes == UNKNOWN_SIZE or size_bytes == chunk_bytes(chunk)
    if same_size and allocated_alignment == alignment:
        return
    report_fault(ctx, KIND_SIZE_MISMATCH, chunk_begin(chunk), chunk_bytes(chunk), FREE)
    ctx.fault[6] = chunk_bytes(chunk)
    ctx.fault[7] = size_bytes
    ctx.fault[8] = allocated_alignment
    ctx.fault[9] = alignment


@kernel
def chunk_free(ctx: Context, at: u64) -> None:
    """Free a live chunk: facts, junk, poison, quarantine."""
    chunk = chunk_at(at)
    begin, size_bytes = chunk_begin(chunk), chunk_bytes(chunk)
    guarded = is_guarded(ctx, begin)
    ctx.heap.n_freed += 1
    ctx.heap.n_live -= 1
    ctx.heap.live_bytes -= size_bytes
    n_filled = min(size_bytes, ctx.options[MAX_FREE_FILL_BYTES])
    if n_filled != 0:
        real_memset(begin, ctx.options[FREE_FILL_BYTE], n_filled)
    if ctx.heap.is_poisoning != 0:
        poison_freed(ctx, at)
    if ctx.heap.is_plain == 0 or guarded:
        chunk.free_stack = current_stack_id(ctx)  # late, as it was asked for early
        set_free_tid(at, current_tid(ctx))
    if guarded:
        guarded_give(ctx, at)
    elif ctx.heap.is_plain != 0 and chunk.size_class != LARGE_CLASS:
        chunk_give(ctx, at)
    else:
        quarantine_put(ctx, at)


@kernel(outlined=True)
def heap_free(ctx: Context, addr: u64, family: u64, size_bytes: u64, alignment: u64) -> u64:
    """Free the chunk at `addr`; returns its requested size, NOT_FREED when it was not live.

    family      who frees: heap_records.MALLOC, NEW, NEW_ARRAY
    size_bytes  as passed to a sized delete, UNKNOWN_SIZE without one
    alignment   as passed to an aligned delete, 0 without one; only looked at for NEW families
    A family or size mismatch is left as a finding and the chunk is freed all the same.
    """
    if ctx.heap.is_plain == 0:
        prefetch_stack(ctx)
    at = live_chunk_to_free(ctx, addr)
    if at == 0:
        return NOT_FREED
    chunk = chunk_at(at)
    freed_bytes = chunk_bytes(chunk)
    if u64(chunk.family) != family:
        check_family(ctx, at, family)
    elif family != MALLOC:
        check_delete(ctx, at, size_bytes, alignment)
    chunk_free(ctx, at)
    return freed_bytes


@kernel
def heap_usable_size(ctx: Context, addr: u64) -> u64:
    """Requested size of the live chunk at `addr`; 0 with BAD_USABLE_SIZE left if there is none."""
    if addr == 0:
        return 0
    at = owned_chunk(ctx, addr)
    if at != 0 and chunk_at(at).state == ALLOCATED:
        return chunk_bytes(chunk_at(at))
    if ctx.options[CHECK_MALLOC_USABLE_SIZE] != 0:
        report_fault(ctx, KIND_USABLE_SIZE, addr, 0, 0)
    return 0
