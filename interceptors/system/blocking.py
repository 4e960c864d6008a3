"""Calls that may block the OS thread: they let other guest threads run while they wait.

    poll, select, epoll_wait   asked with a timeout of zero, again and again; the timeout is virtual

read, fgets, accept and their kin wait in the same way: `before` in read_write.py.  write, send
and recv are made in parts: partial_writes.py, send.py, recv.py.

Sources: poll(2), select(2), epoll_wait(2).
Deviations: select leaves its timeout as it was and takes 1024 descriptors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import EINVAL, fail_with_errno
from irsan.interceptors.memory.passed_memory import used
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.threads import sleep_ns
from irsan.runtime.kernels.actions import NONE, RETRY
from irsan.runtime.kernels.combined.touches import KIND_READ, KIND_WRITE, routine_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_epoll_wait,
    real_memcpy,
    real_poll,
    real_select,
    real_sigprocmask,
    store_u32,
)
from irsan.runtime.kernels.out_parameters import FD_SETS, SCRATCH_ZERO_TIME
from irsan.runtime.kernels.race.descriptors import (
    descriptor_read,
)
from irsan.runtime.kernels.records import record_to_addr, thread_at
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.scheduler import TRY_STREAK
from irsan.runtime.kernels.threads.virtual_clock import load_timespec_ns
from irsan.runtime.kernels.threads.waiting import (
    BY_ANY,
    FOREVER,
    HANDLED,
    TIME_IS_UP,
    W_INPUT,
    begin_waiting,
    ended_by_handler,
    keep_waiting,
    set_zero_time,
)
from irsan.runtime.kernels.uninitialised.uninit_shadow import tracks_bits
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.context import THREAD_DTYPE, field_offset

I32_0 = np.int32(0)
I32_FAILED = np.int32(-1)
I64_0 = np.int64(0)
I64_FAILED = np.int64(-1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_6 = np.uint64(6)
U64_8 = np.uint64(8)
U64_12 = np.uint64(12)
U64_16 = np.uint64(16)
U64_63 = np.uint64(63)
U64_128 = np.uint64(128)
U64_NS_PER_MS = np.uint64(1_000_000)
U64_US_PER_S = np.uint64(1_000_000)
U64_1000 = np.uint64(1000)
SIG_SETMASK = U64_2
SELECT_LIMIT = np.int32(libc.constant("FD_SETSIZE"))
READ_SET = FD_SETS
WRITE_SET = np.uint64(FD_SETS + U64_128)
ERROR_SET = np.uint64(FD_SETS + U64_128 + U64_128)
EPOLL_EVENT_BYTES = U64_12
RETRY_MASK_OFFSET = np.uint64(field_offset(THREAD_DTYPE, "retry_mask"))


@kernel("i32(u64)")
def as_int(word: Any) -> Any:
    """The C int in the low half of a word."""
    return np.int32(np.uint32(word))


@kernel("u64(i32)")
def milliseconds_to_ns(timeout_ms: Any) -> Any:
    """Length of a wait, FOREVER for a negative one."""
    if timeout_ms < I32_0:
        return FOREVER
    return np.uint64(timeout_ms) * U64_NS_PER_MS


@kernel("void(ctx,u64,u64)")
def polls_used(ctx: Any, polls: Any, n_polls: Any) -> None:
    """poll acts upon descriptors and what is asked of them, before it writes its answers beside.
    """
    if not tracks_bits():
        return
    for i in range(n_polls):
        place = polls + np.uint64(i) * U64_8
        used(ctx, place, U64_4)
        if as_int(load_u64(place)) >= I32_0:
            used(ctx, place + U64_4, U64_2)


@kernel("i32(ctx,u64,u64,u64)")
def poll_for(ctx: Any, polls: Any, n_polls: Any, duration_ns: Any) -> Any:
    """poll for a span of virtual time."""
    if n_polls == U64_0 and duration_ns != FOREVER:
        return fail_with_errno(ctx, sleep_ns(ctx, duration_ns))
    if cancel_due(ctx):
        return I32_FAILED
    deadline_ns = begin_waiting(ctx, duration_ns)
    polls_used(ctx, polls, n_polls)
    found = as_int(real_poll(polls, n_polls, U64_0))
    if ctx.action != NONE:
        return found
    if found == I32_0 and keep_waiting(ctx, deadline_ns) != TIME_IS_UP:
        return I32_FAILED
    ctx.outside[TRY_STREAK] = U64_0
    i = U64_0
    while i < n_polls and found >= I32_0:
        routine_access(ctx, polls + i * U64_8, U64_6, KIND_READ, U64_1)
        routine_access(ctx, polls + i * U64_8 + U64_6, U64_2, KIND_WRITE, U64_1)
        i = i + U64_1
    return found


@kernel("i32(ctx,u64,u64,i32)")
def i_poll(ctx: Any, polls: Any, n_polls: Any, timeout_ms: Any) -> Any:
    """poll."""
    return poll_for(ctx, polls, n_polls, milliseconds_to_ns(timeout_ms))


@kernel("void(ctx,u64)")
def leave_mask(ctx: Any, mask: Any) -> None:
    """Put the old mask back when the wait is over."""
    if mask == U64_0 or ctx.action == RETRY:
        return
    errno = load_u32(ctx.errno_addr)
    real_sigprocmask(SIG_SETMASK, record_to_addr(thread_at(ctx.thread)) + RETRY_MASK_OFFSET, U64_0)
    store_u32(ctx.errno_addr, errno)


@kernel("b1(ctx,u64)")
def enter_mask(ctx: Any, mask: Any) -> Any:
    """Take a signal mask for a wait that begins, if there is one, and keep the old.

    Whether the wait is over before it begins: a signal that was pending has had its handler, which
    runs as soon as the mask is open; then the old mask is back and errno is EINTR.
    """
    thread = thread_at(ctx.thread)
    if mask == U64_0 or thread.resuming == W_INPUT:
        return False
    thread.spare[HANDLED] = U64_0
    real_sigprocmask(SIG_SETMASK, mask, record_to_addr(thread) + RETRY_MASK_OFFSET)
    if not ended_by_handler(ctx, BY_ANY):
        return False
    leave_mask(ctx, mask)
    return True


@kernel("i32(ctx,u64,u64,u64,u64)")
def i_ppoll(ctx: Any, polls: Any, n_polls: Any, timeout: Any, mask: Any) -> Any:
    """ppoll."""
    duration_ns = FOREVER
    if timeout != U64_0:
        duration_ns = load_timespec_ns(timeout)
    if enter_mask(ctx, mask):
        return I32_FAILED
    found = poll_for(ctx, polls, n_polls, duration_ns)
    leave_mask(ctx, mask)
    used(ctx, timeout, U64_16)
    used(ctx, mask, U64_8)
    return found


@kernel("u64(u64,u64)")
def present_set(given: Any, place: Any) -> Any:
    """Where select finds a set: its copy, or nowhere."""
    if given == U64_0:
        return U64_0
    return place


@kernel("b1(ctx,u64,u64,u64)")
def give_set(ctx: Any, given: Any, place: Any, n_bytes: Any) -> Any:
    """The guest's set becomes what select made of the copy."""
    if given == U64_0:
        return True
    routine_access(ctx, given, n_bytes, KIND_WRITE, U64_1)
    real_memcpy(given, place, n_bytes)
    return True


@kernel("void(u64,u64,u64,u64)")
def copy_sets(reads: Any, writes: Any, errors: Any, n_bytes: Any) -> None:
    """select changes its sets, so it is asked with copies."""
    if reads != U64_0:
        real_memcpy(READ_SET, reads, n_bytes)
    if writes != U64_0:
        real_memcpy(WRITE_SET, writes, n_bytes)
    if errors != U64_0:
        real_memcpy(ERROR_SET, errors, n_bytes)


@kernel("i32(ctx,i32,u64,u64,u64,u64)", outlined=True)
def select_for(ctx: Any, limit: Any, reads: Any, writes: Any, errors: Any, duration_ns: Any) -> Any:
    """select for a span of virtual time; above 1024 descriptors it is poll that is of use."""
    if limit <= I32_0 and duration_ns != FOREVER:
        return fail_with_errno(ctx, sleep_ns(ctx, duration_ns))
    if cancel_due(ctx):
        return I32_FAILED
    if limit < I32_0 or limit > SELECT_LIMIT:
        store_u32(ctx.errno_addr, np.uint32(EINVAL))
        return I32_FAILED
    n_bytes = ((np.uint64(limit) + U64_63) >> U64_6) << U64_3
    deadline_ns = begin_waiting(ctx, duration_ns)
    copy_sets(reads, writes, errors, n_bytes)
    set_zero_time()
    found = as_int(
        real_select(
            np.uint64(limit),
            present_set(reads, READ_SET),
            present_set(writes, WRITE_SET),
            present_set(errors, ERROR_SET),
            SCRATCH_ZERO_TIME,
        )
    )
    if found == I32_0 and keep_waiting(ctx, deadline_ns) != TIME_IS_UP:
        return I32_FAILED
    ctx.outside[TRY_STREAK] = U64_0
    if found >= I32_0:
        give_set(ctx, reads, READ_SET, n_bytes)
        give_set(ctx, writes, WRITE_SET, n_bytes)
        give_set(ctx, errors, ERROR_SET, n_bytes)
    return found


@kernel("i32(ctx,i32,u64,u64,u64,u64)")
def i_select(ctx: Any, limit: Any, reads: Any, writes: Any, errors: Any, timeout: Any) -> Any:
    """select."""
    duration_ns = FOREVER
    if timeout != U64_0:
        duration_us = load_u64(timeout) * U64_US_PER_S + load_u64(timeout + U64_8)
        duration_ns = duration_us * U64_1000
    found = select_for(ctx, limit, reads, writes, errors, duration_ns)
    used(ctx, timeout, U64_16)
    return found


@kernel("i32(ctx,i32,u64,u64,u64,u64,u64)")
def i_pselect(
    ctx: Any, limit: Any, reads: Any, writes: Any, errors: Any, timeout: Any, mask: Any
) -> Any:
    """pselect."""
    duration_ns = FOREVER
    if timeout != U64_0:
        duration_ns = load_timespec_ns(timeout)
    if enter_mask(ctx, mask):
        return I32_FAILED
    found = select_for(ctx, limit, reads, writes, errors, duration_ns)
    leave_mask(ctx, mask)
    used(ctx, timeout, U64_16)
    used(ctx, mask, U64_8)
    return found


@kernel("i32(ctx,i32,u64,i32,i32,u64)")
def i_epoll_pwait(
    ctx: Any, descriptor: Any, events: Any, limit: Any, timeout_ms: Any, mask: Any
) -> Any:
    """epoll_pwait."""
    if cancel_due(ctx):
        return I32_FAILED
    if enter_mask(ctx, mask):
        return I32_FAILED
    deadline_ns = begin_waiting(ctx, milliseconds_to_ns(timeout_ms))
    found = as_int(real_epoll_wait(np.uint64(descriptor), events, np.uint64(limit), U64_0))
    if found == I32_0 and keep_waiting(ctx, deadline_ns) != TIME_IS_UP:
        found = I32_FAILED
    leave_mask(ctx, mask)
    if found > I32_0:
        ctx.outside[TRY_STREAK] = U64_0
        descriptor_read(ctx, descriptor)
        routine_access(ctx, events, np.uint64(found) * EPOLL_EVENT_BYTES, KIND_WRITE, U64_1)
    return found


@kernel("i32(ctx,i32,u64,i32,i32)")
def i_epoll_wait(ctx: Any, descriptor: Any, events: Any, limit: Any, timeout_ms: Any) -> Any:
    """epoll_wait."""
    return i_epoll_pwait(ctx, descriptor, events, limit, timeout_ms, U64_0)


EXPORTS = (
    Export("i32 poll(ptr,u64,i32)", kernel="i_poll"),
    Export("i32 ppoll(ptr,u64,ptr,ptr)", kernel="i_ppoll"),
    Export("i32 select(i32,ptr,ptr,ptr,ptr)", kernel="i_select"),
    Export("i32 pselect(i32,ptr,ptr,ptr,ptr,ptr)", kernel="i_pselect"),
    Export("i32 epoll_wait(i32,ptr,i32,i32)", kernel="i_epoll_wait"),
    Export("i32 epoll_pwait(i32,ptr,i32,i32,ptr)", kernel="i_epoll_pwait"),
)
