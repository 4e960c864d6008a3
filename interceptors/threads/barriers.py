"""Barriers; state in the guest's own object.

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
from irsan.runtime.kernels.combined.object_uses import (
    BARRIER_BYTES,
    is_use_bad,
    is_use_faulty,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u64
from irsan.runtime.kernels.race.object_lives import life_changed
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.event_points import switch_behind, wants_switch
from irsan.runtime.kernels.threads.pthread_types import barrier_at
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
    if is_use_bad(ctx, barrier, BARRIER_BYTES):
        return OK
    # The whole object, in words.
    store_u64(barrier, u64(count))
    store_u64(barrier + 8, 0)
    store_u64(barrier + 16, 0)
    life_changed(ctx, barrier)
    return OK


@kernel
def i_barrier_wait(ctx: Context, addr: u64) -> i32:
    """pthread_barrier_wait: the last to arrive is the serial thread."""
    barrier = barrier_at(addr)
    thread = thread_at(ctx.thread)
    ended = take_resuming(ctx)
    if ended != 0 and is_shared_memory(ctx, addr):
        return stay_at_shared_barrier(ctx, barrier)
    if ended == W_BARRIER:
        is_early = barrier.generation == u32(thread.wait.retry_count)
        if is_early and thread.wait.status != SIGNALLED:  # a handler has run
            block_current(ctx, W_BARRIER, addr, 0)
            return OK
        sync_acquire(ctx, thread.wait.retry_word)
        return OK
    if wants_switch(ctx, addr, 0) or is_use_faulty(ctx, addr, BARRIER_BYTES):
        return OK
    sync_point(ctx)
    if is_shared_memory(ctx, addr):
        return arrive_at_shared_barrier(ctx, barrier)
    generation = barrier.generation
    clock_key = addr + u64(generation & 1) * 8
    sync_release(ctx, clock_key)
    arrived = barrier.n_arrived + 1
    if arrived < barrier.n_needed:
        barrier.n_arrived = u32(arrived)
        thread.wait.retry_word = clock_key
        thread.wait.retry_count = u64(generation)
        block_current(ctx, W_BARRIER, addr, 0)
        return OK
    barrier.n_arrived = 0
    barrier.generation = u32(generation + 1)
    sync_acquire(ctx, clock_key)
    wake_waiters(ctx, W_BARRIER, addr, ALL)
    switch_behind(ctx)
    return SERIAL_THREAD


@kernel
def i_barrier_destroy(ctx: Context, barrier: u64) -> i32:
    """pthread_barrier_destroy: EBUSY while threads wait."""
    if is_use_bad(ctx, barrier, BARRIER_BYTES):
        return OK
    if barrier_at(barrier).n_arrived != 0:
        return EBUSY
    life_changed(ctx, barrier)
    return OK


EXPORTS = (
    Export("i32 pthread_barrier_init(ptr,ptr,u32)", kernel="i_barrier_init"),
    Export("i32 pthread_barrier_wait(ptr)", kernel="i_barrier_wait"),
    Export("i32 pthread_barrier_destroy(ptr)", kernel="i_barrier_destroy"),
)
