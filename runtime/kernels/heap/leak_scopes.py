"""Scopes in which a thread's allocations are no leaks: `__lsan_disable` to `__lsan_enable`.

    row of a thread slot   {tid + 1, depth}; another tid means that the slot has a new thread

The words of ctx.leaks and the table are described in runtime/records/leak_records.py.
`new_chunk_mark` is asked by the allocator only while some thread is in a scope.

Source: lsan_interface.h and DisabledInThisThread of lsan_common.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.records import leak_records as lr

U32_UNREACHED = np.uint32(lr.UNREACHED)
U32_IGNORED = np.uint32(lr.IGNORED)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_DEPTHS = np.uint64(lr.DEPTHS)
U64_ROW = np.uint64(lr.ROW_BYTES)


@kernel("u64(ctx)")
def own_depth_row(ctx: Any) -> Any:
    """Address of the running thread's row; it is in no scope when the row was another's."""
    thread = thread_at(ctx.thread)
    row = U64_DEPTHS + thread.slot * U64_ROW
    if load_u64(row) != thread.tid + U64_1:
        store_u64(row, thread.tid + U64_1)
        store_u64(row + U64_8, U64_0)
    return row


@kernel("u32(ctx)")
def new_chunk_mark(ctx: Any) -> Any:
    """Mark of a chunk that the running thread allocates: IGNORED inside a scope."""
    if ctx.thread == U64_0 or load_u64(own_depth_row(ctx) + U64_8) == U64_0:
        return U32_UNREACHED
    return U32_IGNORED
