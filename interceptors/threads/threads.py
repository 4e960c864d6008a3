"""pthread and C11 threads: create, join, detach, identity.

A pthread_t is the address of the thread's record.  Creation releases the parent's clock to the
child; a join acquires the child's.

A join of a thread that cannot be joined is reported, and returns its error number (LLVM's
detect_invalid_join ends the program).  May miss: one whose record has a new thread.
"""

from __future__ import annotations

from irsan.interceptors.errno_values import (
    EAGAIN,
    EBUSY,
    EDEADLK,
    EINVAL,
    ESRCH,
    ETIMEDOUT,
    OK,
)
from irsan.interceptors.memory.asan_globals import stop_init_order
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import YIELD
from irsan.runtime.kernels.combined.object_uses import is_result_bad
from irsan.runtime.kernels.combined.thread_life import (
    S_FINISHED,
    S_FREE,
    cancel_start,
    start_thread,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, store_u32, store_u64
from irsan.runtime.kernels.race.thread_clocks import thread_fork, thread_join_edge
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.thread_slots import is_thread_record
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.scheduler import block_current, take_resuming
from irsan.runtime.kernels.threads.turns import creation_point
from irsan.runtime.kernels.threads.virtual_clock import NO_TIME
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
from irsan.runtime.layout.thread_states import WAIT_JOIN
from irsan.runtime.records.threads import signal_records as sr
from irsan.runtime.records.threads.signal_records import NO_THREAD

KIND_JOIN = int(sr.ThreadFault.INVALID_JOIN)
KIND_AFTER_FORK = int(sr.ThreadFault.THREAD_AFTER_FORK)
JOINED, DETACHED = sr.JOINED, sr.DETACHED
W_JOIN = WAIT_JOIN
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
    Export("u64 irsan_thread_pointer()", kernel="i_pthread_self", quick=True, is_hook=True),
    Export("i32 pthread_equal(u64,u64)", kernel="i_pthread_equal", quick=True),
    Export("i32 pthread_getattr_np(u64,ptr)", kernel="i_pthread_getattr"),
    Export("i32 thrd_create(ptr,ptr,ptr)", kernel="i_thrd_create"),
    Export("i32 thrd_join(u64,ptr)", kernel="i_thrd_join"),
    Export("i32 thrd_detach(u64)", kernel="i_pthread_detach"),
    Export("u64 thrd_current()", kernel="i_pthread_self", quick=True),
    Export("i32 thrd_equal(u64,u64)", kernel="i_pthread_equal", quick=True),
)
