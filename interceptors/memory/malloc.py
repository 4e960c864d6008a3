"""The malloc family: checks of the arguments, then the heap kernels, then the race shadow.

    malloc(n)   heap_allocate -> race_malloc: the bytes have no history yet
    free(p)     heap_free -> race_free: a write of all bytes, so an unordered access is a race

A pointer that the C library's own malloc gave out (by a library function that no interceptor
stands in for) goes to the real free; any other foreign pointer is a bad free.

Source: LLVM's asan_malloc_linux.cpp and asan_allocator.cpp for which argument is checked where.
Deviations: a refused request returns 0 when allocator_may_return_null is set, without a warning.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory.operator_new import EXPORTS as OPERATOR_EXPORTS
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.access import asan_access_slow
from irsan.runtime.kernels.checks.foreign import is_arena, is_libc_chunk
from irsan.runtime.kernels.checks.ranges import asan_read_range, asan_write_range
from irsan.runtime.kernels.combined.tracked_heap import (
    real_usable_size,
    tracked_allocate,
    tracked_allocate_zeroed,
    tracked_free,
    tracked_reallocate,
)
from irsan.runtime.kernels.errno import set_errno
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE, heap_usable_size, owned_chunk
from irsan.runtime.kernels.heap_tables.chunks import chunk_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    real_memcpy,
    real_strlen,
    real_strnlen,
    store_u8,
    store_u64,
)
from irsan.runtime.kernels.race.race_ranges import race_range
from irsan.runtime.kernels.report_fault import FREE, ROUTINE, report_fault
from irsan.runtime.kernels.text.string_scans import (
    needed_bytes,
    string_length,
    string_length_within,
)
from irsan.runtime.kernels.text.strings import REPLACED, is_unchecked
from irsan.runtime.kernels.uninitialised.uninit_origins import bits_copy
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, tracks_bits
from irsan.runtime.kernels.uninitialised.uninit_use import routine_bits, used_bits
from irsan.runtime.layout import interface_words as iw
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.interface_notes import LIBRARY_UNSEEN
from irsan.runtime.records import heap_records as hr

ALLOCATOR_MAY_RETURN_NULL = options.ALLOCATOR_MAY_RETURN_NULL
FREE_SIZES_UNCHECKED = iw.FREE_SIZES_UNCHECKED
STRNDUP = np.uint64(options.OFF_STRNDUP)

I32_0 = np.int32(0)
ENOMEM = np.int32(libc.constant("ENOMEM"))
EINVAL = np.int32(libc.constant("EINVAL"))
ERRNO_NOMEM = np.uint32(libc.constant("ENOMEM"))
ERRNO_INVAL = np.uint32(libc.constant("EINVAL"))
U8_0 = np.uint8(0)
U8_ALLOCATED = np.uint8(hr.ALLOCATED)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_32 = np.uint64(32)
U64_MAX = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
U64_PAGE = np.uint64(4096)
U64_MALLOC = np.uint64(hr.MALLOC)
RULE_POWER_OF_TWO = np.uint64(1)
RULE_ALIGNED_ALLOC = np.uint64(2)
RULE_POSIX_MEMALIGN = np.uint64(3)
U64_KIND_CALLOC = np.uint64(int(FaultKind.CALLOC_OVERFLOW))
U64_KIND_REALLOCARRAY = np.uint64(int(FaultKind.REALLOCARRAY_OVERFLOW))
U64_KIND_PVALLOC = np.uint64(int(FaultKind.PVALLOC_OVERFLOW))
U64_KIND_FREE_SIZE = np.uint64(int(FaultKind.FREE_SIZE_MISMATCH))
U64_KIND_ALIGNMENT = np.uint64(int(FaultKind.BAD_ALIGNMENT))


@kernel("u64(ctx,u64,u64,u64)")
def refuse_product(ctx: Any, kind: Any, count: Any, size_bytes: Any) -> Any:
    """A count times size that overflows: a finding unless null may be returned; always 0."""
    set_errno(ctx, ERRNO_NOMEM)
    if ctx.options[ALLOCATOR_MAY_RETURN_NULL] == U64_0:
        report_fault(ctx, kind, U64_0, size_bytes, U64_0)
        ctx.fault[6] = count
        ctx.fault[7] = size_bytes
    return U64_0


@kernel("b1(u64,u64)")
def overflows(count: Any, size_bytes: Any) -> Any:
    """Whether count * size_bytes does not fit 64 bits."""
    if ((count | size_bytes) >> U64_32) == U64_0 or count == U64_0:
        return False
    return size_bytes > U64_MAX // count


@kernel("b1(ctx,u64,u64,u64)")
def refuse_alignment(ctx: Any, alignment: Any, size_bytes: Any, rule: Any) -> Any:
    """Whether an alignment breaks a rule; leaves BAD_ALIGNMENT unless null may be returned.

    errno becomes EINVAL, but not for posix_memalign, which returns it.
    """
    is_bad = (alignment & (alignment - U64_1)) != U64_0
    if rule == RULE_ALIGNED_ALLOC:
        is_bad = is_bad or alignment == U64_0 or (size_bytes & (alignment - U64_1)) != U64_0
    if rule == RULE_POSIX_MEMALIGN:
        is_bad = is_bad or alignment < U64_8
    if is_bad and rule != RULE_POSIX_MEMALIGN:
        set_errno(ctx, ERRNO_INVAL)
    if is_bad and ctx.options[ALLOCATOR_MAY_RETURN_NULL] == U64_0:
        report_fault(ctx, U64_KIND_ALIGNMENT, U64_0, size_bytes, U64_0)
        ctx.fault[6] = alignment
        ctx.fault[7] = rule
    return is_bad


@kernel("u64(ctx,u64)")
def i_malloc(ctx: Any, size_bytes: Any) -> Any:
    """malloc."""
    return tracked_allocate(ctx, size_bytes, U64_0, U64_MALLOC)


@kernel("u64(ctx,u64,u64)")
def i_calloc(ctx: Any, count: Any, size_bytes: Any) -> Any:
    """calloc; a product that overflows is CALLOC_OVERFLOW."""
    if overflows(count, size_bytes):
        return refuse_product(ctx, U64_KIND_CALLOC, count, size_bytes)
    return tracked_allocate_zeroed(ctx, count * size_bytes)


@kernel("u64(ctx,u64,u64)")
def i_realloc(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """realloc."""
    return tracked_reallocate(ctx, addr, size_bytes)


@kernel("u64(ctx,u64,u64,u64)")
def i_reallocarray(ctx: Any, addr: Any, count: Any, size_bytes: Any) -> Any:
    """reallocarray; a product that overflows is REALLOCARRAY_OVERFLOW and frees nothing."""
    if overflows(count, size_bytes):
        return refuse_product(ctx, U64_KIND_REALLOCARRAY, count, size_bytes)
    return tracked_reallocate(ctx, addr, count * size_bytes)


@kernel("void(ctx,u64)")
def i_free(ctx: Any, addr: Any) -> None:
    """free and cfree."""
    tracked_free(ctx, addr, U64_MALLOC, UNKNOWN_SIZE, U64_0)


@kernel("void(ctx,u64,u64,u64)")
def check_free_size(ctx: Any, addr: Any, size_bytes: Any, alignment: Any) -> None:
    """Report a block of malloc freed with another size or alignment; 0: any alignment."""
    at = owned_chunk(ctx, addr)
    if at == U64_0 or ctx.interface[FREE_SIZES_UNCHECKED] != U64_0:
        return
    chunk = chunk_at(at)
    if chunk.state != U8_ALLOCATED or np.uint64(chunk.family) != U64_MALLOC:
        return
    allocated_alignment = U64_0
    if chunk.align_log != U8_0:
        allocated_alignment = U64_1 << np.uint64(chunk.align_log)
    is_aligned = alignment <= U64_16 or alignment == allocated_alignment
    if chunk.size_bytes != size_bytes or not is_aligned:
        report_fault(ctx, U64_KIND_FREE_SIZE, addr, chunk.size_bytes, FREE)
        ctx.fault[6] = chunk.size_bytes
        ctx.fault[7] = size_bytes
        ctx.fault[8] = allocated_alignment
        ctx.fault[9] = alignment


@kernel("void(ctx,u64,u64)")
def i_free_sized(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """free_sized of C23: the size of the malloc is told again."""
    check_free_size(ctx, addr, size_bytes, U64_0)
    tracked_free(ctx, addr, U64_MALLOC, UNKNOWN_SIZE, U64_0)


@kernel("void(ctx,u64,u64,u64)")
def i_free_aligned_sized(ctx: Any, addr: Any, alignment: Any, size_bytes: Any) -> None:
    """free_aligned_sized of C23."""
    check_free_size(ctx, addr, size_bytes, alignment)
    tracked_free(ctx, addr, U64_MALLOC, UNKNOWN_SIZE, U64_0)


@kernel("u64(ctx,u64,u64)")
def i_memalign(ctx: Any, alignment: Any, size_bytes: Any) -> Any:
    """memalign: the alignment is a power of two."""
    if refuse_alignment(ctx, alignment, size_bytes, RULE_POWER_OF_TWO):
        return U64_0
    return tracked_allocate(ctx, size_bytes, alignment, U64_MALLOC)


@kernel("u64(ctx,u64,u64)")
def i_aligned_alloc(ctx: Any, alignment: Any, size_bytes: Any) -> Any:
    """aligned_alloc: a power of two that divides the size."""
    if refuse_alignment(ctx, alignment, size_bytes, RULE_ALIGNED_ALLOC):
        return U64_0
    return tracked_allocate(ctx, size_bytes, alignment, U64_MALLOC)


@kernel("i32(ctx,u64,u64,u64)")
def i_posix_memalign(ctx: Any, out: Any, alignment: Any, size_bytes: Any) -> Any:
    """posix_memalign: a power of two, a multiple of the pointer size; 0, EINVAL or ENOMEM."""
    if refuse_alignment(ctx, alignment, size_bytes, RULE_POSIX_MEMALIGN):
        return EINVAL
    if not asan_write_range(ctx, out, U64_8):
        return EINVAL
    addr = tracked_allocate(ctx, size_bytes, alignment, U64_MALLOC)
    if addr == U64_0:
        return ENOMEM
    store_u64(out, addr)
    return I32_0


@kernel("u64(ctx,u64)")
def i_valloc(ctx: Any, size_bytes: Any) -> Any:
    """valloc: page-aligned."""
    return tracked_allocate(ctx, size_bytes, U64_PAGE, U64_MALLOC)


@kernel("u64(ctx,u64)")
def i_pvalloc(ctx: Any, size_bytes: Any) -> Any:
    """pvalloc: whole pages; a size that cannot be rounded up is PVALLOC_OVERFLOW."""
    if size_bytes > U64_MAX - U64_PAGE:
        return refuse_product(ctx, U64_KIND_PVALLOC, U64_1, size_bytes)
    pages = (max(size_bytes, U64_1) + U64_PAGE - U64_1) & ~(U64_PAGE - U64_1)
    return tracked_allocate(ctx, pages, U64_PAGE, U64_MALLOC)


@kernel("u64(ctx,u64)")
def i_malloc_usable_size(ctx: Any, addr: Any) -> Any:
    """malloc_usable_size: what was asked for, so that using more is an overflow."""
    if addr != U64_0 and not is_arena(addr) and is_libc_chunk(ctx, addr):
        return real_usable_size(addr)
    return heap_usable_size(ctx, addr)


@kernel("u64(ctx,u64,u64)")
def copy_string(ctx: Any, text: Any, n_bytes: Any) -> Any:
    """A new chunk with `n_bytes` of `text` and a final zero; 0 when refused."""
    copy = tracked_allocate(ctx, n_bytes + U64_1, U64_0, U64_MALLOC)
    if copy == U64_0:
        return U64_0
    real_memcpy(copy, text, n_bytes)
    store_u8(copy + n_bytes, U8_0)
    if tracks_bits():
        bits_clear(ctx, copy + n_bytes, U64_1)
        bits_copy(ctx, copy, text, n_bytes)
    return copy


@kernel("u64(ctx,u64)")
def i_strdup(ctx: Any, text: Any) -> Any:
    """strdup: the whole string and its zero are read."""
    if is_unchecked(ctx, REPLACED):
        return copy_string(ctx, text, real_strlen(text))
    if not asan_access_slow(ctx, text, U64_1, ROUTINE):
        return U64_0
    n_bytes = string_length(ctx, text)
    asan_read_range(ctx, text, needed_bytes(ctx, text, n_bytes + U64_1))
    used_bits(ctx, text + n_bytes, U64_1)
    if ctx.sanitize_thread != U64_0 and ctx.interface[LIBRARY_UNSEEN] == U64_0:
        race_range(ctx, text, n_bytes + U64_1, U64_0)
    return copy_string(ctx, text, n_bytes)


@kernel("u64(ctx,u64,u64)")
def i_strndup(ctx: Any, text: Any, limit: Any) -> Any:
    """strndup: at most `limit` bytes are read."""
    if is_unchecked(ctx, STRNDUP):
        return copy_string(ctx, text, real_strnlen(text, limit))
    if limit != U64_0 and not asan_access_slow(ctx, text, U64_1, ROUTINE):
        return U64_0
    n_bytes = string_length_within(ctx, text, limit)
    n_read = min(n_bytes + U64_1, limit)
    asan_read_range(ctx, text, n_read)
    if tracks_bits():
        routine_bits(ctx, text, n_read, False)
    if ctx.sanitize_thread != U64_0 and ctx.interface[LIBRARY_UNSEEN] == U64_0:
        race_range(ctx, text, n_read, U64_0)
    return copy_string(ctx, text, n_bytes)


@kernel("i32(ctx,i32,i32)")
def i_mallopt(ctx: Any, parameter: Any, value: Any) -> Any:
    """mallopt: no parameter of the C library's allocator applies here."""
    return I32_0


EXPORTS = (
    Export("ptr malloc(u64)", kernel="i_malloc"),
    Export("ptr calloc(u64,u64)", kernel="i_calloc"),
    Export("ptr realloc(ptr,u64)", kernel="i_realloc"),
    Export("ptr reallocarray(ptr,u64,u64)", kernel="i_reallocarray"),
    Export("void free(ptr)", kernel="i_free"),
    Export("void cfree(ptr)", kernel="i_free"),
    Export("void free_sized(ptr,u64)", kernel="i_free_sized"),
    Export("void free_aligned_sized(ptr,u64,u64)", kernel="i_free_aligned_sized"),
    Export("ptr memalign(u64,u64)", kernel="i_memalign"),
    Export("ptr __libc_memalign(u64,u64)", kernel="i_memalign"),
    Export("ptr aligned_alloc(u64,u64)", kernel="i_aligned_alloc"),
    Export("i32 posix_memalign(ptr,u64,u64)", kernel="i_posix_memalign"),
    Export("ptr valloc(u64)", kernel="i_valloc"),
    Export("ptr pvalloc(u64)", kernel="i_pvalloc"),
    Export("u64 malloc_usable_size(ptr)", kernel="i_malloc_usable_size"),
    Export("i32 mallopt(i32,i32)", kernel="i_mallopt", quick=True),
    Export("ptr strdup(ptr)", kernel="i_strdup"),
    Export("ptr __strdup(ptr)", kernel="i_strdup"),
    Export("ptr strndup(ptr,u64)", kernel="i_strndup"),
    Export("ptr __strndup(ptr,u64)", kernel="i_strndup"),
    *OPERATOR_EXPORTS,
)
