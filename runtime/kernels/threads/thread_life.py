"""Birth and end of green threads: records, stacks in the arena, thread-local blocks.

    slot of 16 MiB:  | guard ... | stack (8 MiB by default) | thread-local block |
                     slot_lo     stack_lo          stack_hi = start of the block

The guard is everything below the stack, made inaccessible when the slot is first used or when the
size changes.  A slot is reused once its thread is joined, or has ended detached; the shadows of its
stack are cleared then, so that histories of two lives never mix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime import layout, thread_records
from irsan.runtime.kernels.callstack import callstack_init, current_stack_id
from irsan.runtime.kernels.checks.shadow import unpoison_range
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    real_memcpy,
    real_memset,
    real_mprotect,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.fibers import leave_fibers
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.race.race_threads import thread_finish
from irsan.runtime.kernels.records import record_to_addr, thread_at
from irsan.runtime.kernels.threads.exit_handlers import KEY_TABLE_BYTES, KEY_TABLES
from irsan.runtime.kernels.threads.scheduler import (
    leave_runnable,
    make_runnable,
    wake_waiters,
)
from irsan.runtime.kernels.threads.signal_queue import forget_queued
from irsan.runtime.kernels.threads.thread_slots import slot_to_thread
from irsan.runtime.records import THREAD_DTYPE
from irsan.runtime.thread_states import FINISHED, FREE, WAIT_JOIN

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_80 = np.uint64(80)
PAGE_MASK = np.uint64(0xFFF)
ALIGN_MASK = np.uint64(63)
PROT_NONE = np.uint64(0)
PROT_RW = np.uint64(3)
S_FREE = np.uint64(FREE)
S_FINISHED = np.uint64(FINISHED)
W_JOIN = np.uint64(WAIT_JOIN)
U64_ALL = np.uint64(1 << 32)
STACKS = np.uint64(layout.STACKS_LO)
SLOT_BYTES = np.uint64(layout.STACK_SLOT_BYTES)
MAX_SLOTS = np.uint64(layout.MAX_LIVE_THREADS)
RECORD_BYTES = np.uint64(THREAD_DTYPE.itemsize)
FIRST_FLAGS = np.uint64(0x037F << 32 | 0x1F80)  # default x87 control word and mxcsr
CREATIONS = np.uint64(thread_records.CREATIONS)
CREATION_BYTES = np.uint64(thread_records.CREATION_BYTES)
MAX_CREATIONS = np.uint64(thread_records.MAX_CREATIONS)
NO_SLOT = np.uint64(0xFFFF_FFFF)


@kernel("u64(ctx)")
def find_free_slot(ctx: Any) -> Any:
    """Lowest slot whose thread is gone, or a new one; NO_SLOT when all are taken."""
    slot = U64_0
    while slot < ctx.n_threads:
        if thread_at(slot_to_thread(slot)).state == S_FREE:
            return slot
        slot = slot + U64_1
    if slot == MAX_SLOTS:
        return NO_SLOT
    ctx.n_threads = slot + U64_1
    return slot


@kernel("void(ctx,u64,u64)")
def prepare_stack_slot(ctx: Any, thread_addr: Any, stack_bytes: Any) -> Any:
    """Lay out a thread's slot: stack bounds, guard, thread-local block; clears old shadows."""
    thread = thread_at(thread_addr)
    slot_lo = STACKS + thread.slot * SLOT_BYTES
    block = slot_lo + SLOT_BYTES - ((ctx.tls_size + ALIGN_MASK) & ~ALIGN_MASK)
    if ctx.tls_align > U64_1:
        block = block & ~(ctx.tls_align - U64_1)
    block = block & ~ALIGN_MASK
    old_lo = thread.stack_lo
    thread.stack_hi = block
    thread.stack_lo = (block - stack_bytes) & ~PAGE_MASK
    thread.tls = block
    if old_lo != thread.stack_lo:
        real_mprotect(slot_lo, SLOT_BYTES, PROT_RW)
        real_mprotect(slot_lo, thread.stack_lo - slot_lo, PROT_NONE)
    if old_lo != U64_0:
        unpoison_range(ctx, thread.stack_lo, slot_lo + SLOT_BYTES - thread.stack_lo)
        race_forget(ctx, thread.stack_lo, slot_lo + SLOT_BYTES - thread.stack_lo)
    real_memset(block, U64_0, slot_lo + SLOT_BYTES - block)
    if ctx.tls_size != U64_0:
        real_memcpy(block, ctx.tls_image, ctx.tls_size)


@kernel("u64(ctx,u64)")
def new_thread(ctx: Any, stack_bytes: Any) -> Any:
    """Address of a fresh thread record with stack, thread-local block and call stack; 0 if full."""
    slot = find_free_slot(ctx)
    if slot == NO_SLOT:
        return U64_0
    addr = slot_to_thread(slot)
    thread = thread_at(addr)
    old_lo = thread.stack_lo
    real_memset(addr, U64_0, RECORD_BYTES)
    thread.slot = slot
    thread.stack_lo = old_lo
    thread.tid = ctx.next_tid
    ctx.next_tid = ctx.next_tid + U64_1
    real_memset(KEY_TABLES + slot * KEY_TABLE_BYTES, U64_0, KEY_TABLE_BYTES)
    prepare_stack_slot(ctx, addr, stack_bytes)
    callstack_init(thread)
    return addr


@kernel("void(u64,u64,u64)")
def prepare_first_frame(thread_addr: Any, first_frame: Any, entry: Any) -> Any:
    """Write the saved state from which `irsan_switch` starts the thread in entry(0)."""
    thread = thread_at(thread_addr)
    sp = (thread.stack_hi - U64_80) & ~(U64_16 - U64_1)
    for word in range(10):
        store_u64(sp + np.uint64(8 * word), U64_0)
    store_u64(sp, FIRST_FLAGS)
    store_u64(sp + np.uint64(40), entry)
    store_u64(sp + np.uint64(56), first_frame)
    thread.sp = sp


@kernel("void(u64,u64,u64)")
def note_creation(tid: Any, parent_tid: Any, stack: Any) -> None:
    """Keep what reports say of a thread beyond its record's life."""
    if tid < MAX_CREATIONS:
        at = CREATIONS + tid * CREATION_BYTES
        store_u32(at, np.uint32(parent_tid + U64_1))
        store_u32(at + U64_4, np.uint32(stack))


@kernel("u64(ctx,u64,u64,u64,u64)")
def start_thread(ctx: Any, routine: Any, argument: Any, is_detached: Any, stack_bytes: Any) -> Any:
    """Create a runnable thread that calls routine(argument); 0 when no slot is left."""
    addr = new_thread(ctx, stack_bytes)
    if addr == U64_0:
        return U64_0
    thread = thread_at(addr)
    thread.start_routine = routine
    thread.argument = argument
    thread.detached = is_detached
    thread.parent_tid = thread_at(ctx.thread).tid
    thread.sigmask = thread_at(ctx.thread).sigmask
    thread.creation_stack = np.uint64(current_stack_id(ctx))
    note_creation(thread.tid, thread.parent_tid, thread.creation_stack)
    prepare_first_frame(addr, ctx.entry_points[0], ctx.entry_points[1])
    ctx.n_live = ctx.n_live + U64_1
    make_runnable(ctx, addr)
    return addr


@kernel("void(ctx,u64)")
def cancel_start(ctx: Any, child_addr: Any) -> Any:
    """Undo `start_thread` for a thread that has not run: the race detector has no room for it."""
    leave_runnable(ctx, child_addr, S_FREE)
    ctx.n_live = ctx.n_live - U64_1


@kernel("b1(ctx)")
def end_thread(ctx: Any) -> Any:
    """The running thread is over: wakes its joiner; true when it was the last one alive."""
    thread = thread_at(ctx.thread)
    leave_fibers(ctx)
    thread_finish(ctx)
    forget_queued(ctx.thread)
    ctx.n_live = ctx.n_live - U64_1
    if thread.detached != U64_0:
        leave_runnable(ctx, ctx.thread, S_FREE)
    else:
        leave_runnable(ctx, ctx.thread, S_FINISHED)
        wake_waiters(ctx, W_JOIN, record_to_addr(thread), U64_ALL)
    return ctx.n_live == U64_0
