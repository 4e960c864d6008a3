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
makes one byte addressable, and so misses its use).  What the heap relies on is out of line
(chunk_records.py), what reports tell of a block is in its left redzone (chunk_facts.py).
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
from irsan.runtime.kernels.heap_tables.chunk_facts import chunk_facts, write_allocation, write_free
from irsan.runtime.kernels.heap_tables.chunk_records import (
    begin_life,
    chunk_at,
    chunk_begin,
    chunk_bytes,
    chunk_class,
    chunk_lo,
    chunk_place,
    chunk_state,
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
    LARGE_CLASS,
    MALLOC,
    NEVER_USED,
    SIZE_MASK,
    STATE_SHIFT,
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
    """Write the facts of a new allocation, whose chunk has its place, and count it."""
    number = ctx.heap.sequence + 1
    ctx.heap.sequence = number
    mark = u8(0)
    if ctx.leaks.n_disabled != 0:
        mark = new_chunk_mark(ctx)
    begin_life(at, alignment, family, mark)
    facts = chunk_facts(ctx, at)
    if facts != 0:
        write_allocation(at, facts, number, current_stack_id(ctx), current_tid(ctx))
    ctx.heap.n_live += 1
    ctx.heap.live_bytes += size_bytes
    ctx.heap.peak_bytes = max(ctx.heap.peak_bytes, ctx.heap.live_bytes)


@kernel
def block_take(ctx: Context, size_bytes: u64, redzone: u64, alignment: u64) -> u64:
    """Record of a block for a request, 0 when the heap is full."""
    need = ((max(size_bytes, u64(1)) + 15) & NOT_15) + redzone
    if alignment > 16:
        need += alignment
    if need <= MAX_BLOCK_BYTES and size_bytes <= SIZE_MASK:
        return chunk_take(ctx, size_to_class(need))
    return large_take(ctx, need + redzone)


@kernel(outlined=True)
def sampled_allocate(ctx: Context, size_bytes: u64, alignment: u64, family: u64) -> u64:
    """Address of new bytes in the guarded pool, 0 when the heap has to serve the request."""
    at = guarded_take(ctx, size_bytes, alignment)
    if at == 0:
        return 0
    record_allocation(ctx, at, size_bytes, alignment, family)
    record_guarded_allocation(ctx, at)
    if ctx.heap.is_poisoning != 0:
        poison_guarded(ctx, at)
    ctx.heap.is_fresh = 0
    return chunk_begin(at)


@kernel(outlined=True)
def chunk_allocate(ctx: Context, size_bytes: u64, alignment: u64, family: u64) -> u64:
    """Address of `size_bytes` bytes of a new chunk, as they were; 0 with the finding left.

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
    old_shape = u64(chunk_at(at).shape)
    ctx.heap.is_fresh = u64(old_shape >> STATE_SHIFT == NEVER_USED)
    lo = chunk_lo(at)
    begin = lo + redzone
    if alignment > 16:
        begin = (begin + alignment - 1) & ~(alignment - 1)
    chunk_place(at, lo, begin, size_bytes)
    record_allocation(ctx, at, size_bytes, alignment, family)
    if ctx.heap.is_poisoning != 0:
        poison_allocated(ctx, at, lo, begin, size_bytes, old_shape)
    return begin


@kernel(outlined=True)
def heap_allocate(ctx: Context, size_bytes: u64, alignment: u64, family: u64) -> u64:
    """Address of `size_bytes` new bytes, filled as malloc_fill_byte says; 0 when refused.

    alignment  a power of two, 0 for the default of 16;  family  heap_records.MALLOC, NEW, NEW_ARRAY
    O(1) but for the fill and the shadow.
    """
    begin = chunk_allocate(ctx, size_bytes, alignment, family)
    if begin == 0:
        return 0
    if ctx.sanitize_address != 0:
        n_filled = min(size_bytes, ctx.options[MAX_MALLOC_FILL_BYTES])
        set_bytes(begin, n_filled, u8(ctx.options[MALLOC_FILL_BYTE]))
    return begin


@kernel
def heap_allocate_zeroed(ctx: Context, size_bytes: u64) -> u64:
    """As heap_allocate for calloc: all bytes 0.  Memory never used before is not written."""
    begin = chunk_allocate(ctx, size_bytes, 0, MALLOC)
    if begin != 0 and ctx.heap.is_fresh == 0:
        real_memset(begin, 0, size_bytes)
    return begin


@kernel
def owned_chunk(ctx: Context, addr: u64) -> u64:
    """Record of the chunk that begins exactly at `addr`, in whatever state; else 0."""
    at = addr_to_chunk(ctx, addr)
    if at == 0 or chunk_state(at) == NEVER_USED or chunk_begin(at) != addr:
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
    if at != 0 and chunk_state(at) == ALLOCATED:
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
    report_fault(ctx, KIND_MISMATCH, chunk_begin(at), chunk_bytes(at), FREE)
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
    had_bytes = chunk_bytes(at)
    same_size = size_bytes == UNKNOWN_SIZE or size_bytes == had_bytes
    if same_size and allocated_alignment == alignment:
        return
    report_fault(ctx, KIND_SIZE_MISMATCH, chunk_begin(at), had_bytes, FREE)
    ctx.fault[6] = had_bytes
    ctx.fault[7] = size_bytes
    ctx.fault[8] = allocated_alignment
    ctx.fault[9] = alignment


@kernel
def chunk_free(ctx: Context, at: u64, begin: u64, size_bytes: u64) -> None:
    """Free a live chunk, which is [begin, begin + size): junk, poison, facts, quarantine."""
    ctx.heap.n_freed += 1
    ctx.heap.n_live -= 1
    ctx.heap.live_bytes -= size_bytes
    n_filled = min(size_bytes, ctx.options[MAX_FREE_FILL_BYTES])
    if n_filled != 0:
        real_memset(begin, ctx.options[FREE_FILL_BYTE], n_filled)
    if ctx.heap.is_poisoning != 0:
        poison_freed(ctx, begin, size_bytes)
    facts = chunk_facts(ctx, at)
    if facts != 0:  # late, as the stack was asked for early
        write_free(at, facts, current_stack_id(ctx), current_tid(ctx))
    if is_guarded(ctx, begin):
        guarded_give(ctx, at)
    elif ctx.heap.is_plain != 0 and chunk_class(at) != LARGE_CLASS:
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
    freed_bytes = chunk_bytes(at)
    if u64(chunk_at(at).family) != family:
        check_family(ctx, at, family)
    elif family != MALLOC:
        check_delete(ctx, at, size_bytes, alignment)
    chunk_free(ctx, at, addr, freed_bytes)
    return freed_bytes


@kernel
def heap_usable_size(ctx: Context, addr: u64) -> u64:
    """Requested size of the live chunk at `addr`; 0 with BAD_USABLE_SIZE left if there is none."""
    if addr == 0:
        return 0
    at = owned_chunk(ctx, addr)
    if at != 0 and chunk_state(at) == ALLOCATED:
        return chunk_bytes(at)
    if ctx.options[CHECK_MALLOC_USABLE_SIZE] != 0:
        report_fault(ctx, KIND_USABLE_SIZE, addr, 0, 0)
    return 0
