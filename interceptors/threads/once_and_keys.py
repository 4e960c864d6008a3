"""Exit handlers, pthread keys, once flags and C++ static guards."""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import EAGAIN, EINVAL, OK
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.exit_handlers import (
    KEY_DESTRUCTORS,
    KEY_NO_DESTRUCTOR,
    KEY_TABLE_BYTES,
    KEY_TABLES,
    N_KEYS,
    add_quick_exit_handler,
    add_thread_cleanup,
    install_exit_handler,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, load_u64, store_u8, store_u32, store_u64
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.scheduler import block_current, take_resuming, wake_waiters
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import WAIT_GUARD, WAIT_ONCE
from irsan.runtime.records import exit_records

AT_EXIT = np.uint32(exit_records.AT_EXIT)
CXA_AT_EXIT = np.uint32(exit_records.CXA_AT_EXIT)
ON_EXIT = np.uint32(exit_records.ON_EXIT)
U8_0 = np.uint8(0)
U8_1 = np.uint8(1)
U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U32_2 = np.uint32(2)
CXX_DONE = np.uint32(0xFFFF_FFFF)  # libc++'s flag
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_ALL = np.uint64(1 << 32)
W_ONCE = np.uint64(WAIT_ONCE)
W_GUARD = np.uint64(WAIT_GUARD)
ONCE_DONE, ONCE_CALL = np.int32(0), np.int32(1)
FAILED = np.int32(-1)  # no room: as the C library says it
I32_N_KEYS = np.uint32(memory_map.N_KEYS)


@kernel("i32(ctx,u64,u64,u64)")
def i_cxa_atexit(ctx: Any, function: Any, argument: Any, dso: Any) -> Any:
    """__cxa_atexit; the handler runs when the program exits, not when a library is closed."""
    return OK if install_exit_handler(ctx, function, argument, CXA_AT_EXIT) else FAILED


@kernel("i32(ctx,u64)")
def i_atexit(ctx: Any, function: Any) -> Any:
    """atexit."""
    return OK if install_exit_handler(ctx, function, U64_0, AT_EXIT) else FAILED


@kernel("i32(ctx,u64,u64)")
def i_on_exit(ctx: Any, function: Any, argument: Any) -> Any:
    """on_exit: the function gets the exit status and the argument."""
    return OK if install_exit_handler(ctx, function, argument, ON_EXIT) else FAILED


@kernel("i32(ctx,u64)")
def i_at_quick_exit(ctx: Any, function: Any) -> Any:
    """at_quick_exit."""
    return OK if add_quick_exit_handler(ctx, function, U64_0) else FAILED


@kernel("i32(ctx,u64,u64,u64)")
def i_cxa_thread_atexit(ctx: Any, function: Any, argument: Any, dso: Any) -> Any:
    """__cxa_thread_atexit: destructor of a thread_local object of the running thread."""
    return OK if add_thread_cleanup(ctx, function, argument) else FAILED


@kernel("void(ctx,u64)")
def forget_key_values(ctx: Any, key: Any) -> Any:
    """A new key is NULL in every thread, also where a deleted one of its number was not."""
    slot = U64_0
    while slot < ctx.n_threads:
        store_u64(KEY_TABLES + slot * KEY_TABLE_BYTES + key * U64_8, U64_0)
        slot = slot + U64_1


@kernel("b1(u32)")
def is_key(key: Any) -> Any:
    """Whether a key was created and not deleted."""
    if key >= I32_N_KEYS:
        return False
    return load_u64(KEY_DESTRUCTORS + np.uint64(key) * U64_8) != U64_0


@kernel("i32(ctx,u64,u64)")
def i_key_create(ctx: Any, key_addr: Any, destructor: Any) -> Any:
    """pthread_key_create; EAGAIN after 1024 keys."""
    key = U64_0
    while key < N_KEYS:
        slot = KEY_DESTRUCTORS + key * U64_8
        if load_u64(slot) == U64_0:
            store_u64(slot, max(destructor, KEY_NO_DESTRUCTOR))
            forget_key_values(ctx, key)
            store_u32(key_addr, np.uint32(key))
            return OK
        key = key + U64_1
    return EAGAIN


@kernel("i32(ctx,u32)")
def i_key_delete(ctx: Any, key: Any) -> Any:
    """pthread_key_delete."""
    if not is_key(key):
        return EINVAL
    store_u64(KEY_DESTRUCTORS + np.uint64(key) * U64_8, U64_0)
    return OK


@kernel("u64(ctx,u32)")
def i_getspecific(ctx: Any, key: Any) -> Any:
    """pthread_getspecific."""
    if key >= I32_N_KEYS:
        return U64_0
    table = KEY_TABLES + thread_at(ctx.thread).slot * KEY_TABLE_BYTES
    return load_u64(table + np.uint64(key) * U64_8)


@kernel("i32(ctx,u32,u64)")
def i_setspecific(ctx: Any, key: Any, value: Any) -> Any:
    """pthread_setspecific."""
    if not is_key(key):
        return EINVAL
    table = KEY_TABLES + thread_at(ctx.thread).slot * KEY_TABLE_BYTES
    store_u64(table + np.uint64(key) * U64_8, value)
    return OK


@kernel("i32(ctx,u64)")
def once_begin(ctx: Any, once: Any) -> Any:
    """State of a once flag: 0 done, 1 the caller must run it; blocks while another runs."""
    take_resuming(ctx)
    state = load_u32(once)
    if state == U32_2 or state == CXX_DONE:
        sync_acquire(ctx, once)
        return ONCE_DONE
    if state == U32_0:
        store_u32(once, U32_1)
        return ONCE_CALL
    block_current(ctx, W_ONCE, once, U64_0)
    return ONCE_DONE


@kernel("void(ctx,u64,u32)")
def once_end(ctx: Any, once: Any, state: Any) -> Any:
    """The routine has run (2, CXX_DONE) or thrown (0)."""
    sync_release(ctx, once)
    store_u32(once, state)
    wake_waiters(ctx, W_ONCE, once, U64_ALL)


@kernel("i32(ctx,u64)")
def i_guard_acquire(ctx: Any, guard: Any) -> Any:
    """__cxa_guard_acquire: 1 when the caller must initialise."""
    take_resuming(ctx)
    if load_u8(guard) != U8_0:
        sync_acquire(ctx, guard)
        return ONCE_DONE
    if load_u8(guard + U64_1) == U8_0:
        store_u8(guard + U64_1, U8_1)
        return ONCE_CALL
    block_current(ctx, W_GUARD, guard, U64_0)
    return ONCE_DONE


@kernel("void(ctx,u64)")
def i_guard_release(ctx: Any, guard: Any) -> Any:
    """__cxa_guard_release."""
    sync_release(ctx, guard)
    store_u8(guard, U8_1)
    store_u8(guard + U64_1, U8_0)
    wake_waiters(ctx, W_GUARD, guard, U64_ALL)


@kernel("void(ctx,u64)")
def i_guard_abort(ctx: Any, guard: Any) -> Any:
    """__cxa_guard_abort: the initialiser threw."""
    store_u8(guard + U64_1, U8_0)
    wake_waiters(ctx, W_GUARD, guard, U64_ALL)


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
