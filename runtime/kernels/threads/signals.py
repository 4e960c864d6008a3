"""Signals between green threads.

The kernel knows one thread; which of the guest's threads a signal is for is kept here.

    thread.signals     sent to this thread (pthread_kill, a timer), not handled yet; with facts of
                       its own in signal_queue.py
    thread.sigmask     blocked by this thread; the kernel's mask is that of the running one
                       (a handler blocks more while it runs: see handlers.py)
    ctx.signals        [0] noted for the process  [1] when the next timer rings, 0: never
                       [3] 1 = somebody uses masks  [4] handlers run so far
                       [5] signals whose handler lets an interrupted call go on (SA_RESTART)

Bit n - 1 stands for signal n, as in the kernel's sets.  Handlers are called by the glue
(engine/glue/signals/signals.py); timers are in timers.py.

A signal for the process goes to the main thread, or to the first one that does not block it, as
Linux chooses; when all block it, it waits in the kernel for whoever unblocks or awaits it.

A thread that waits is woken to run its handler, and then waits on: its call is made again with
what is left of its time.  A sleep or a wait for a signal ends, and a wait for a semaphore does when
the handler was installed without SA_RESTART; a wait on a condition ends as one that was woken for
nothing, a futex too, as POSIX and futex(2) allow.  Source: signal(7).

poll, select and epoll_wait end behind any handler, other calls on descriptors and waits for
children behind one without SA_RESTART (waiting.py).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_function,
    real_getpid,
    real_sigprocmask,
    real_syscall,
    store_u32,
)
from irsan.runtime.kernels.race.recording import note_in_ring
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.thread_slots import is_thread_record, slot_to_thread
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.handlers import RESTARTING, blocked_signals
from irsan.runtime.kernels.threads.scheduler import (
    S_BLOCKED,
    S_RUNNABLE,
    block_current,
    take_resuming,
    wake_thread,
)
from irsan.runtime.kernels.threads.signal_queue import queue_signal
from irsan.runtime.layout.thread_states import (
    WAIT_BARRIER,
    WAIT_FUTEX,
    WAIT_INTERRUPTED,
    WAIT_MUTEX,
    WAIT_SEMAPHORE,
    WAIT_SIGNAL,
    WAIT_SIGNALLED,
    WAIT_SLEEP,
)
from irsan.runtime.records import timer_records as tr
from irsan.runtime.records import trace_records
from irsan.runtime.records.signal_records import IGNORED, NOTED

ESRCH: Final = np.int32(3)
EINVAL: Final = np.int32(22)
OK: Final = np.int32(0)
RAISE: Final = np.int32(-1)
LAST_SIGNAL: Final = np.int32(64)

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
POLL_NS = np.uint64(1_000_000)
PROCESS_MASK = np.uint64(tr.INFO + 256)
SIG_BLOCK = np.uint64(0)
LOST, QUEUED, IN_KERNEL = np.uint64(0), np.uint64(1), np.uint64(2)
FIRST_REAL_TIME = np.uint64(32)
real_sigpending = real_function("sigpending", 1)
POSTED, NOBODY = np.int32(0), np.int32(1)
SYS_RT_SIGQUEUEINFO = np.uint64(129)
W_SIGNAL = np.uint64(WAIT_SIGNAL)
W_MUTEX = np.uint64(WAIT_MUTEX)
W_INTERRUPTED = np.uint64(WAIT_INTERRUPTED)
W_SIGNALLED = np.uint64(WAIT_SIGNALLED)
# Waits whose kernels must know that it was a signal; the others look at what they wait for again.
TOLD = np.uint64(1 << WAIT_SLEEP | 1 << WAIT_SIGNAL | 1 << WAIT_BARRIER)
W_SEMAPHORE = np.uint64(WAIT_SEMAPHORE)
W_FUTEX = np.uint64(WAIT_FUTEX)
U32_1 = np.uint32(1)
OP_SIGNAL_SENT = np.uint64(trace_records.SIGNAL_SENT)
MUTEX_WAITERS = np.uint64(12)  # byte of a mutex where its waiters are counted
PAUSED, PAUSE_NATIVELY, TIMED_OUT = np.uint8(0), np.uint8(1), np.uint8(2)


@kernel("void(ctx,u64,b1)")
def interrupt_wait(ctx: Any, thread_addr: Any, restarts: Any) -> None:
    """Wake a blocked thread for its handler, which was installed with SA_RESTART or not."""
    thread = thread_at(thread_addr)
    if thread.wait_kind == W_MUTEX:
        waiters = thread.wait_addr + MUTEX_WAITERS
        store_u32(waiters, load_u32(waiters) - U32_1)
    status = W_SIGNALLED
    if (U64_1 << thread.wait_kind) & TOLD != U64_0:
        status = W_INTERRUPTED
    ends_unless_restarted = thread.wait_kind == W_SEMAPHORE or thread.wait_kind == W_FUTEX
    if ends_unless_restarted and not restarts:
        status = W_INTERRUPTED
    wake_thread(ctx, thread_addr, status)


@kernel("void(ctx,u64,u64)")
def post_signal(ctx: Any, thread_addr: Any, bit: Any) -> Any:
    """Leave a signal with a thread, which runs its handler when it runs next."""
    thread = thread_at(thread_addr)
    thread.signals = thread.signals | bit
    set_fuel(ctx, np.int64(0))
    is_blocked = (blocked_signals(ctx, thread_addr) & bit) != U64_0
    if thread.state == S_BLOCKED and (not is_blocked or thread.wait_kind == W_SIGNAL):
        interrupt_wait(ctx, thread_addr, (ctx.signals[RESTARTING] & bit) != U64_0)


@kernel("b1(ctx,u64)")
def is_alive(_ctx: Any, thread_addr: Any) -> Any:
    """Whether a record's thread has not ended."""
    state = thread_at(thread_addr).state
    return state == S_RUNNABLE or state == S_BLOCKED


@kernel("u64(ctx,u64)")
def process_target(ctx: Any, bit: Any) -> Any:
    """The thread that gets a signal of the process: main before others; 0: all block it."""
    slot = U64_0
    while slot < ctx.n_threads:
        addr = slot_to_thread(slot)
        if is_alive(ctx, addr) and (blocked_signals(ctx, addr) & bit) == U64_0:
            return addr
        slot += U64_1
    return U64_0


@kernel("void(ctx,u64)")
def wake_awaiting(ctx: Any, bit: Any) -> None:
    """Threads in sigwait and its kin look again: a signal waits in the kernel."""
    slot = U64_0
    while slot < ctx.n_threads:
        addr = slot_to_thread(slot)
        thread = thread_at(addr)
        if thread.state == S_BLOCKED and thread.wait_kind == W_SIGNAL:
            interrupt_wait(ctx, addr, (ctx.signals[RESTARTING] & bit) != U64_0)
        slot += U64_1


@kernel("b1(ctx,u64)")
def waits_in_kernel(ctx: Any, bit: Any) -> Any:
    """Whether a signal that all threads block is pending in the kernel."""
    errno = load_u32(ctx.errno_addr)
    real_sigpending(PROCESS_MASK)
    store_u32(ctx.errno_addr, errno)
    return (load_u64(PROCESS_MASK) & bit) != U64_0


@kernel("u64(ctx,u64,u64)")
def leave_in_kernel(ctx: Any, number: Any, info: Any) -> Any:
    """A signal that every thread blocks: pending for the process, also for a signalfd.

    When the kernel's mask would let it through it is noted instead.  Returns LOST or IN_KERNEL.
    """
    bit = U64_1 << (number - U64_1)
    if number < FIRST_REAL_TIME and waits_in_kernel(ctx, bit):
        return LOST
    errno = load_u32(ctx.errno_addr)
    real_sigprocmask(SIG_BLOCK, U64_0, PROCESS_MASK)
    if (load_u64(PROCESS_MASK) & bit) == U64_0:
        ctx.signals[NOTED] = ctx.signals[NOTED] | bit
    else:
        real_syscall(SYS_RT_SIGQUEUEINFO, real_getpid(), number, info, U64_0, U64_0)
    store_u32(ctx.errno_addr, errno)
    wake_awaiting(ctx, bit)
    return IN_KERNEL


@kernel("u64(ctx,u64,u64,u64)")
def send_with_facts(ctx: Any, target: Any, number: Any, info: Any) -> Any:
    """Leave a signal and its siginfo_t with a thread: QUEUED, or LOST when it is ignored or waits
    already."""
    bit = U64_1 << (number - U64_1)
    is_blocked = (blocked_signals(ctx, target) & bit) != U64_0
    if not is_blocked and (ctx.signals[IGNORED] & bit) != U64_0:
        return LOST
    is_queued = queue_signal(target, number, info)
    post_signal(ctx, target, bit)
    return QUEUED if is_queued else LOST


@kernel("u64(ctx,u64,u64)")
def send_to_process(ctx: Any, number: Any, info: Any) -> Any:
    """Send a signal with its siginfo_t to the process: QUEUED, IN_KERNEL or LOST."""
    target = process_target(ctx, U64_1 << (number - U64_1))
    if target == U64_0:
        return leave_in_kernel(ctx, number, info)
    return send_with_facts(ctx, target, number, info)


@kernel("u64(ctx,u64,u64,u64,u64)")
def send_to_thread(ctx: Any, target: Any, tid: Any, number: Any, info: Any) -> Any:
    """Send a signal with its siginfo_t to a thread, if that is still the one with number `tid`."""
    if not is_alive(ctx, target) or thread_at(target).tid != tid:
        return LOST
    return send_with_facts(ctx, target, number, info)


@kernel("i32(ctx,u64,u64)")
def signal_process(ctx: Any, number: Any, info: Any) -> Any:
    """kill of the own process: POSTED to another thread, else RAISE, or NOBODY takes it.

    The kernel does the last two: a signal that it delivers at once, or keeps.
    """
    bit = U64_1 << (number - U64_1)
    target = process_target(ctx, bit)
    if target == U64_0:
        return NOBODY
    if target == ctx.thread:
        return RAISE
    queue_signal(target, number, info)
    note_in_ring(ctx, OP_SIGNAL_SENT, thread_at(target).tid, number)
    post_signal(ctx, target, bit)
    ctx.action = YIELD
    return POSTED


@kernel("void(ctx)")
def hand_over_noted(ctx: Any) -> None:
    """Signals noted for the process go to the threads that Linux would choose."""
    number = U64_1
    waiting = ctx.signals[NOTED]
    while waiting != U64_0:
        bit = U64_1 << (number - U64_1)
        if (waiting & bit) != U64_0:
            target = process_target(ctx, bit)
            if target != U64_0 and target != ctx.thread:
                ctx.signals[NOTED] = ctx.signals[NOTED] & ~bit
                post_signal(ctx, target, bit)
        waiting = waiting & ~bit
        number += U64_1


@kernel("i32(ctx,u64,i32,b1)")
def signal_thread(ctx: Any, handle: Any, number: Any, is_handled: Any) -> Any:
    """pthread_kill: an error number, or RAISE when the host must raise it on the spot.

    is_handled: the guest has a handler for it; without one a signal concerns the whole process,
    unless the thread blocks it.
    """
    if not is_thread_record(handle):
        return ESRCH
    state = thread_at(handle).state
    if state != S_RUNNABLE and state != S_BLOCKED:
        return ESRCH
    if number < OK or number > LAST_SIGNAL:
        return EINVAL
    if number == OK:
        return OK
    bit = U64_1 << np.uint64(number - np.int32(1))
    is_kept = (blocked_signals(ctx, handle) & bit) != U64_0
    if not is_kept and (handle == ctx.thread or not is_handled):
        return RAISE
    if is_kept and handle == ctx.thread and ctx.n_live == U64_1:
        return RAISE  # the kernel keeps it, where a signalfd finds it
    note_in_ring(ctx, OP_SIGNAL_SENT, thread_at(handle).tid, np.uint64(number))
    post_signal(ctx, handle, bit)
    ctx.action = YIELD
    return OK


@kernel("u64(ctx,u64)")
def take_signal(ctx: Any, wanted: Any) -> Any:
    """Number of the lowest waiting signal in a set, for the running thread; it waits no more."""
    thread = thread_at(ctx.thread)
    waiting = (thread.signals | ctx.signals[NOTED]) & wanted
    if waiting == U64_0:
        return U64_0
    number = U64_1
    while (waiting & U64_1) == U64_0:
        waiting = waiting >> U64_1
        number += U64_1
    bit = U64_1 << (number - U64_1)
    if (thread.signals & bit) != U64_0:
        thread.signals = thread.signals & ~bit
    else:
        ctx.signals[NOTED] = ctx.signals[NOTED] & ~bit
    return number


@kernel("u64(ctx)")
def take_due_signal(ctx: Any) -> Any:
    """Number of a signal whose handler the running thread must call now; 0: none."""
    if ctx.signals[NOTED] != U64_0:
        hand_over_noted(ctx)
    return take_signal(ctx, ~blocked_signals(ctx, ctx.thread))


@kernel("u64(ctx)")
def pending_signals(ctx: Any) -> Any:
    """Signals that wait for the running thread, or were noted for the process."""
    return thread_at(ctx.thread).signals | ctx.signals[NOTED]


@kernel("u8(ctx,u64)")
def pause_for_signal(ctx: Any, deadline_ns: Any) -> Any:
    """Let others run for a while: PAUSED (retry), TIMED_OUT, or PAUSE_NATIVELY: nobody else can.

    A cancelled thread ends here: PAUSED, with the action set.
    deadline_ns: virtual time, 0 = none.
    """
    if cancel_due(ctx):
        return PAUSED
    take_resuming(ctx)
    is_alone = ctx.n_runnable <= U64_1 and ctx.n_timed == U64_0
    if is_alone and deadline_ns == U64_0:
        return PAUSE_NATIVELY
    if deadline_ns != U64_0 and (is_alone or ctx.clock_ns >= deadline_ns):
        ctx.clock_ns = max(ctx.clock_ns, deadline_ns)
        return TIMED_OUT
    wake_ns = ctx.clock_ns + POLL_NS
    if deadline_ns != U64_0:
        wake_ns = min(wake_ns, deadline_ns)
    block_current(ctx, W_SIGNAL, U64_0, wake_ns)
    return PAUSED
