"""Critical sections, locks of omp.h, and the locks of the runtime's own: ordered updates.

    omp_lock_t, omp_nest_lock_t   their first 4 bytes: owner, and how often it has the lock
    critical                      32 zero bytes that the compiler makes, one for each name

An owner is a task: two tasks of one thread exclude each other as others do, and what a task has
locked it must unlock itself.  Misuse and lock order are judged as those of mutexes.

The lock of a reduction, and that of atomic updates without an instruction, are no locks of the
program.  All reductions of a program have the same one, so their clocks are those of the functions
that combine: what is added by one construct orders nothing else.

Source: OpenMP 5.2, section 15.2 (critical), 18.9 (lock routines).
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import own_implicit
from irsan.interceptors.openmp.openmp_types import OmpLock, lock_at, task_at
from irsan.interceptors.registry import Export
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
    touch_lock,
)
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release_store
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.event_points import release_is_left, wants_switch
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    sync_point,
    take_resuming,
    wake_waiters,
)
from irsan.runtime.layout.thread_states import WAIT_MUTEX
from irsan.runtime.records.race.lock_records import MODE_TRIED, MODE_WRITE
from irsan.runtime.records.threads.openmp_records import ATOMIC_LOCK, OWNER_BITS

W_MUTEX = WAIT_MUTEX
WRITE = MODE_WRITE
WRITE_TRIED = MODE_WRITE | MODE_TRIED
ONCE = 1 << OWNER_BITS
OWNER_MASK = ONCE - 1


@kernel(inlined=True)
def has_omp_lock(ctx: Context, lock: OmpLock) -> bool:
    """Whether the running task has a lock."""
    return lock.word != 0 and lock.word & OWNER_MASK == own_word(ctx) & OWNER_MASK


@kernel
def take_free_lock(ctx: Context, lock: OmpLock, mode: u64) -> None:
    """The running task gets a lock that nobody has."""
    lock.word = u32((own_word(ctx) & OWNER_MASK) + ONCE)
    touch_lock(ctx, addr_of(lock))
    sync_acquire(ctx, addr_of(lock))
    after_lock(ctx, addr_of(lock), mode)


@kernel
def set_lock(ctx: Context, addr: u64, is_nest: bool) -> None:
    """Wait for a lock and take it; a nest lock may be the task's own already."""
    lock = lock_at(addr)
    if take_resuming(ctx) == 0:
        needs = u64(0) if has_omp_lock(ctx, lock) else addr
        if wants_switch(ctx, addr, needs) or before_lock(ctx, addr, WRITE, is_nest):
            return
    sync_point(ctx)
    if lock.word == 0:
        take_free_lock(ctx, lock, WRITE)
    elif is_nest and has_omp_lock(ctx, lock):
        lock.word = u32(lock.word + ONCE)
    else:
        block_current(ctx, W_MUTEX, addr, 0)


@kernel
def unset_lock(ctx: Context, addr: u64) -> None:
    """Give a lock up, once."""
    lock = lock_at(addr)
    if release_is_left(ctx, addr):
        return
    if not has_omp_lock(ctx, lock) and before_unlock(ctx, addr):
        return
    if lock.word >= 2 * ONCE:
        lock.word = u32(lock.word - ONCE)
        return
    sync_release_store(ctx, addr)
    after_unlock(ctx, addr)
    lock.word = 0
    wake_waiters(ctx, W_MUTEX, addr, 1)
    release_point(ctx)


@kernel
def i_omp_init_lock(ctx: Context, addr: u64) -> None:
    """omp_init_lock, omp_init_nest_lock."""
    lock_at(addr).word = 0
    after_create(ctx, addr)


@kernel
def i_omp_init_lock_hint(ctx: Context, addr: u64, hint: u32) -> None:
    """omp_init_lock_with_hint; a hint changes nothing."""
    i_omp_init_lock(ctx, addr)


@kernel
def i_omp_destroy_lock(ctx: Context, addr: u64) -> None:
    """omp_destroy_lock, omp_destroy_nest_lock."""
    if before_destroy(ctx, addr):
        return
    after_destroy(ctx, addr)


@kernel
def i_omp_set_lock(ctx: Context, addr: u64) -> None:
    """omp_set_lock."""
    set_lock(ctx, addr, False)


@kernel
def i_omp_set_nest_lock(ctx: Context, addr: u64) -> None:
    """omp_set_nest_lock."""
    set_lock(ctx, addr, True)


@kernel
def i_omp_unset_lock(ctx: Context, addr: u64) -> None:
    """omp_unset_lock, omp_unset_nest_lock."""
    unset_lock(ctx, addr)


@kernel
def i_omp_test_lock(ctx: Context, addr: u64) -> i32:
    """omp_test_lock: whether it was free, and is taken now."""
    if wants_switch(ctx, addr, 0):
        return 0
    sync_point(ctx)
    lock = lock_at(addr)
    if lock.word != 0:
        return 0
    take_free_lock(ctx, lock, WRITE_TRIED)
    return 1


@kernel
def i_omp_test_nest_lock(ctx: Context, addr: u64) -> i32:
    """omp_test_nest_lock: how often the task has it now; 0: another one has."""
    lock = lock_at(addr)
    if has_omp_lock(ctx, lock):
        lock.word = u32(lock.word + ONCE)
        return i32(lock.word >> OWNER_BITS)
    return i_omp_test_lock(ctx, addr)


@kernel
def i_critical(ctx: Context, location: u64, gtid: i32, name: u64) -> None:
    """__kmpc_critical."""
    set_lock(ctx, name, False)


@kernel
def i_critical_hint(ctx: Context, location: u64, gtid: i32, name: u64, hint: u32) -> None:
    """__kmpc_critical_with_hint."""
    set_lock(ctx, name, False)


@kernel
def i_end_critical(ctx: Context, location: u64, gtid: i32, name: u64) -> None:
    """__kmpc_end_critical."""
    unset_lock(ctx, name)


@kernel
def enter_plain_lock(ctx: Context, addr: u64, clock: u64) -> bool:
    """Take a lock of the runtime's own; false: the thread is blocked, the call is made again."""
    if take_resuming(ctx) == 0 and wants_switch(ctx, addr, 0):
        return False
    if load_u64(addr) != 0:
        block_current(ctx, W_MUTEX, addr, 0)
        return False
    store_u64(addr, 1)
    sync_acquire(ctx, clock)
    return True


@kernel
def leave_plain_lock(ctx: Context, addr: u64, clock: u64) -> None:
    """Give such a lock up."""
    sync_release_store(ctx, clock)
    store_u64(addr, 0)
    wake_waiters(ctx, W_MUTEX, addr, 1)
    release_point(ctx)


@kernel
def take_plain_lock(ctx: Context, addr: u64) -> None:
    """A lock whose clock is its own."""
    enter_plain_lock(ctx, addr, addr)


@kernel
def give_plain_lock(ctx: Context, addr: u64) -> None:
    """Give it up."""
    leave_plain_lock(ctx, addr, addr)


@kernel
def i_reduce(
    ctx: Context, location: u64, gtid: i32, n: i32, n_bytes: u64, data: u64, combine: u64,
    lock: u64,
) -> i32:  # fmt: skip
    """__kmpc_reduce, __kmpc_reduce_nowait: 1, each thread adds its own part under the lock."""
    if enter_plain_lock(ctx, lock, combine):
        task_at(own_implicit(ctx)).reduces = combine
    return 1


@kernel
def omp_end_reduce(ctx: Context, lock: u64) -> None:
    """The running thread has added its part."""
    leave_plain_lock(ctx, lock, task_at(own_implicit(ctx)).reduces)


@kernel
def i_end_reduce(ctx: Context, location: u64, gtid: i32, lock: u64) -> None:
    """__kmpc_end_reduce_nowait."""
    omp_end_reduce(ctx, lock)


@kernel
def i_atomic_start(ctx: Context) -> None:
    """__kmpc_atomic_start, GOMP_atomic_start."""
    take_plain_lock(ctx, ATOMIC_LOCK)


@kernel
def i_atomic_end(ctx: Context) -> None:
    """__kmpc_atomic_end, GOMP_atomic_end."""
    give_plain_lock(ctx, ATOMIC_LOCK)


EXPORTS = (
    Export("void omp_init_lock(ptr)", kernel="i_omp_init_lock"),
    Export("void omp_init_nest_lock(ptr)", kernel="i_omp_init_lock"),
    Export("void omp_init_lock_with_hint(ptr,u32)", kernel="i_omp_init_lock_hint"),
    Export("void omp_init_nest_lock_with_hint(ptr,u32)", kernel="i_omp_init_lock_hint"),
    Export("void omp_destroy_lock(ptr)", kernel="i_omp_destroy_lock"),
    Export("void omp_destroy_nest_lock(ptr)", kernel="i_omp_destroy_lock"),
    Export("void omp_set_lock(ptr)", kernel="i_omp_set_lock"),
    Export("void omp_set_nest_lock(ptr)", kernel="i_omp_set_nest_lock"),
    Export("void omp_unset_lock(ptr)", kernel="i_omp_unset_lock"),
    Export("void omp_unset_nest_lock(ptr)", kernel="i_omp_unset_lock"),
    Export("i32 omp_test_lock(ptr)", kernel="i_omp_test_lock"),
    Export("i32 omp_test_nest_lock(ptr)", kernel="i_omp_test_nest_lock"),
    Export("void __kmpc_critical(ptr,i32,ptr)", kernel="i_critical"),
    Export("void __kmpc_critical_with_hint(ptr,i32,ptr,u32)", kernel="i_critical_hint"),
    Export("void __kmpc_end_critical(ptr,i32,ptr)", kernel="i_end_critical"),
    Export("i32 __kmpc_reduce_nowait(ptr,i32,i32,u64,ptr,ptr,ptr)", kernel="i_reduce"),
    Export("i32 __kmpc_reduce(ptr,i32,i32,u64,ptr,ptr,ptr)", kernel="i_reduce"),
    Export("void __kmpc_end_reduce_nowait(ptr,i32,ptr)", kernel="i_end_reduce"),
    Export("void __kmpc_atomic_start()", kernel="i_atomic_start"),
    Export("void __kmpc_atomic_end()", kernel="i_atomic_end"),
)
