"""Semaphores; state in the guest's own object.

Clocks: a post publishes on the semaphore's address; whoever gets through, or reads the value,
acquires there.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import (
    EAGAIN,
    EINTR,
    EINVAL,
    EOVERFLOW,
    ETIMEDOUT,
    OK,
    fail_with_errno,
)
from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.shared_objects import (
    await_shared_semaphore,
    init_shared_semaphore,
    post_shared_semaphore,
    take_shared_semaphore,
)
from irsan.runtime.kernels.combined.object_uses import SEMAPHORE_BYTES, is_time_bad, is_use_bad
from irsan.runtime.kernels.injected import interrupts
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_rules import touch_freed
from irsan.runtime.kernels.memory import store_u32, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.event_points import event_is_left, wants_switch
from irsan.runtime.kernels.threads.pthread_types import Semaphore, semaphore_at
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    sync_point,
    take_resuming,
    wake_waiters,
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

W_SEMAPHORE = WAIT_SEMAPHORE
SIGNALLED = WAIT_SIGNALLED
TIMED_OUT = WAIT_TIMED_OUT
INTERRUPTED = WAIT_INTERRUPTED
CLOCK_REALTIME = libc.constant("CLOCK_REALTIME")
SEM_VALUE_MAX = libc.constant("SEM_VALUE_MAX")


@kernel
def i_sem_init(ctx: Context, semaphore: u64, shared: i32, value: u32) -> i32:
    """sem_init; EINVAL above SEM_VALUE_MAX."""
    if value > SEM_VALUE_MAX:
        return fail_with_errno(ctx, EINVAL)
    if is_use_bad(ctx, semaphore, SEMAPHORE_BYTES):
        return OK
    if is_shared_memory(ctx, semaphore):
        return init_shared_semaphore(semaphore_at(semaphore), shared, value)
    # The whole object, in words.
    store_u64(semaphore, u64(value))
    store_u64(semaphore + 8, 0)
    return OK


@kernel
def wait_semaphore_until(ctx: Context, semaphore: Semaphore, wake_ns: u64) -> i32:
    """Decrement, blocking until wake_ns (0: for ever); 0 or an errno value."""
    ended, ending = take_resuming(ctx), thread_at(ctx.thread).wait.status
    is_posted = ended == W_SEMAPHORE and ending == SIGNALLED
    if not is_posted and cancel_due(ctx):
        return OK
    addr = addr_of(semaphore)
    if ended == 0:
        if wants_switch(ctx, addr, 0) or is_use_bad(ctx, addr, SEMAPHORE_BYTES):
            return OK
    if is_shared_memory(ctx, addr):
        return await_shared_semaphore(ctx, semaphore, ended, wake_ns)
    sync_point(ctx)
    value = semaphore.value
    if value != 0:
        semaphore.value = u32(value - 1)
        touch_freed(ctx, addr)
        sync_acquire(ctx, addr)
        return OK
    if is_posted and cancel_due(ctx):
        return OK
    if ended == W_SEMAPHORE and ending == TIMED_OUT:
        return ETIMEDOUT
    if ended == W_SEMAPHORE and ending == INTERRUPTED:
        return EINTR
    if wake_ns == NO_TIME:
        return EINVAL
    if ended == 0 and interrupts(ctx):
        return EINTR
    block_current(ctx, W_SEMAPHORE, addr, wake_ns)
    return OK


@kernel
def i_sem_wait(ctx: Context, semaphore: u64) -> i32:
    """sem_wait."""
    return fail_with_errno(ctx, wait_semaphore_until(ctx, semaphore_at(semaphore), 0))


@kernel
def i_sem_timedwait(ctx: Context, semaphore: u64, deadline: u64) -> i32:
    """sem_timedwait."""
    if is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME)
    return fail_with_errno(ctx, wait_semaphore_until(ctx, semaphore_at(semaphore), wake_ns))


@kernel
def i_sem_clockwait(ctx: Context, semaphore: u64, clock_id: i32, deadline: u64) -> i32:
    """sem_clockwait."""
    if is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, u64(clock_id))
    return fail_with_errno(ctx, wait_semaphore_until(ctx, semaphore_at(semaphore), wake_ns))


@kernel
def i_sem_trywait(ctx: Context, addr: u64) -> i32:
    """sem_trywait."""
    semaphore = semaphore_at(addr)
    if wants_switch(ctx, addr, 0) or is_use_bad(ctx, addr, SEMAPHORE_BYTES):
        return OK
    sync_point(ctx)
    if is_shared_memory(ctx, addr):
        is_taken = take_shared_semaphore(ctx, semaphore)
        return fail_with_errno(ctx, i32(OK) if is_taken else i32(EAGAIN))
    value = semaphore.value
    if value == 0:
        return fail_with_errno(ctx, EAGAIN)
    semaphore.value = u32(value - 1)
    touch_freed(ctx, addr)
    sync_acquire(ctx, addr)
    return OK


@kernel
def i_sem_post(ctx: Context, addr: u64) -> i32:
    """sem_post; EOVERFLOW above SEM_VALUE_MAX."""
    semaphore = semaphore_at(addr)
    if is_use_bad(ctx, addr, SEMAPHORE_BYTES):
        return OK
    if is_shared_memory(ctx, addr):
        return post_shared_semaphore(ctx, semaphore)
    if event_is_left(ctx, addr, 0):
        return OK
    if semaphore.value >= SEM_VALUE_MAX:
        return fail_with_errno(ctx, EOVERFLOW)
    touch_freed(ctx, addr)
    sync_release(ctx, addr)
    semaphore.value = u32(semaphore.value + 1)
    wake_waiters(ctx, W_SEMAPHORE, addr, 1)
    release_point(ctx)
    return OK


@kernel
def i_sem_getvalue(ctx: Context, semaphore: u64, target: u64) -> i32:
    """sem_getvalue."""
    if is_use_bad(ctx, semaphore, SEMAPHORE_BYTES):
        return OK
    sync_acquire(ctx, semaphore)
    written(ctx, target, 4)
    store_u32(target, semaphore_at(semaphore).value)
    return OK


@kernel
def i_sem_destroy(ctx: Context, semaphore: u64) -> i32:
    """sem_destroy."""
    is_use_bad(ctx, semaphore, SEMAPHORE_BYTES)
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
