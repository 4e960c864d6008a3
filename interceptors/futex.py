"""The futex system call: a real wait would block the one OS thread that runs all guest threads.

Waits and wakes go to the scheduler; every other system call is the kernel's.  A wait that finds
another value, or whose time is over, returns 0 like a spurious wake-up, which callers must expect
anyway.  Ordering comes from the atomics on the word itself.

Source: futex(2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime import libc_layout as libc
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.threads.actions import YIELD
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
from irsan.runtime.kernels.threads.virtual_clock import deadline_to_wake_ns, load_timespec_ns
from irsan.runtime.thread_states import WAIT_FUTEX

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
COMMAND_MASK = np.uint64(0x7F)
CLOCK_REALTIME_FLAG = np.uint64(libc.constant("FUTEX_CLOCK_REALTIME"))
SYS_FUTEX = np.uint64(libc.constant("SYS_futex"))
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
        return max(ctx.clock_ns + load_timespec_ns(timeout), U64_1)
    clock = CLOCK_MONOTONIC
    if (operation & CLOCK_REALTIME_FLAG) != U64_0:
        clock = CLOCK_REALTIME
    return deadline_to_wake_ns(ctx, timeout, clock)


@kernel("b1(ctx,u64,u64,u64,u64,u64)")
def i_syscall(ctx: Any, number: Any, addr: Any, operation: Any, value: Any, timeout: Any) -> Any:
    """syscall: whether the kernel must do it."""
    if number != SYS_FUTEX:
        return True
    command = operation & COMMAND_MASK
    if command == FUTEX_WAKE or command == FUTEX_WAKE_BITSET:
        if is_shared_memory(ctx, addr):
            wake_shared(ctx, W_FUTEX, addr, value & np.uint64(0xFFFF_FFFF))
            return True
        wake_waiters(ctx, W_FUTEX, addr, value & np.uint64(0xFFFF_FFFF))
        release_point(ctx)
        return False
    if command >= FUTEX_REQUEUE and command <= FUTEX_WAKE_OP:
        if is_shared_memory(ctx, addr):
            wake_shared(ctx, W_FUTEX, addr, np.uint64(1 << 32))
            return True
        wake_waiters(ctx, W_FUTEX, addr, np.uint64(1 << 32))
        return False
    if command != FUTEX_WAIT and command != FUTEX_WAIT_BITSET:
        return True
    if take_resuming(ctx) != U64_0:
        return False
    if np.uint64(load_u32(addr)) != (value & np.uint64(0xFFFF_FFFF)):
        ctx.action = YIELD
        return False
    wake_ns = futex_wake_ns(ctx, command, operation, timeout)
    if is_shared_memory(ctx, addr):
        block_shared(ctx, W_FUTEX, addr, wake_ns)
    else:
        block_current(ctx, W_FUTEX, addr, wake_ns)
    return False


EXPORTS = (Export("i64 syscall(u64,u64,u64,u64,u64,u64,u64)", kernel="i_syscall", then_real=True),)
