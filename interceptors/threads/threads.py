"""pthread and C11 threads: create, join, detach, identity, yielding, sleeping.

A pthread_t is the address of the thread's record.  Creation releases the parent's clock to the
child; a join acquires the child's.  Sleeping is virtual; clocks are in time.py.

A join of a thread that cannot be joined is told of, and returns its error number (LLVM's
detect_invalid_join ends the program).  May miss: one whose record has a new thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.errno_values import (
    EAGAIN,
    EBUSY,
    EDEADLK,
    EINTR,
    EINVAL,
    ESRCH,
    ETIMEDOUT,
    OK,
    fail_with_errno,
)
from irsan.interceptors.memory.asan_globals import stop_init_order
from irsan.interceptors.memory.passed_memory import used, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.combined.thread_life import (
    S_FINISHED,
    S_FREE,
    cancel_start,
    start_thread,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.sleeps import note_sleep
from irsan.runtime.kernels.race.thread_clocks import thread_fork, thread_join_edge
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.thread_slots import is_thread_record
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.scheduler import block_current, take_resuming
from irsan.runtime.kernels.threads.turns import creation_point
from irsan.runtime.kernels.threads.virtual_clock import (
    NO_TIME,
    NS_PER_S,
    deadline_to_wake_ns,
    load_timespec_ns,
    store_timespec,
)
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.interface_notes import JOINS_UNCHECKED, MAY_NOT_START
from irsan.runtime.layout.thread_states import WAIT_INTERRUPTED, WAIT_JOIN, WAIT_SLEEP
from irsan.runtime.records import limit_records
from irsan.runtime.records import signal_records as sr

STRICT_INIT_ORDER = options.STRICT_INIT_ORDER
U64_KIND_JOIN = np.uint64(int(sr.ThreadFault.INVALID_JOIN))
U64_KIND_AFTER_FORK = np.uint64(int(sr.ThreadFault.THREAD_AFTER_FORK))
JOINED, DETACHED = np.uint64(sr.JOINED), np.uint64(sr.DETACHED)
NO_THREAD = np.uint64(sr.NO_THREAD)
U32_0 = np.uint32(0)
U32_1 = np.uint32(1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_32 = np.uint64(32)
U64_1000 = np.uint64(1000)
TIMESPEC_BYTES = np.uint64(libc.size("struct timespec"))
W_JOIN = np.uint64(WAIT_JOIN)
W_SLEEP = np.uint64(WAIT_SLEEP)
W_INTERRUPTED = np.uint64(WAIT_INTERRUPTED)
DEFAULT_STACK = np.uint64(memory_map.DEFAULT_STACK_BYTES)
MAX_STACK = np.uint64(memory_map.MAX_STACK_BYTES)
N_HUGE_REFUSED = limit_records.HUGE_STACKS
MIN_STACK = np.uint64(64 * memory_map.KIB)  # interceptors run on the guest's stack and need room
PAGE_BYTES = np.uint64(4096)
ATTR_BYTES = libc.size("pthread_attr_t")
ATTR_FLAGS = np.uint64(libc.ATTR_FLAGS)
ATTR_GUARD = np.uint64(libc.ATTR_GUARD)
ATTR_STACK_END = np.uint64(libc.ATTR_STACK_END)
ATTR_STACK_SIZE = np.uint64(libc.ATTR_STACK_SIZE)
ATTR_HAS_STACK = np.uint32(libc.ATTR_HAS_STACK)
CLOCK_REALTIME = np.uint64(libc.constant("CLOCK_REALTIME"))
TIMER_ABSTIME = np.int32(libc.constant("TIMER_ABSTIME"))


@kernel("b1(u64)")
def is_thread(handle: Any) -> Any:
    """Whether a pthread_t names a thread that exists (running, or ended and not yet joined)."""
    return is_thread_record(handle) and thread_at(handle).state != S_FREE


@kernel("u64(u64)")
def attributes_to_guard(attributes: Any) -> Any:
    """Bytes of guard that a thread was asked to have, in whole pages, as pthread_getattr_np says.

    A stack of the program's own has none.
    """
    if attributes == U64_0:
        return PAGE_BYTES
    if load_u32(attributes + ATTR_FLAGS) & ATTR_HAS_STACK != U32_0:
        return U64_0
    return (load_u64(attributes + ATTR_GUARD) + PAGE_BYTES - U64_1) & ~(PAGE_BYTES - U64_1)


@kernel("i32(ctx,u64,u64,u64,u64)")
def create_thread(ctx: Any, handle: Any, attributes: Any, routine: Any, argument: Any) -> Any:
    """Start a thread by glibc's attribute layout; EAGAIN without a slot or room for its stack.

    The strict check of the order of initialisation ends: threads share what others initialise.
    """
    if ctx.interface[MAY_NOT_START] != U64_0:
        report_fault(ctx, U64_KIND_AFTER_FORK, U64_0, U64_0, U64_0)
        return EAGAIN
    if ctx.options[STRICT_INIT_ORDER] != U64_0:
        stop_init_order(ctx)
    is_detached, stack_bytes = U64_0, DEFAULT_STACK
    if attributes != U64_0:
        is_detached = np.uint64(load_u32(attributes + ATTR_FLAGS) & U32_1)
        asked = load_u64(attributes + ATTR_STACK_SIZE)
        if asked > MAX_STACK:
            ctx.refused[N_HUGE_REFUSED] += U64_1
            return EAGAIN
        if asked != U64_0:
            stack_bytes = max(asked, MIN_STACK)
    child = start_thread(ctx, routine, argument, is_detached, stack_bytes)
    if child == U64_0:
        return EAGAIN
    if not thread_fork(ctx, child):
        cancel_start(ctx, child)
        return EAGAIN
    thread_at(child).guard_bytes = attributes_to_guard(attributes)
    store_u64(handle, child)
    creation_point(ctx)
    return OK


@kernel("i32(ctx,u64,u64,u64,u64)")
def i_pthread_create(ctx: Any, handle: Any, attributes: Any, routine: Any, argument: Any) -> Any:
    """pthread_create."""
    return create_thread(ctx, handle, attributes, routine, argument)


@kernel("i32(ctx,u64,u64,u64)")
def i_thrd_create(ctx: Any, handle: Any, routine: Any, argument: Any) -> Any:
    """thrd_create; the routine's int result is the low word of the thread's result."""
    if create_thread(ctx, handle, U64_0, routine, argument) != OK:
        return np.int32(3)
    return OK


@kernel("u64(u64)")
def why_not_joinable(handle: Any) -> Any:
    """What a pthread_t is that no thread can be joined by: JOINED, DETACHED or NO_THREAD."""
    if not is_thread_record(handle):
        return NO_THREAD
    thread = thread_at(handle)
    if thread.stack_hi == U64_0:
        return NO_THREAD
    return DETACHED if thread.detached != U64_0 else JOINED


@kernel("i32(ctx,u64,i32)")
def refuse_join(ctx: Any, handle: Any, status: Any) -> Any:
    """A join that must fail: tell of it; returns the error number."""
    reason = why_not_joinable(handle)
    if ctx.interface[JOINS_UNCHECKED] == U64_0 and reason != NO_THREAD:
        report_fault(ctx, U64_KIND_JOIN, handle, U64_0, U64_0)
        ctx.fault[6] = reason
    return status


@kernel("i32(ctx,u64,u64)")
def join_thread(ctx: Any, handle: Any, wake_ns: Any) -> Any:
    """Wait for a thread's end, acquire its clock, recycle its slot; its result in retry_word."""
    if cancel_due(ctx):
        return OK
    ended = take_resuming(ctx)
    if not is_thread(handle):
        return refuse_join(ctx, handle, ESRCH)
    target = thread_at(handle)
    if target.detached != U64_0:
        return refuse_join(ctx, handle, EINVAL)
    if handle == ctx.thread:
        return EDEADLK
    if target.state != S_FINISHED:
        if ended == W_JOIN and thread_at(ctx.thread).wait_status != U64_0:
            return ETIMEDOUT
        if wake_ns == NO_TIME:
            return EINVAL
        block_current(ctx, W_JOIN, handle, wake_ns)
        return OK
    thread_join_edge(ctx, handle)
    thread_at(ctx.thread).retry_word = target.result
    target.state = S_FREE
    return OK


@kernel("i32(ctx,u64,u64)")
def i_pthread_join(ctx: Any, handle: Any, result: Any) -> Any:
    """pthread_join."""
    status = join_thread(ctx, handle, U64_0)
    if status == OK and ctx.action == U32_0 and result != U64_0:
        store_u64(result, thread_at(ctx.thread).retry_word)
    return status


@kernel("i32(ctx,u64,u64)")
def i_thrd_join(ctx: Any, handle: Any, result: Any) -> Any:
    """thrd_join."""
    status = join_thread(ctx, handle, U64_0)
    if status != OK:
        return np.int32(2)
    if ctx.action == U32_0 and result != U64_0:
        store_u32(result, np.uint32(thread_at(ctx.thread).retry_word))
    return OK


@kernel("i32(ctx,u64,u64)")
def i_pthread_tryjoin(ctx: Any, handle: Any, result: Any) -> Any:
    """pthread_tryjoin_np."""
    if is_thread(handle) and thread_at(handle).detached != U64_0:
        return refuse_join(ctx, handle, EINVAL)
    if is_thread(handle) and thread_at(handle).state != S_FINISHED:
        ctx.action = YIELD
        return EBUSY
    return i_pthread_join(ctx, handle, result)


@kernel("i32(ctx,u64,u64,u64)")
def i_pthread_timedjoin(ctx: Any, handle: Any, result: Any, deadline: Any) -> Any:
    """pthread_timedjoin_np."""
    status = join_thread(ctx, handle, deadline_to_wake_ns(ctx, deadline, CLOCK_REALTIME))
    if status == OK and ctx.action == U32_0 and result != U64_0:
        store_u64(result, thread_at(ctx.thread).retry_word)
    return status


@kernel("i32(ctx,u64)")
def i_pthread_detach(ctx: Any, handle: Any) -> Any:
    """pthread_detach."""
    if not is_thread(handle):
        return ESRCH
    target = thread_at(handle)
    if target.detached != U64_0:
        return EINVAL
    target.detached = U64_1
    if target.state == S_FINISHED:
        target.state = S_FREE
    return OK


@kernel("u64(ctx)")
def i_pthread_self(ctx: Any) -> Any:
    """pthread_self."""
    return ctx.thread


@kernel("i32(ctx,u64,u64)")
def i_pthread_equal(ctx: Any, a: Any, b: Any) -> Any:
    """pthread_equal."""
    return np.int32(a == b)


@kernel("i32(ctx)")
def i_sched_yield(ctx: Any) -> Any:
    """sched_yield, and pthread_yield."""
    ctx.action = YIELD
    return OK


@kernel("i32(ctx,u64)")
def sleep_ns(ctx: Any, duration_ns: Any) -> Any:
    """Block for a span of virtual time; EINVAL for NO_TIME."""
    if cancel_due(ctx):
        return OK
    if duration_ns == NO_TIME:
        return EINVAL
    if take_resuming(ctx) == W_SLEEP:
        note_sleep(ctx)
        return EINTR if thread_at(ctx.thread).wait_status == W_INTERRUPTED else OK
    wake_ns = max(time_after_ns(ctx, duration_ns), U64_1)
    thread_at(ctx.thread).retry_word = wake_ns
    block_current(ctx, W_SLEEP, U64_0, wake_ns)
    return OK


@kernel("u64(ctx)")
def slept_short_ns(ctx: Any) -> Any:
    """What was left of the running thread's sleep when a signal ended it."""
    wake_ns = thread_at(ctx.thread).retry_word
    return max(wake_ns, ctx.clock_ns) - ctx.clock_ns


@kernel("u32(ctx,u32)")
def i_sleep(ctx: Any, seconds: Any) -> Any:
    """sleep."""
    if sleep_ns(ctx, np.uint64(seconds) * NS_PER_S) != EINTR:
        return U32_0
    return np.uint32(slept_short_ns(ctx) // NS_PER_S)


@kernel("i32(ctx,u32)")
def i_usleep(ctx: Any, microseconds: Any) -> Any:
    """usleep."""
    return fail_with_errno(ctx, sleep_ns(ctx, np.uint64(microseconds) * U64_1000))


@kernel("i32(ctx,u64,u64)")
def sleep_timespec(ctx: Any, duration: Any, remaining: Any) -> Any:
    """Sleep for a span of time; a signal leaves the rest of it in `remaining`, if that is given."""
    status = sleep_ns(ctx, load_timespec_ns(duration))
    used(ctx, duration, TIMESPEC_BYTES)
    if status == EINTR and remaining != U64_0:
        written(ctx, remaining, TIMESPEC_BYTES)
        store_timespec(remaining, slept_short_ns(ctx))
    return status


@kernel("i32(ctx,u64,u64)")
def i_nanosleep(ctx: Any, duration: Any, remaining: Any) -> Any:
    """nanosleep, and thrd_sleep."""
    return fail_with_errno(ctx, sleep_timespec(ctx, duration, remaining))


@kernel("i32(ctx,u64,u64)")
def sleep_until(ctx: Any, deadline: Any, clock_id: Any) -> Any:
    """Sleep up to a time of a clock."""
    if cancel_due(ctx):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, clock_id)
    if take_resuming(ctx) == W_SLEEP:
        note_sleep(ctx)
        if thread_at(ctx.thread).wait_status == W_INTERRUPTED:
            return EINTR
    if wake_ns <= ctx.clock_ns:
        return OK
    if wake_ns == NO_TIME:
        return EINVAL
    block_current(ctx, W_SLEEP, U64_0, wake_ns)
    return OK


@kernel("i32(ctx,i32,i32,u64,u64)")
def i_clock_nanosleep(ctx: Any, clock_id: Any, flags: Any, duration: Any, remaining: Any) -> Any:
    """clock_nanosleep, relative or absolute."""
    if flags & TIMER_ABSTIME == np.int32(0):
        return sleep_timespec(ctx, duration, remaining)
    status = sleep_until(ctx, duration, np.uint64(clock_id))
    used(ctx, duration, TIMESPEC_BYTES)
    return status


@kernel("i32(ctx,u64,u64)")
def i_pthread_getattr(ctx: Any, handle: Any, attributes: Any) -> Any:
    """pthread_getattr_np: stack bounds in glibc's attribute layout."""
    if not is_thread(handle):
        return ESRCH
    thread = thread_at(handle)
    for offset in range(0, ATTR_BYTES, 8):
        store_u64(attributes + np.uint64(offset), U64_0)
    store_u32(attributes + ATTR_FLAGS, np.uint32(thread.detached) | ATTR_HAS_STACK)
    store_u64(attributes + ATTR_GUARD, thread.guard_bytes)
    store_u64(attributes + ATTR_STACK_END, thread.stack_hi)
    store_u64(attributes + ATTR_STACK_SIZE, thread.stack_hi - thread.stack_lo)
    return OK


EXPORTS = (
    Export("i32 pthread_create(ptr,ptr,ptr,ptr)", kernel="i_pthread_create"),
    Export("i32 pthread_join(u64,ptr)", kernel="i_pthread_join"),
    Export("i32 pthread_tryjoin_np(u64,ptr)", kernel="i_pthread_tryjoin"),
    Export("i32 pthread_timedjoin_np(u64,ptr,ptr)", kernel="i_pthread_timedjoin"),
    Export("i32 pthread_detach(u64)", kernel="i_pthread_detach"),
    Export("u64 pthread_self()", kernel="i_pthread_self", quick=True),
    Export("i32 pthread_equal(u64,u64)", kernel="i_pthread_equal", quick=True),
    Export("i32 pthread_getattr_np(u64,ptr)", kernel="i_pthread_getattr"),
    Export("i32 thrd_create(ptr,ptr,ptr)", kernel="i_thrd_create"),
    Export("i32 thrd_join(u64,ptr)", kernel="i_thrd_join"),
    Export("i32 thrd_detach(u64)", kernel="i_pthread_detach"),
    Export("u64 thrd_current()", kernel="i_pthread_self", quick=True),
    Export("i32 thrd_equal(u64,u64)", kernel="i_pthread_equal", quick=True),
    Export("i32 thrd_sleep(ptr,ptr)", kernel="i_nanosleep"),
    Export("void thrd_yield()", kernel="i_sched_yield"),
    Export("i32 sched_yield()", kernel="i_sched_yield"),
    Export("i32 pthread_yield()", kernel="i_sched_yield"),
    Export("u32 sleep(u32)", kernel="i_sleep"),
    Export("i32 usleep(u32)", kernel="i_usleep"),
    Export("i32 nanosleep(ptr,ptr)", kernel="i_nanosleep"),
    Export("i32 clock_nanosleep(i32,i32,ptr,ptr)", kernel="i_clock_nanosleep"),
)
