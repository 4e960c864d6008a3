"""Barriers; state in the guest's own object.

    pthread_barrier_t  u32 needed +0, u32 arrived +4, u32 generation +8

Clocks: a barrier joins all arrivals and hands the join to all leavers, one clock per parity of the
generation.
"""

from __future__ import annotations

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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.event_points import wants_switch
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    sync_point,
    take_resuming,
    wake_waiters,
)
from irsan.runtime.kernels.threads.shared_memory import is_shared_memory
from irsan.runtime.layout.thread_states import WAIT_BARRIER, WAIT_SIGNALLED

ALL = 1 << 32
W_BARRIER = WAIT_BARRIER
SIGNALLED = WAIT_SIGNALLED
SERIAL_THREAD = -1


@kernel
def i_barrier_init(ctx: Context, barrier: u64, attributes: u64, count: u32) -> i32:
    """pthread_barrier_init."""
    if count == 0:
        return EINVAL
    store_u64(barrier, u64(count))
    store_u64(barrier + 8, 0)
    store_u64(barrier + 16, 0)
    life_changed(ctx, barrier)
    return OK


@kernel
def i_barrier_wait(ctx: Context, barrier: u64) -> i32:
    """pthread_barrier_wait: the last to arrive is the serial thread."""
    thread = thread_at(ctx.thread)
    ended = take_resuming(ctx)
    if ended != 0 and is_shared_memory(ctx, barrier):
        return stay_at_shared_barrier(ctx, barrier)
    if ended == W_BARRIER:
        is_early = load_u32(barrier + 8) == u32(thread.wait.retry_count)
        if is_early and thread.wait.status != SIGNALLED:  # a handler has run
            block_current(ctx, W_BARRIER, barrier, 0)
            return OK
        sync_acquire(ctx, thread.wait.retry_word)
        return OK
    if wants_switch(ctx, barrier, 0) or is_use_racy(ctx, barrier):
        return OK
    sync_point(ctx)
    if is_shared_memory(ctx, barrier):
        return arrive_at_shared_barrier(ctx, barrier)
    generation = load_u32(barrier + 8)
    clock_key = barrier + u64(generation & 1) * 8
    sync_release(ctx, clock_key)
    arrived = load_u32(barrier + 4) + 1
    if arrived < load_u32(barrier):
        store_u32(barrier + 4, u32(arrived))
        thread.wait.retry_word = clock_key
        thread.wait.retry_count = u64(generation)
        block_current(ctx, W_BARRIER, barrier, 0)
        return OK
    store_u32(barrier + 4, 0)
    store_u32(barrier + 8, u32(generation + 1))
    sync_acquire(ctx, clock_key)
    wake_waiters(ctx, W_BARRIER, barrier, ALL)
    return SERIAL_THREAD


@kernel
def i_barrier_destroy(ctx: Context, barrier: u64) -> i32:
    """pthread_barrier_destroy: EBUSY while threads wait."""
    if load_u32(barrier + 4) != 0:
        return EBUSY
    life_changed(ctx, barrier)
    return OK


EXPORTS = (
    Export("i32 pthread_barrier_init(ptr,ptr,u32)", kernel="i_barrier_init"),
    Export("i32 pthread_barrier_wait(ptr)", kernel="i_barrier_wait"),
    Export("i32 pthread_barrier_destroy(ptr)", kernel="i_barrier_destroy"),
)
