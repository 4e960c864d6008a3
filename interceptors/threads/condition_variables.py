"""Condition variables, pthread and C11.

A wait is three steps of one retried call: give the mutex up and block on the condition; when woken
(or timed out) take the mutex back, blocking on it if need be; return.  Which step the thread is in
is `take_resuming()`; how the condition ended is kept in `retry_word` while the mutex is awaited.

Happens-before comes from the mutex alone, as POSIX has it: a signal orders nothing by itself.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EBUSY, EINVAL, EOWNERDEAD, EPERM, ETIMEDOUT, OK
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.c11_mutexes import errno_to_thrd
from irsan.interceptors.threads.mutexes import (
    WRITE,
    is_errorcheck,
    is_owner_dead,
    release_mutex,
    try_take_mutex,
)
from irsan.interceptors.threads.shared_mutexes import (
    ALL,
    W_SHARED_MUTEX,
    holds_shared_mutex,
    try_shared_mutex,
    unlock_shared_mutex,
)
from irsan.interceptors.threads.shared_objects import (
    STILL_WAITS,
    shared_condition_word,
    signal_shared_condition,
    waits_for_signal,
)
from irsan.runtime.kernels.combined.object_uses import (
    CONDITION_BYTES,
    MUTEX_BYTES,
    is_time_bad,
    is_usable,
    is_use_bad,
    is_use_faulty,
)
from irsan.runtime.kernels.injected import wakes_spuriously
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_rules import own_word, tell_misuse
from irsan.runtime.kernels.memory import load_u32, store_u64
from irsan.runtime.kernels.race.object_lives import life_changed
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.event_points import event_is_left
from irsan.runtime.kernels.threads.pthread_types import Condition, Mutex, condition_at, mutex_at
from irsan.runtime.kernels.threads.scheduler import (
    S_BLOCKED,
    block_current,
    release_point,
    sync_point,
    take_resuming,
    wait_bucket,
    wake_thread,
    wake_waiters,
)
from irsan.runtime.kernels.threads.shared_memory import block_shared, is_shared_memory
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME, deadline_to_wake_ns
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.thread_states import (
    WAIT_CONDITION,
    WAIT_MUTEX,
    WAIT_SIGNALLED,
    WAIT_TIMED_OUT,
)
from irsan.runtime.records.race.lock_records import WAIT_WITH_TWO_MUTEXES, WAIT_WITHOUT_MUTEX

INT = 0xFFFF_FFFF
W_CONDITION = WAIT_CONDITION
W_MUTEX = WAIT_MUTEX
W_WITHOUT_MUTEX = WAIT_WITHOUT_MUTEX
W_TWO_MUTEXES = WAIT_WITH_TWO_MUTEXES
SIGNALLED = WAIT_SIGNALLED
TIMED_OUT = WAIT_TIMED_OUT
CLOCK_REALTIME = libc.constant("CLOCK_REALTIME")
CLOCK_MASK = libc.CONDATTR_CLOCK  # glibc's condattr keeps the clock in bit 1


@kernel
def has_other_mutex(ctx: Context, condition: Condition, mutex: Mutex) -> bool:
    """Whether a thread waits on the condition with another mutex.  O(threads)."""
    slot = u64(0)
    while slot < ctx.schedule.n_threads:
        thread = thread_at(slot_to_thread(slot))
        is_waiting = thread.state == S_BLOCKED and thread.wait.kind == W_CONDITION
        is_here = is_waiting and thread.wait.addr == addr_of(condition)
        if is_here and thread.wait.mutex != addr_of(mutex):
            return True
        slot += 1
    return False


@kernel
def is_wait_misused(ctx: Context, condition: Condition, mutex: Mutex) -> bool:
    """Whether a fault was left about the wish to wait: return, the call is made again."""
    if is_use_faulty(ctx, addr_of(condition), CONDITION_BYTES):
        return True
    is_told = not is_usable(ctx, addr_of(condition), CONDITION_BYTES)
    if not is_told and is_use_bad(ctx, addr_of(mutex), MUTEX_BYTES):
        return True
    if mutex.owner != own_word(ctx):
        return tell_misuse(ctx, addr_of(mutex), W_WITHOUT_MUTEX, 0)
    if ctx.schedule.waiters[wait_bucket(W_CONDITION, addr_of(condition))] == 0:
        return False
    if has_other_mutex(ctx, condition, mutex):
        return tell_misuse(ctx, addr_of(mutex), W_TWO_MUTEXES, 0)
    return False


@kernel
def take_back(ctx: Context, condition: Condition, mutex: Mutex) -> i32:
    """The mutex of a wait that has ended: its status once it is taken, EBUSY while it is not."""
    if is_shared_memory(ctx, addr_of(mutex)):
        status = try_shared_mutex(ctx, mutex, WRITE)
        if status == EBUSY:
            block_shared(ctx, W_SHARED_MUTEX, addr_of(mutex), 0)
        return status
    if try_take_mutex(ctx, mutex, WRITE):
        return i32(EOWNERDEAD) if is_owner_dead(mutex) else i32(OK)
    mutex.n_waiters = u32(mutex.n_waiters + 1)
    block_current(ctx, W_MUTEX, addr_of(mutex), 0)
    return EBUSY


@kernel
def begin_shared_wait(ctx: Context, condition: Condition, mutex: Mutex, wake_ns: u64) -> i32:
    """Give the mutex up and block on a condition, one of which is in shared memory."""
    thread = thread_at(ctx.thread)
    is_shared = is_shared_memory(ctx, addr_of(mutex))
    if cancel_due(ctx):
        return OK
    is_held = mutex.owner == own_word(ctx)
    if is_shared:
        is_held = holds_shared_mutex(ctx, mutex)
    if is_errorcheck(mutex) and not is_held:
        return EPERM
    if wake_ns == NO_TIME:
        return EINVAL
    sync_point(ctx)
    count = u64(mutex.count)
    thread.wait.retry_count = shared_condition_word(ctx, condition, count)
    thread.wait.retry_word = STILL_WAITS
    thread.wait.mutex = addr_of(mutex)
    if is_shared:
        unlock_shared_mutex(ctx, mutex)
    else:
        release_mutex(ctx, mutex)
    if is_shared_memory(ctx, addr_of(condition)):
        block_shared(ctx, W_CONDITION, addr_of(condition), wake_ns)
    else:
        block_current(ctx, W_CONDITION, addr_of(condition), wake_ns)
    return OK


@kernel(outlined=True)
def wait_shared_condition(ctx: Context, condition: Condition, mutex: Mutex, wake_ns: u64) -> i32:
    """What wait_condition does when the condition or its mutex is in shared memory."""
    ended = take_resuming(ctx)
    thread = thread_at(ctx.thread)
    if ended == 0:
        return begin_shared_wait(ctx, condition, mutex, wake_ns)
    is_awaited = thread.wait.retry_word == STILL_WAITS
    if is_awaited and waits_for_signal(ctx, condition, ended, wake_ns):
        return OK
    status = take_back(ctx, condition, mutex)
    if status == EBUSY:
        return OK
    mutex.count = u32(thread.wait.retry_count & INT)
    if thread.wait.retry_word != SIGNALLED and cancel_due(ctx):
        return OK
    if status == OK and thread.wait.retry_word == TIMED_OUT:
        return ETIMEDOUT
    return status


@kernel
def wait_condition(ctx: Context, condition: Condition, mutex: Mutex, wake_ns: u64) -> i32:
    """Wait on a condition until wake_ns of virtual time (0: for ever)."""
    if is_shared_memory(ctx, addr_of(condition)) or is_shared_memory(ctx, addr_of(mutex)):
        return wait_shared_condition(ctx, condition, mutex, wake_ns)
    ended = take_resuming(ctx)
    thread = thread_at(ctx.thread)
    if ended == 0:
        if event_is_left(ctx, addr_of(condition), 0) or cancel_due(ctx):
            return OK
        if is_errorcheck(mutex) and mutex.owner != own_word(ctx):
            return EPERM
        if wake_ns == NO_TIME:
            return EINVAL
        if is_wait_misused(ctx, condition, mutex):
            return OK
        sync_point(ctx)
        thread.wait.retry_count = u64(mutex.count)
        thread.wait.mutex = addr_of(mutex)
        release_mutex(ctx, mutex)
        block_current(ctx, W_CONDITION, addr_of(condition), wake_ns)
        if wakes_spuriously(ctx):
            wake_thread(ctx, ctx.thread, SIGNALLED)
        return OK
    if ended == W_CONDITION:
        thread.wait.retry_word = thread.wait.status
    if not try_take_mutex(ctx, mutex, WRITE):
        mutex.n_waiters = u32(mutex.n_waiters + 1)
        block_current(ctx, W_MUTEX, addr_of(mutex), 0)
        return OK
    mutex.count = u32(thread.wait.retry_count)
    if is_owner_dead(mutex):
        return EOWNERDEAD
    if thread.wait.retry_word != SIGNALLED and cancel_due(ctx):
        return OK
    if thread.wait.retry_word == TIMED_OUT:
        return ETIMEDOUT
    return OK


@kernel
def i_cond_wait(ctx: Context, condition: u64, mutex: u64) -> i32:
    """pthread_cond_wait."""
    return wait_condition(ctx, condition_at(condition), mutex_at(mutex), 0)


@kernel
def i_cond_timedwait(ctx: Context, condition_addr: u64, mutex: u64, deadline: u64) -> i32:
    """pthread_cond_timedwait on the condition's clock."""
    if is_time_bad(ctx, deadline):
        return OK
    condition = condition_at(condition_addr)
    clock_id = u64((condition.clock & CLOCK_MASK) >> 1)
    wake_ns = deadline_to_wake_ns(ctx, deadline, clock_id)
    return wait_condition(ctx, condition, mutex_at(mutex), wake_ns)


@kernel
def i_cond_clockwait(ctx: Context, condition: u64, mutex: u64, clock_id: i32, deadline: u64) -> i32:
    """pthread_cond_clockwait."""
    if is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, u64(clock_id))
    return wait_condition(ctx, condition_at(condition), mutex_at(mutex), wake_ns)


@kernel
def i_cond_signal(ctx: Context, condition: u64) -> i32:
    """pthread_cond_signal: wakes one waiter, from a random one on."""
    if event_is_left(ctx, condition, 0) or is_use_faulty(ctx, condition, CONDITION_BYTES):
        return OK
    if is_shared_memory(ctx, condition):
        signal_shared_condition(ctx, condition_at(condition))
    else:
        wake_waiters(ctx, W_CONDITION, condition, 1)
    release_point(ctx)
    return OK


@kernel
def i_cond_broadcast(ctx: Context, condition: u64) -> i32:
    """pthread_cond_broadcast."""
    if event_is_left(ctx, condition, 0) or is_use_faulty(ctx, condition, CONDITION_BYTES):
        return OK
    if is_shared_memory(ctx, condition):
        signal_shared_condition(ctx, condition_at(condition))
    else:
        wake_waiters(ctx, W_CONDITION, condition, ALL)
    release_point(ctx)
    return OK


@kernel
def i_cond_init(ctx: Context, condition: u64, attributes: u64) -> i32:
    """pthread_cond_init: only the clock of the attributes matters."""
    if is_use_bad(ctx, condition, CONDITION_BYTES):
        return OK
    for offset in range(0, 48, 8):
        store_u64(condition + u64(offset), 0)
    if attributes != 0:
        condition_at(condition).clock = u32(load_u32(attributes) & CLOCK_MASK)
    life_changed(ctx, condition)
    return OK


@kernel
def i_cond_destroy(ctx: Context, condition: u64) -> i32:
    """pthread_cond_destroy."""
    if not is_use_bad(ctx, condition, CONDITION_BYTES):
        life_changed(ctx, condition)
    return OK


@kernel
def i_cnd_init(ctx: Context, condition: u64) -> i32:
    """cnd_init."""
    return i_cond_init(ctx, condition, 0)


@kernel
def i_cnd_timedwait(ctx: Context, condition: u64, mutex: u64, deadline: u64) -> i32:
    """cnd_timedwait (TIME_UTC)."""
    if is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME)
    return errno_to_thrd(wait_condition(ctx, condition_at(condition), mutex_at(mutex), wake_ns))


EXPORTS = (
    Export("i32 pthread_cond_init(ptr,ptr)", kernel="i_cond_init"),
    Export("i32 pthread_cond_destroy(ptr)", kernel="i_cond_destroy"),
    Export("i32 pthread_cond_wait(ptr,ptr)", kernel="i_cond_wait"),
    Export("i32 pthread_cond_timedwait(ptr,ptr,ptr)", kernel="i_cond_timedwait"),
    Export("i32 pthread_cond_clockwait(ptr,ptr,i32,ptr)", kernel="i_cond_clockwait"),
    Export("i32 pthread_cond_signal(ptr)", kernel="i_cond_signal"),
    Export("i32 pthread_cond_broadcast(ptr)", kernel="i_cond_broadcast"),
    Export("i32 cnd_init(ptr)", kernel="i_cnd_init"),
    Export("void cnd_destroy(ptr)", kernel="i_cond_destroy"),
    Export("i32 cnd_wait(ptr,ptr)", kernel="i_cond_wait"),
    Export("i32 cnd_timedwait(ptr,ptr,ptr)", kernel="i_cnd_timedwait"),
    Export("i32 cnd_signal(ptr)", kernel="i_cond_signal"),
    Export("i32 cnd_broadcast(ptr)", kernel="i_cond_broadcast"),
)
