"""operator new and delete in all their mangled forms, over the heap kernels.

    new    _Znwm _Znam   plain, nothrow, aligned, aligned nothrow
    delete _ZdlPv _ZdaPv plain, nothrow, sized, aligned, sized aligned, aligned nothrow

A sized or aligned delete is compared with what new was asked for; the array forms are a family of
their own, so `new[]` with `delete` is alloc-dealloc-mismatch.

A new that cannot be granted is a finding, as every allocation is; with allocator_may_return_null,
or when the run goes on after the finding, the C++ standard holds: the new handler is called and
asked again, without one std::bad_alloc is thrown, and the nothrow forms give null.

Deviations: the original reports out-of-memory where bad_alloc is due; the nothrow forms do not
call the new handler.

Source: LLVM's asan_new_delete.cpp for the list of forms; Itanium C++ ABI for the names.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate, tracked_free
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.memory.heap_records import NEW, NEW_ARRAY


@kernel
def i_new(ctx: Context, size_bytes: u64) -> u64:
    """operator new(size_t)."""
    return tracked_allocate(ctx, size_bytes, 0, NEW)


@kernel
def i_new_array(ctx: Context, size_bytes: u64) -> u64:
    """operator new[](size_t)."""
    return tracked_allocate(ctx, size_bytes, 0, NEW_ARRAY)


@kernel
def i_new_aligned(ctx: Context, size_bytes: u64, alignment: u64) -> u64:
    """operator new(size_t, std::align_val_t)."""
    return tracked_allocate(ctx, size_bytes, alignment, NEW)


@kernel
def i_new_array_aligned(ctx: Context, size_bytes: u64, alignment: u64) -> u64:
    """operator new[](size_t, std::align_val_t)."""
    return tracked_allocate(ctx, size_bytes, alignment, NEW_ARRAY)


@kernel
def i_new_nothrow(ctx: Context, size_bytes: u64, nothrow: u64) -> u64:
    """operator new(size_t, std::nothrow_t const&)."""
    return tracked_allocate(ctx, size_bytes, 0, NEW)


@kernel
def i_new_array_nothrow(ctx: Context, size_bytes: u64, nothrow: u64) -> u64:
    """operator new[](size_t, std::nothrow_t const&)."""
    return tracked_allocate(ctx, size_bytes, 0, NEW_ARRAY)


@kernel
def i_new_aligned_nothrow(ctx: Context, size_bytes: u64, alignment: u64, nothrow: u64) -> u64:
    """operator new(size_t, std::align_val_t, std::nothrow_t const&)."""
    return tracked_allocate(ctx, size_bytes, alignment, NEW)


@kernel
def i_new_array_aligned_nothrow(ctx: Context, size_bytes: u64, alignment: u64, nothrow: u64) -> u64:
    """operator new[](size_t, std::align_val_t, std::nothrow_t const&)."""
    return tracked_allocate(ctx, size_bytes, alignment, NEW_ARRAY)


@kernel
def i_delete(ctx: Context, addr: u64) -> None:
    """operator delete(void*)."""
    tracked_free(ctx, addr, NEW, UNKNOWN_SIZE, 0)


@kernel
def i_delete_array(ctx: Context, addr: u64) -> None:
    """operator delete[](void*)."""
    tracked_free(ctx, addr, NEW_ARRAY, UNKNOWN_SIZE, 0)


@kernel
def i_delete_nothrow(ctx: Context, addr: u64, nothrow: u64) -> None:
    """operator delete(void*, std::nothrow_t const&)."""
    tracked_free(ctx, addr, NEW, UNKNOWN_SIZE, 0)


@kernel
def i_delete_array_nothrow(ctx: Context, addr: u64, nothrow: u64) -> None:
    """operator delete[](void*, std::nothrow_t const&)."""
    tracked_free(ctx, addr, NEW_ARRAY, UNKNOWN_SIZE, 0)


@kernel
def i_delete_sized(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """operator delete(void*, size_t)."""
    tracked_free(ctx, addr, NEW, size_bytes, 0)


@kernel
def i_delete_array_sized(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """operator delete[](void*, size_t)."""
    tracked_free(ctx, addr, NEW_ARRAY, size_bytes, 0)


@kernel
def i_delete_aligned(ctx: Context, addr: u64, alignment: u64) -> None:
    """operator delete(void*, std::align_val_t)."""
    tracked_free(ctx, addr, NEW, UNKNOWN_SIZE, alignment)


@kernel
def i_delete_array_aligned(ctx: Context, addr: u64, alignment: u64) -> None:
    """operator delete[](void*, std::align_val_t)."""
    tracked_free(ctx, addr, NEW_ARRAY, UNKNOWN_SIZE, alignment)


@kernel
def i_delete_aligned_nothrow(ctx: Context, addr: u64, alignment: u64, nothrow: u64) -> None:
    """operator delete(void*, std::align_val_t, std::nothrow_t const&)."""
    tracked_free(ctx, addr, NEW, UNKNOWN_SIZE, alignment)


@kernel
def i_delete_array_aligned_nothrow(ctx: Context, addr: u64, alignment: u64, nothrow: u64) -> None:
    """operator delete[](void*, std::align_val_t, std::nothrow_t const&)."""
    tracked_free(ctx, addr, NEW_ARRAY, UNKNOWN_SIZE, alignment)


@kernel
def i_delete_sized_aligned(ctx: Context, addr: u64, size_bytes: u64, alignment: u64) -> None:
    """operator delete(void*, size_t, std::align_val_t)."""
    tracked_free(ctx, addr, NEW, size_bytes, alignment)


@kernel
def i_delete_array_sized_aligned(ctx: Context, addr: u64, size_bytes: u64, alignment: u64) -> None:
    """operator delete[](void*, size_t, std::align_val_t)."""
    tracked_free(ctx, addr, NEW_ARRAY, size_bytes, alignment)


EXPORTS = (
    Export("ptr _Znwm(u64)", kernel="i_new", throws=True),
    Export("ptr _Znam(u64)", kernel="i_new_array", throws=True),
    Export("ptr _ZnwmRKSt9nothrow_t(u64,ptr)", kernel="i_new_nothrow"),
    Export("ptr _ZnamRKSt9nothrow_t(u64,ptr)", kernel="i_new_array_nothrow"),
    Export("ptr _ZnwmSt11align_val_t(u64,u64)", kernel="i_new_aligned", throws=True),
    Export("ptr _ZnamSt11align_val_t(u64,u64)", kernel="i_new_array_aligned", throws=True),
    Export("ptr _ZnwmSt11align_val_tRKSt9nothrow_t(u64,u64,ptr)", kernel="i_new_aligned_nothrow"),
    Export(
        "ptr _ZnamSt11align_val_tRKSt9nothrow_t(u64,u64,ptr)",
        kernel="i_new_array_aligned_nothrow",
    ),
    Export("void _ZdlPv(ptr)", kernel="i_delete"),
    Export("void _ZdaPv(ptr)", kernel="i_delete_array"),
    Export("void _ZdlPvRKSt9nothrow_t(ptr,ptr)", kernel="i_delete_nothrow"),
    Export("void _ZdaPvRKSt9nothrow_t(ptr,ptr)", kernel="i_delete_array_nothrow"),
    Export("void _ZdlPvm(ptr,u64)", kernel="i_delete_sized"),
    Export("void _ZdaPvm(ptr,u64)", kernel="i_delete_array_sized"),
    Export("void _ZdlPvSt11align_val_t(ptr,u64)", kernel="i_delete_aligned"),
    Export("void _ZdaPvSt11align_val_t(ptr,u64)", kernel="i_delete_array_aligned"),
    Export(
        "void _ZdlPvSt11align_val_tRKSt9nothrow_t(ptr,u64,ptr)", kernel="i_delete_aligned_nothrow"
    ),
    Export(
        "void _ZdaPvSt11align_val_tRKSt9nothrow_t(ptr,u64,ptr)",
        kernel="i_delete_array_aligned_nothrow",
    ),
    Export("void _ZdlPvmSt11align_val_t(ptr,u64,u64)", kernel="i_delete_sized_aligned"),
    Export("void _ZdaPvmSt11align_val_t(ptr,u64,u64)", kernel="i_delete_array_sized_aligned"),
)
