"""The futex system call: a real wait would block the one OS thread that runs all guest threads.

Waits and wakes go to the scheduler (raw_syscalls.py hands them over).  Ordering comes from
the atomics on the word itself.  A requeue wakes all.  A wait on memory that other processes share
ends with 0 when its time is over or another process may have changed the word, as a spurious
wake-up does.

Source: futex(2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    release_point,
    take_resuming,
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
from irsan.runtime.layout.thread_states import WAIT_FUTEX, WAIT_INTERRUPTED, WAIT_TIMED_OUT

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
LOW_WORD = np.uint64(0xFFFF_FFFF)
ASK_KERNEL = np.int64(REAL_ANSWERS)
ALL = np.uint64(1 << 32)
TIMED_OUT = np.uint64(WAIT_TIMED_OUT)
INTERRUPTED = np.uint64(WAIT_INTERRUPTED)
COMMAND_MASK = np.uint64(0x7F)
CLOCK_REALTIME_FLAG = np.uint64(libc.constant("FUTEX_CLOCK_REALTIME"))
FUTEX_WAIT = np.uint64(libc.constant("FUTEX_WAIT"))
FUTEX_WAKE = np.uint64(libc.constant("FUTEX_WAKE"))
FUTEX_REQUEUE = np.uint64(libc.constant("FUTEX_REQUEUE"))
FUTEX_WAKE_OP = np.uint64(libc.constant("FUTEX_WAKE_OP"))
FUTEX_WAIT_BITSET = np.uint64(libc.constant("FUTEX_WAIT_BITSET"))
FUTEX_WAKE_BITSET = np.uint64(libc.constant("FUTEX_WAKE_BITSET"))
W_FUTEX = np.uint64(WAIT_FUTEX)
CLOCK_REALTIME = np.uint64(libc.constant("CLOCK_REALTIME"))
CLOCK_MONOTONIC = np.uint64(libc.constant("CLOCK_MONOTONIC"))


@kernel("u64(ctx,u64,u64,u64)")
def futex_wake_ns(ctx: Any, command: Any, operation: Any, timeout: Any) -> Any:
    """Virtual time at which a futex wait ends; 0 without a timeout."""
    if timeout == U64_0:
        return U64_0
    if command == FUTEX_WAIT:
        return max(time_after_ns(ctx, load_timespec_ns(timeout)), U64_1)
    clock = CLOCK_MONOTONIC
    if (operation & CLOCK_REALTIME_FLAG) != U64_0:
        clock = CLOCK_REALTIME
    return deadline_to_wake_ns(ctx, timeout, clock)


@kernel("i64(ctx,u64,u64)")
def wake_futex(ctx: Any, addr: Any, limit: Any) -> Any:
    """Wake up to `limit` threads; how many, or ASK_KERNEL: other processes may wait, too."""
    if is_shared_memory(ctx, addr):
        wake_shared(ctx, W_FUTEX, addr, limit)
        return ASK_KERNEL
    woken = wake_waiters(ctx, W_FUTEX, addr, limit)
    release_point(ctx)
    return np.int64(woken)


@kernel("i32(u64)")
def ended_wait_status(wait_status: Any) -> Any:
    """The errno value of a wait that has ended."""
    if wait_status == TIMED_OUT:
        return ETIMEDOUT
    if wait_status == INTERRUPTED:
        return EINTR
    return OK


@kernel("i32(ctx,u64,u64,u64)")
def wait_futex(ctx: Any, addr: Any, value: Any, wake_ns: Any) -> Any:
    """Wait while the word has the value, until wake_ns (0: for ever); 0 or an errno value."""
    if take_resuming(ctx) != U64_0:
        return ended_wait_status(thread_at(ctx.thread).wait_status)
    if np.uint64(load_u32(addr)) != value:
        ctx.action = YIELD
        return EAGAIN
    if wake_ns == NO_TIME:
        return EINVAL
    if is_shared_memory(ctx, addr):
        block_shared(ctx, W_FUTEX, addr, wake_ns)
    else:
        block_current(ctx, W_FUTEX, addr, wake_ns)
    return OK


@kernel("i64(ctx,u64,u64,u64,u64)")
def futex_call(ctx: Any, addr: Any, operation: Any, value: Any, timeout: Any) -> Any:
    """futex: its result, or ASK_KERNEL when the kernel must do it."""
    command, number_given = operation & COMMAND_MASK, value & LOW_WORD
    if command == FUTEX_WAKE or command == FUTEX_WAKE_BITSET:
        return wake_futex(ctx, addr, number_given)
    if command >= FUTEX_REQUEUE and command <= FUTEX_WAKE_OP:
        return wake_futex(ctx, addr, ALL)
    if command != FUTEX_WAIT and command != FUTEX_WAIT_BITSET:
        return ASK_KERNEL
    status = wait_futex(ctx, addr, number_given, futex_wake_ns(ctx, command, operation, timeout))
    return np.int64(fail_with_errno(ctx, status))
