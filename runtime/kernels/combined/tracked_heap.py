"""Allocation as both detectors see it: heap and shadow first, then the history of the bytes.

    allocate   the new bytes have no history: whatever their last owner did is forgotten
    free       counts as a write of every byte, so an access not ordered before it is a race

With the race detector off these are the plain heap kernels.

Source: ThreadSanitizer's user_alloc and user_free (tsan_mman.cpp): a free is a write of the range,
and the range is then marked as freed.
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks.foreign import is_arena, is_libc_chunk
from irsan.runtime.kernels.combined.dead_history import count_dead
from irsan.runtime.kernels.combined.observers import (
    OBSERVE,
    announce_free,
    observe_allocation,
    tell_allocation,
)
from irsan.runtime.kernels.heap.heap import (
    NOT_FREED,
    UNKNOWN_SIZE,
    heap_allocate,
    heap_allocate_zeroed,
    heap_free,
    live_chunk_to_free,
    refuse,
)
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_bytes
from irsan.runtime.kernels.injected import allocation_fails
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_function, real_memcpy
from irsan.runtime.kernels.provenance.provenance_objects import (
    provenance_allocated,
    provenance_freed,
    tracks_provenance,
)
from irsan.runtime.kernels.provenance.provenance_slots import slots_copy
from irsan.runtime.kernels.race.race_free import race_free
from irsan.runtime.kernels.race.race_ranges import race_malloc
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.uninitialised.uninit_heap import bits_allocated, bits_freed
from irsan.runtime.kernels.uninitialised.uninit_origins import bits_copy
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, tracks_bits
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.options import FREES_ON_REALLOC_ZERO
from irsan.runtime.records.memory.heap_records import MALLOC

real_free = real_function("free", 1)
real_usable_size = real_function("malloc_usable_size", 1)


KIND_OUT_OF_MEMORY = int(FaultKind.OUT_OF_MEMORY)

NONE = int(actions.NONE)


@kernel(outlined=True)
def refuse_for_limit(ctx: Context, size_bytes: u64) -> u64:
    """An allocation while the process is larger than soft_rss_limit_mb allows; always 0."""
    refuse(ctx, KIND_OUT_OF_MEMORY, size_bytes, 0)
    if ctx.action == NONE:
        observe_allocation(ctx, 0, size_bytes)
    else:
        ctx.fault[8] = ctx.interface.refused_limit_bytes
    return 0


@kernel(outlined=True)
def tell_refusal(ctx: Context, size_bytes: u64) -> None:
    """A request was refused without a finding: the host says so."""
    if ctx.action == NONE:
        tell_allocation(ctx, 0, size_bytes, 0)


@kernel(inlined=True)
def allocate_now(ctx: Context, size_bytes: u64, alignment: u64, family: u64) -> u64:
    """tracked_allocate without injected failures."""
    if ctx.interface.refused_limit_bytes != 0:
        return refuse_for_limit(ctx, size_bytes)
    addr = heap_allocate(ctx, size_bytes, alignment, family)
    if addr == 0:
        tell_refusal(ctx, size_bytes)
    elif ctx.sanitize_thread != 0:
        race_malloc(ctx, addr, (size_bytes + 3) & ~u64(3))  # the last cell holds no other block
    if tracks_bits() and addr != 0:
        bits_allocated(ctx, addr, size_bytes)
    if tracks_provenance() and addr != 0:
        provenance_allocated(ctx, addr, size_bytes)
    if ctx.interface.watches != 0 and addr != 0:
        observe_allocation(ctx, addr, size_bytes)
    return addr


@kernel(outlined=True)
def tracked_allocate(ctx: Context, size_bytes: u64, alignment: u64, family: u64) -> u64:
    """heap_allocate whose bytes start without history."""
    if ctx.inject.kinds != 0 and allocation_fails(ctx, size_bytes):
        return 0
    return allocate_now(ctx, size_bytes, alignment, family)


@kernel(outlined=True)
def allocate_surely(ctx: Context, size_bytes: u64) -> u64:
    """A block for what the C library has allocated already: no failure is injected."""
    return allocate_now(ctx, size_bytes, 0, MALLOC)


@kernel(outlined=True)
def tracked_allocate_zeroed(ctx: Context, size_bytes: u64) -> u64:
    """heap_allocate_zeroed whose bytes start without history."""
    if ctx.inject.kinds != 0 and allocation_fails(ctx, size_bytes):
        return 0
    if ctx.interface.refused_limit_bytes != 0:
        return refuse_for_limit(ctx, size_bytes)
    addr = heap_allocate_zeroed(ctx, size_bytes)
    if addr == 0:
        tell_refusal(ctx, size_bytes)
    elif ctx.sanitize_thread != 0:
        race_malloc(ctx, addr, (size_bytes + 3) & ~u64(3))  # the last cell holds no other block
    if tracks_bits() and addr != 0:
        bits_clear(ctx, addr, size_bytes)
    if tracks_provenance() and addr != 0:
        provenance_allocated(ctx, addr, size_bytes)
    if ctx.interface.watches != 0 and addr != 0:
        observe_allocation(ctx, addr, size_bytes)
    return addr


@kernel
def free_now(ctx: Context, addr: u64, family: u64, size_bytes: u64, alignment: u64) -> None:
    """tracked_free without announcing it."""
    if not is_arena(addr) and is_libc_chunk(ctx, addr):
        real_free(addr)
        return
    freed_bytes = heap_free(ctx, addr, family, size_bytes, alignment)
    if tracks_bits() and freed_bytes != NOT_FREED:
        bits_freed(ctx, addr, freed_bytes)
    if tracks_provenance() and freed_bytes != NOT_FREED:
        provenance_freed(ctx, addr)
    if freed_bytes == NOT_FREED or ctx.sanitize_thread == 0 or ctx.action != NONE:
        return
    race_free(ctx, addr, freed_bytes)
    count_dead(ctx, addr, freed_bytes)


@kernel(outlined=True)
def tracked_free(ctx: Context, addr: u64, family: u64, size_bytes: u64, alignment: u64) -> None:
    """Free any pointer the program has: 0, ours, or one of the C library's own malloc.

    Arguments as heap_free.  A finding of the heap hides a race of the same free.
    """
    if addr == 0:
        return
    if ctx.interface.watches != 0 and announce_free(ctx, addr):
        return
    free_now(ctx, addr, family, size_bytes, alignment)


@kernel
def adopt_libc_chunk(ctx: Context, addr: u64, size_bytes: u64) -> u64:
    """realloc of a pointer of the C library's malloc: the bytes move to our heap."""
    new = tracked_allocate(ctx, size_bytes, 0, MALLOC)
    if new == 0:
        return 0
    n_moved = min(size_bytes, real_usable_size(addr))
    real_memcpy(new, addr, n_moved)
    if tracks_bits():
        bits_clear(ctx, new, n_moved)
    real_free(addr)
    return new


@kernel(outlined=True)
def tracked_reallocate(ctx: Context, addr: u64, size_bytes: u64) -> u64:
    """realloc: always a new place, so that every old pointer becomes a freed one.

    realloc(0, n) is malloc(n); realloc(p, 0) frees p and returns 0 unless
    allocator_frees_and_returns_null_on_realloc_zero is off.  A pointer that is not a live chunk is
    DOUBLE_FREE or BAD_FREE and gives 0.
    """
    if addr == 0:
        return tracked_allocate(ctx, size_bytes, 0, MALLOC)
    if not is_arena(addr) and is_libc_chunk(ctx, addr):
        return adopt_libc_chunk(ctx, addr, size_bytes)
    at = live_chunk_to_free(ctx, addr)
    if at == 0:
        return 0
    new = u64(0)
    if size_bytes != 0 or ctx.options[FREES_ON_REALLOC_ZERO] == 0:
        new = tracked_allocate(ctx, size_bytes, 0, MALLOC)
        if new == 0:
            return 0
        n_moved = min(chunk_bytes(at), size_bytes)
        real_memcpy(new, addr, n_moved)
        if tracks_bits():
            bits_copy(ctx, new, addr, n_moved)
        if tracks_provenance():
            slots_copy(new, addr, n_moved)
    free_now(ctx, addr, MALLOC, UNKNOWN_SIZE, 0)
    if ctx.action == OBSERVE:
        ctx.event.args[2] = addr
    return new
