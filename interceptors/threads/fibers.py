"""Fibers that a program tells the race detector about, before it changes stacks by itself.

    __tsan_get_current_fiber()         the fiber that runs; a thread's own one at first
    __tsan_create_fiber(flags)         a new one, a child of the running one
    __tsan_switch_to_fiber(f, flags)   f runs from here on; bit 0 of flags: without synchronising
    __tsan_set_fiber_name(f, name)     for reports
    __tsan_destroy_fiber(f)            nobody will switch to it again

A fiber is a thread to the detector (runtime/kernels/combined/fibers.py): its accesses race with
those of others unless something orders them, which each switch without that bit does.

Source: sanitizer/tsan_interface.h for the contract.
Deviation: handles that are no sleeping fiber's are ignored where the original goes astray.
May miss: with 4,096 threads and fibers alive no fiber can be made; the handle is null, and a switch
to it changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.interceptors.threads.thread_names import store_name
from irsan.runtime.kernels.callstack import FRAME_BYTES, callstack_init, current_stack_id
from irsan.runtime.kernels.combined.fibers import S_FIBER, S_FREE, become
from irsan.runtime.kernels.combined.thread_life import (
    NO_SLOT,
    empty_record,
    find_free_slot,
    note_creation,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u64
from irsan.runtime.kernels.race.sids import close_journal, finish_sid
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.kernels.race.thread_clocks import thread_fork
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.thread_slots import is_thread_record
from irsan.runtime.records import limit_records
from irsan.runtime.records.fiber_records import CURRENT, HOME, IS_ANNOUNCED, IS_HOME, RUNNER

NO_SYNC = np.uint32(1)
N_FIBERS_REFUSED = limit_records.FIBERS
U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_FRAME = np.uint64(FRAME_BYTES)


@kernel("b1(u64)")
def is_fiber(handle: Any) -> Any:
    """Whether a handle is that of a fiber which was not destroyed."""
    return is_thread_record(handle) and thread_at(handle).state == S_FIBER


@kernel("u64(ctx)")
def new_fiber_record(ctx: Any) -> Any:
    """Address of the empty record of a fiber; 0 when all are in use."""
    slot = find_free_slot(ctx)
    if slot == NO_SLOT:
        ctx.refused[N_FIBERS_REFUSED] += U64_1
        return U64_0
    addr = empty_record(slot)
    thread_at(addr).state = S_FIBER
    return addr


@kernel("u64(ctx)")
def current_fiber(ctx: Any) -> Any:
    """__tsan_get_current_fiber."""
    thread = thread_at(ctx.thread)
    if ctx.sanitize_thread == U64_0:
        return ctx.thread
    if thread.spare[HOME] == U64_0:
        home = new_fiber_record(ctx)
        if home == U64_0:
            return U64_0
        thread_at(home).spare[RUNNER] = ctx.thread
        thread_at(home).spare[IS_HOME] = U64_1
        thread.spare[HOME], thread.spare[CURRENT] = home, home
    return thread.spare[CURRENT]


@kernel("u64(ctx,u32)")
def create_fiber(ctx: Any, flags: Any) -> Any:
    """__tsan_create_fiber; no flag has a meaning."""
    if ctx.sanitize_thread == U64_0:
        return ctx.thread
    addr = new_fiber_record(ctx)
    if addr == U64_0:
        return U64_0
    fiber = thread_at(addr)
    fiber.tid = ctx.next_tid
    fiber.parent_tid = thread_at(ctx.thread).tid
    fiber.creation_stack = np.uint64(current_stack_id(ctx))
    callstack_init(fiber)
    # A frame for the function that switches here for the first time, should it return as well.
    fiber.frame_top = fiber.frame_base + U64_FRAME
    store_u64(fiber.frame_top, U64_0)
    if not thread_fork(ctx, addr):
        fiber.state = S_FREE
        ctx.refused[N_FIBERS_REFUSED] += U64_1
        return U64_0
    ctx.next_tid = ctx.next_tid + U64_1
    note_creation(fiber.tid, fiber.parent_tid, fiber.creation_stack)
    return addr


@kernel("void(ctx,u64,u32)")
def switch_to_fiber(ctx: Any, handle: Any, flags: Any) -> None:
    """__tsan_switch_to_fiber; the program changes stacks next."""
    thread_at(ctx.thread).spare[IS_ANNOUNCED] = U64_1
    if ctx.sanitize_thread == U64_0 or current_fiber(ctx) == U64_0:
        return
    if not is_fiber(handle) or thread_at(handle).spare[RUNNER] != U64_0:
        return
    does_sync = flags & NO_SYNC == U32_0
    if does_sync:
        sync_release(ctx, handle)
    become(ctx, handle)
    if does_sync:
        sync_acquire(ctx, handle)


@kernel("void(ctx,u64)")
def destroy_fiber(ctx: Any, handle: Any) -> None:
    """__tsan_destroy_fiber: its number may go to another; nothing is learned from it."""
    if ctx.sanitize_thread == U64_0 or not is_fiber(handle):
        return
    fiber = thread_at(handle)
    if fiber.spare[RUNNER] != U64_0 or fiber.spare[IS_HOME] != U64_0:
        return
    finish_sid(ctx, fiber.epoch)
    close_journal(ctx, fiber)
    sync_forget(ctx, handle)
    fiber.state = S_FREE


@kernel("void(ctx,u64,u64)")
def name_fiber(ctx: Any, handle: Any, name: Any) -> None:
    """__tsan_set_fiber_name: up to 15 bytes."""
    if ctx.sanitize_thread == U64_0 or not is_fiber(handle):
        return
    runner = thread_at(handle).spare[RUNNER]
    store_name(handle if runner == U64_0 else runner, name)


def _hook(prototype: str, kernel_name: str) -> Export:
    return Export(prototype, kernel_name, is_hook=True)


EXPORTS = (
    _hook("ptr __tsan_get_current_fiber()", "current_fiber"),
    _hook("ptr __tsan_create_fiber(u32)", "create_fiber"),
    _hook("void __tsan_destroy_fiber(ptr)", "destroy_fiber"),
    _hook("void __tsan_switch_to_fiber(ptr,u32)", "switch_to_fiber"),
    _hook("void __tsan_set_fiber_name(ptr,ptr)", "name_fiber"),
)
