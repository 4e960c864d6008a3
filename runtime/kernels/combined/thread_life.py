"""Birth and end of green threads: records, stacks in the arena, thread-local blocks.

    room of 16 MiB:  | guard ... | stack (8 MiB by default) | thread-local block |
                     room_lo     stack_lo          stack_hi = start of the block

A thread whose stack or block needs more has a larger room elsewhere (stack_rooms.py).  The guard is
everything below the stack, made inaccessible when the room is first used or when the size changes.
A slot is reused once its thread is joined, or has ended detached; the shadows of its stack are
cleared then, so that histories of two lives never mix.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import callstack_init, current_stack_id
from irsan.runtime.kernels.checks.shadow import open_shadow, renew_shadow, unpoison_range
from irsan.runtime.kernels.combined.exit_handlers import KEY_TABLE_BYTES, KEY_TABLES
from irsan.runtime.kernels.combined.fibers import leave_fibers
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    DONTNEED,
    real_madvise,
    real_memcpy,
    real_memset,
    real_mprotect,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.race.thread_clocks import thread_finish
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.kernels.thread_slots import slot_to_thread
from irsan.runtime.kernels.threads.library_tls import forget_library_tls
from irsan.runtime.kernels.threads.scheduler import (
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
from irsan.runtime.kernels.threads.switching import HOST_TLS_OFFSET
from irsan.runtime.kernels.threads.turns import attend_to_thread
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import FIRST_SWAPPED
from irsan.runtime.layout.options import MAX_STACK_FILL_BYTES, STACK_FILL_BYTE
from irsan.runtime.layout.thread_states import FINISHED, FIRST_FRAME_BYTES, FREE, WAIT_JOIN
from irsan.runtime.records.context import MAX_SWAPPED_BYTES, THREAD_DTYPE
from irsan.runtime.records.threads.thread_records import CREATION_BYTES, CREATIONS, MAX_CREATIONS

PAGE_MASK = 0xFFF
ALIGN_MASK = 63
PROT_NONE = 0
PROT_RW = 3
S_FREE = FREE
S_FINISHED = FINISHED
W_JOIN = WAIT_JOIN
ALL = 1 << 32
MAX_SLOTS = memory_map.MAX_LIVE_THREADS
RECORD_BYTES = THREAD_DTYPE.itemsize
SWAPPED_BYTES = MAX_SWAPPED_BYTES
FIRST_FLAGS = 0x037F << 32 | 0x1F80  # default x87 control word and mxcsr
NO_SLOT = 0xFFFF_FFFF


@kernel
def find_free_slot(ctx: Context) -> u64:
    """Lowest slot whose thread is gone, or a new one; NO_SLOT when all are taken."""
    slot = u64(0)
    while slot < ctx.schedule.n_threads:
        if thread_at(slot_to_thread(slot)).state == S_FREE:
            return slot
        slot = slot + 1
    if slot == MAX_SLOTS:
        return NO_SLOT
    ctx.schedule.n_threads = slot + 1
    return slot


@kernel
def tls_room_bytes(ctx: Context) -> u64:
    """Bytes that the thread-local block takes at most, with its alignment."""
    return ((ctx.thread_locals.size_bytes + ALIGN_MASK) & ~u64(ALIGN_MASK)) + max(
        ctx.thread_locals.align, u64(ALIGN_MASK) + 1
    )


@kernel
def fill_stack(ctx: Context, thread_addr: u64) -> None:
    """The upper part of a fresh stack, so that what was never written does not read as zeros.
    Deeper it does.
    """
    thread = thread_at(thread_addr)
    n_bytes = min(ctx.options[MAX_STACK_FILL_BYTES], thread.stack.hi - thread.stack.lo)
    real_memset(thread.stack.hi - n_bytes, ctx.options[STACK_FILL_BYTE], n_bytes)


@kernel
def place_stack(ctx: Context, thread_addr: u64, stack_bytes: u64) -> None:
    """Bounds of the stack and the thread-local block in a thread's room."""
    thread = thread_at(thread_addr)
    block = thread.stack.room_hi - ((ctx.thread_locals.size_bytes + ALIGN_MASK) & ~u64(ALIGN_MASK))
    if ctx.thread_locals.align > 1:
        block = block & ~(ctx.thread_locals.align - 1)
    block = block & ~u64(ALIGN_MASK)
    thread.stack.hi = block
    thread.stack.lo = (block - stack_bytes) & ~u64(PAGE_MASK)
    thread.tls = block


@kernel
def clear_big_room(ctx: Context, thread_addr: u64) -> None:
    """Whoever had a room, or parts of it, has left nothing there.  O(what was touched)."""
    thread = thread_at(thread_addr)
    lo, size_bytes = thread.stack.room_lo, thread.stack.room_hi - thread.stack.room_lo
    real_mprotect(lo, size_bytes, PROT_RW)
    touched = lowest_present(lo, thread.stack.room_hi)
    race_forget(ctx, touched, thread.stack.room_hi - touched)
    real_madvise(lo, size_bytes, DONTNEED)
    renew_shadow(ctx, lo, size_bytes)
    real_mprotect(lo, thread.stack.lo - lo, PROT_NONE)
    fill_stack(ctx, thread_addr)


@kernel
def clear_slot_room(ctx: Context, thread_addr: u64, old_lo: u64) -> None:
    """The same for a room of one slot; `old_lo` is 0 or where the stack of the last one began."""
    thread = thread_at(thread_addr)
    lo, used_bytes = thread.stack.room_lo, thread.stack.room_hi - thread.stack.lo
    if old_lo != thread.stack.lo:
        real_mprotect(lo, SLOT_BYTES, PROT_RW)
        real_mprotect(lo, thread.stack.lo - lo, PROT_NONE)
    if old_lo == 0:
        open_shadow(ctx, lo, SLOT_BYTES)
        fill_stack(ctx, thread_addr)
    else:
        unpoison_range(ctx, thread.stack.lo, used_bytes)
        race_forget(ctx, thread.stack.lo, used_bytes)


@kernel
def prepare_stack(ctx: Context, thread_addr: u64, stack_bytes: u64) -> bool:
    """Give a thread its room, laid out and with clear shadows; false when there is no room."""
    thread = thread_at(thread_addr)
    leave_room(thread.slot, thread.stack.room_lo, thread.stack.room_hi)
    n_bytes = (stack_bytes + tls_room_bytes(ctx) + GUARD_BYTES + SLOT_MASK) & ~u64(SLOT_MASK)
    thread.stack.room_lo = take_room(thread.slot, n_bytes)
    thread.stack.room_hi = thread.stack.room_lo + n_bytes
    if thread.stack.room_lo == 0:
        thread.stack.room_hi = 0
        return False
    old_lo = thread.stack.lo
    place_stack(ctx, thread_addr, stack_bytes)
    if thread.stack.room_lo >= BIG_LO:
        clear_big_room(ctx, thread_addr)
    else:
        clear_slot_room(ctx, thread_addr, old_lo)
    real_memset(thread.tls, 0, thread.stack.room_hi - thread.tls)
    if ctx.thread_locals.size_bytes != 0:
        real_memcpy(thread.tls, ctx.thread_locals.image, ctx.thread_locals.size_bytes)
    return True


@kernel
def empty_record(slot: u64) -> u64:
    """Address of the record in a slot, which says no more than what the slot's rooms are like."""
    addr = slot_to_thread(slot)
    thread = thread_at(addr)
    stack_lo, room_lo, room_hi = thread.stack.lo, thread.stack.room_lo, thread.stack.room_hi
    real_memset(addr, 0, RECORD_BYTES)
    thread.slot = slot
    thread.stack.lo = stack_lo
    thread.stack.room_lo = room_lo
    thread.stack.room_hi = room_hi
    return addr


@kernel
def new_thread(ctx: Context, stack_bytes: u64) -> u64:
    """Address of a fresh thread record with stack, thread-local block and call stack; 0 if full."""
    slot = find_free_slot(ctx)
    if slot == NO_SLOT:
        ctx.refused.threads += 1
        return 0
    addr = empty_record(slot)
    if not prepare_stack(ctx, addr, stack_bytes):
        ctx.refused.stacks += 1
        return 0
    real_memcpy(addr + HOST_TLS_OFFSET, FIRST_SWAPPED, SWAPPED_BYTES)
    thread = thread_at(addr)
    thread.tid = ctx.schedule.next_tid
    ctx.schedule.next_tid = ctx.schedule.next_tid + 1
    real_memset(KEY_TABLES + slot * KEY_TABLE_BYTES, 0, KEY_TABLE_BYTES)
    forget_library_tls(ctx, slot)
    callstack_init(thread)
    return addr


@kernel
def prepare_first_frame(thread_addr: u64, first_frame: u64, entry: u64) -> None:
    """Write the saved state from which `irsan_switch` starts the thread in entry(0)."""
    thread = thread_at(thread_addr)
    sp = (thread.stack.hi - FIRST_FRAME_BYTES) & ~(u64(16) - 1)
    for word in range(10):
        store_u64(sp + u64(8 * word), 0)
    store_u64(sp, FIRST_FLAGS)
    store_u64(sp + 40, entry)
    store_u64(sp + 56, first_frame)
    thread.sp = sp


@kernel
def note_creation(tid: u64, parent_tid: u64, stack: u64) -> None:
    """Keep what reports say of a thread beyond its record's life."""
    if tid < MAX_CREATIONS:
        at = CREATIONS + tid * CREATION_BYTES
        store_u32(at, u32(parent_tid + 1))
        store_u32(at + 4, u32(stack))


@kernel
def start_thread(
    ctx: Context, routine: u64, argument: u64, is_detached: u64, stack_bytes: u64
) -> u64:
    """Create a runnable thread that calls routine(argument); 0 when no slot is left."""
    addr = new_thread(ctx, stack_bytes)
    if addr == 0:
        return 0
    thread = thread_at(addr)
    thread.start_routine = routine
    thread.argument = argument
    thread.detached = is_detached
    thread.parent_tid = thread_at(ctx.thread).tid
    thread.sigmask = thread_at(ctx.thread).sigmask
    thread.scheduling = thread_at(ctx.thread).scheduling
    thread.affinity = thread_at(ctx.thread).affinity
    thread.creation_stack = u64(current_stack_id(ctx))
    note_creation(thread.tid, thread.parent_tid, thread.creation_stack)
    prepare_first_frame(addr, ctx.entry_points.first_frame, ctx.entry_points.thread_main)
    ctx.schedule.n_live = ctx.schedule.n_live + 1
    make_runnable(ctx, addr)
    attend_to_thread(ctx)
    return addr


@kernel
def cancel_start(ctx: Context, child_addr: u64) -> None:
    """Undo `start_thread` for a thread that has not run: the race detector has no room for it."""
    leave_runnable(ctx, child_addr, S_FREE)
    ctx.schedule.n_live = ctx.schedule.n_live - 1
    ctx.refused.threads += 1


@kernel
def end_thread(ctx: Context) -> bool:
    """The running thread is over: wakes its joiner; true when it was the last one alive."""
    thread = thread_at(ctx.thread)
    leave_fibers(ctx)
    thread_finish(ctx)
    forget_queued(ctx.thread)
    ctx.schedule.n_live = ctx.schedule.n_live - 1
    if thread.detached != 0:
        leave_runnable(ctx, ctx.thread, S_FREE)
    else:
        leave_runnable(ctx, ctx.thread, S_FINISHED)
        wake_waiters(ctx, W_JOIN, addr_of(thread), ALL)
    return ctx.schedule.n_live == 0
