"""Semaphores; state in the guest's own object.

    sem_t              u32 value +0

Clocks: a post publishes on the semaphore's address; whoever gets through, or reads the value,
acquires there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import (
    EAGAIN,
    EINTR,
    EINVAL,
    EOVERFLOW,
    ETIMEDOUT,
    OK,
    fail_with_errno,
)
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.shared_objects import (
    await_shared_semaphore,
    init_shared_semaphore,
    post_shared_semaphore,
    take_shared_semaphore,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, store_u32, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    sync_point,
    take_resuming,
    wake_waiters,
    wants_switch,
)
from irsan.runtime.kernels.threads.shared_memory import is_shared_memory
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME, deadline_to_wake_ns
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.thread_states import (
    WAIT_INTERRUPTED,
    WAIT_SEMAPHORE,
    WAIT_SIGNALLED,
    WAIT_TIMED_OUT,
)

U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
W_SEMAPHORE = np.uint64(WAIT_SEMAPHORE)
SIGNALLED = np.uint64(WAIT_SIGNALLED)
TIMED_OUT = np.uint64(WAIT_TIMED_OUT)
INTERRUPTED = np.uint64(WAIT_INTERRUPTED)
CLOCK_REALTIME = np.uint64(libc.constant("CLOCK_REALTIME"))
SEM_VALUE_MAX = np.uint32(libc.constant("SEM_VALUE_MAX"))


@kernel("i32(ctx,u64,i32,u32)")
def i_sem_init(ctx: Any, semaphore: Any, shared: Any, value: Any) -> Any:
    """sem_init; EINVAL above SEM_VALUE_MAX."""
    if value > SEM_VALUE_MAX:
        return fail_with_errno(ctx, EINVAL)
    if is_shared_memory(ctx, semaphore):
        return init_shared_semaphore(semaphore, shared, value)
    store_u64(semaphore, np.uint64(value))
    store_u64(semaphore + U64_8, U64_0)
    return OK


@kernel("i32(ctx,u64,u64)")
def wait_semaphore_until(ctx: Any, semaphore: Any, wake_ns: Any) -> Any:
    """Decrement, blocking until wake_ns (0: for ever); 0 or an errno value."""
    ended, ending = take_resuming(ctx), thread_at(ctx.thread).wait_status
    is_posted = ended == W_SEMAPHORE and ending == SIGNALLED
    if not is_posted and cancel_due(ctx):
        return OK
    if ended == U64_0 and wants_switch(ctx):
        return OK
    if is_shared_memory(ctx, semaphore):
        return await_shared_semaphore(ctx, semaphore, ended, wake_ns)
    sync_point(ctx)
    value = load_u32(semaphore)
    if value != U32_0:
        store_u32(semaphore, value - U32_1)
        sync_acquire(ctx, semaphore)
        return OK
    if is_posted and cancel_due(ctx):
        return OK
    if ended == W_SEMAPHORE and ending == TIMED_OUT:
        return ETIMEDOUT
    if ended == W_SEMAPHORE and ending == INTERRUPTED:
        return EINTR
    if wake_ns == NO_TIME:
        return EINVAL
    block_current(ctx, W_SEMAPHORE, semaphore, wake_ns)
    return OK


@kernel("i32(ctx,u64)")
def i_sem_wait(ctx: Any, semaphore: Any) -> Any:
    """sem_wait."""
    return fail_with_errno(ctx, wait_semaphore_until(ctx, semaphore, U64_0))


@kernel("i32(ctx,u64,u64)")
def i_sem_timedwait(ctx: Any, semaphore: Any, deadline: Any) -> Any:
    """sem_timedwait."""
    wake_ns = deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME)
    return fail_with_errno(ctx, wait_semaphore_until(ctx, semaphore, wake_ns))


@kernel("i32(ctx,u64,i32,u64)")
def i_sem_clockwait(ctx: Any, semaphore: Any, clock_id: Any, deadline: Any) -> Any:
    """sem_clockwait."""
    wake_ns = deadline_to_wake_ns(ctx, deadline, np.uint64(clock_id))
    return fail_with_errno(ctx, wait_semaphore_until(ctx, semaphore, wake_ns))


@kernel("i32(ctx,u64)")
def i_sem_trywait(ctx: Any, semaphore: Any) -> Any:
    """sem_trywait."""
    if wants_switch(ctx):
        return OK
    sync_point(ctx)
    if is_shared_memory(ctx, semaphore):
        is_taken = take_shared_semaphore(ctx, semaphore)
        return fail_with_errno(ctx, OK if is_taken else EAGAIN)
    value = load_u32(semaphore)
    if value == U32_0:
        return fail_with_errno(ctx, EAGAIN)
    store_u32(semaphore, value - U32_1)
    sync_acquire(ctx, semaphore)
    return OK


@kernel("i32(ctx,u64)")
def i_sem_post(ctx: Any, semaphore: Any) -> Any:
    """sem_post; EOVERFLOW above SEM_VALUE_MAX."""
    if is_shared_memory(ctx, semaphore):
        return post_shared_semaphore(ctx, semaphore)
    if load_u32(semaphore) >= SEM_VALUE_MAX:
        return fail_with_errno(ctx, EOVERFLOW)
    sync_release(ctx, semaphore)
    store_u32(semaphore, load_u32(semaphore) + U32_1)
    wake_waiters(ctx, W_SEMAPHORE, semaphore, U64_1)
    release_point(ctx)
    return OK


@kernel("i32(ctx,u64,u64)")
def i_sem_getvalue(ctx: Any, semaphore: Any, target: Any) -> Any:
    """sem_getvalue."""
    sync_acquire(ctx, semaphore)
    store_u32(target, load_u32(semaphore))
    return OK


@kernel("i32(ctx,u64)")
def i_sem_destroy(ctx: Any, semaphore: Any) -> Any:
    """sem_destroy."""
    return OK


EXPORTS = (
    Export("i32 sem_init(ptr,i32,u32)", kernel="i_sem_init"),
    Export("i32 sem_wait(ptr)", kernel="i_sem_wait"),
    Export("i32 sem_timedwait(ptr,ptr)", kernel="i_sem_timedwait"),
    Export("i32 sem_clockwait(ptr,i32,ptr)", kernel="i_sem_clockwait"),
    Export("i32 sem_trywait(ptr)", kernel="i_sem_trywait"),
    Export("i32 sem_post(ptr)", kernel="i_sem_post"),
    Export("i32 sem_getvalue(ptr,ptr)", kernel="i_sem_getvalue"),
    Export("i32 sem_destroy(ptr)", kernel="i_sem_destroy"),
    Export("ptr sem_open(ptr,i32,u32,u32)", kernel="semaphore_opened", real_first=True, takes=()),
)
