"""Barriers; state in the guest's own object.

    pthread_barrier_t  u32 needed +0, u32 arrived +4, u32 generation +8

Clocks: a barrier joins all arrivals and hands the join to all leavers, one clock per parity of the
generation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import EBUSY, EINVAL, OK
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.shared_objects import (
    arrive_at_shared_barrier,
    stay_at_shared_barrier,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32, store_u64
from irsan.runtime.kernels.race.object_lives import is_use_racy, life_changed
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    sync_point,
    take_resuming,
    wake_waiters,
    wants_switch,
)
from irsan.runtime.kernels.threads.shared_memory import is_shared_memory
from irsan.runtime.layout.thread_states import WAIT_BARRIER, WAIT_SIGNALLED

U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_ALL = np.uint64(1 << 32)
W_BARRIER = np.uint64(WAIT_BARRIER)
SIGNALLED = np.uint64(WAIT_SIGNALLED)
SERIAL_THREAD = np.int32(-1)


@kernel("i32(ctx,u64,u64,u32)")
def i_barrier_init(ctx: Any, barrier: Any, attributes: Any, count: Any) -> Any:
    """pthread_barrier_init."""
    if count == U32_0:
        return EINVAL
    store_u64(barrier, np.uint64(count))
    store_u64(barrier + U64_8, U64_0)
    store_u64(barrier + U64_16, U64_0)
    life_changed(ctx, barrier)
    return OK


@kernel("i32(ctx,u64)")
def i_barrier_wait(ctx: Any, barrier: Any) -> Any:
    """pthread_barrier_wait: the last to arrive is the serial thread."""
    thread = thread_at(ctx.thread)
    ended = take_resuming(ctx)
    if ended != U64_0 and is_shared_memory(ctx, barrier):
        return stay_at_shared_barrier(ctx, barrier)
    if ended == W_BARRIER:
        is_early = load_u32(barrier + U64_8) == np.uint32(thread.retry_count)
        if is_early and thread.wait_status != SIGNALLED:  # a handler has run
            block_current(ctx, W_BARRIER, barrier, U64_0)
            return OK
        sync_acquire(ctx, thread.retry_word)
        return OK
    if wants_switch(ctx) or is_use_racy(ctx, barrier):
        return OK
    sync_point(ctx)
    if is_shared_memory(ctx, barrier):
        return arrive_at_shared_barrier(ctx, barrier)
    generation = load_u32(barrier + U64_8)
    clock_key = barrier + np.uint64(generation & U32_1) * U64_8
    sync_release(ctx, clock_key)
    arrived = load_u32(barrier + U64_4) + U32_1
    if arrived < load_u32(barrier):
        store_u32(barrier + U64_4, arrived)
        thread.retry_word = clock_key
        thread.retry_count = np.uint64(generation)
        block_current(ctx, W_BARRIER, barrier, U64_0)
        return OK
    store_u32(barrier + U64_4, U32_0)
    store_u32(barrier + U64_8, generation + U32_1)
    sync_acquire(ctx, clock_key)
    wake_waiters(ctx, W_BARRIER, barrier, U64_ALL)
    return SERIAL_THREAD


@kernel("i32(ctx,u64)")
def i_barrier_destroy(ctx: Any, barrier: Any) -> Any:
    """pthread_barrier_destroy: EBUSY while threads wait."""
    if load_u32(barrier + U64_4) != U32_0:
        return EBUSY
    life_changed(ctx, barrier)
    return OK


EXPORTS = (
    Export("i32 pthread_barrier_init(ptr,ptr,u32)", kernel="i_barrier_init"),
    Export("i32 pthread_barrier_wait(ptr)", kernel="i_barrier_wait"),
    Export("i32 pthread_barrier_destroy(ptr)", kernel="i_barrier_destroy"),
)
