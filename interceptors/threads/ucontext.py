"""Fibers: programs that change stacks by ucontext.h, or announce that they do it themselves.

    swapcontext(from, to)   leave_context    keeps calls in progress and the stack's bounds in a
                                             room on the stack that is left
                            the C library's own function
                            enter_context    puts them back when a switch has come here
    setcontext(to)          replace_context  the same without a way back
    __sanitizer_start_switch_fiber(save, lo, n)   where the next fiber's stack is
    __sanitizer_finish_switch_fiber(_, &lo, &n)   it runs now; where the last one's stack was

A fiber that begins starts with no calls in progress: its bottom frame is the function that
makecontext was given.  When it ends, the C library goes on with uc_link by itself, and arrives
behind some swapcontext, whose room says what to put back.  With a uc_link of null it would end the
process; the function returns to our own end of the program instead.

A switch that was announced to the race detector (fibers.py) has exchanged the calls in progress:
they are left alone then, and the room says so.

The shadow of a stack is cleared when a fiber begins on it, because fibers that never return leave
their redzones, and once more when control has come back from it, because its owner may now use the
memory for something else.

    ucontext_t   uc_link 8, uc_stack {ss_sp 16, ss_size 32}, rsp 160, rip 168       (x86-64 glibc)
    room         | bytes of calls or ANNOUNCED | lo | hi | lo, hi of the target | unused | calls . |

Source: ucontext.h; sanitizer/common_interface_defs.h; LLVM's asan_interceptors.cpp for what is
cleared when.
Deviations: fake frames of a fiber belong to its thread, so there is no fake stack to hand over, and
the saved one is null.
Misses: redzones of a fiber that sleeps are forgotten when control comes back from it.
"""

from __future__ import annotations

from irsan.interceptors.public_interface.sanitizer_interface import live_chunk_around
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.callstack import FRAME_BYTES
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.ranges import asan_write_range
from irsan.runtime.kernels.checks.shadow import note_parts, unpoison_range
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_begin, chunk_bytes
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memcpy, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import CALL_STACK_BYTES, HEAP_LO, RUNTIME_CODE_LO
from irsan.runtime.views.context_stacks import MAX_STACKS, ROWS, STACKS

CODE_SIZE = memory_map.RUNTIME_CODE_HI - memory_map.RUNTIME_CODE_LO
# of a ucontext_t
LINK = libc.offset("ucontext_t.uc_link")
STACK_SP = libc.offset("ucontext_t.uc_stack.ss_sp")
STACK_SIZE = libc.offset("ucontext_t.uc_stack.ss_size")
RSP = libc.offset("ucontext_t.uc_mcontext.gregs[REG_RSP]")
RIP = libc.offset("ucontext_t.uc_mcontext.gregs[REG_RIP]")
# of a room
ROOM_LO = 8
ROOM_HI = 16
ROOM_TARGET_LO = 24
ROOM_TARGET_HI = 32
ROOM_HEAD = 48
ANNOUNCED = 0xFFFF_FFFF_FFFF_FFFF


@kernel
def context_room_bytes(ctx: Context) -> u64:
    """Bytes that `leave_context` needs."""
    return ctx.frame_top - (ctx.frame_limit - CALL_STACK_BYTES) + ROOM_HEAD


@kernel
def remember_stack(lo: u64, hi: u64) -> None:
    """A fiber begins on a stack outside the arena: its words are roots.  O(stacks known)."""
    n_stacks = load_u64(STACKS)
    row = u64(ROWS)
    for _ in range(min(n_stacks, u64(MAX_STACKS))):
        if load_u64(row) == lo:
            store_u64(row + 8, max(load_u64(row + 8), hi))
            return
        row += 16
    row = ROWS + (n_stacks % MAX_STACKS) * 16
    store_u64(row, lo)
    store_u64(row + 8, hi)
    store_u64(STACKS, n_stacks + 1)


@kernel
def clear_stack(ctx: Context, lo: u64, hi: u64) -> None:
    """No frame is on a stack any more; of the heap only the bytes of a live block are touched."""
    if ctx.sanitize_address == 0 or lo >= hi or not is_arena(lo) or not is_arena(hi):
        return
    if lo >= HEAP_LO:
        at = live_chunk_around(ctx, lo)
        if at == 0:
            return
        hi = min(hi, chunk_begin(at) + chunk_bytes(at))
    if lo < hi:
        unpoison_range(ctx, lo, hi - lo)


@kernel
def is_fresh(target: u64) -> bool:
    """Whether a context is one that makecontext has made and that has not run yet."""
    lo, rsp = load_u64(target + STACK_SP), load_u64(target + RSP)
    is_ours = load_u64(target + RIP) - RUNTIME_CODE_LO < CODE_SIZE
    return not is_ours and rsp - lo <= load_u64(target + STACK_SIZE)


@kernel
def replace_context(ctx: Context, target: u64, ending: u64) -> None:
    """Control is about to go to `target`; what a fresh fiber needs is made ready.

    ending  address of the code that ends the program, for a fiber without a uc_link
    """
    thread = thread_at(ctx.thread)
    is_announced = thread.fiber.is_announced != 0
    thread.fiber.is_announced = 0
    if not is_fresh(target):
        return
    if load_u64(target + LINK) == 0:
        store_u64(load_u64(target + RSP), ending)
    lo = load_u64(target + STACK_SP)
    hi = lo + load_u64(target + STACK_SIZE)
    clear_stack(ctx, lo, hi)
    note_parts(ctx, lo)
    if not is_arena(lo):
        remember_stack(lo, hi)
    thread.fiber.lo, thread.fiber.hi = lo, hi
    ctx.site = 0  # no thread has called its function
    if not is_announced:
        ctx.frame_top = ctx.frame_limit - CALL_STACK_BYTES


@kernel
def leave_context(ctx: Context, room: u64, source: u64, target: u64, ending: u64) -> None:
    """swapcontext, before: keep in `room` what belongs to the stack that is left."""
    thread = thread_at(ctx.thread)
    base = ctx.frame_limit - CALL_STACK_BYTES
    n_bytes = ctx.frame_top - base
    lo, hi = thread.fiber.lo, thread.fiber.hi
    target_lo, target_bytes = load_u64(target + STACK_SP), load_u64(target + STACK_SIZE)
    store_u64(room + ROOM_LO, lo)
    store_u64(room + ROOM_HI, hi)
    store_u64(room + ROOM_TARGET_LO, target_lo)
    store_u64(room + ROOM_TARGET_HI, target_lo + target_bytes)
    if thread.fiber.is_announced != 0:
        store_u64(room, ANNOUNCED)
    else:
        store_u64(room, n_bytes)
        real_memcpy(room + ROOM_HEAD, base + FRAME_BYTES, n_bytes)
    store_u64(source + STACK_SP, lo)
    store_u64(source + STACK_SIZE, hi - lo)
    replace_context(ctx, target, ending)


@kernel
def enter_context(ctx: Context, room: u64) -> None:
    """swapcontext, behind: this stack runs again."""
    thread = thread_at(ctx.thread)
    n_bytes = load_u64(room)
    if n_bytes != ANNOUNCED:
        base = ctx.frame_limit - CALL_STACK_BYTES
        real_memcpy(base + FRAME_BYTES, room + ROOM_HEAD, n_bytes)
        ctx.frame_top = base + n_bytes
    thread.fiber.lo = load_u64(room + ROOM_LO)
    thread.fiber.hi = load_u64(room + ROOM_HI)
    clear_stack(ctx, load_u64(room + ROOM_TARGET_LO), load_u64(room + ROOM_TARGET_HI))


@kernel
def start_switch_fiber(ctx: Context, save: u64, lo: u64, size_bytes: u64) -> None:
    """__sanitizer_start_switch_fiber: the stack that runs next."""
    thread = thread_at(ctx.thread)
    thread.fiber.next_lo, thread.fiber.next_hi = lo, lo + size_bytes
    note_parts(ctx, lo)
    if not is_arena(lo):
        remember_stack(lo, lo + size_bytes)
    if save != 0 and asan_write_range(ctx, save, 8):
        store_u64(save, 0)


@kernel
def finish_switch_fiber(ctx: Context, _saved: u64, lo_at: u64, size_at: u64) -> None:
    """__sanitizer_finish_switch_fiber: the announced stack runs; returns where the last one was."""
    thread = thread_at(ctx.thread)
    lo, hi = thread.fiber.last_lo, thread.fiber.last_hi
    if hi == 0:
        lo, hi = thread.stack.lo, thread.stack.hi
    if lo_at != 0 and asan_write_range(ctx, lo_at, 8):
        store_u64(lo_at, lo)
    if size_at != 0 and asan_write_range(ctx, size_at, 8):
        store_u64(size_at, hi - lo)
    lo, hi = thread.fiber.next_lo, thread.fiber.next_hi
    thread.fiber.last_lo, thread.fiber.last_hi = lo, hi
    is_own = lo == thread.stack.lo and hi == thread.stack.hi
    if is_own:
        lo, hi = u64(0), u64(0)
    thread.fiber.lo, thread.fiber.hi = lo, hi


@kernel
def msan_start_switch_fiber(ctx: Context, lo: u64, size_bytes: u64) -> None:
    """__msan_start_switch_fiber: the same to MemorySanitizer's users, without a place to save."""
    start_switch_fiber(ctx, 0, lo, size_bytes)


@kernel
def msan_finish_switch_fiber(ctx: Context, lo_at: u64, size_at: u64) -> None:
    """__msan_finish_switch_fiber."""
    finish_switch_fiber(ctx, 0, lo_at, size_at)


EXPORTS = (
    Export("void __sanitizer_start_switch_fiber(ptr,ptr,u64)", kernel="start_switch_fiber"),
    Export("void __sanitizer_finish_switch_fiber(ptr,ptr,ptr)", kernel="finish_switch_fiber"),
    Export("void __msan_start_switch_fiber(ptr,u64)", kernel="msan_start_switch_fiber"),
    Export("void __msan_finish_switch_fiber(ptr,ptr)", kernel="msan_finish_switch_fiber"),
)
