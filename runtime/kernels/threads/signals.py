"""Signals between green threads.

The kernel knows one thread; which of the guest's threads a signal is for is kept here.

    thread.signals     sent to this thread (pthread_kill, a timer), not handled yet; with facts of
                       its own in signal_queue.py
    thread.sigmask     blocked by this thread; the kernel's mask is that of the running one, but
                       for SIGSEGV, which it never blocks (signal_masks.ll)
                       (a handler blocks more while it runs: see handlers.py)
    ctx.signals        what is noted for the process, and about handlers

Bit n - 1 stands for signal n, as in the kernel's sets.  Handlers are called by the glue
(engine/glue/templates/signals/signal_handlers.ll); timers are in timers.py.

A signal for the process goes to the main thread, or to the first one that does not block it, as
Linux chooses; when all block it, it waits in the kernel for whoever unblocks or awaits it.

A thread that waits is woken to run its handler, and then waits on: its call is made again with
its remaining time.  A sleep or a wait for a signal ends, and a wait for a semaphore does when
the handler was installed without SA_RESTART; a wait on a condition ends as one that was woken for
nothing, a futex too, as POSIX and futex(2) allow.  Source: signal(7).

poll, select and epoll_wait end behind any handler, other calls on descriptors and waits for
children behind one without SA_RESTART (waiting.py).
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.checks.foreign_shadow import SEGV_BIT
from irsan.runtime.kernels.fuel import set_fuel
from irsan.runtime.kernels.injected import (
    injected_below,
    injects,
    is_next_failing,
    note_injected,
)
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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u8, u32, u64
from irsan.runtime.kernels.thread_slots import is_thread_record, slot_to_thread
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.handlers import blocked_signals
from irsan.runtime.kernels.threads.scheduler import (
    S_BLOCKED,
    S_RUNNABLE,
    block_current,
    take_resuming,
    wake_thread,
)
from irsan.runtime.kernels.threads.signal_queue import queue_signal
from irsan.runtime.layout import inject_words
from irsan.runtime.layout.thread_states import (
    SHARED_TICK_NS,
    WAIT_BARRIER,
    WAIT_FUTEX,
    WAIT_INTERRUPTED,
    WAIT_MUTEX,
    WAIT_SEMAPHORE,
    WAIT_SIGNAL,
    WAIT_SIGNALLED,
    WAIT_SLEEP,
)
from irsan.runtime.records.race import trace_records
from irsan.runtime.records.threads import timer_records as tr

ESRCH: Final = 3
EINVAL: Final = 22
OK: Final = 0
RAISE: Final = -1
KEEP: Final = -2
LAST_SIGNAL: Final = 64

POLL_NS = 1_000_000
SIGNALS, LONGEST_DELAY = inject_words.SIGNALS, inject_words.LONGEST_DELAY
PROCESS_MASK = tr.INFO + 256
OPEN_MASK = PROCESS_MASK + 8  # as the kernel gets one that a call takes for a wait
SIG_BLOCK = 0
LOST, QUEUED, IN_KERNEL = 0, 1, 2
FIRST_REAL_TIME = 32
real_sigpending = real_function("sigpending", 1)
POSTED, NOBODY = 0, 1
SYS_RT_SIGQUEUEINFO = 129
W_SIGNAL = WAIT_SIGNAL
W_MUTEX = WAIT_MUTEX
W_INTERRUPTED = WAIT_INTERRUPTED
W_SIGNALLED = WAIT_SIGNALLED
# Waits whose kernels must know that it was a signal; the others look at what they wait for again.
TOLD = 1 << WAIT_SLEEP | 1 << WAIT_SIGNAL | 1 << WAIT_BARRIER
W_SEMAPHORE = WAIT_SEMAPHORE
W_FUTEX = WAIT_FUTEX
OP_SIGNAL_SENT = trace_records.SIGNAL_SENT
MUTEX_WAITERS = 12  # byte of a mutex where its waiters are counted
PAUSED, PAUSE_NATIVELY, TIMED_OUT = 0, 1, 2


@kernel
def interrupt_wait(ctx: Context, thread_addr: u64, restarts: bool) -> None:
    """Wake a blocked thread for its handler, which was installed with SA_RESTART or not."""
    thread = thread_at(thread_addr)
    if thread.wait.kind == W_MUTEX:
        waiters = thread.wait.addr + MUTEX_WAITERS
        store_u32(waiters, u32(load_u32(waiters) - 1))
    status = u64(W_SIGNALLED)
    if (1 << thread.wait.kind) & TOLD != 0:
        status = u64(W_INTERRUPTED)
    ends_unless_restarted = thread.wait.kind == W_SEMAPHORE or thread.wait.kind == W_FUTEX
    if ends_unless_restarted and not restarts:
        status = u64(W_INTERRUPTED)
    wake_thread(ctx, thread_addr, status)


@kernel
def deliver_signal(ctx: Context, thread_addr: u64, bit: u64) -> None:
    """Leave a signal with a thread, which runs its handler when it runs next."""
    thread = thread_at(thread_addr)
    thread.signals = thread.signals | bit
    set_fuel(ctx, 0)
    is_blocked = (blocked_signals(ctx, thread_addr) & bit) != 0
    if thread.state == S_BLOCKED and (not is_blocked or thread.wait.kind == W_SIGNAL):
        interrupt_wait(ctx, thread_addr, (ctx.signals.restarting & bit) != 0)


@kernel(outlined=True)
def is_delayed(ctx: Context, thread_addr: u64, bit: u64) -> bool:
    """Whether a signal is on its way from now on; one at a time is, so that none is overtaken by
    its like.  It comes by virtual time: the earliest of these counts as a timed wait (timers.py).
    """
    if ctx.inject.signal_due != 0 or not is_next_failing(ctx, SIGNALS):
        return False
    n_questions = 1 + injected_below(ctx, SIGNALS, LONGEST_DELAY)
    due = ctx.schedule.clock_ns + n_questions * SHARED_TICK_NS
    ctx.inject.signal_due = due
    ctx.inject.signal_bit = bit
    ctx.inject.signal_thread = thread_addr
    ctx.inject.signal_tid = thread_at(thread_addr).tid
    note_injected(ctx, SIGNALS, bit, n_questions)
    if ctx.signals.rings_at == 0:
        ctx.schedule.n_timed = ctx.schedule.n_timed + 1
        ctx.signals.rings_at = due
    ctx.signals.rings_at = min(ctx.signals.rings_at, due)
    set_fuel(ctx, 0)
    return True


@kernel
def post_signal(ctx: Context, thread_addr: u64, bit: u64) -> None:
    """Send a signal to a thread; it may be on its way for a while."""
    if injects(ctx, SIGNALS) and is_delayed(ctx, thread_addr, bit):
        return
    deliver_signal(ctx, thread_addr, bit)


@kernel
def deliver_delayed(ctx: Context) -> None:
    """The signal that was on its way comes, if its thread still runs."""
    ctx.inject.signal_due = 0
    target = ctx.inject.signal_thread
    if is_alive(ctx, target) and thread_at(target).tid == ctx.inject.signal_tid:
        deliver_signal(ctx, target, ctx.inject.signal_bit)


@kernel
def is_alive(_ctx: Context, thread_addr: u64) -> bool:
    """Whether a record's thread has not ended."""
    state = thread_at(thread_addr).state
    return state == S_RUNNABLE or state == S_BLOCKED


@kernel
def process_target(ctx: Context, bit: u64) -> u64:
    """The thread that gets a signal of the process: main before others; 0: all block it."""
    slot = u64(0)
    while slot < ctx.schedule.n_threads:
        addr = slot_to_thread(slot)
        if is_alive(ctx, addr) and (blocked_signals(ctx, addr) & bit) == 0:
            return addr
        slot += 1
    return 0


@kernel
def wake_awaiting(ctx: Context, bit: u64) -> None:
    """Threads in sigwait and similar look again: a signal waits in the kernel."""
    slot = u64(0)
    while slot < ctx.schedule.n_threads:
        addr = slot_to_thread(slot)
        thread = thread_at(addr)
        if thread.state == S_BLOCKED and thread.wait.kind == W_SIGNAL:
            interrupt_wait(ctx, addr, (ctx.signals.restarting & bit) != 0)
        slot += 1


@kernel
def waits_in_kernel(ctx: Context, bit: u64) -> bool:
    """Whether a signal that all threads block is pending in the kernel."""
    errno = load_u32(ctx.c_library.errno_addr)
    real_sigpending(PROCESS_MASK)
    store_u32(ctx.c_library.errno_addr, errno)
    return (load_u64(PROCESS_MASK) & bit) != 0


@kernel
def leave_in_kernel(ctx: Context, number: u64, info: u64) -> u64:
    """A signal that every thread blocks: pending for the process, also for a signalfd.

    When the kernel's mask would let it through it is noted instead.  Returns LOST or IN_KERNEL.
    """
    bit = 1 << (number - 1)
    if number < FIRST_REAL_TIME and waits_in_kernel(ctx, bit):
        return LOST
    errno = load_u32(ctx.c_library.errno_addr)
    real_sigprocmask(SIG_BLOCK, 0, PROCESS_MASK)
    if (load_u64(PROCESS_MASK) & bit) == 0:
        ctx.signals.noted = ctx.signals.noted | bit
    else:
        real_syscall(SYS_RT_SIGQUEUEINFO, real_getpid(), number, info, 0, 0)
    store_u32(ctx.c_library.errno_addr, errno)
    wake_awaiting(ctx, bit)
    return IN_KERNEL


@kernel
def send_with_facts(ctx: Context, target: u64, number: u64, info: u64) -> u64:
    """Leave a signal and its siginfo_t with a thread: QUEUED, or LOST when it is ignored or waits
    already."""
    bit = 1 << (number - 1)
    is_blocked = (blocked_signals(ctx, target) & bit) != 0
    if not is_blocked and (ctx.signals.ignored & bit) != 0:
        return LOST
    is_queued = queue_signal(target, number, info)
    post_signal(ctx, target, bit)
    return u64(QUEUED) if is_queued else u64(LOST)


@kernel
def send_to_process(ctx: Context, number: u64, info: u64) -> u64:
    """Send a signal with its siginfo_t to the process: QUEUED, IN_KERNEL or LOST."""
    target = process_target(ctx, 1 << (number - 1))
    if target == 0:
        return leave_in_kernel(ctx, number, info)
    return send_with_facts(ctx, target, number, info)


@kernel
def send_to_thread(ctx: Context, target: u64, tid: u64, number: u64, info: u64) -> u64:
    """Send a signal with its siginfo_t to a thread, if that is still the one with number `tid`."""
    if not is_alive(ctx, target) or thread_at(target).tid != tid:
        return LOST
    return send_with_facts(ctx, target, number, info)


@kernel
def signal_process(ctx: Context, number: u64, info: u64) -> i32:
    """kill of the own process: POSTED to another thread, else RAISE, or NOBODY takes it.

    The kernel does the last two: a signal that it delivers at once, or keeps.
    """
    bit = 1 << (number - 1)
    target = process_target(ctx, bit)
    if target == 0 and bit == SEGV_BIT:  # the kernel would not keep it
        ctx.signals.noted = ctx.signals.noted | bit
        return POSTED
    if target == 0:
        return NOBODY
    if target == ctx.thread:
        return RAISE
    queue_signal(target, number, info)
    note_in_ring(ctx, OP_SIGNAL_SENT, thread_at(target).tid, number)
    post_signal(ctx, target, bit)
    ctx.action = YIELD
    return POSTED


@kernel
def hand_over_noted(ctx: Context) -> None:
    """Signals noted for the process go to the threads that Linux would choose."""
    number = u64(1)
    waiting = ctx.signals.noted
    while waiting != 0:
        bit = 1 << (number - 1)
        if (waiting & bit) != 0:
            target = process_target(ctx, bit)
            if target != 0 and target != ctx.thread:
                ctx.signals.noted = ctx.signals.noted & ~bit
                post_signal(ctx, target, bit)
        waiting = waiting & ~bit
        number += 1


@kernel
def signal_thread(ctx: Context, handle: u64, number: i32, is_handled: bool) -> i32:
    """pthread_kill: an error number, or RAISE when the host must raise it on the spot, or KEEP when
    it is for leave_in_kernel: all threads block it, and a signalfd may be read for it.

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
    bit = 1 << u64(number - 1)
    is_kept = (blocked_signals(ctx, handle) & bit) != 0
    if not is_kept and (handle == ctx.thread or not is_handled):
        return RAISE
    if is_kept and handle == ctx.thread and ctx.schedule.n_live == 1 and bit != SEGV_BIT:
        return RAISE  # the kernel keeps it, where a signalfd finds it
    is_described = (ctx.signals.described & bit) != 0 and handle != ctx.thread
    if is_kept and is_described and process_target(ctx, bit) == 0:
        return KEEP
    note_in_ring(ctx, OP_SIGNAL_SENT, thread_at(handle).tid, u64(number))
    post_signal(ctx, handle, bit)
    ctx.action = YIELD
    return OK


@kernel
def take_signal(ctx: Context, wanted: u64) -> u64:
    """Number of the lowest waiting signal in a set, for the running thread; it waits no more."""
    thread = thread_at(ctx.thread)
    waiting = (thread.signals | ctx.signals.noted) & wanted
    if waiting == 0:
        return 0
    number = u64(1)
    while (waiting & 1) == 0:
        waiting = waiting >> 1
        number += 1
    bit = 1 << (number - 1)
    if (thread.signals & bit) != 0:
        thread.signals = thread.signals & ~bit
    else:
        ctx.signals.noted = ctx.signals.noted & ~bit
    return number


@kernel
def take_due_signal(ctx: Context) -> u64:
    """Number of a signal whose handler the running thread must call now; 0: none."""
    if ctx.signals.noted != 0:
        hand_over_noted(ctx)
    return take_signal(ctx, ~blocked_signals(ctx, ctx.thread))


@kernel
def pending_signals(ctx: Context) -> u64:
    """Signals that wait for the running thread, or were noted for the process."""
    return thread_at(ctx.thread).signals | ctx.signals.noted


@kernel
def pause_for_signal(ctx: Context, deadline_ns: u64) -> u8:
    """Let others run for a while: PAUSED (retry), TIMED_OUT, or PAUSE_NATIVELY: no other can.

    A cancelled thread ends here: PAUSED, with the action set.
    deadline_ns: virtual time, 0 = none.
    """
    if cancel_due(ctx):
        return PAUSED
    take_resuming(ctx)
    is_alone = ctx.schedule.n_runnable <= 1 and ctx.schedule.n_timed == 0
    if is_alone and deadline_ns == 0:
        return PAUSE_NATIVELY
    if deadline_ns != 0 and (is_alone or ctx.schedule.clock_ns >= deadline_ns):
        ctx.schedule.clock_ns = max(ctx.schedule.clock_ns, deadline_ns)
        return TIMED_OUT
    wake_ns = ctx.schedule.clock_ns + POLL_NS
    if deadline_ns != 0:
        wake_ns = min(wake_ns, deadline_ns)
    block_current(ctx, W_SIGNAL, 0, wake_ns)
    return PAUSED
