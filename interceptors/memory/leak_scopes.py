"""What a program says about its own leaks: blocks to ignore, scopes, regions that hold pointers.

    __lsan_disable()                      allocations of this thread are no leaks, until enable
    __lsan_ignore_object(p)               this one is none, nor is what it points to
    __lsan_register_root_region(p, n)     pointers in [p, p + n) keep blocks alive

Scopes nest, per thread; leaving one that was not entered does nothing.  Searches themselves are
asked for in leak_requests.py.

Source: sanitizer/lsan_interface.h.
Deviation: a region that was not registered, or a scope that was not entered, ends no program.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.heap.leak_scopes import own_depth_row
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk, chunk_at
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.records import heap_records as hr
from irsan.runtime.records import leak_records as lr

N_DISABLED = lr.N_DISABLED
N_REGIONS = lr.N_REGIONS

U8_ALLOCATED = np.uint8(hr.ALLOCATED)
U32_IGNORED = np.uint32(lr.IGNORED)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_REGIONS = np.uint64(lr.REGIONS)
U64_ROW = np.uint64(lr.ROW_BYTES)
U64_MAX_ROWS = np.uint64(lr.MAX_ROWS)


@kernel("void(ctx)")
def lsan_disable(ctx: Any) -> None:
    """Enter a scope."""
    row = own_depth_row(ctx)
    depth = load_u64(row + U64_8)
    if depth == U64_0:
        ctx.leaks[N_DISABLED] += U64_1
    store_u64(row + U64_8, depth + U64_1)


@kernel("void(ctx)")
def lsan_enable(ctx: Any) -> None:
    """Leave a scope."""
    row = own_depth_row(ctx)
    depth = load_u64(row + U64_8)
    if depth == U64_0:
        return
    if depth == U64_1:
        ctx.leaks[N_DISABLED] -= U64_1
    store_u64(row + U64_8, depth - U64_1)


@kernel("void(ctx,u64)")
def lsan_ignore(ctx: Any, addr: Any) -> None:
    """The live chunk that holds `addr` is no leak."""
    at = addr_to_chunk(ctx, addr)
    if at == U64_0:
        return
    chunk = chunk_at(at)
    is_inside = addr - chunk.begin < max(chunk.size_bytes, U64_1)
    if chunk.state == U8_ALLOCATED and is_inside:
        chunk.mark = U32_IGNORED


@kernel("void(ctx,u64,u64)")
def lsan_add_region(ctx: Any, begin: Any, size_bytes: Any) -> None:
    """Append a root region."""
    n = ctx.leaks[N_REGIONS]
    if n == U64_MAX_ROWS:
        return
    store_u64(U64_REGIONS + n * U64_ROW, begin)
    store_u64(U64_REGIONS + n * U64_ROW + U64_8, begin + size_bytes)
    ctx.leaks[N_REGIONS] = n + U64_1


@kernel("void(ctx,u64,u64)")
def lsan_drop_region(ctx: Any, begin: Any, size_bytes: Any) -> None:
    """Forget a root region: the last one takes its place.  O(regions)."""
    n = ctx.leaks[N_REGIONS]
    last = U64_REGIONS + (n - U64_1) * U64_ROW
    for index in range(n):
        row = U64_REGIONS + np.uint64(index) * U64_ROW
        if load_u64(row) == begin and load_u64(row + U64_8) == begin + size_bytes:
            store_u64(row, load_u64(last))
            store_u64(row + U64_8, load_u64(last + U64_8))
            ctx.leaks[N_REGIONS] = n - U64_1
            return


@kernel("u64(ctx)")
def lsan_current_thread(ctx: Any) -> Any:
    """__lsan::GetCurrentThread(), which some programs declare: an address that is the thread's."""
    return ctx.thread


EXPORTS = (
    Export("ptr _ZN6__lsan16GetCurrentThreadEv()", kernel="lsan_current_thread", quick=True),
    Export("void __lsan_disable()", kernel="lsan_disable", quick=True),
    Export("void __lsan_enable()", kernel="lsan_enable", quick=True),
    Export("void __lsan_ignore_object(ptr)", kernel="lsan_ignore", quick=True),
    Export("void __lsan_register_root_region(ptr,u64)", kernel="lsan_add_region", quick=True),
    Export("void __lsan_unregister_root_region(ptr,u64)", kernel="lsan_drop_region", quick=True),
)
