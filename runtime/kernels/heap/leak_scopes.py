"""Scopes in which a thread's allocations are no leaks: `__lsan_disable` to `__lsan_enable`.

    row of a thread slot   {tid + 1, depth}; another tid means that the slot has a new thread

The table is described in runtime/records/memory/leak_records.py.
`new_chunk_mark` is asked by the allocator only while some thread is in a scope.

Source: lsan_interface.h and DisabledInThisThread of lsan_common.cpp.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u8, u64
from irsan.runtime.records.memory.leak_records import DEPTHS, IGNORED, ROW_BYTES, UNREACHED


@kernel
def own_depth_row(ctx: Context) -> u64:
    """Address of the running thread's row; it is in no scope when the row was another's."""
    thread = thread_at(ctx.thread)
    row = DEPTHS + thread.slot * ROW_BYTES
    if load_u64(row) != thread.tid + 1:
        store_u64(row, thread.tid + 1)
        store_u64(row + 8, 0)
    return row


@kernel
def new_chunk_mark(ctx: Context) -> u8:
    """Mark of a chunk that the running thread allocates: IGNORED inside a scope."""
    if ctx.thread == 0 or load_u64(own_depth_row(ctx) + 8) == 0:
        return UNREACHED
    return IGNORED
