"""The futex system call: a real wait would block the one OS thread that runs all guest threads.

Waits and wakes go to the scheduler (raw_syscalls.py hands them over).  Ordering comes from
the atomics on the word itself.  A requeue wakes all.  A wait on memory that other processes share
ends with 0 when its time is over or another process may have changed the word, as a spurious
wake-up does.

Source: futex(2).
"""

from __future__ import annotations

from irsan.interceptors.errno_values import (
    EAGAIN,
    EINTR,
    EINVAL,
    ETIMEDOUT,
    OK,
    fail_with_errno,
)
from irsan.interceptors.registry import REAL_ANSWERS
from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.injected import wakes_spuriously
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.threads.event_points import event_is_left
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    take_resuming,
    wake_thread,
    wake_waiters,
)
from irsan.runtime.kernels.threads.shared_memory import (
    block_shared,
    is_shared_memory,
    wake_shared,
)
from irsan.runtime.kernels.threads.virtual_clock import (
    NO_TIME,
    deadline_to_wake_ns,
    load_timespec_ns,
)
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.thread_states import (
    WAIT_FUTEX,
    WAIT_INTERRUPTED,
    WAIT_SIGNALLED,
    WAIT_TIMED_OUT,
)

LOW_WORD = 0xFFFF_FFFF
ASK_KERNEL = REAL_ANSWERS
ALL = 1 << 32
TIMED_OUT = WAIT_TIMED_OUT
INTERRUPTED = WAIT_INTERRUPTED
SIGNALLED = WAIT_SIGNALLED
COMMAND_MASK = 0x7F
CLOCK_REALTIME_FLAG = libc.constant("FUTEX_CLOCK_REALTIME")
FUTEX_WAIT = libc.constant("FUTEX_WAIT")
FUTEX_WAKE = libc.constant("FUTEX_WAKE")
FUTEX_REQUEUE = libc.constant("FUTEX_REQUEUE")
FUTEX_WAKE_OP = libc.constant("FUTEX_WAKE_OP")
FUTEX_WAIT_BITSET = libc.constant("FUTEX_WAIT_BITSET")
FUTEX_WAKE_BITSET = libc.constant("FUTEX_WAKE_BITSET")
W_FUTEX = WAIT_FUTEX
CLOCK_REALTIME = libc.constant("CLOCK_REALTIME")
CLOCK_MONOTONIC = libc.constant("CLOCK_MONOTONIC")


@kernel
def futex_wake_ns(ctx: Context, command: u64, operation: u64, timeout: u64) -> u64:
    """Virtual time at which a futex wait ends; 0 without a timeout."""
    if timeout == 0:
        return 0
    if command == FUTEX_WAIT:
        return max(time_after_ns(ctx, load_timespec_ns(timeout)), u64(1))
    clock = u64(CLOCK_MONOTONIC)
    if (operation & CLOCK_REALTIME_FLAG) != 0:
        clock = u64(CLOCK_REALTIME)
    return deadline_to_wake_ns(ctx, timeout, clock)


@kernel
def wake_futex(ctx: Context, addr: u64, limit: u64) -> i64:
    """Wake up to `limit` threads; how many, or ASK_KERNEL: other processes may wait, too."""
    if is_shared_memory(ctx, addr):
        wake_shared(ctx, W_FUTEX, addr, limit)
        return ASK_KERNEL
    if event_is_left(ctx, addr, 0):
        return 0
    woken = wake_waiters(ctx, W_FUTEX, addr, limit)
    release_point(ctx)
    return i64(woken)


@kernel
def ended_wait_status(wait_status: u64) -> i32:
    """The errno value of a wait that has ended."""
    if wait_status == TIMED_OUT:
        return ETIMEDOUT
    if wait_status == INTERRUPTED:
        return EINTR
    return OK


@kernel
def wait_futex(ctx: Context, addr: u64, value: u64, wake_ns: u64) -> i32:
    """Wait while the word has the value, until wake_ns (0: for ever); 0 or an errno value."""
    if take_resuming(ctx) != 0:
        return ended_wait_status(thread_at(ctx.thread).wait.status)
    if event_is_left(ctx, addr, 0):
        return OK
    if u64(load_u32(addr)) != value:
        ctx.action = YIELD
        return EAGAIN
    if wake_ns == NO_TIME:
        return EINVAL
    if is_shared_memory(ctx, addr):
        block_shared(ctx, W_FUTEX, addr, wake_ns)
        return OK
    block_current(ctx, W_FUTEX, addr, wake_ns)
    if wakes_spuriously(ctx):
        wake_thread(ctx, ctx.thread, SIGNALLED)
    return OK


@kernel
def futex_call(ctx: Context, addr: u64, operation: u64, value: u64, timeout: u64) -> i64:
    """futex: its result, or ASK_KERNEL when the kernel must do it."""
    command, number_given = operation & COMMAND_MASK, value & LOW_WORD
    if command == FUTEX_WAKE or command == FUTEX_WAKE_BITSET:
        return wake_futex(ctx, addr, number_given)
    if command >= FUTEX_REQUEUE and command <= FUTEX_WAKE_OP:
        return wake_futex(ctx, addr, ALL)
    if command != FUTEX_WAIT and command != FUTEX_WAIT_BITSET:
        return ASK_KERNEL
    status = wait_futex(ctx, addr, number_given, futex_wake_ns(ctx, command, operation, timeout))
    return i64(fail_with_errno(ctx, status))
