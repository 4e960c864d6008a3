"""pthread mutexes and C11 mtx: state in the guest's own object, clocks beside it.

    pthread_mutex_t   u32 lock +0, count +4, owner (tid + 1) +8, waiters +12, kind +16

The layout is glibc's, so the static initialisers work.  A locked mutex blocks the green thread and
the call is tried again once it is woken; waiters are woken one at a time, from a random one.
A lock acquires the mutex's clock; an unlock publishes the thread's clock there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import (
    EBUSY,
    EDEADLK,
    EINVAL,
    ENOTRECOVERABLE,
    EOWNERDEAD,
    EPERM,
    ETIMEDOUT,
    OK,
)  # fmt: skip
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.shared_mutexes import (
    init_shared_mutex,
    lock_shared_mutex,
    make_shared_consistent,
    try_shared_mutex,
    unlock_shared_mutex,
)
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.locks.lock_rules import (
    after_create,
    after_destroy,
    after_lock,
    after_unlock,
    before_destroy,
    before_lock,
    before_unlock,
    own_word,
    tell_misuse,
    touch_lock,
)
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release_store
from irsan.runtime.kernels.records import thread_at
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
from irsan.runtime.layout import thread_words
from irsan.runtime.layout.thread_states import WAIT_MUTEX, WAIT_TIMED_OUT
from irsan.runtime.records import limit_records
from irsan.runtime.records.lock_records import INVALID_ACCESS, MODE_TRIED, MODE_WRITE

N_ROBUST = thread_words.N_ROBUST
N_ROBUST_REFUSED = limit_records.ROBUST
ROBUST_TABLE = np.uint64(thread_words.ROBUST)
MAX_ROBUST = np.uint64(thread_words.MAX_ROBUST)
U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_12 = np.uint64(12)
U64_16 = np.uint64(16)
U64_24 = np.uint64(24)
U64_32 = np.uint64(32)
U64_ALL = np.uint64(1 << 32)
RECURSIVE = np.uint32(libc.constant("PTHREAD_MUTEX_RECURSIVE"))
ERRORCHECK = np.uint32(libc.constant("PTHREAD_MUTEX_ERRORCHECK"))
KIND_MASK = np.uint32(3)
DESTROYED = np.uint32(0xFFFF_FFFF)  # what glibc writes over the kind of a destroyed mutex
ROBUST = np.uint32(16)
OWNER_DEAD = np.uint32(32)  # the owner has ended; whoever has the mutex must make it consistent
NOT_RECOVERABLE = np.uint32(64)  # nobody has
ROBUST_ATTRIBUTE = np.uint32(libc.ROBUST_ATTRIBUTE)
WRITE = np.uint64(MODE_WRITE)
WRITE_TRIED = np.uint64(MODE_WRITE | MODE_TRIED)
W_INVALID = np.uint64(INVALID_ACCESS)
W_MUTEX = np.uint64(WAIT_MUTEX)
TIMED_OUT = np.uint64(WAIT_TIMED_OUT)
CLOCK_REALTIME = np.uint64(libc.constant("CLOCK_REALTIME"))


@kernel("b1(u64)")
def is_errorcheck(mutex: Any) -> Any:
    """Whether a mutex says no to what others leave undefined."""
    return (load_u32(mutex + U64_16) & KIND_MASK) == ERRORCHECK


@kernel("b1(ctx,u64,u64)")
def try_take_mutex(ctx: Any, mutex: Any, mode: Any) -> Any:
    """Take a free mutex: owner, count and clock; false when it is held.

    mode  WRITE, or WRITE_TRIED by a call that does not wait for ever
    """
    if load_u32(mutex) != U32_0:
        return False
    store_u32(mutex, U32_1)
    store_u32(mutex + U64_4, U32_1)
    store_u32(mutex + U64_8, own_word(ctx))
    touch_lock(ctx, mutex)
    sync_acquire(ctx, mutex)
    after_lock(ctx, mutex, mode)
    return True


@kernel("b1(u64)", inlined=True)
def is_destroyed(mutex: Any) -> Any:
    """Whether a mutex was destroyed and not made anew."""
    return load_u32(mutex + U64_16) == DESTROYED


@kernel("b1(u64)", inlined=True)
def is_owner_dead(mutex: Any) -> Any:
    """Whether the owner of a robust mutex has ended and nobody has made it consistent since."""
    return load_u32(mutex + U64_16) & OWNER_DEAD != U32_0


@kernel("i32(u64)")
def status_of_taken(mutex: Any) -> Any:
    """What a call that has just taken a mutex returns."""
    if is_owner_dead(mutex):
        return EOWNERDEAD
    return OK


@kernel("b1(ctx,u64,u64)")
def is_lock_misused(ctx: Any, mutex: Any, mode: Any) -> Any:
    """Whether a fault was left about the wish to lock: return, the call is made again."""
    if is_destroyed(mutex):
        return tell_misuse(ctx, mutex, W_INVALID, U64_0)
    kind = load_u32(mutex + U64_16) & KIND_MASK
    return before_lock(ctx, mutex, mode, kind == RECURSIVE or kind == ERRORCHECK)


@kernel("i32(ctx,u64,u64)")
def lock_mutex_until(ctx: Any, mutex: Any, wake_ns: Any) -> Any:
    """Lock, blocking until virtual time wake_ns (0: for ever); 0 or an errno value."""
    ended = take_resuming(ctx)
    mode = WRITE if wake_ns == U64_0 else WRITE_TRIED
    if ended == U64_0 and (wants_switch(ctx) or is_lock_misused(ctx, mutex, mode)):
        return OK
    if is_destroyed(mutex):
        return EINVAL
    if is_shared_memory(ctx, mutex):
        return lock_shared_mutex(ctx, mutex, mode, ended, wake_ns)
    if load_u32(mutex + U64_16) & NOT_RECOVERABLE != U32_0:
        return ENOTRECOVERABLE
    sync_point(ctx)
    is_late = ended == W_MUTEX and thread_at(ctx.thread).wait_status == TIMED_OUT
    if is_late:
        store_u32(mutex + U64_12, load_u32(mutex + U64_12) - U32_1)
    if try_take_mutex(ctx, mutex, mode):
        return status_of_taken(mutex)
    if is_late:
        return ETIMEDOUT
    if load_u32(mutex + U64_8) == own_word(ctx):
        kind = load_u32(mutex + U64_16) & KIND_MASK
        if kind == RECURSIVE:
            store_u32(mutex + U64_4, load_u32(mutex + U64_4) + U32_1)
            return OK
        if kind == ERRORCHECK:
            return EDEADLK
    if wake_ns == NO_TIME:
        return EINVAL
    store_u32(mutex + U64_12, load_u32(mutex + U64_12) + U32_1)
    block_current(ctx, W_MUTEX, mutex, wake_ns)
    return OK


@kernel("void(ctx,u64)")
def release_mutex(ctx: Any, mutex: Any) -> Any:
    """Give a mutex up entirely: publish the clock, wake one waiter."""
    sync_release_store(ctx, mutex)
    after_unlock(ctx, mutex)
    store_u32(mutex, U32_0)
    store_u32(mutex + U64_4, U32_0)
    store_u32(mutex + U64_8, U32_0)
    waiters = load_u32(mutex + U64_12)
    if waiters != U32_0:
        woken = wake_waiters(ctx, W_MUTEX, mutex, U64_1)
        store_u32(mutex + U64_12, np.uint32(np.uint64(waiters) - woken))


@kernel("void(ctx,u64)", outlined=True)
def give_up_for_ever(ctx: Any, mutex: Any) -> None:
    """A robust mutex is unlocked that was not made consistent: nobody can lock it again."""
    store_u32(mutex + U64_16, load_u32(mutex + U64_16) | NOT_RECOVERABLE)
    release_mutex(ctx, mutex)
    wake_waiters(ctx, W_MUTEX, mutex, U64_ALL)


@kernel("i32(ctx,u64)")
def i_mutex_lock(ctx: Any, mutex: Any) -> Any:
    """pthread_mutex_lock."""
    return lock_mutex_until(ctx, mutex, U64_0)


@kernel("i32(ctx,u64)")
def i_mutex_trylock(ctx: Any, mutex: Any) -> Any:
    """pthread_mutex_trylock."""
    if wants_switch(ctx):
        return OK
    if is_destroyed(mutex):
        tell_misuse(ctx, mutex, W_INVALID, U64_0)
        return EINVAL
    if is_shared_memory(ctx, mutex):
        sync_point(ctx)
        status = try_shared_mutex(ctx, mutex, WRITE_TRIED)
        return EBUSY if status == EDEADLK else status
    if load_u32(mutex + U64_16) & NOT_RECOVERABLE != U32_0:
        return ENOTRECOVERABLE
    sync_point(ctx)
    if try_take_mutex(ctx, mutex, WRITE_TRIED):
        return status_of_taken(mutex)
    is_mine = load_u32(mutex + U64_8) == own_word(ctx)
    if is_mine and load_u32(mutex + U64_16) & KIND_MASK == RECURSIVE:
        store_u32(mutex + U64_4, load_u32(mutex + U64_4) + U32_1)
        return OK
    return EBUSY


@kernel("i32(ctx,u64,i32,u64)")
def i_mutex_clocklock(ctx: Any, mutex: Any, clock_id: Any, deadline: Any) -> Any:
    """pthread_mutex_clocklock."""
    return lock_mutex_until(ctx, mutex, deadline_to_wake_ns(ctx, deadline, np.uint64(clock_id)))


@kernel("i32(ctx,u64,u64)")
def i_mutex_timedlock(ctx: Any, mutex: Any, deadline: Any) -> Any:
    """pthread_mutex_timedlock."""
    return lock_mutex_until(ctx, mutex, deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME))


@kernel("i32(ctx,u64)")
def i_mutex_unlock(ctx: Any, mutex: Any) -> Any:
    """pthread_mutex_unlock; errorcheck and recursive mutexes refuse a thread that is not owner."""
    if is_shared_memory(ctx, mutex):
        return unlock_shared_mutex(ctx, mutex)
    kind = load_u32(mutex + U64_16) & KIND_MASK
    is_mine = load_u32(mutex + U64_8) == own_word(ctx)
    if not is_mine and before_unlock(ctx, mutex):
        return OK
    if not is_mine and (kind == RECURSIVE or kind == ERRORCHECK):
        return EPERM
    count = load_u32(mutex + U64_4)
    if kind == RECURSIVE and count > U32_1:
        store_u32(mutex + U64_4, count - U32_1)
        return OK
    if is_owner_dead(mutex) and not is_destroyed(mutex):
        give_up_for_ever(ctx, mutex)
    else:
        release_mutex(ctx, mutex)
    release_point(ctx)
    return OK


@kernel("void(ctx,u64)", outlined=True)
def note_robust(ctx: Any, mutex: Any) -> None:
    """Keep the address of a robust mutex for the end of its owner (ended_threads.py)."""
    n_known = ctx.sync[N_ROBUST]
    for index in range(n_known):
        if load_u64(ROBUST_TABLE + np.uint64(index) * U64_8) == mutex:
            return
    if n_known >= MAX_ROBUST:
        ctx.refused[N_ROBUST_REFUSED] += U64_1
    elif is_arena(mutex):
        store_u64(ROBUST_TABLE + n_known * U64_8, mutex)
        ctx.sync[N_ROBUST] = n_known + U64_1


@kernel("i32(ctx,u64,u64)")
def i_mutex_init(ctx: Any, mutex: Any, attributes: Any) -> Any:
    """pthread_mutex_init; the kind is in the low bits of the attribute word, as glibc has it."""
    if is_shared_memory(ctx, mutex):
        after_create(ctx, mutex)
        return init_shared_mutex(mutex, attributes)
    kind = U32_0
    if attributes != U64_0:
        kind = load_u32(attributes) & KIND_MASK
        if load_u32(attributes) & ROBUST_ATTRIBUTE != U32_0:
            kind |= ROBUST
            note_robust(ctx, mutex)
    store_u64(mutex, U64_0)
    store_u64(mutex + U64_8, U64_0)
    store_u64(mutex + U64_16, np.uint64(kind))
    store_u64(mutex + U64_24, U64_0)
    store_u64(mutex + U64_32, U64_0)
    after_create(ctx, mutex)
    return OK


@kernel("i32(ctx,u64)")
def i_mutex_destroy(ctx: Any, mutex: Any) -> Any:
    """pthread_mutex_destroy: EBUSY while held."""
    if is_destroyed(mutex):
        tell_misuse(ctx, mutex, W_INVALID, U64_0)
        return EINVAL
    if before_destroy(ctx, mutex):
        return OK
    if load_u32(mutex) != U32_0:
        return EBUSY
    store_u32(mutex + U64_16, DESTROYED)
    after_destroy(ctx, mutex)
    return OK


@kernel("i32(ctx,u64,i32)")
def i_mtx_init(ctx: Any, mutex: Any, kind: Any) -> Any:
    """mtx_init: C11 kinds are bits, 1 = recursive."""
    result = i_mutex_init(ctx, mutex, U64_0)
    store_u32(mutex + U64_16, np.uint32(kind) & RECURSIVE)
    return result


@kernel("i32(i32)")
def errno_to_thrd(status: Any) -> Any:
    """C11 result of an errno value: success 0, busy 1, error 2, timed out 4."""
    if status == OK or status == EBUSY:
        return np.int32(status != OK)
    return np.int32(4) if status == ETIMEDOUT else np.int32(2)


@kernel("i32(ctx,u64)")
def i_mtx_lock(ctx: Any, mutex: Any) -> Any:
    """mtx_lock."""
    return errno_to_thrd(i_mutex_lock(ctx, mutex))


@kernel("i32(ctx,u64)")
def i_mtx_trylock(ctx: Any, mutex: Any) -> Any:
    """mtx_trylock."""
    return errno_to_thrd(i_mutex_trylock(ctx, mutex))


@kernel("i32(ctx,u64,u64)")
def i_mtx_timedlock(ctx: Any, mutex: Any, deadline: Any) -> Any:
    """mtx_timedlock (TIME_UTC)."""
    return errno_to_thrd(i_mutex_timedlock(ctx, mutex, deadline))


@kernel("i32(ctx,u64)")
def i_mtx_unlock(ctx: Any, mutex: Any) -> Any:
    """mtx_unlock."""
    return errno_to_thrd(i_mutex_unlock(ctx, mutex))


@kernel("i32(ctx,u64,i32)")
def i_mutexattr_settype(ctx: Any, attributes: Any, kind: Any) -> Any:
    """pthread_mutexattr_settype in glibc's layout."""
    if kind < np.int32(0) or kind > np.int32(3):
        return EINVAL
    word = load_u32(attributes)
    store_u32(attributes, (word & np.uint32(0xFFFF_FFFC)) | np.uint32(kind))
    return OK


@kernel("i32(ctx,u64)")
def i_mutex_consistent(ctx: Any, mutex: Any) -> Any:
    """pthread_mutex_consistent."""
    if is_shared_memory(ctx, mutex):
        return make_shared_consistent(mutex)
    if is_destroyed(mutex) or not is_owner_dead(mutex):
        return EINVAL
    store_u32(mutex + U64_16, load_u32(mutex + U64_16) & ~OWNER_DEAD)
    return OK


EXPORTS = (
    Export("i32 pthread_mutex_init(ptr,ptr)", kernel="i_mutex_init"),
    Export("i32 pthread_mutex_destroy(ptr)", kernel="i_mutex_destroy"),
    Export("i32 pthread_mutex_lock(ptr)", kernel="i_mutex_lock"),
    Export("i32 pthread_mutex_trylock(ptr)", kernel="i_mutex_trylock"),
    Export("i32 pthread_mutex_timedlock(ptr,ptr)", kernel="i_mutex_timedlock"),
    Export("i32 pthread_mutex_clocklock(ptr,i32,ptr)", kernel="i_mutex_clocklock"),
    Export("i32 pthread_mutex_unlock(ptr)", kernel="i_mutex_unlock"),
    Export("i32 pthread_mutexattr_settype(ptr,i32)", kernel="i_mutexattr_settype"),
    Export("i32 pthread_mutex_consistent(ptr)", kernel="i_mutex_consistent"),
    Export("i32 mtx_init(ptr,i32)", kernel="i_mtx_init"),
    Export("i32 mtx_lock(ptr)", kernel="i_mtx_lock"),
    Export("i32 mtx_trylock(ptr)", kernel="i_mtx_trylock"),
    Export("i32 mtx_timedlock(ptr,ptr)", kernel="i_mtx_timedlock"),
    Export("i32 mtx_unlock(ptr)", kernel="i_mtx_unlock"),
    Export("void mtx_destroy(ptr)", kernel="i_mutex_destroy"),
)
