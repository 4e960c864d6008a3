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

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate, tracked_free
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.records import heap_records as hr

U64_0 = np.uint64(0)
U64_NEW = np.uint64(hr.NEW)
U64_NEW_ARRAY = np.uint64(hr.NEW_ARRAY)


@kernel("u64(ctx,u64)")
def i_new(ctx: Any, size_bytes: Any) -> Any:
    """operator new(size_t)."""
    return tracked_allocate(ctx, size_bytes, U64_0, U64_NEW)


@kernel("u64(ctx,u64)")
def i_new_array(ctx: Any, size_bytes: Any) -> Any:
    """operator new[](size_t)."""
    return tracked_allocate(ctx, size_bytes, U64_0, U64_NEW_ARRAY)


@kernel("u64(ctx,u64,u64)")
def i_new_aligned(ctx: Any, size_bytes: Any, alignment: Any) -> Any:
    """operator new(size_t, std::align_val_t)."""
    return tracked_allocate(ctx, size_bytes, alignment, U64_NEW)


@kernel("u64(ctx,u64,u64)")
def i_new_array_aligned(ctx: Any, size_bytes: Any, alignment: Any) -> Any:
    """operator new[](size_t, std::align_val_t)."""
    return tracked_allocate(ctx, size_bytes, alignment, U64_NEW_ARRAY)


@kernel("u64(ctx,u64,u64)")
def i_new_nothrow(ctx: Any, size_bytes: Any, nothrow: Any) -> Any:
    """operator new(size_t, std::nothrow_t const&)."""
    return tracked_allocate(ctx, size_bytes, U64_0, U64_NEW)


@kernel("u64(ctx,u64,u64)")
def i_new_array_nothrow(ctx: Any, size_bytes: Any, nothrow: Any) -> Any:
    """operator new[](size_t, std::nothrow_t const&)."""
    return tracked_allocate(ctx, size_bytes, U64_0, U64_NEW_ARRAY)


@kernel("u64(ctx,u64,u64,u64)")
def i_new_aligned_nothrow(ctx: Any, size_bytes: Any, alignment: Any, nothrow: Any) -> Any:
    """operator new(size_t, std::align_val_t, std::nothrow_t const&)."""
    return tracked_allocate(ctx, size_bytes, alignment, U64_NEW)


@kernel("u64(ctx,u64,u64,u64)")
def i_new_array_aligned_nothrow(ctx: Any, size_bytes: Any, alignment: Any, nothrow: Any) -> Any:
    """operator new[](size_t, std::align_val_t, std::nothrow_t const&)."""
    return tracked_allocate(ctx, size_bytes, alignment, U64_NEW_ARRAY)


@kernel("void(ctx,u64)")
def i_delete(ctx: Any, addr: Any) -> None:
    """operator delete(void*)."""
    tracked_free(ctx, addr, U64_NEW, UNKNOWN_SIZE, U64_0)


@kernel("void(ctx,u64)")
def i_delete_array(ctx: Any, addr: Any) -> None:
    """operator delete[](void*)."""
    tracked_free(ctx, addr, U64_NEW_ARRAY, UNKNOWN_SIZE, U64_0)


@kernel("void(ctx,u64,u64)")
def i_delete_nothrow(ctx: Any, addr: Any, nothrow: Any) -> None:
    """operator delete(void*, std::nothrow_t const&)."""
    tracked_free(ctx, addr, U64_NEW, UNKNOWN_SIZE, U64_0)


@kernel("void(ctx,u64,u64)")
def i_delete_array_nothrow(ctx: Any, addr: Any, nothrow: Any) -> None:
    """operator delete[](void*, std::nothrow_t const&)."""
    tracked_free(ctx, addr, U64_NEW_ARRAY, UNKNOWN_SIZE, U64_0)


@kernel("void(ctx,u64,u64)")
def i_delete_sized(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """operator delete(void*, size_t)."""
    tracked_free(ctx, addr, U64_NEW, size_bytes, U64_0)


@kernel("void(ctx,u64,u64)")
def i_delete_array_sized(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """operator delete[](void*, size_t)."""
    tracked_free(ctx, addr, U64_NEW_ARRAY, size_bytes, U64_0)


@kernel("void(ctx,u64,u64)")
def i_delete_aligned(ctx: Any, addr: Any, alignment: Any) -> None:
    """operator delete(void*, std::align_val_t)."""
    tracked_free(ctx, addr, U64_NEW, UNKNOWN_SIZE, alignment)


@kernel("void(ctx,u64,u64)")
def i_delete_array_aligned(ctx: Any, addr: Any, alignment: Any) -> None:
    """operator delete[](void*, std::align_val_t)."""
    tracked_free(ctx, addr, U64_NEW_ARRAY, UNKNOWN_SIZE, alignment)


@kernel("void(ctx,u64,u64,u64)")
def i_delete_aligned_nothrow(ctx: Any, addr: Any, alignment: Any, nothrow: Any) -> None:
    """operator delete(void*, std::align_val_t, std::nothrow_t const&)."""
    tracked_free(ctx, addr, U64_NEW, UNKNOWN_SIZE, alignment)


@kernel("void(ctx,u64,u64,u64)")
def i_delete_array_aligned_nothrow(ctx: Any, addr: Any, alignment: Any, nothrow: Any) -> None:
    """operator delete[](void*, std::align_val_t, std::nothrow_t const&)."""
    tracked_free(ctx, addr, U64_NEW_ARRAY, UNKNOWN_SIZE, alignment)


@kernel("void(ctx,u64,u64,u64)")
def i_delete_sized_aligned(ctx: Any, addr: Any, size_bytes: Any, alignment: Any) -> None:
    """operator delete(void*, size_t, std::align_val_t)."""
    tracked_free(ctx, addr, U64_NEW, size_bytes, alignment)


@kernel("void(ctx,u64,u64,u64)")
def i_delete_array_sized_aligned(ctx: Any, addr: Any, size_bytes: Any, alignment: Any) -> None:
    """operator delete[](void*, size_t, std::align_val_t)."""
    tracked_free(ctx, addr, U64_NEW_ARRAY, size_bytes, alignment)


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
