"""Fibers that a program announces to the race detector, before it changes stacks by itself.

    __tsan_get_current_fiber()         the fiber that runs; a thread's own one at first
    __tsan_create_fiber(flags)         a new one, a child of the running one
    __tsan_switch_to_fiber(f, flags)   f runs from here on; bit 0 of flags: without synchronising
    __tsan_set_fiber_name(f, name)     for reports
    __tsan_destroy_fiber(f)            no thread will switch to it again

A fiber is a thread to the detector (runtime/kernels/combined/fibers.py): its accesses race with
those of others unless something orders them, which each switch without that bit does.

Source: sanitizer/tsan_interface.h for the contract.
Deviation: handles that are no sleeping fiber's are ignored where the original goes astray.
May miss: with 4,096 threads and fibers alive no fiber can be made; the handle is null, and a switch
to it changes nothing.
"""

from __future__ import annotations

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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.thread_slots import is_thread_record

NO_SYNC = 1


@kernel
def is_fiber(handle: u64) -> bool:
    """Whether a handle is that of a fiber which was not destroyed."""
    return is_thread_record(handle) and thread_at(handle).state == S_FIBER


@kernel
def new_fiber_record(ctx: Context) -> u64:
    """Address of the empty record of a fiber; 0 when all are in use."""
    slot = find_free_slot(ctx)
    if slot == NO_SLOT:
        ctx.refused.fibers += 1
        return 0
    addr = empty_record(slot)
    thread_at(addr).state = S_FIBER
    return addr


@kernel
def current_fiber(ctx: Context) -> u64:
    """__tsan_get_current_fiber."""
    thread = thread_at(ctx.thread)
    if ctx.sanitize_thread == 0:
        return ctx.thread
    if thread.fiber.home == 0:
        home = new_fiber_record(ctx)
        if home == 0:
            return 0
        thread_at(home).fiber.runner = ctx.thread
        thread_at(home).fiber.is_home = 1
        thread.fiber.home, thread.fiber.current = home, home
    return thread.fiber.current


@kernel
def create_fiber(ctx: Context, flags: u32) -> u64:
    """__tsan_create_fiber; no flag has a meaning."""
    if ctx.sanitize_thread == 0:
        return ctx.thread
    addr = new_fiber_record(ctx)
    if addr == 0:
        return 0
    fiber = thread_at(addr)
    fiber.tid = ctx.schedule.next_tid
    fiber.parent_tid = thread_at(ctx.thread).tid
    fiber.creation_stack = u64(current_stack_id(ctx))
    callstack_init(fiber)
    # A frame for the function that switches here for the first time, should it return as well.
    fiber.frame_top = fiber.frame_base + FRAME_BYTES
    store_u64(fiber.frame_top, 0)
    if not thread_fork(ctx, addr):
        fiber.state = S_FREE
        ctx.refused.fibers += 1
        return 0
    ctx.schedule.next_tid = ctx.schedule.next_tid + 1
    note_creation(fiber.tid, fiber.parent_tid, fiber.creation_stack)
    return addr


@kernel
def switch_to_fiber(ctx: Context, handle: u64, flags: u32) -> None:
    """__tsan_switch_to_fiber; the program changes stacks next."""
    thread_at(ctx.thread).fiber.is_announced = 1
    if ctx.sanitize_thread == 0 or current_fiber(ctx) == 0:
        return
    if not is_fiber(handle) or thread_at(handle).fiber.runner != 0:
        return
    does_sync = flags & NO_SYNC == 0
    if does_sync:
        sync_release(ctx, handle)
    become(ctx, handle)
    if does_sync:
        sync_acquire(ctx, handle)


@kernel
def destroy_fiber(ctx: Context, handle: u64) -> None:
    """__tsan_destroy_fiber: its number may go to another; nothing is learned from it."""
    if ctx.sanitize_thread == 0 or not is_fiber(handle):
        return
    fiber = thread_at(handle)
    if fiber.fiber.runner != 0 or fiber.fiber.is_home != 0:
        return
    finish_sid(ctx, fiber.epoch)
    close_journal(ctx, fiber)
    sync_forget(ctx, handle)
    fiber.state = S_FREE


@kernel
def name_fiber(ctx: Context, handle: u64, name: u64) -> None:
    """__tsan_set_fiber_name: up to 15 bytes."""
    if ctx.sanitize_thread == 0 or not is_fiber(handle):
        return
    runner = thread_at(handle).fiber.runner
    store_name(handle if runner == 0 else runner, name)


def _hook(prototype: str, kernel_name: str) -> Export:
    return Export(prototype, kernel_name, is_hook=True)


EXPORTS = (
    _hook("ptr __tsan_get_current_fiber()", "current_fiber"),
    _hook("ptr __tsan_create_fiber(u32)", "create_fiber"),
    _hook("void __tsan_destroy_fiber(ptr)", "destroy_fiber"),
    _hook("void __tsan_switch_to_fiber(ptr,u32)", "switch_to_fiber"),
    _hook("void __tsan_set_fiber_name(ptr,ptr)", "name_fiber"),
)
