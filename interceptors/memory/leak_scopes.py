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

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.heap.leak_scopes import own_depth_row
from irsan.runtime.kernels.heap_tables.chunk_records import (
    chunk_at,
    chunk_begin,
    chunk_bytes,
    chunk_state,
)
from irsan.runtime.kernels.heap_tables.chunks import addr_to_chunk
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.memory.heap_records import ALLOCATED
from irsan.runtime.records.memory.leak_records import (
    IGNORED,
    MAX_ROWS,
    REGIONS,
    ROW_BYTES,
)


@kernel
def lsan_disable(ctx: Context) -> None:
    """Enter a scope."""
    row = own_depth_row(ctx)
    depth = load_u64(row + 8)
    if depth == 0:
        ctx.leaks.n_disabled += 1
    store_u64(row + 8, depth + 1)


@kernel
def lsan_enable(ctx: Context) -> None:
    """Leave a scope."""
    row = own_depth_row(ctx)
    depth = load_u64(row + 8)
    if depth == 0:
        return
    if depth == 1:
        ctx.leaks.n_disabled -= 1
    store_u64(row + 8, depth - 1)


@kernel
def lsan_ignore(ctx: Context, addr: u64) -> None:
    """The live chunk that holds `addr` is no leak."""
    at = addr_to_chunk(ctx, addr)
    if at == 0:
        return
    is_inside = addr - chunk_begin(at) < max(chunk_bytes(at), u64(1))
    if chunk_state(at) == ALLOCATED and is_inside:
        chunk_at(at).mark = IGNORED


@kernel
def lsan_add_region(ctx: Context, begin: u64, size_bytes: u64) -> None:
    """Append a root region."""
    n = ctx.leaks.n_regions
    if n == MAX_ROWS:
        return
    store_u64(REGIONS + n * ROW_BYTES, begin)
    store_u64(REGIONS + n * ROW_BYTES + 8, begin + size_bytes)
    ctx.leaks.n_regions = n + 1


@kernel
def lsan_drop_region(ctx: Context, begin: u64, size_bytes: u64) -> None:
    """Forget a root region: the last one takes its place.  O(regions)."""
    n = ctx.leaks.n_regions
    last = REGIONS + (n - 1) * ROW_BYTES
    for index in range(n):
        row = REGIONS + u64(index) * ROW_BYTES
        if load_u64(row) == begin and load_u64(row + 8) == begin + size_bytes:
            store_u64(row, load_u64(last))
            store_u64(row + 8, load_u64(last + 8))
            ctx.leaks.n_regions = n - 1
            return


@kernel
def lsan_current_thread(ctx: Context) -> u64:
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
