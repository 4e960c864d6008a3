"""pthread mutexes and C11 mtx: state in the guest's own object (a Mutex), clocks beside it.

The layout is glibc's, so the static initialisers work.  A locked mutex blocks the green thread and
the call is tried again once it is woken; waiters are woken one at a time, from a random one.
A lock acquires the mutex's clock; an unlock publishes the thread's clock there.
"""

from __future__ import annotations

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
from irsan.interceptors.threads.quick_mutexes import (
    disown_mutex,
    lock_quickly,
    own_mutex,
    unlock_quickly,
)
from irsan.interceptors.threads.shared_mutexes import (
    init_shared_mutex,
    lock_shared_mutex,
    make_shared_consistent,
    try_shared_mutex,
    unlock_shared_mutex,
)
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.combined.object_uses import MUTEX_BYTES, is_time_bad, is_use_bad
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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.event_points import release_is_left, wants_switch
from irsan.runtime.kernels.threads.pthread_types import Mutex, mutex_at
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
from irsan.runtime.layout import thread_words
from irsan.runtime.layout.libc_layout import ROBUST_ATTRIBUTE
from irsan.runtime.layout.thread_states import WAIT_MUTEX, WAIT_TIMED_OUT
from irsan.runtime.layout.thread_words import MAX_ROBUST
from irsan.runtime.records.race.lock_records import INVALID_ACCESS, MODE_TRIED, MODE_WRITE

ROBUST_TABLE = thread_words.ROBUST
ALL = 1 << 32
RECURSIVE = libc.constant("PTHREAD_MUTEX_RECURSIVE")
ERRORCHECK = libc.constant("PTHREAD_MUTEX_ERRORCHECK")
KIND_MASK = 3
DESTROYED = 0xFFFF_FFFF  # what glibc writes over the kind of a destroyed mutex
ROBUST = 16
OWNER_DEAD = 32  # the owner has ended; whoever has the mutex must make it consistent
NOT_RECOVERABLE = 64  # no thread has
WRITE = MODE_WRITE
WRITE_TRIED = MODE_WRITE | MODE_TRIED
W_INVALID = INVALID_ACCESS
W_MUTEX = WAIT_MUTEX
TIMED_OUT = WAIT_TIMED_OUT
CLOCK_REALTIME = libc.constant("CLOCK_REALTIME")


@kernel
def is_errorcheck(mutex: Mutex) -> bool:
    """Whether a mutex says no to what others leave undefined."""
    return (mutex.kind & KIND_MASK) == ERRORCHECK


@kernel(inlined=True)
def try_take_mutex(ctx: Context, mutex: Mutex, mode: u64) -> bool:
    """Take a free mutex: owner, count and clock; false when it is held.

    mode  WRITE, or WRITE_TRIED by a call that does not wait for ever
    """
    if mutex.lock != 0:
        return False
    own_mutex(ctx, mutex)
    touch_lock(ctx, addr_of(mutex))
    sync_acquire(ctx, addr_of(mutex))
    after_lock(ctx, addr_of(mutex), mode)
    return True


@kernel(inlined=True)
def is_destroyed(mutex: Mutex) -> bool:
    """Whether a mutex was destroyed and not made anew."""
    return mutex.kind == DESTROYED


@kernel(inlined=True)
def is_owner_dead(mutex: Mutex) -> bool:
    """Whether the owner of a robust mutex has ended and it was not made consistent since."""
    return mutex.kind & OWNER_DEAD != 0


@kernel
def status_of_taken(mutex: Mutex) -> i32:
    """What a call that has just taken a mutex returns."""
    if is_owner_dead(mutex):
        return EOWNERDEAD
    return OK


@kernel(inlined=True)
def is_lock_misused(ctx: Context, mutex: Mutex, mode: u64) -> bool:
    """Whether a fault was left about the wish to lock: return, the call is made again."""
    if is_use_bad(ctx, addr_of(mutex), MUTEX_BYTES):
        return True
    if is_destroyed(mutex):
        return tell_misuse(ctx, addr_of(mutex), W_INVALID, 0)
    kind = mutex.kind & KIND_MASK
    return before_lock(ctx, addr_of(mutex), mode, kind == RECURSIVE or kind == ERRORCHECK)


@kernel(inlined=True)
def word_to_await(ctx: Context, mutex: Mutex) -> u64:
    """Address of the word that is 0 once a mutex can be locked; 0 when the thread has it."""
    return u64(0) if mutex.owner == own_word(ctx) else addr_of(mutex)


@kernel(outlined=True)
def lock_mutex_until(ctx: Context, mutex: Mutex, wake_ns: u64) -> i32:
    """Lock, blocking until virtual time wake_ns (0: for ever); 0 or an errno value."""
    ended = take_resuming(ctx)
    mode = u64(WRITE) if wake_ns == 0 else u64(WRITE_TRIED)
    if ended == 0:
        if wants_switch(ctx, addr_of(mutex), word_to_await(ctx, mutex)):
            return OK
        if is_lock_misused(ctx, mutex, mode):
            return OK
    if is_destroyed(mutex):
        return EINVAL
    if is_shared_memory(ctx, addr_of(mutex)):
        return lock_shared_mutex(ctx, mutex, mode, ended, wake_ns)
    if mutex.kind & NOT_RECOVERABLE != 0:
        return ENOTRECOVERABLE
    sync_point(ctx)
    is_late = ended == W_MUTEX and thread_at(ctx.thread).wait.status == TIMED_OUT
    if is_late:
        mutex.n_waiters = u32(mutex.n_waiters - 1)
    if try_take_mutex(ctx, mutex, mode):
        return status_of_taken(mutex)
    if is_late:
        return ETIMEDOUT
    if mutex.owner == own_word(ctx):
        kind = mutex.kind & KIND_MASK
        if kind == RECURSIVE:
            mutex.count = u32(mutex.count + 1)
            return OK
        if kind == ERRORCHECK:
            return EDEADLK
    if wake_ns == NO_TIME:
        return EINVAL
    mutex.n_waiters = u32(mutex.n_waiters + 1)
    block_current(ctx, W_MUTEX, addr_of(mutex), wake_ns)
    return OK


@kernel
def release_mutex(ctx: Context, mutex: Mutex) -> None:
    """Give a mutex up entirely: publish the clock, wake one waiter."""
    sync_release_store(ctx, addr_of(mutex))
    after_unlock(ctx, addr_of(mutex))
    disown_mutex(mutex)
    waiters = mutex.n_waiters
    if waiters != 0:
        woken = wake_waiters(ctx, W_MUTEX, addr_of(mutex), 1)
        mutex.n_waiters = u32(u64(waiters) - woken)


@kernel(outlined=True)
def give_up_for_ever(ctx: Context, mutex: Mutex) -> None:
    """A robust mutex is unlocked that was not made consistent: it cannot be locked again."""
    mutex.kind = u32(mutex.kind | NOT_RECOVERABLE)
    release_mutex(ctx, mutex)
    wake_waiters(ctx, W_MUTEX, addr_of(mutex), ALL)


@kernel
def i_mutex_lock(ctx: Context, addr: u64) -> i32:
    """pthread_mutex_lock."""
    mutex = mutex_at(addr)
    if lock_quickly(ctx, mutex):
        return OK
    return lock_mutex_until(ctx, mutex, 0)


@kernel
def i_mutex_trylock(ctx: Context, addr: u64) -> i32:
    """pthread_mutex_trylock."""
    mutex = mutex_at(addr)
    if wants_switch(ctx, addr, 0) or is_use_bad(ctx, addr, MUTEX_BYTES):
        return OK
    if is_destroyed(mutex):
        tell_misuse(ctx, addr, W_INVALID, 0)
        return EINVAL
    if is_shared_memory(ctx, addr):
        sync_point(ctx)
        status = try_shared_mutex(ctx, mutex, WRITE_TRIED)
        return i32(EBUSY) if status == EDEADLK else status
    if mutex.kind & NOT_RECOVERABLE != 0:
        return ENOTRECOVERABLE
    sync_point(ctx)
    if try_take_mutex(ctx, mutex, WRITE_TRIED):
        return status_of_taken(mutex)
    is_mine = mutex.owner == own_word(ctx)
    if is_mine and mutex.kind & KIND_MASK == RECURSIVE:
        mutex.count = u32(mutex.count + 1)
        return OK
    return EBUSY


@kernel
def i_mutex_clocklock(ctx: Context, mutex: u64, clock_id: i32, deadline: u64) -> i32:
    """pthread_mutex_clocklock."""
    if is_time_bad(ctx, deadline):
        return OK
    return lock_mutex_until(ctx, mutex_at(mutex), deadline_to_wake_ns(ctx, deadline, u64(clock_id)))


@kernel
def i_mutex_timedlock(ctx: Context, mutex: u64, deadline: u64) -> i32:
    """pthread_mutex_timedlock."""
    if is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME)
    return lock_mutex_until(ctx, mutex_at(mutex), wake_ns)


@kernel(outlined=True)
def unlock_mutex(ctx: Context, mutex: Mutex, addr: u64) -> i32:
    """i_mutex_unlock, whatever the mutex is and whoever watches."""
    if release_is_left(ctx, addr) or is_use_bad(ctx, addr, MUTEX_BYTES):
        return OK
    if is_shared_memory(ctx, addr):
        return unlock_shared_mutex(ctx, mutex)
    kind = mutex.kind & KIND_MASK
    is_mine = mutex.owner == own_word(ctx)
    if not is_mine and before_unlock(ctx, addr):
        return OK
    if not is_mine and (kind == RECURSIVE or kind == ERRORCHECK):
        return EPERM
    count = mutex.count
    if kind == RECURSIVE and count > 1:
        mutex.count = u32(count - 1)
        return OK
    if is_owner_dead(mutex) and not is_destroyed(mutex):
        give_up_for_ever(ctx, mutex)
    else:
        release_mutex(ctx, mutex)
    release_point(ctx)
    return OK


@kernel
def i_mutex_unlock(ctx: Context, addr: u64) -> i32:
    """pthread_mutex_unlock; errorcheck and recursive mutexes refuse a thread that is not owner."""
    mutex = mutex_at(addr)
    if unlock_quickly(ctx, mutex):
        return OK
    return unlock_mutex(ctx, mutex, addr)


@kernel(outlined=True)
def note_robust(ctx: Context, mutex: u64) -> None:
    """Keep the address of a robust mutex for the end of its owner (ended_threads.py)."""
    n_known = ctx.locks.n_robust
    for index in range(n_known):
        if load_u64(ROBUST_TABLE + u64(index) * 8) == mutex:
            return
    if n_known >= MAX_ROBUST:
        ctx.refused.robust_mutexes += 1
    elif is_arena(mutex):
        store_u64(ROBUST_TABLE + n_known * 8, mutex)
        ctx.locks.n_robust = n_known + 1


@kernel
def i_mutex_init(ctx: Context, mutex: u64, attributes: u64) -> i32:
    """pthread_mutex_init; the kind is in the low bits of the attribute word, as glibc has it."""
    if is_use_bad(ctx, mutex, MUTEX_BYTES):
        return OK
    if is_shared_memory(ctx, mutex):
        after_create(ctx, mutex)
        return init_shared_mutex(mutex_at(mutex), attributes)
    kind = u64(0)
    if attributes != 0:
        kind = load_u32(attributes) & KIND_MASK
        if load_u32(attributes) & ROBUST_ATTRIBUTE != 0:
            kind |= ROBUST
            note_robust(ctx, mutex)
    # The whole object, in words.
    store_u64(mutex, 0)
    store_u64(mutex + 8, 0)
    store_u64(mutex + 16, kind)
    store_u64(mutex + 24, 0)
    store_u64(mutex + 32, 0)
    after_create(ctx, mutex)
    return OK


@kernel
def i_mutex_destroy(ctx: Context, addr: u64) -> i32:
    """pthread_mutex_destroy: EBUSY while held."""
    mutex = mutex_at(addr)
    if is_use_bad(ctx, addr, MUTEX_BYTES):
        return OK
    if is_destroyed(mutex):
        tell_misuse(ctx, addr, W_INVALID, 0)
        return EINVAL
    if before_destroy(ctx, addr):
        return OK
    if mutex.lock != 0:
        return EBUSY
    mutex.kind = DESTROYED
    after_destroy(ctx, addr)
    return OK


@kernel
def i_mutexattr_settype(ctx: Context, attributes: u64, kind: i32) -> i32:
    """pthread_mutexattr_settype in glibc's layout."""
    if kind < 0 or kind > 3:
        return EINVAL
    word = load_u32(attributes)
    store_u32(attributes, u32((word & 0xFFFF_FFFC) | u32(kind)))
    return OK


@kernel
def i_mutex_consistent(ctx: Context, addr: u64) -> i32:
    """pthread_mutex_consistent."""
    mutex = mutex_at(addr)
    if is_shared_memory(ctx, addr):
        return make_shared_consistent(mutex)
    if is_destroyed(mutex) or not is_owner_dead(mutex):
        return EINVAL
    mutex.kind = u32(mutex.kind & ~u32(OWNER_DEAD))
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
)
