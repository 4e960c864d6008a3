"""Signal handlers in progress: what they may call, whether they keep errno, what they know.

    begin_handler    the interrupted thread ignores nothing while its handler runs; the handler
                     knows what its installer knew (sigaction releases, the call acquires)
    end_handler      all as before, errno too; a handler that changed it is told of
    judge_unsafe_call   a call that may not be made inside of a handler is told of

    area, on the guest's stack   {top, mask, state, ignored accesses, ignored sync, errno}

What counts as unsafe: functions of the heap in every handler, as in ThreadSanitizer; those of
streams only where the signal came by itself, because POSIX allows them where the program has
raised the signal on the spot and has one thread.  The names are in engine/glue/unsafe_calls.py.

Source: CallUserSignalHandler and SignalUnsafeCall of LLVM's tsan_interceptors_posix.cpp and
tsan_mman.cpp; signal-safety(7).
Deviations: 1. an unsafe call is told of before it is made, and streams count.  2. Every handler
acquires what its installer released, also one that interrupts the running code at once.
3. A handler that another has interrupted is forgotten when the inner one jumps out of it.
May miss: a handler that changes errno to 99; locks taken in a handler (often on purpose).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.errno import set_errno
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u64
from irsan.runtime.kernels.race.clocks.race_words import U64_LOW32
from irsan.runtime.kernels.race.recording import note_in_ring
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.race.thread_clocks import IGNORE_SYNC
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.records import signal_records as sr
from irsan.runtime.records import trace_records

HANDLER_TOP, HANDLER_MASK, HANDLER_STATE = sr.HANDLER_TOP, sr.HANDLER_MASK, sr.HANDLER_STATE
HANDLED, IGNORED = sr.HANDLED, sr.IGNORED
RESTARTING = 5  # index into ctx.signals
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_24 = np.uint64(24)
U64_32 = np.uint64(32)
U64_40 = np.uint64(40)
U64_NUMBER = np.uint64(sr.ASYNC - 1)
U64_ASYNC = np.uint64(sr.ASYNC)
U64_RAN, U64_ENDS = np.uint64(sr.RAN), np.uint64(sr.ENDS)
U64_SIGTERM = np.uint64(sr.SIGTERM)
U32_SPOILED = np.uint32(sr.SPOILED_ERRNO)
U64_KIND_UNSAFE = np.uint64(int(sr.ThreadFault.SIGNAL_UNSAFE))
U64_KIND_ERRNO = np.uint64(int(sr.ThreadFault.ERRNO_SPOILED))
U64_SYNCHRONOUS = np.uint64(sum(1 << number for number in sr.SYNCHRONOUS))
U64_63 = np.uint64(63)
OP_HANDLER_SET = np.uint64(trace_records.HANDLER_SET)
OP_HANDLER_BEGIN = np.uint64(trace_records.HANDLER_BEGIN)
OP_HANDLER_END = np.uint64(trace_records.HANDLER_END)


@kernel("b1(thread,u64)")
def runs_handler(thread: Any, frame_top: Any) -> Any:
    """Whether a thread whose shadow call stack has this top has a handler in progress."""
    return thread.spare[HANDLER_TOP] != U64_0 and frame_top > thread.spare[HANDLER_TOP]


@kernel("u64(ctx,u64)")
def blocked_signals(ctx: Any, thread_addr: Any) -> Any:
    """Signals that a thread blocks, by its mask and by the handlers that it runs."""
    thread = thread_at(thread_addr)
    top = thread.frame_top
    if thread_addr == ctx.thread:
        top = ctx.frame_top
    if not runs_handler(thread, top):
        return thread.sigmask
    return thread.sigmask | thread.spare[HANDLER_MASK]


@kernel("u64(u64)")
def late_state(number: Any) -> Any:
    """State of the handler of a signal that was noted and is delivered now."""
    if (U64_SYNCHRONOUS >> (number & U64_63)) & U64_1 != U64_0:
        return number
    return number | U64_ASYNC


@kernel("void(ctx,u64,u64,b1)")
def action_changed(ctx: Any, action: Any, number: Any, restarts: Any) -> None:
    """A thread has installed a handler of signal `number`, or what stands for one.

    action    address of its description
    restarts  SA_RESTART: a call that it interrupts goes on
    """
    sync_release(ctx, action)
    bit = U64_1 << (number - U64_1)
    ctx.signals[IGNORED] = ctx.signals[IGNORED] & ~bit
    if load_u64(action) == U64_1:
        ctx.signals[IGNORED] = ctx.signals[IGNORED] | bit
    if load_u64(action) <= U64_1:  # SIG_DFL, SIG_IGN; or SA_RESETHAND, and the handler runs now
        return
    note_in_ring(ctx, OP_HANDLER_SET, action, number)
    ctx.signals[RESTARTING] = ctx.signals[RESTARTING] & ~bit
    if restarts:
        ctx.signals[RESTARTING] = ctx.signals[RESTARTING] | bit


@kernel("void(ctx,u64,u64,u64,u64)")
def begin_handler(ctx: Any, area: Any, action: Any, state: Any, mask: Any) -> None:
    """The running thread is about to call a handler.

    area    room for six words on its stack      action  address of the handler's description
    state   number of the signal | ASYNC         mask    signals blocked meanwhile
    """
    thread = thread_at(ctx.thread)
    if not runs_handler(thread, ctx.frame_top):
        thread.spare[HANDLER_TOP] = U64_0
        thread.spare[HANDLER_MASK] = U64_0
        thread.spare[HANDLER_STATE] = U64_0
    store_u64(area, thread.spare[HANDLER_TOP])
    store_u64(area + U64_8, thread.spare[HANDLER_MASK])
    store_u64(area + U64_16, thread.spare[HANDLER_STATE])
    store_u64(area + U64_24, ctx.ignore_depth & U64_LOW32)
    store_u64(area + U64_32, thread.spare[IGNORE_SYNC])
    store_u64(area + U64_40, np.uint64(load_u32(ctx.errno_addr)))
    if thread.spare[HANDLER_TOP] == U64_0:
        thread.spare[HANDLER_TOP] = ctx.frame_top
    thread.spare[HANDLER_MASK] = thread.spare[HANDLER_MASK] | mask
    thread.spare[HANDLER_STATE] = state
    ctx.ignore_depth = ctx.ignore_depth & ~U64_LOW32
    thread.spare[IGNORE_SYNC] = U64_0
    if ctx.sanitize_thread != U64_0:
        note_in_ring(ctx, OP_HANDLER_BEGIN, action, state & U64_NUMBER)
        sync_acquire(ctx, action)
        set_errno(ctx, U32_SPOILED)


@kernel("void(ctx,u64,u64,u64)")
def end_handler(ctx: Any, area: Any, handler: Any, state: Any) -> None:
    """A handler has returned; with an action left behind when it has spoiled errno."""
    thread = thread_at(ctx.thread)
    thread.spare[HANDLER_TOP] = load_u64(area)
    thread.spare[HANDLER_MASK] = load_u64(area + U64_8)
    thread.spare[HANDLER_STATE] = load_u64(area + U64_16)
    ctx.ignore_depth = (ctx.ignore_depth & ~U64_LOW32) | load_u64(area + U64_24)
    thread.spare[IGNORE_SYNC] = load_u64(area + U64_32)
    thread.spare[HANDLED] = thread.spare[HANDLED] | U64_RAN
    if (ctx.signals[RESTARTING] >> ((state & U64_NUMBER) - U64_1)) & U64_1 == U64_0:
        thread.spare[HANDLED] = thread.spare[HANDLED] | U64_ENDS
    if ctx.sanitize_thread == U64_0:
        return
    note_in_ring(ctx, OP_HANDLER_END, U64_0, state & U64_NUMBER)
    is_spoiled = load_u32(ctx.errno_addr) != U32_SPOILED
    set_errno(ctx, np.uint32(load_u64(area + U64_40)))
    number = state & U64_NUMBER
    # A handler of SIGTERM may spoil errno and raise the signal again: the program ends.
    if is_spoiled and (state & U64_ASYNC) != U64_0 and number != U64_SIGTERM:
        report_fault(ctx, U64_KIND_ERRNO, U64_0, U64_0, U64_0)
        ctx.fault[6] = number
        ctx.fault[7] = handler


@kernel("void(ctx,u64,u64)")
def mask_changed(ctx: Any, how: Any, signals: Any) -> None:
    """The running thread has changed its mask, perhaps in a handler.

    how  0 SIG_BLOCK, 1 SIG_UNBLOCK, 2 SIG_SETMASK
    """
    thread = thread_at(ctx.thread)
    if how == U64_1:
        thread.spare[HANDLER_MASK] = thread.spare[HANDLER_MASK] & ~signals
    elif how != U64_0:
        thread.spare[HANDLER_MASK] = U64_0


@kernel("void(ctx,u32,b1)")
def judge_unsafe_call(ctx: Any, routine: Any, is_heap: Any) -> None:
    """A function that is not safe in handlers is called; leaves a fault if one is in progress."""
    thread = thread_at(ctx.thread)
    if ctx.sanitize_thread == U64_0 or not runs_handler(thread, ctx.frame_top):
        return
    state = thread.spare[HANDLER_STATE]
    if not (is_heap or (state & U64_ASYNC) != U64_0):
        return
    ctx.routine = routine
    report_fault(ctx, U64_KIND_UNSAFE, U64_0, U64_0, U64_0)
    ctx.fault[6] = state & U64_NUMBER
