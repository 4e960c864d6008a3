"""The malloc family: checks of the arguments, then the heap kernels, then the race shadow.

    malloc(n)   heap_allocate -> race_malloc: the bytes have no history yet
    free(p)     heap_free -> race_free: a write of all bytes, so an unordered access is a race

A pointer that the C library's own malloc gave out (by a library function that no interceptor
stands in for) goes to the real free; any other foreign pointer is a bad free.

Source: LLVM's asan_malloc_linux.cpp and asan_allocator.cpp for which argument is checked where.
Deviations: a refused request returns 0 when allocator_may_return_null is set, without a warning.
"""

from __future__ import annotations

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
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_at, chunk_bytes, chunk_state
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    real_memcpy,
    real_strlen,
    real_strnlen,
    store_u8,
    store_u64,
)
from irsan.runtime.kernels.race.race_ranges import race_range
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import FREE, ROUTINE, report_fault
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.text.string_scans import (
    needed_bytes,
    string_length,
    string_length_within,
)
from irsan.runtime.kernels.text.strings import REPLACED, is_unchecked
from irsan.runtime.kernels.uninitialised.uninit_origins import bits_copy
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, tracks_bits
from irsan.runtime.kernels.uninitialised.uninit_use import routine_bits, used_bits
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.options import ALLOCATOR_MAY_RETURN_NULL
from irsan.runtime.records.memory.heap_records import ALLOCATED, MALLOC

STRNDUP = options.OFF_STRNDUP

ENOMEM = libc.constant("ENOMEM")
EINVAL = libc.constant("EINVAL")
ERRNO_NOMEM = libc.constant("ENOMEM")
ERRNO_INVAL = libc.constant("EINVAL")
MAX = 0xFFFF_FFFF_FFFF_FFFF
PAGE = 4096
RULE_POWER_OF_TWO = 1
RULE_ALIGNED_ALLOC = 2
RULE_POSIX_MEMALIGN = 3
KIND_CALLOC = int(FaultKind.CALLOC_OVERFLOW)
KIND_REALLOCARRAY = int(FaultKind.REALLOCARRAY_OVERFLOW)
KIND_PVALLOC = int(FaultKind.PVALLOC_OVERFLOW)
KIND_FREE_SIZE = int(FaultKind.FREE_SIZE_MISMATCH)
KIND_ALIGNMENT = int(FaultKind.BAD_ALIGNMENT)


@kernel
def refuse_product(ctx: Context, kind: u64, count: u64, size_bytes: u64) -> u64:
    """A count times size that overflows: a finding unless null may be returned; always 0."""
    set_errno(ctx, ERRNO_NOMEM)
    if ctx.options[ALLOCATOR_MAY_RETURN_NULL] == 0:
        report_fault(ctx, kind, 0, size_bytes, 0)
        ctx.fault[6] = count
        ctx.fault[7] = size_bytes
    return 0


@kernel
def overflows(count: u64, size_bytes: u64) -> bool:
    """Whether count * size_bytes does not fit 64 bits."""
    if ((count | size_bytes) >> 32) == 0 or count == 0:
        return False
    return size_bytes > MAX // count


@kernel
def refuse_alignment(ctx: Context, alignment: u64, size_bytes: u64, rule: u64) -> bool:
    """Whether an alignment breaks a rule; leaves BAD_ALIGNMENT unless null may be returned.

    errno becomes EINVAL, but not for posix_memalign, which returns it.
    """
    is_bad = (alignment & (alignment - 1)) != 0
    if rule == RULE_ALIGNED_ALLOC:
        is_bad = is_bad or alignment == 0 or (size_bytes & (alignment - 1)) != 0
    if rule == RULE_POSIX_MEMALIGN:
        is_bad = is_bad or alignment < 8
    if is_bad and rule != RULE_POSIX_MEMALIGN:
        set_errno(ctx, ERRNO_INVAL)
    if is_bad and ctx.options[ALLOCATOR_MAY_RETURN_NULL] == 0:
        report_fault(ctx, KIND_ALIGNMENT, 0, size_bytes, 0)
        ctx.fault[6] = alignment
        ctx.fault[7] = rule
    return is_bad


@kernel
def i_malloc(ctx: Context, size_bytes: u64) -> u64:
    """malloc."""
    return tracked_allocate(ctx, size_bytes, 0, MALLOC)


@kernel
def i_calloc(ctx: Context, count: u64, size_bytes: u64) -> u64:
    """calloc; a product that overflows is CALLOC_OVERFLOW."""
    if overflows(count, size_bytes):
        return refuse_product(ctx, KIND_CALLOC, count, size_bytes)
    return tracked_allocate_zeroed(ctx, count * size_bytes)


@kernel
def i_realloc(ctx: Context, addr: u64, size_bytes: u64) -> u64:
    """realloc."""
    return tracked_reallocate(ctx, addr, size_bytes)


@kernel
def i_reallocarray(ctx: Context, addr: u64, count: u64, size_bytes: u64) -> u64:
    """reallocarray; a product that overflows is REALLOCARRAY_OVERFLOW and frees nothing."""
    if overflows(count, size_bytes):
        return refuse_product(ctx, KIND_REALLOCARRAY, count, size_bytes)
    return tracked_reallocate(ctx, addr, count * size_bytes)


@kernel
def i_free(ctx: Context, addr: u64) -> None:
    """free and cfree."""
    tracked_free(ctx, addr, MALLOC, UNKNOWN_SIZE, 0)


@kernel
def check_free_size(ctx: Context, addr: u64, size_bytes: u64, alignment: u64) -> None:
    """Report a block of malloc freed with another size or alignment; 0: any alignment."""
    at = owned_chunk(ctx, addr)
    if at == 0 or ctx.interface.free_sizes_unchecked != 0:
        return
    chunk = chunk_at(at)
    if chunk_state(at) != ALLOCATED or u64(chunk.family) != MALLOC:
        return
    allocated_alignment = u64(0)
    if chunk.align_log != 0:
        allocated_alignment = 1 << u64(chunk.align_log)
    is_aligned = alignment <= 16 or alignment == allocated_alignment
    had_bytes = chunk_bytes(at)
    if had_bytes != size_bytes or not is_aligned:
        report_fault(ctx, KIND_FREE_SIZE, addr, had_bytes, FREE)
        ctx.fault[6] = had_bytes
        ctx.fault[7] = size_bytes
        ctx.fault[8] = allocated_alignment
        ctx.fault[9] = alignment


@kernel
def i_free_sized(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """free_sized of C23: the size of the malloc is given again."""
    check_free_size(ctx, addr, size_bytes, 0)
    tracked_free(ctx, addr, MALLOC, UNKNOWN_SIZE, 0)


@kernel
def i_free_aligned_sized(ctx: Context, addr: u64, alignment: u64, size_bytes: u64) -> None:
    """free_aligned_sized of C23."""
    check_free_size(ctx, addr, size_bytes, alignment)
    tracked_free(ctx, addr, MALLOC, UNKNOWN_SIZE, 0)


@kernel
def i_memalign(ctx: Context, alignment: u64, size_bytes: u64) -> u64:
    """memalign: the alignment is a power of two."""
    if refuse_alignment(ctx, alignment, size_bytes, RULE_POWER_OF_TWO):
        return 0
    return tracked_allocate(ctx, size_bytes, alignment, MALLOC)


@kernel
def i_aligned_alloc(ctx: Context, alignment: u64, size_bytes: u64) -> u64:
    """aligned_alloc: a power of two that divides the size."""
    if refuse_alignment(ctx, alignment, size_bytes, RULE_ALIGNED_ALLOC):
        return 0
    return tracked_allocate(ctx, size_bytes, alignment, MALLOC)


@kernel
def i_posix_memalign(ctx: Context, out: u64, alignment: u64, size_bytes: u64) -> i32:
    """posix_memalign: a power of two, a multiple of the pointer size; 0, EINVAL or ENOMEM."""
    if refuse_alignment(ctx, alignment, size_bytes, RULE_POSIX_MEMALIGN):
        return EINVAL
    if not asan_write_range(ctx, out, 8):
        return EINVAL
    addr = tracked_allocate(ctx, size_bytes, alignment, MALLOC)
    if addr == 0:
        return ENOMEM
    store_u64(out, addr)
    return 0


@kernel
def i_valloc(ctx: Context, size_bytes: u64) -> u64:
    """valloc: page-aligned."""
    return tracked_allocate(ctx, size_bytes, PAGE, MALLOC)


@kernel
def i_pvalloc(ctx: Context, size_bytes: u64) -> u64:
    """pvalloc: whole pages; a size that cannot be rounded up is PVALLOC_OVERFLOW."""
    if size_bytes > u64(MAX) - PAGE:
        return refuse_product(ctx, KIND_PVALLOC, 1, size_bytes)
    pages = (max(size_bytes, u64(1)) + PAGE - 1) & ~(u64(PAGE) - 1)
    return tracked_allocate(ctx, pages, PAGE, MALLOC)


@kernel
def i_malloc_usable_size(ctx: Context, addr: u64) -> u64:
    """malloc_usable_size: what was asked for, so that using more is an overflow."""
    if addr != 0 and not is_arena(addr) and is_libc_chunk(ctx, addr):
        return real_usable_size(addr)
    return heap_usable_size(ctx, addr)


@kernel
def copy_string(ctx: Context, text: u64, n_bytes: u64) -> u64:
    """A new chunk with `n_bytes` of `text` and a final zero; 0 when refused."""
    copy = tracked_allocate(ctx, n_bytes + 1, 0, MALLOC)
    if copy == 0:
        return 0
    real_memcpy(copy, text, n_bytes)
    store_u8(copy + n_bytes, 0)
    if tracks_bits():
        bits_clear(ctx, copy + n_bytes, 1)
        bits_copy(ctx, copy, text, n_bytes)
    return copy


@kernel
def i_strdup(ctx: Context, text: u64) -> u64:
    """strdup: the whole string and its zero are read."""
    if is_unchecked(ctx, REPLACED):
        return copy_string(ctx, text, real_strlen(text))
    if not asan_access_slow(ctx, text, 1, ROUTINE):
        return 0
    n_bytes = string_length(ctx, text)
    asan_read_range(ctx, text, needed_bytes(ctx, text, n_bytes + 1))
    used_bits(ctx, text + n_bytes, 1)
    if ctx.sanitize_thread != 0 and ctx.interface.library_unseen == 0:
        race_range(ctx, text, n_bytes + 1, 0)
    return copy_string(ctx, text, n_bytes)


@kernel
def i_strndup(ctx: Context, text: u64, limit: u64) -> u64:
    """strndup: at most `limit` bytes are read."""
    if is_unchecked(ctx, STRNDUP):
        return copy_string(ctx, text, real_strnlen(text, limit))
    if limit != 0 and not asan_access_slow(ctx, text, 1, ROUTINE):
        return 0
    n_bytes = string_length_within(ctx, text, limit)
    n_read = min(n_bytes + 1, limit)
    asan_read_range(ctx, text, n_read)
    if tracks_bits():
        routine_bits(ctx, text, n_read, False)
    if ctx.sanitize_thread != 0 and ctx.interface.library_unseen == 0:
        race_range(ctx, text, n_read, 0)
    return copy_string(ctx, text, n_bytes)


@kernel
def i_mallopt(ctx: Context, parameter: i32, value: i32) -> i32:
    """mallopt: no parameter of the C library's allocator applies here."""
    return 0


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
