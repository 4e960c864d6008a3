"""Signal handlers in progress: what they may call, whether they keep errno, what they know.

    begin_handler    the interrupted thread ignores nothing while its handler runs; the handler
                     knows what its installer knew (sigaction releases, the call acquires)
    end_handler      all as before, errno too; a handler that changed it is reported
    judge_unsafe_call   a call that may not be made inside of a handler is reported

    area, on the guest's stack   {top, mask, state, ignored accesses, ignored sync, errno}

What counts as unsafe: functions of the heap in every handler, as in ThreadSanitizer; those of
streams only where the signal came by itself, because POSIX allows them where the program has
raised the signal on the spot and has one thread.  The names are in engine/glue/unsafe_calls.py.

Source: CallUserSignalHandler and SignalUnsafeCall of LLVM's tsan_interceptors_posix.cpp and
tsan_mman.cpp; signal-safety(7).
Deviations: 1. an unsafe call is reported before it is made, and streams count.  2. Every handler
acquires what its installer released, also one that interrupts the running code at once.
3. A handler that another has interrupted is forgotten when the inner one jumps out of it.
May miss: a handler that changes errno to 99; locks taken in a handler (often on purpose).
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.foreign_shadow import SEGV_BIT, action_allows_faults
from irsan.runtime.kernels.errno import set_errno
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u64
from irsan.runtime.kernels.race.clocks.race_words import LOW32
from irsan.runtime.kernels.race.ignoring import set_ignored
from irsan.runtime.kernels.race.recording import note_in_ring
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.records.race import trace_records
from irsan.runtime.records.threads import signal_records as sr
from irsan.runtime.records.threads.signal_records import ASYNC, SIGTERM, SPOILED_ERRNO

NUMBER = sr.ASYNC - 1
RAN, ENDS = sr.RAN, sr.ENDS
KIND_UNSAFE = int(sr.ThreadFault.SIGNAL_UNSAFE)
KIND_ERRNO = int(sr.ThreadFault.ERRNO_SPOILED)
SYNCHRONOUS = sum(1 << number for number in sr.SYNCHRONOUS)
OP_HANDLER_SET = trace_records.HANDLER_SET
OP_HANDLER_BEGIN = trace_records.HANDLER_BEGIN
OP_HANDLER_END = trace_records.HANDLER_END


@kernel
def runs_handler(thread: Thread, frame_top: u64) -> bool:
    """Whether a thread whose shadow call stack has this top has a handler in progress."""
    return thread.handler.top != 0 and frame_top > thread.handler.top


@kernel
def blocked_signals(ctx: Context, thread_addr: u64) -> u64:
    """Signals that a thread blocks, by its mask and by the handlers that it runs."""
    thread = thread_at(thread_addr)
    top = thread.frame_top
    if thread_addr == ctx.thread:
        top = ctx.frame_top
    if not runs_handler(thread, top):
        return thread.sigmask
    return thread.sigmask | thread.handler.mask


@kernel
def late_state(number: u64) -> u64:
    """State of the handler of a signal that was noted and is delivered now."""
    if (SYNCHRONOUS >> (number & 63)) & 1 != 0:
        return number
    return number | ASYNC


@kernel
def action_changed(ctx: Context, action: u64, number: u64, restarts: bool) -> None:
    """A thread has installed a handler of signal `number`, or what stands for one.

    action    address of its description
    restarts  SA_RESTART: a call that it interrupts goes on
    """
    sync_release(ctx, action)
    bit = 1 << (number - 1)
    ctx.signals.ignored = ctx.signals.ignored & ~bit
    if load_u64(action) == 1:
        ctx.signals.ignored = ctx.signals.ignored | bit
    if load_u64(action) <= 1:  # SIG_DFL, SIG_IGN; or SA_RESETHAND, and the handler runs now
        return
    action_allows_faults(ctx, number)
    note_in_ring(ctx, OP_HANDLER_SET, action, number)
    ctx.signals.restarting = ctx.signals.restarting & ~bit
    if restarts:
        ctx.signals.restarting = ctx.signals.restarting | bit


@kernel
def begin_handler(ctx: Context, area: u64, action: u64, state: u64, mask: u64) -> None:
    """The running thread is about to call a handler.

    area    room for six words on its stack      action  address of the handler's description
    state   number of the signal | ASYNC         mask    signals blocked meanwhile
    """
    thread = thread_at(ctx.thread)
    if not runs_handler(thread, ctx.frame_top):
        thread.handler.top = 0
        thread.handler.mask = 0
        thread.handler.state = 0
    store_u64(area, thread.handler.top)
    store_u64(area + 8, thread.handler.mask)
    store_u64(area + 16, thread.handler.state)
    store_u64(area + 24, ctx.ignore_depth & LOW32)
    store_u64(area + 32, thread.race.ignore_sync)
    store_u64(area + 40, u64(load_u32(ctx.c_library.errno_addr)))
    if thread.handler.top == 0:
        thread.handler.top = ctx.frame_top
    thread.handler.mask = thread.handler.mask | mask
    thread.handler.state = state
    set_ignored(ctx, ctx.ignore_depth & ~u64(LOW32))
    thread.race.ignore_sync = 0
    if ctx.sanitize_thread != 0:
        note_in_ring(ctx, OP_HANDLER_BEGIN, action, state & NUMBER)
        sync_acquire(ctx, action)
        set_errno(ctx, SPOILED_ERRNO)


@kernel
def end_handler(ctx: Context, area: u64, handler: u64, state: u64) -> None:
    """A handler has returned; with an action left behind when it has spoiled errno."""
    thread = thread_at(ctx.thread)
    thread.handler.top = load_u64(area)
    thread.handler.mask = load_u64(area + 8)
    thread.handler.state = load_u64(area + 16)
    set_ignored(ctx, (ctx.ignore_depth & ~u64(LOW32)) | load_u64(area + 24))
    thread.race.ignore_sync = load_u64(area + 32)
    thread.handler.ran = thread.handler.ran | RAN
    if (ctx.signals.restarting >> ((state & NUMBER) - 1)) & 1 == 0:
        thread.handler.ran = thread.handler.ran | ENDS
    if ctx.sanitize_thread == 0:
        return
    note_in_ring(ctx, OP_HANDLER_END, 0, state & NUMBER)
    is_spoiled = load_u32(ctx.c_library.errno_addr) != SPOILED_ERRNO
    set_errno(ctx, u32(load_u64(area + 40)))
    number = state & NUMBER
    # A handler of SIGTERM may spoil errno and raise the signal again: the program ends.
    if is_spoiled and (state & ASYNC) != 0 and number != SIGTERM:
        report_fault(ctx, KIND_ERRNO, 0, 0, 0)
        ctx.fault[6] = number
        ctx.fault[7] = handler


@kernel
def mask_changed(ctx: Context, how: u64, signals: u64) -> None:
    """The running thread has changed its mask, perhaps in a handler.

    how  0 SIG_BLOCK, 1 SIG_UNBLOCK, 2 SIG_SETMASK

    The kernel knows all of it but that SIGSEGV is blocked, which is kept here.
    """
    thread = thread_at(ctx.thread)
    if how == 1:
        thread.handler.mask = thread.handler.mask & ~signals
        thread.sigmask = thread.sigmask & ~signals
        return
    if how != 0:
        thread.handler.mask = 0
        thread.sigmask = thread.sigmask & ~u64(SEGV_BIT)
    thread.sigmask = thread.sigmask | (signals & SEGV_BIT)


@kernel
def judge_unsafe_call(ctx: Context, routine: u32, is_heap: bool) -> None:
    """A function that is not safe in handlers is called; leaves a fault if one is in progress."""
    thread = thread_at(ctx.thread)
    if ctx.sanitize_thread == 0 or not runs_handler(thread, ctx.frame_top):
        return
    state = thread.handler.state
    if not (is_heap or (state & ASYNC) != 0):
        return
    ctx.routine = routine
    report_fault(ctx, KIND_UNSAFE, 0, 0, 0)
    ctx.fault[6] = state & NUMBER
