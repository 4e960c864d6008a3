"""Scheduling of threads by the caller's wish: policies, priorities, processors, clocks.

    thread.scheduling   policy | priority << 32, inherited by the threads that it starts
    thread.affinity     processors 0 to 63 that it was given; 0: all

Green threads share one OS thread, so nothing of it changes when one runs; what is set is what is
read back, and what Linux refuses is refused.

Source: sched(7), pthread_setschedparam(3), pthread_setaffinity_np(3).
Deviations: real-time policies are root's, whatever the limits; processors from 64 on count as all;
the clock of another thread is that of the one that asks.
"""

from __future__ import annotations

from typing import Final

from irsan.interceptors.errno_values import EINVAL, EPERM, ESRCH, OK
from irsan.interceptors.memory.passed_memory import read, used, written
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.threads import is_thread
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u32,
    load_u64,
    real_function,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import FD_SETS
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.layout import libc_layout as libc

real_geteuid = real_function("geteuid", 0)
real_sched_getaffinity = real_function("sched_getaffinity", 3)

SCHED_FIFO: Final = libc.constant("SCHED_FIFO")
SCHED_RR: Final = libc.constant("SCHED_RR")
NORMAL_POLICIES: Final = sum(
    1 << libc.constant(name) for name in ("SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE")
)
RESET_ON_FORK: Final = libc.constant("SCHED_RESET_ON_FORK")
THREAD_CLOCK: Final = libc.constant("CLOCK_THREAD_CPUTIME_ID")
MOST_PRIORITY: Final = 99
WORD_BYTES: Final = 8
SET_BYTES: Final = 128  # cpu_set_t, and an fd_set
LOW32: Final = 0xFFFF_FFFF


@kernel
def why_not_scheduled(policy: u32, priority: u32) -> i32:
    """The error number of Linux for a policy with a priority; OK when it takes both."""
    if policy == SCHED_FIFO or policy == SCHED_RR:
        if priority < 1 or priority > MOST_PRIORITY:
            return EINVAL
        return OK if u32(real_geteuid()) == 0 else EPERM
    is_normal = policy < 32 and (NORMAL_POLICIES >> policy) & 1 != 0
    return OK if is_normal and priority == 0 else EINVAL


@kernel
def i_pthread_setschedparam(ctx: Context, handle: u64, policy: i32, parameter: u64) -> i32:
    """pthread_setschedparam."""
    if not is_thread(handle):
        return ESRCH
    read(ctx, parameter, 4)
    used(ctx, parameter, 4)
    wanted = u32(u32(policy) & ~u32(RESET_ON_FORK))
    priority = load_u32(parameter)
    status = why_not_scheduled(wanted, u32(priority))
    if status == OK:
        thread_at(handle).scheduling = u64(wanted) | u64(priority) << 32
    return status


@kernel
def i_pthread_getschedparam(ctx: Context, handle: u64, policy: u64, parameter: u64) -> i32:
    """pthread_getschedparam."""
    if not is_thread(handle):
        return ESRCH
    scheduling = thread_at(handle).scheduling
    written(ctx, policy, 4)
    written(ctx, parameter, 4)
    store_u32(policy, u32(scheduling & LOW32))
    store_u32(parameter, u32(scheduling >> 32))
    return OK


@kernel
def i_pthread_setschedprio(ctx: Context, handle: u64, priority: i32) -> i32:
    """pthread_setschedprio."""
    if not is_thread(handle):
        return ESRCH
    policy = thread_at(handle).scheduling & LOW32
    status = why_not_scheduled(u32(policy), u32(priority))
    if status == OK:
        thread_at(handle).scheduling = policy | u64(u32(priority)) << 32
    return status


@kernel
def own_processors() -> u64:
    """Those of the first 64 that the process may use."""
    if i32(real_sched_getaffinity(0, SET_BYTES, FD_SETS)) != 0:
        return u64(0)
    return load_u64(FD_SETS)


@kernel
def is_any_set(address: u64, n_bytes: u64) -> bool:
    """Whether any of some bytes is not zero."""
    at = address
    while at < address + n_bytes:
        if load_u8(at) != 0:
            return True
        at += 1
    return False


@kernel
def i_pthread_setaffinity(ctx: Context, handle: u64, n_bytes: u64, processors: u64) -> i32:
    """pthread_setaffinity_np."""
    if not is_thread(handle):
        return ESRCH
    read(ctx, processors, n_bytes)
    used(ctx, processors, n_bytes)
    if n_bytes > WORD_BYTES and is_any_set(processors + WORD_BYTES, n_bytes - WORD_BYTES):
        thread_at(handle).affinity = u64(0)
        return OK
    wanted = u64(0)
    for i in range(WORD_BYTES):
        if u64(i) < n_bytes:
            wanted = wanted | u64(load_u8(processors + u64(i))) << (u64(i) * 8)
    wanted = wanted & own_processors()
    if wanted == 0:
        return EINVAL
    thread_at(handle).affinity = wanted
    return OK


@kernel
def i_pthread_getaffinity(ctx: Context, handle: u64, n_bytes: u64, processors: u64) -> i32:
    """pthread_getaffinity_np."""
    if not is_thread(handle):
        return ESRCH
    errno = load_u32(ctx.c_library.errno_addr)
    written(ctx, processors, n_bytes)
    if i32(real_sched_getaffinity(0, n_bytes, processors)) != 0:
        store_u32(ctx.c_library.errno_addr, errno)
        return EINVAL
    if thread_at(handle).affinity != 0:  # n_bytes is a multiple of 8, or the kernel had refused
        at = processors
        while at < processors + n_bytes:
            store_u64(at, 0)
            at += WORD_BYTES
        store_u64(processors, thread_at(handle).affinity)
    return OK


@kernel
def i_pthread_getcpuclockid(ctx: Context, handle: u64, target: u64) -> i32:
    """pthread_getcpuclockid."""
    if not is_thread(handle):
        return ESRCH
    written(ctx, target, 4)
    store_u32(target, u32(THREAD_CLOCK))
    return OK


EXPORTS = (
    Export("i32 pthread_setschedparam(u64,i32,ptr)", kernel="i_pthread_setschedparam"),
    Export("i32 pthread_getschedparam(u64,ptr,ptr)", kernel="i_pthread_getschedparam"),
    Export("i32 pthread_setschedprio(u64,i32)", kernel="i_pthread_setschedprio"),
    Export("i32 pthread_setaffinity_np(u64,u64,ptr)", kernel="i_pthread_setaffinity"),
    Export("i32 pthread_getaffinity_np(u64,u64,ptr)", kernel="i_pthread_getaffinity"),
    Export("i32 pthread_getcpuclockid(u64,ptr)", kernel="i_pthread_getcpuclockid"),
)
