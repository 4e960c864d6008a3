"""Exit handlers, pthread keys, once flags and C++ static guards."""

from __future__ import annotations

from irsan.interceptors.errno_values import EAGAIN, EINVAL, OK
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.ranges import asan_write_range
from irsan.runtime.kernels.combined.exit_handlers import (
    KEY_NO_DESTRUCTOR,
    KEY_TABLE_BYTES,
    KEY_TABLES,
    add_quick_exit_handler,
    add_thread_cleanup,
    install_exit_handler,
)
from irsan.runtime.kernels.combined.object_uses import ONCE_BYTES, is_use_bad
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, load_u64, store_u8, store_u32, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.scheduler import block_current, take_resuming, wake_waiters
from irsan.runtime.layout.memory_map import KEY_DESTRUCTORS, N_KEYS
from irsan.runtime.layout.thread_states import WAIT_GUARD, WAIT_ONCE
from irsan.runtime.records.threads.exit_records import AT_EXIT, CXA_AT_EXIT, ON_EXIT

CXX_DONE = 0xFFFF_FFFF  # libc++'s flag
ALL = 1 << 32
W_ONCE = WAIT_ONCE
W_GUARD = WAIT_GUARD
ONCE_DONE, ONCE_CALL = 0, 1
FAILED = -1  # no room: as the C library says it


@kernel
def i_cxa_atexit(ctx: Context, function: u64, argument: u64, dso: u64) -> i32:
    """__cxa_atexit; the handler runs when the program exits, not when a library is closed."""
    return i32(OK) if install_exit_handler(ctx, function, argument, CXA_AT_EXIT) else i32(FAILED)


@kernel
def i_atexit(ctx: Context, function: u64) -> i32:
    """atexit."""
    return i32(OK) if install_exit_handler(ctx, function, 0, AT_EXIT) else i32(FAILED)


@kernel
def i_on_exit(ctx: Context, function: u64, argument: u64) -> i32:
    """on_exit: the function gets the exit status and the argument."""
    return i32(OK) if install_exit_handler(ctx, function, argument, ON_EXIT) else i32(FAILED)


@kernel
def i_at_quick_exit(ctx: Context, function: u64) -> i32:
    """at_quick_exit."""
    return i32(OK) if add_quick_exit_handler(ctx, function, 0) else i32(FAILED)


@kernel
def i_cxa_thread_atexit(ctx: Context, function: u64, argument: u64, dso: u64) -> i32:
    """__cxa_thread_atexit: destructor of a thread_local object of the running thread."""
    return i32(OK) if add_thread_cleanup(ctx, function, argument) else i32(FAILED)


@kernel
def forget_key_values(ctx: Context, key: u64) -> None:
    """A new key is NULL in every thread, also where a deleted one of its number was not."""
    slot = u64(0)
    while slot < ctx.schedule.n_threads:
        store_u64(KEY_TABLES + slot * KEY_TABLE_BYTES + key * 8, 0)
        slot = slot + 1


@kernel
def is_key(key: u32) -> bool:
    """Whether a key was created and not deleted."""
    if key >= N_KEYS:
        return False
    return load_u64(KEY_DESTRUCTORS + u64(key) * 8) != 0


@kernel
def i_key_create(ctx: Context, key_addr: u64, destructor: u64) -> i32:
    """pthread_key_create; EAGAIN after 1024 keys."""
    key = u64(0)
    while key < N_KEYS:
        slot = KEY_DESTRUCTORS + key * 8
        if load_u64(slot) == 0:
            store_u64(slot, max(destructor, u64(KEY_NO_DESTRUCTOR)))
            forget_key_values(ctx, key)
            asan_write_range(ctx, key_addr, 4)
            store_u32(key_addr, u32(key))
            return OK
        key = key + 1
    return EAGAIN


@kernel
def i_key_delete(ctx: Context, key: u32) -> i32:
    """pthread_key_delete."""
    if not is_key(key):
        return EINVAL
    store_u64(KEY_DESTRUCTORS + u64(key) * 8, 0)
    return OK


@kernel
def i_getspecific(ctx: Context, key: u32) -> u64:
    """pthread_getspecific."""
    if key >= N_KEYS:
        return 0
    table = KEY_TABLES + thread_at(ctx.thread).slot * KEY_TABLE_BYTES
    return load_u64(table + u64(key) * 8)


@kernel
def i_setspecific(ctx: Context, key: u32, value: u64) -> i32:
    """pthread_setspecific."""
    if not is_key(key):
        return EINVAL
    table = KEY_TABLES + thread_at(ctx.thread).slot * KEY_TABLE_BYTES
    store_u64(table + u64(key) * 8, value)
    return OK


@kernel
def once_begin(ctx: Context, once: u64) -> i32:
    """State of a once flag: 0 done, 1 the caller must run it; blocks while another runs."""
    if take_resuming(ctx) == 0 and is_use_bad(ctx, once, ONCE_BYTES):
        return ONCE_DONE
    state = load_u32(once)
    if state == 2 or state == CXX_DONE:
        sync_acquire(ctx, once)
        return ONCE_DONE
    if state == 0:
        store_u32(once, 1)
        return ONCE_CALL
    block_current(ctx, W_ONCE, once, 0)
    return ONCE_DONE


@kernel
def once_end(ctx: Context, once: u64, state: u32) -> None:
    """The routine has run (2, CXX_DONE) or thrown (0)."""
    sync_release(ctx, once)
    store_u32(once, state)
    wake_waiters(ctx, W_ONCE, once, ALL)


@kernel
def i_guard_acquire(ctx: Context, guard: u64) -> i32:
    """__cxa_guard_acquire: 1 when the caller must initialise."""
    take_resuming(ctx)
    if load_u8(guard) != 0:
        sync_acquire(ctx, guard)
        return ONCE_DONE
    if load_u8(guard + 1) == 0:
        store_u8(guard + 1, 1)
        return ONCE_CALL
    block_current(ctx, W_GUARD, guard, 0)
    return ONCE_DONE


@kernel
def i_guard_release(ctx: Context, guard: u64) -> None:
    """__cxa_guard_release."""
    sync_release(ctx, guard)
    store_u8(guard, 1)
    store_u8(guard + 1, 0)
    wake_waiters(ctx, W_GUARD, guard, ALL)


@kernel
def i_guard_abort(ctx: Context, guard: u64) -> None:
    """__cxa_guard_abort: the initialiser threw."""
    store_u8(guard + 1, 0)
    wake_waiters(ctx, W_GUARD, guard, ALL)


EXPORTS = (
    Export("i32 __cxa_atexit(ptr,ptr,ptr)", kernel="i_cxa_atexit"),
    Export("i32 atexit(ptr)", kernel="i_atexit"),
    Export("i32 on_exit(ptr,ptr)", kernel="i_on_exit"),
    Export("i32 at_quick_exit(ptr)", kernel="i_at_quick_exit"),
    Export("i32 __cxa_thread_atexit(ptr,ptr,ptr)", kernel="i_cxa_thread_atexit"),
    Export("i32 __cxa_thread_atexit_impl(ptr,ptr,ptr)", kernel="i_cxa_thread_atexit"),
    Export("i32 pthread_key_create(ptr,ptr)", kernel="i_key_create"),
    Export("i32 pthread_key_delete(u32)", kernel="i_key_delete"),
    Export("ptr pthread_getspecific(u32)", kernel="i_getspecific"),
    Export("i32 pthread_setspecific(u32,ptr)", kernel="i_setspecific"),
    Export("i32 tss_create(ptr,ptr)", kernel="i_key_create"),
    Export("void tss_delete(u32)", kernel="i_key_delete"),
    Export("ptr tss_get(u32)", kernel="i_getspecific"),
    Export("i32 tss_set(u32,ptr)", kernel="i_setspecific"),
    Export("i32 __cxa_guard_acquire(ptr)", kernel="i_guard_acquire"),
    Export("void __cxa_guard_release(ptr)", kernel="i_guard_release"),
    Export("void __cxa_guard_abort(ptr)", kernel="i_guard_abort"),
)
