"""pthread and C11 threads: create, join, detach, identity, yielding, sleeping.

A pthread_t is the address of the thread's record.  Creation releases the parent's clock to the
child; a join acquires the child's.  Sleeping is virtual; clocks are in time.py.

A join of a thread that cannot be joined is reported, and returns its error number (LLVM's
detect_invalid_join ends the program).  May miss: one whose record has a new thread.
"""

from __future__ import annotations

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
from irsan.runtime.kernels.combined.object_uses import is_result_bad, is_time_bad
from irsan.runtime.kernels.combined.thread_life import (
    S_FINISHED,
    S_FREE,
    cancel_start,
    start_thread,
)
from irsan.runtime.kernels.injected import interrupts
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.sleeps import note_sleep
from irsan.runtime.kernels.race.thread_clocks import thread_fork, thread_join_edge
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.thread_slots import is_thread_record
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.scheduler import block_current, take_resuming
from irsan.runtime.kernels.threads.turns import creation_point
from irsan.runtime.kernels.threads.virtual_clock import (
    NO_TIME,
    NS_PER_S,
    deadline_to_wake_ns,
    store_timespec,
    timespec_span_ns,
)
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.libc_layout import (
    ATTR_FLAGS,
    ATTR_GUARD,
    ATTR_HAS_STACK,
    ATTR_STACK_END,
    ATTR_STACK_SIZE,
)
from irsan.runtime.layout.options import STRICT_INIT_ORDER
from irsan.runtime.layout.thread_states import WAIT_INTERRUPTED, WAIT_JOIN, WAIT_SLEEP
from irsan.runtime.records.threads import signal_records as sr
from irsan.runtime.records.threads.signal_records import NO_THREAD

KIND_JOIN = int(sr.ThreadFault.INVALID_JOIN)
KIND_AFTER_FORK = int(sr.ThreadFault.THREAD_AFTER_FORK)
JOINED, DETACHED = sr.JOINED, sr.DETACHED
TIMESPEC_BYTES = libc.size("struct timespec")
W_JOIN = WAIT_JOIN
W_SLEEP = WAIT_SLEEP
W_INTERRUPTED = WAIT_INTERRUPTED
DEFAULT_STACK = memory_map.DEFAULT_STACK_BYTES
MAX_STACK = memory_map.MAX_STACK_BYTES
MIN_STACK = 64 * memory_map.KIB  # interceptors run on the guest's stack and need room
PAGE_BYTES = 4096
ATTR_BYTES = libc.size("pthread_attr_t")
CLOCK_REALTIME = libc.constant("CLOCK_REALTIME")
TIMER_ABSTIME = libc.constant("TIMER_ABSTIME")


@kernel
def is_thread(handle: u64) -> bool:
    """Whether a pthread_t names a thread that exists (running, or ended and not yet joined)."""
    return is_thread_record(handle) and thread_at(handle).state != S_FREE


@kernel
def attributes_to_guard(attributes: u64) -> u64:
    """Bytes of guard that a thread was asked to have, in whole pages, as pthread_getattr_np says.

    A stack of the program's own has none.
    """
    if attributes == 0:
        return PAGE_BYTES
    if load_u32(attributes + ATTR_FLAGS) & ATTR_HAS_STACK != 0:
        return 0
    return (load_u64(attributes + ATTR_GUARD) + PAGE_BYTES - 1) & ~(u64(PAGE_BYTES) - 1)


@kernel
def create_thread(ctx: Context, handle: u64, attributes: u64, routine: u64, argument: u64) -> i32:
    """Start a thread by glibc's attribute layout; EAGAIN without a slot or room for its stack.

    The strict check of the order of initialisation ends: threads share what others initialise.
    """
    if is_result_bad(ctx, handle):
        return OK
    if ctx.interface.may_not_start != 0:
        report_fault(ctx, KIND_AFTER_FORK, 0, 0, 0)
        return EAGAIN
    if ctx.options[STRICT_INIT_ORDER] != 0:
        stop_init_order(ctx)
    is_detached, stack_bytes = u64(0), u64(DEFAULT_STACK)
    if attributes != 0:
        is_detached = u64(load_u32(attributes + ATTR_FLAGS) & 1)
        asked = load_u64(attributes + ATTR_STACK_SIZE)
        if asked > MAX_STACK:
            ctx.refused.huge_stacks += 1
            return EAGAIN
        if asked != 0:
            stack_bytes = max(asked, u64(MIN_STACK))
    child = start_thread(ctx, routine, argument, is_detached, stack_bytes)
    if child == 0:
        return EAGAIN
    if not thread_fork(ctx, child):
        cancel_start(ctx, child)
        return EAGAIN
    thread_at(child).stack.guard_bytes = attributes_to_guard(attributes)
    store_u64(handle, child)
    creation_point(ctx)
    return OK


@kernel
def i_pthread_create(
    ctx: Context, handle: u64, attributes: u64, routine: u64, argument: u64
) -> i32:
    """pthread_create."""
    return create_thread(ctx, handle, attributes, routine, argument)


@kernel
def i_thrd_create(ctx: Context, handle: u64, routine: u64, argument: u64) -> i32:
    """thrd_create; the routine's int result is the low word of the thread's result."""
    if create_thread(ctx, handle, 0, routine, argument) != OK:
        return 3
    return OK


@kernel
def why_not_joinable(handle: u64) -> u64:
    """What a pthread_t is that no thread can be joined by: JOINED, DETACHED or NO_THREAD."""
    if not is_thread_record(handle):
        return NO_THREAD
    thread = thread_at(handle)
    if thread.stack.hi == 0:
        return NO_THREAD
    return u64(DETACHED) if thread.detached != 0 else u64(JOINED)


@kernel
def refuse_join(ctx: Context, handle: u64, status: i32) -> i32:
    """A join that must fail: report it; returns the error number."""
    reason = why_not_joinable(handle)
    if ctx.interface.joins_unchecked == 0 and reason != NO_THREAD:
        report_fault(ctx, KIND_JOIN, handle, 0, 0)
        ctx.fault[6] = reason
    return status


@kernel
def join_thread(ctx: Context, handle: u64, wake_ns: u64) -> i32:
    """Wait for a thread's end, acquire its clock, recycle its slot; its result in retry_word."""
    if cancel_due(ctx):
        return OK
    ended = take_resuming(ctx)
    if not is_thread(handle):
        return refuse_join(ctx, handle, ESRCH)
    target = thread_at(handle)
    if target.detached != 0:
        return refuse_join(ctx, handle, EINVAL)
    if handle == ctx.thread:
        return EDEADLK
    if target.state != S_FINISHED:
        if ended == W_JOIN and thread_at(ctx.thread).wait.status != 0:
            return ETIMEDOUT
        if wake_ns == NO_TIME:
            return EINVAL
        block_current(ctx, W_JOIN, handle, wake_ns)
        return OK
    thread_join_edge(ctx, handle)
    thread_at(ctx.thread).wait.retry_word = target.result
    target.state = S_FREE
    return OK


@kernel
def join_until(ctx: Context, handle: u64, result: u64, wake_ns: u64) -> i32:
    """`join_thread`, and its result where the caller wants it."""
    if is_result_bad(ctx, result):
        return OK
    status = join_thread(ctx, handle, wake_ns)
    if status == OK and ctx.action == 0 and result != 0:
        store_u64(result, thread_at(ctx.thread).wait.retry_word)
    return status


@kernel
def i_pthread_join(ctx: Context, handle: u64, result: u64) -> i32:
    """pthread_join."""
    return join_until(ctx, handle, result, 0)


@kernel
def i_thrd_join(ctx: Context, handle: u64, result: u64) -> i32:
    """thrd_join."""
    status = join_thread(ctx, handle, 0)
    if status != OK:
        return 2
    if ctx.action == 0 and result != 0:
        store_u32(result, u32(thread_at(ctx.thread).wait.retry_word))
    return OK


@kernel
def i_pthread_tryjoin(ctx: Context, handle: u64, result: u64) -> i32:
    """pthread_tryjoin_np."""
    if is_thread(handle) and thread_at(handle).detached != 0:
        return refuse_join(ctx, handle, EINVAL)
    if is_thread(handle) and thread_at(handle).state != S_FINISHED:
        ctx.action = YIELD
        return EBUSY
    return i_pthread_join(ctx, handle, result)


@kernel
def i_pthread_detach(ctx: Context, handle: u64) -> i32:
    """pthread_detach."""
    if not is_thread(handle):
        return ESRCH
    target = thread_at(handle)
    if target.detached != 0:
        return EINVAL
    target.detached = 1
    if target.state == S_FINISHED:
        target.state = S_FREE
    return OK


@kernel
def i_pthread_self(ctx: Context) -> u64:
    """pthread_self."""
    return ctx.thread


@kernel
def i_pthread_equal(ctx: Context, a: u64, b: u64) -> i32:
    """pthread_equal."""
    return i32(a == b)


@kernel
def i_sched_yield(ctx: Context) -> i32:
    """sched_yield, and pthread_yield."""
    ctx.action = YIELD
    return OK


@kernel
def sleep_ns(ctx: Context, duration_ns: u64) -> i32:
    """Block for a span of virtual time; EINVAL for NO_TIME."""
    if cancel_due(ctx):
        return OK
    if duration_ns == NO_TIME:
        return EINVAL
    if take_resuming(ctx) == W_SLEEP:
        note_sleep(ctx)
        return i32(EINTR) if thread_at(ctx.thread).wait.status == W_INTERRUPTED else i32(OK)
    wake_ns = max(time_after_ns(ctx, duration_ns), u64(1))
    thread_at(ctx.thread).wait.retry_word = wake_ns
    if interrupts(ctx):
        return EINTR
    block_current(ctx, W_SLEEP, 0, wake_ns)
    return OK


@kernel
def slept_short_ns(ctx: Context) -> u64:
    """What was left of the running thread's sleep when a signal ended it."""
    wake_ns = thread_at(ctx.thread).wait.retry_word
    return max(wake_ns, ctx.schedule.clock_ns) - ctx.schedule.clock_ns


@kernel
def i_sleep(ctx: Context, seconds: u32) -> u32:
    """sleep."""
    if sleep_ns(ctx, u64(seconds) * NS_PER_S) != EINTR:
        return 0
    return u32(slept_short_ns(ctx) // NS_PER_S)


@kernel
def i_usleep(ctx: Context, microseconds: u32) -> i32:
    """usleep."""
    return fail_with_errno(ctx, sleep_ns(ctx, u64(microseconds) * 1000))


@kernel
def sleep_timespec(ctx: Context, duration: u64, remaining: u64) -> i32:
    """Sleep for a span of time; a signal leaves the rest of it in `remaining`, if that is given."""
    if is_time_bad(ctx, duration):
        return OK
    status = sleep_ns(ctx, timespec_span_ns(duration))
    used(ctx, duration, TIMESPEC_BYTES)
    if status == EINTR and remaining != 0:
        written(ctx, remaining, TIMESPEC_BYTES)
        store_timespec(remaining, slept_short_ns(ctx))
    return status


@kernel
def i_nanosleep(ctx: Context, duration: u64, remaining: u64) -> i32:
    """nanosleep, and thrd_sleep."""
    return fail_with_errno(ctx, sleep_timespec(ctx, duration, remaining))


@kernel
def sleep_until(ctx: Context, deadline: u64, clock_id: u64) -> i32:
    """Sleep up to a time of a clock."""
    if cancel_due(ctx) or is_time_bad(ctx, deadline):
        return OK
    wake_ns = deadline_to_wake_ns(ctx, deadline, clock_id)
    if take_resuming(ctx) == W_SLEEP:
        note_sleep(ctx)
        if thread_at(ctx.thread).wait.status == W_INTERRUPTED:
            return EINTR
    if wake_ns <= ctx.schedule.clock_ns:
        return OK
    if wake_ns == NO_TIME:
        return EINVAL
    if interrupts(ctx):
        return EINTR
    block_current(ctx, W_SLEEP, 0, wake_ns)
    return OK


@kernel
def i_clock_nanosleep(
    ctx: Context, clock_id: i32, flags: i32, duration: u64, remaining: u64
) -> i32:
    """clock_nanosleep, relative or absolute."""
    if flags & TIMER_ABSTIME == 0:
        return sleep_timespec(ctx, duration, remaining)
    status = sleep_until(ctx, duration, u64(clock_id))
    used(ctx, duration, TIMESPEC_BYTES)
    return status


@kernel
def i_pthread_getattr(ctx: Context, handle: u64, attributes: u64) -> i32:
    """pthread_getattr_np: stack bounds in glibc's attribute layout."""
    if not is_thread(handle):
        return ESRCH
    thread = thread_at(handle)
    for offset in range(0, ATTR_BYTES, 8):
        store_u64(attributes + u64(offset), 0)
    store_u32(attributes + ATTR_FLAGS, u32(u32(thread.detached) | ATTR_HAS_STACK))
    store_u64(attributes + ATTR_GUARD, thread.stack.guard_bytes)
    store_u64(attributes + ATTR_STACK_END, thread.stack.hi)
    store_u64(attributes + ATTR_STACK_SIZE, thread.stack.hi - thread.stack.lo)
    return OK


EXPORTS = (
    Export("i32 pthread_create(ptr,ptr,ptr,ptr)", kernel="i_pthread_create"),
    Export("i32 pthread_join(u64,ptr)", kernel="i_pthread_join"),
    Export("i32 pthread_tryjoin_np(u64,ptr)", kernel="i_pthread_tryjoin"),
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
