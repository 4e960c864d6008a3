"""Birth and end of green threads: records, stacks in the arena, thread-local blocks.

    room of 16 MiB:  | guard ... | stack (8 MiB by default) | thread-local block |
                     room_lo     stack_lo          stack_hi = start of the block

A thread whose stack or block needs more has a larger room elsewhere (stack_rooms.py).  The guard is
everything below the stack, made inaccessible when the room is first used or when the size changes.
A slot is reused once its thread is joined, or has ended detached; the shadows of its stack are
cleared then, so that histories of two lives never mix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.callstack import callstack_init, current_stack_id
from irsan.runtime.kernels.checks.shadow import open_shadow, renew_shadow, unpoison_range
from irsan.runtime.kernels.combined.exit_handlers import KEY_TABLE_BYTES, KEY_TABLES
from irsan.runtime.kernels.combined.fibers import leave_fibers
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    U64_DONTNEED,
    real_madvise,
    real_memcpy,
    real_memset,
    real_mprotect,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.race.thread_clocks import thread_finish
from irsan.runtime.kernels.records import record_to_addr, thread_at
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.kernels.threads.library_tls import forget_library_tls
from irsan.runtime.kernels.threads.scheduler import (
    HOST_TLS_OFFSET,
    leave_runnable,
    make_runnable,
    wake_waiters,
)
from irsan.runtime.kernels.threads.signal_queue import forget_queued
from irsan.runtime.kernels.threads.stack_rooms import (
    BIG_LO,
    GUARD_BYTES,
    SLOT_BYTES,
    SLOT_MASK,
    leave_room,
    lowest_present,
    take_room,
)
from irsan.runtime.kernels.threads.turns import attend_to_thread
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.thread_states import FINISHED, FIRST_FRAME_BYTES, FREE, WAIT_JOIN
from irsan.runtime.records import limit_records, thread_records
from irsan.runtime.records.context import MAX_SWAPPED_BYTES, THREAD_DTYPE

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_FIRST_FRAME = np.uint64(FIRST_FRAME_BYTES)
PAGE_MASK = np.uint64(0xFFF)
ALIGN_MASK = np.uint64(63)
PROT_NONE = np.uint64(0)
PROT_RW = np.uint64(3)
S_FREE = np.uint64(FREE)
S_FINISHED = np.uint64(FINISHED)
W_JOIN = np.uint64(WAIT_JOIN)
U64_ALL = np.uint64(1 << 32)
N_THREADS_REFUSED = limit_records.THREADS
N_STACKS_REFUSED = limit_records.STACKS
MAX_SLOTS = np.uint64(memory_map.MAX_LIVE_THREADS)
RECORD_BYTES = np.uint64(THREAD_DTYPE.itemsize)
FIRST_SWAPPED = np.uint64(memory_map.FIRST_SWAPPED)
SWAPPED_BYTES = np.uint64(MAX_SWAPPED_BYTES)
FIRST_FLAGS = np.uint64(0x037F << 32 | 0x1F80)  # default x87 control word and mxcsr
CREATIONS = np.uint64(thread_records.CREATIONS)
CREATION_BYTES = np.uint64(thread_records.CREATION_BYTES)
MAX_CREATIONS = np.uint64(thread_records.MAX_CREATIONS)
MAX_STACK_FILL_BYTES = options.MAX_STACK_FILL_BYTES
STACK_FILL_BYTE = options.STACK_FILL_BYTE
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


@kernel("u64(ctx)")
def tls_room_bytes(ctx: Any) -> Any:
    """Bytes that the thread-local block takes at most, with its alignment."""
    return ((ctx.tls_size + ALIGN_MASK) & ~ALIGN_MASK) + max(ctx.tls_align, ALIGN_MASK + U64_1)


@kernel("void(ctx,u64)")
def fill_stack(ctx: Any, thread_addr: Any) -> None:
    """The upper part of a fresh stack, so that what was never written does not read as zeros.
    Deeper it does.
    """
    thread = thread_at(thread_addr)
    n_bytes = min(ctx.options[MAX_STACK_FILL_BYTES], thread.stack_hi - thread.stack_lo)
    real_memset(thread.stack_hi - n_bytes, ctx.options[STACK_FILL_BYTE], n_bytes)


@kernel("void(ctx,u64,u64)")
def place_stack(ctx: Any, thread_addr: Any, stack_bytes: Any) -> None:
    """Bounds of the stack and the thread-local block in a thread's room."""
    thread = thread_at(thread_addr)
    block = thread.room_hi - ((ctx.tls_size + ALIGN_MASK) & ~ALIGN_MASK)
    if ctx.tls_align > U64_1:
        block = block & ~(ctx.tls_align - U64_1)
    block = block & ~ALIGN_MASK
    thread.stack_hi = block
    thread.stack_lo = (block - stack_bytes) & ~PAGE_MASK
    thread.tls = block


@kernel("void(ctx,u64)")
def clear_big_room(ctx: Any, thread_addr: Any) -> None:
    """Whoever had a room, or parts of it, has left nothing there.  O(what was touched)."""
    thread = thread_at(thread_addr)
    lo, size_bytes = thread.room_lo, thread.room_hi - thread.room_lo
    real_mprotect(lo, size_bytes, PROT_RW)
    touched = lowest_present(lo, thread.room_hi)
    race_forget(ctx, touched, thread.room_hi - touched)
    real_madvise(lo, size_bytes, U64_DONTNEED)
    renew_shadow(ctx, lo, size_bytes)
    real_mprotect(lo, thread.stack_lo - lo, PROT_NONE)
    fill_stack(ctx, thread_addr)


@kernel("void(ctx,u64,u64)")
def clear_slot_room(ctx: Any, thread_addr: Any, old_lo: Any) -> None:
    """The same for a room of one slot; `old_lo` is 0 or where the stack of the last one began."""
    thread = thread_at(thread_addr)
    lo, used_bytes = thread.room_lo, thread.room_hi - thread.stack_lo
    if old_lo != thread.stack_lo:
        real_mprotect(lo, SLOT_BYTES, PROT_RW)
        real_mprotect(lo, thread.stack_lo - lo, PROT_NONE)
    if old_lo == U64_0:
        open_shadow(ctx, lo, SLOT_BYTES)
        fill_stack(ctx, thread_addr)
    else:
        unpoison_range(ctx, thread.stack_lo, used_bytes)
        race_forget(ctx, thread.stack_lo, used_bytes)


@kernel("b1(ctx,u64,u64)")
def prepare_stack(ctx: Any, thread_addr: Any, stack_bytes: Any) -> Any:
    """Give a thread its room, laid out and with clear shadows; false when there is no room."""
    thread = thread_at(thread_addr)
    leave_room(thread.slot, thread.room_lo, thread.room_hi)
    n_bytes = (stack_bytes + tls_room_bytes(ctx) + GUARD_BYTES + SLOT_MASK) & ~SLOT_MASK
    thread.room_lo = take_room(thread.slot, n_bytes)
    thread.room_hi = thread.room_lo + n_bytes
    if thread.room_lo == U64_0:
        thread.room_hi = U64_0
        return False
    old_lo = thread.stack_lo
    place_stack(ctx, thread_addr, stack_bytes)
    if thread.room_lo >= BIG_LO:
        clear_big_room(ctx, thread_addr)
    else:
        clear_slot_room(ctx, thread_addr, old_lo)
    real_memset(thread.tls, U64_0, thread.room_hi - thread.tls)
    if ctx.tls_size != U64_0:
        real_memcpy(thread.tls, ctx.tls_image, ctx.tls_size)
    return True


@kernel("u64(u64)")
def empty_record(slot: Any) -> Any:
    """Address of the record in a slot, which says no more than what the slot's rooms are like."""
    addr = slot_to_thread(slot)
    thread = thread_at(addr)
    stack_lo, room_lo, room_hi = thread.stack_lo, thread.room_lo, thread.room_hi
    real_memset(addr, U64_0, RECORD_BYTES)
    thread.slot = slot
    thread.stack_lo = stack_lo
    thread.room_lo = room_lo
    thread.room_hi = room_hi
    return addr


@kernel("u64(ctx,u64)")
def new_thread(ctx: Any, stack_bytes: Any) -> Any:
    """Address of a fresh thread record with stack, thread-local block and call stack; 0 if full."""
    slot = find_free_slot(ctx)
    if slot == NO_SLOT:
        ctx.refused[N_THREADS_REFUSED] += U64_1
        return U64_0
    addr = empty_record(slot)
    if not prepare_stack(ctx, addr, stack_bytes):
        ctx.refused[N_STACKS_REFUSED] += U64_1
        return U64_0
    real_memcpy(addr + HOST_TLS_OFFSET, FIRST_SWAPPED, SWAPPED_BYTES)
    thread = thread_at(addr)
    thread.tid = ctx.next_tid
    ctx.next_tid = ctx.next_tid + U64_1
    real_memset(KEY_TABLES + slot * KEY_TABLE_BYTES, U64_0, KEY_TABLE_BYTES)
    forget_library_tls(ctx, slot)
    callstack_init(thread)
    return addr


@kernel("void(u64,u64,u64)")
def prepare_first_frame(thread_addr: Any, first_frame: Any, entry: Any) -> Any:
    """Write the saved state from which `irsan_switch` starts the thread in entry(0)."""
    thread = thread_at(thread_addr)
    sp = (thread.stack_hi - U64_FIRST_FRAME) & ~(U64_16 - U64_1)
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
    attend_to_thread(ctx)
    return addr


@kernel("void(ctx,u64)")
def cancel_start(ctx: Any, child_addr: Any) -> Any:
    """Undo `start_thread` for a thread that has not run: the race detector has no room for it."""
    leave_runnable(ctx, child_addr, S_FREE)
    ctx.n_live = ctx.n_live - U64_1
    ctx.refused[N_THREADS_REFUSED] += U64_1


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
