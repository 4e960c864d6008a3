"""Calls that may block the OS thread: they let other guest threads run while they wait.

    poll, select, epoll_wait   asked with a timeout of zero, again and again; the timeout is virtual

read, fgets, accept and similar wait in the same way: `before` in read_write.py.  write, send
and recv are made in parts: partial_writes.py, send.py, recv.py.

Sources: poll(2), select(2), epoll_wait(2).
Deviations: select leaves its timeout as it was and takes 1024 descriptors.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EINVAL, fail_with_errno
from irsan.interceptors.memory.passed_memory import used
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.sleeps import sleep_ns
from irsan.runtime.kernels.actions import NONE, RETRY
from irsan.runtime.kernels.checks.foreign_shadow import SEGV_BIT
from irsan.runtime.kernels.combined.touches import KIND_READ, KIND_WRITE, routine_access
from irsan.runtime.kernels.injected import is_interrupted
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
    store_u64,
)
from irsan.runtime.kernels.out_parameters import FD_SETS, SCRATCH_POLL, SCRATCH_ZERO_TIME
from irsan.runtime.kernels.race.descriptors import (
    descriptor_read,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import addr_of, thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.awaited import (
    READY_TO_READ,
    poll_word,
    polls_behind,
    sets_to_polls,
)
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.signals import OPEN_MASK
from irsan.runtime.kernels.threads.virtual_clock import (
    FAR_NS,
    FAR_S,
    MAX,
    NO_TIME,
    timespec_span_ns,
)
from irsan.runtime.kernels.threads.waiting import (
    BY_ANY,
    FOREVER,
    TIME_IS_UP,
    W_INPUT,
    begin_waiting,
    ended_by_handler,
    keep_waiting,
    set_zero_time,
)
from irsan.runtime.kernels.uninitialised.uninit_shadow import tracks_bits
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.context import THREAD_DTYPE

FAILED = -1
FAILED = -1
NS_PER_MS = 1_000_000
US_PER_S = 1_000_000
SIG_SETMASK = 2
SELECT_LIMIT = libc.constant("FD_SETSIZE")
READ_SET = FD_SETS
WRITE_SET = FD_SETS + 128
ERROR_SET = FD_SETS + 128 + 128
EPOLL_EVENT_BYTES = 12
RETRY_MASK_OFFSET = field_offset(THREAD_DTYPE, "wait.retry_mask")


@kernel
def as_int(word: u64) -> i32:
    """The C int in the low half of a word."""
    return i32(u32(word))


@kernel
def milliseconds_to_ns(timeout_ms: i32) -> u64:
    """Length of a wait, FOREVER for a negative one."""
    if timeout_ms < 0:
        return FOREVER
    return u64(timeout_ms) * NS_PER_MS


@kernel
def polls_used(ctx: Context, polls: u64, n_polls: u64) -> None:
    """poll acts upon descriptors and requested events, before it writes its answers beside.
    """
    if not tracks_bits():
        return
    for i in range(n_polls):
        place = polls + u64(i) * 8
        used(ctx, place, 4)
        if as_int(load_u64(place)) >= 0:
            used(ctx, place + 4, 2)


@kernel
def poll_for(ctx: Context, polls: u64, n_polls: u64, duration_ns: u64) -> i32:
    """poll for a span of virtual time."""
    if n_polls == 0 and duration_ns != FOREVER:
        return fail_with_errno(ctx, sleep_ns(ctx, duration_ns))
    if cancel_due(ctx):
        return FAILED
    begins = thread_at(ctx.thread).wait.resuming != W_INPUT
    deadline_ns = begin_waiting(ctx, duration_ns)
    polls_used(ctx, polls, n_polls)
    found = as_int(real_poll(polls, n_polls, 0))
    if ctx.action != NONE:
        return found
    if found == 0 and begins and duration_ns != 0 and is_interrupted(ctx):
        return FAILED
    if found == 0 and keep_waiting(ctx, deadline_ns, polls, n_polls) != TIME_IS_UP:
        return FAILED
    ctx.outside.try_streak = 0
    i = u64(0)
    while i < n_polls and found >= 0:
        routine_access(ctx, polls + i * 8, 6, KIND_READ, 1)
        routine_access(ctx, polls + i * 8 + 6, 2, KIND_WRITE, 1)
        i = i + 1
    return found


@kernel
def i_poll(ctx: Context, polls: u64, n_polls: u64, timeout_ms: i32) -> i32:
    """poll."""
    return poll_for(ctx, polls, n_polls, milliseconds_to_ns(timeout_ms))


@kernel
def leave_mask(ctx: Context, mask: u64) -> None:
    """Put the old mask back when the wait is over."""
    if mask == 0 or ctx.action == RETRY:
        return
    errno = load_u32(ctx.c_library.errno_addr)
    real_sigprocmask(SIG_SETMASK, addr_of(thread_at(ctx.thread)) + RETRY_MASK_OFFSET, 0)
    store_u32(ctx.c_library.errno_addr, errno)


@kernel
def enter_mask(ctx: Context, mask: u64) -> bool:
    """Take a signal mask for a wait that begins, if there is one, and keep the old.

    Whether the wait is over before it begins: a signal that was pending has had its handler, which
    runs as soon as the mask is open; then the old mask is back and errno is EINTR.
    """
    thread = thread_at(ctx.thread)
    if mask == 0 or thread.wait.resuming == W_INPUT:
        return False
    thread.handler.ran = 0
    store_u64(OPEN_MASK, load_u64(mask) & ~u64(SEGV_BIT))  # never blocked: signal_masks.ll
    real_sigprocmask(SIG_SETMASK, OPEN_MASK, addr_of(thread) + RETRY_MASK_OFFSET)
    if not ended_by_handler(ctx, BY_ANY):
        return False
    leave_mask(ctx, mask)
    return True


@kernel
def timeval_span_ns(place: u64) -> u64:
    """The span that a timeval says: NO_TIME for a negative one, at most FAR_NS."""
    seconds = load_u64(place)
    microseconds = load_u64(place + 8)
    if seconds > MAX or microseconds > MAX:
        return NO_TIME
    if seconds >= FAR_S or microseconds >= u64(FAR_S * US_PER_S):
        return FAR_NS
    return (seconds * US_PER_S + microseconds) * 1000


@kernel
def i_ppoll(ctx: Context, polls: u64, n_polls: u64, timeout: u64, mask: u64) -> i32:
    """ppoll."""
    duration_ns = u64(FOREVER)
    if timeout != 0:
        duration_ns = timespec_span_ns(timeout)
        if duration_ns == NO_TIME:
            return fail_with_errno(ctx, EINVAL)
    if enter_mask(ctx, mask):
        return FAILED
    found = poll_for(ctx, polls, n_polls, duration_ns)
    leave_mask(ctx, mask)
    used(ctx, timeout, 16)
    used(ctx, mask, 8)
    return found


@kernel
def present_set(given: u64, place: u64) -> u64:
    """Where select finds a set: its copy, or nowhere."""
    if given == 0:
        return 0
    return place


@kernel
def give_set(ctx: Context, given: u64, place: u64, n_bytes: u64) -> bool:
    """The guest's set becomes what select made of the copy."""
    if given == 0:
        return True
    routine_access(ctx, given, n_bytes, KIND_WRITE, 1)
    real_memcpy(given, place, n_bytes)
    return True


@kernel
def copy_sets(reads: u64, writes: u64, errors: u64, n_bytes: u64) -> None:
    """select changes its sets, so it is asked with copies."""
    if reads != 0:
        real_memcpy(READ_SET, reads, n_bytes)
    if writes != 0:
        real_memcpy(WRITE_SET, writes, n_bytes)
    if errors != 0:
        real_memcpy(ERROR_SET, errors, n_bytes)


@kernel(outlined=True)
def select_for(
    ctx: Context, limit: i32, reads: u64, writes: u64, errors: u64, duration_ns: u64
) -> i32:
    """select for a span of virtual time; above 1024 descriptors it is poll that is of use."""
    if limit == 0 and duration_ns != FOREVER:
        return fail_with_errno(ctx, sleep_ns(ctx, duration_ns))
    if cancel_due(ctx):
        return FAILED
    if limit < 0 or limit > SELECT_LIMIT:
        store_u32(ctx.c_library.errno_addr, u32(EINVAL))
        return FAILED
    n_bytes = ((u64(limit) + 63) >> 6) << 3
    begins = thread_at(ctx.thread).wait.resuming != W_INPUT
    deadline_ns = begin_waiting(ctx, duration_ns)
    copy_sets(reads, writes, errors, n_bytes)
    set_zero_time()
    found = as_int(
        real_select(
            u64(limit),
            present_set(reads, READ_SET),
            present_set(writes, WRITE_SET),
            present_set(errors, ERROR_SET),
            SCRATCH_ZERO_TIME,
        )
    )
    if found == 0 and begins and duration_ns != 0 and is_interrupted(ctx):
        return FAILED
    n_polls = u64(0)
    if found == 0 and duration_ns != 0:
        n_polls = sets_to_polls(ctx, u64(limit), reads, writes, errors)
    if found == 0 and keep_waiting(ctx, deadline_ns, polls_behind(ctx), n_polls) != TIME_IS_UP:
        return FAILED
    ctx.outside.try_streak = 0
    if found >= 0:
        give_set(ctx, reads, READ_SET, n_bytes)
        give_set(ctx, writes, WRITE_SET, n_bytes)
        give_set(ctx, errors, ERROR_SET, n_bytes)
    return found


@kernel
def i_select(ctx: Context, limit: i32, reads: u64, writes: u64, errors: u64, timeout: u64) -> i32:
    """select."""
    duration_ns = u64(FOREVER)
    if timeout != 0:
        duration_ns = timeval_span_ns(timeout)
        if duration_ns == NO_TIME:
            return fail_with_errno(ctx, EINVAL)
    found = select_for(ctx, limit, reads, writes, errors, duration_ns)
    used(ctx, timeout, 16)
    return found


@kernel
def i_pselect(
    ctx: Context, limit: i32, reads: u64, writes: u64, errors: u64, timeout: u64, mask: u64
) -> i32:
    """pselect."""
    duration_ns = u64(FOREVER)
    if timeout != 0:
        duration_ns = timespec_span_ns(timeout)
        if duration_ns == NO_TIME:
            return fail_with_errno(ctx, EINVAL)
    if enter_mask(ctx, mask):
        return FAILED
    found = select_for(ctx, limit, reads, writes, errors, duration_ns)
    leave_mask(ctx, mask)
    used(ctx, timeout, 16)
    used(ctx, mask, 8)
    return found


@kernel
def i_epoll_pwait(
    ctx: Context, descriptor: i32, events: u64, limit: i32, timeout_ms: i32, mask: u64
) -> i32:
    """epoll_pwait."""
    if cancel_due(ctx):
        return FAILED
    if enter_mask(ctx, mask):
        return FAILED
    begins = thread_at(ctx.thread).wait.resuming != W_INPUT
    deadline_ns = begin_waiting(ctx, milliseconds_to_ns(timeout_ms))
    found = as_int(real_epoll_wait(u64(descriptor), events, u64(limit), 0))
    ends = begins and timeout_ms != 0 and found == 0 and is_interrupted(ctx)
    store_u64(SCRATCH_POLL, poll_word(descriptor, READY_TO_READ))
    if ends or (found == 0 and keep_waiting(ctx, deadline_ns, SCRATCH_POLL, 1) != TIME_IS_UP):
        found = i32(FAILED)
    leave_mask(ctx, mask)
    if found > 0:
        ctx.outside.try_streak = 0
        descriptor_read(ctx, descriptor)
        routine_access(ctx, events, u64(found) * EPOLL_EVENT_BYTES, KIND_WRITE, 1)
    return found


@kernel
def i_epoll_wait(ctx: Context, descriptor: i32, events: u64, limit: i32, timeout_ms: i32) -> i32:
    """epoll_wait."""
    return i_epoll_pwait(ctx, descriptor, events, limit, timeout_ms, 0)


EXPORTS = (
    Export("i32 poll(ptr,u64,i32)", kernel="i_poll"),
    Export("i32 ppoll(ptr,u64,ptr,ptr)", kernel="i_ppoll"),
    Export("i32 select(i32,ptr,ptr,ptr,ptr)", kernel="i_select"),
    Export("i32 pselect(i32,ptr,ptr,ptr,ptr,ptr)", kernel="i_pselect"),
    Export("i32 epoll_wait(i32,ptr,i32,i32)", kernel="i_epoll_wait"),
    Export("i32 epoll_pwait(i32,ptr,i32,i32,ptr)", kernel="i_epoll_pwait"),
)
