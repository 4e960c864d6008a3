"""The end of the program, and the threads that still run: exit() is one thread's, they go on.

    begin_exit         one thread runs exit(); another that calls it waits for ever, as the process
                       ends without it
    others_go_on       called again and again behind the last exit handler, while others live
                       or their time is up (turns.py): atexit_sleep_ms of virtual time, and no more
                       than EXIT_SAFEPOINTS safepoints

Natively, ThreadSanitizer sleeps there, to catch what detached threads do to memory that is gone.
A thread that waits for bytes from outside is asked a few times only.

Source: `atexit_sleep_ms` and Finalize of LLVM's tsan_rtl.cpp.
Deviation: what exit() has kept of its caller for the search for leaks is kept apart meanwhile.
"""

from __future__ import annotations

from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.threads.scheduler import block_current, take_resuming
from irsan.runtime.layout import thread_states as ts
from irsan.runtime.layout.options import ATEXIT_SLEEP_NS
from irsan.runtime.records.memory import leak_records
from irsan.runtime.records.memory.leak_records import CALLER_BYTES

CALLER = leak_records.AT_EXIT_CALLER
KEPT_CALLER = leak_records.KEPT_EXIT_CALLER
SAFEPOINTS = ts.EXIT_SAFEPOINTS
W_EXIT = ts.WAIT_EXIT


@kernel
def copy_caller(source: u64, target: u64) -> None:
    """Copy a block of leak_records.py."""
    at = u64(0)
    while at < CALLER_BYTES:
        store_u64(target + at, load_u64(source + at))
        at += 8


@kernel
def wait_in_exit(ctx: Context, wake_ns: u64) -> None:
    """Block in exit(); the glue reschedules without being asked."""
    block_current(ctx, W_EXIT, 0, wake_ns)
    ctx.action = NONE


@kernel
def begin_exit(ctx: Context) -> bool:
    """Whether the running thread may run exit(), also once more from a handler; else it waits."""
    take_resuming(ctx)
    if ctx.turns.exits != 0 and ctx.turns.exits != ctx.thread:
        wait_in_exit(ctx, 0)
        return False
    ctx.turns.exits = ctx.thread
    copy_caller(CALLER, KEPT_CALLER)
    return True


@kernel
def exit_deadline_ns(ctx: Context) -> u64:
    """Virtual time at which a program that ends now is over: before the alarm could end it."""
    deadline_ns = ctx.schedule.clock_ns + ctx.options[ATEXIT_SLEEP_NS]
    if ctx.signals.rings_at != 0:
        deadline_ns = min(deadline_ns, ctx.signals.rings_at - 1)
    return deadline_ns


@kernel
def others_go_on(ctx: Context) -> bool:
    """Whether exit() waits for other threads: reschedule, and ask again."""
    is_first = take_resuming(ctx) != W_EXIT
    if is_first:
        ctx.turns.exit_deadline_ns = exit_deadline_ns(ctx)
        ctx.turns.exit_left = SAFEPOINTS
    if ctx.schedule.n_live > 1 and ctx.schedule.clock_ns < ctx.turns.exit_deadline_ns:
        wait_in_exit(ctx, ctx.turns.exit_deadline_ns)
        return True
    ctx.turns.exit_left = 0
    copy_caller(KEPT_CALLER, CALLER)
    return False
