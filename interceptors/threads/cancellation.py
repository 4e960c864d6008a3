"""pthread cancellation: a cancelled thread ends at its next cancellation point, or safepoint.

Cancellation points are pthread_testcancel, sleeping, joining, and waiting on conditions,
semaphores, descriptors and signals.  A wait that a signal or a post has ended goes on to its end,
so that no wake-up is lost with the thread.  The stack is unwound as by an exception, so that
destructors of C++ objects run (engine/glue/templates/threads/unwinding.ll).  Cleanup handlers of C
code (`pthread_cleanup_push` without -fexceptions) are jump buffers linked through their own
padding; the unwinding jumps to them.

Deviations: asynchronous cancellation comes at a safepoint, at the latest when the thread's fuel is
used up, so it ends no wait for a lock.
With the bundled compiler's libc++abi, a `catch (...)` that lets the unwinding go on with `throw;`
ends in std::terminate; with libstdc++ it goes on.

    __pthread_unwind_buf_t   jump buffer 64 bytes, mask_was_saved i32, pad, {previous buffer} +72
"""

from __future__ import annotations

from irsan.interceptors.errno_values import EINVAL, ESRCH, OK
from irsan.interceptors.registry import Export
from irsan.interceptors.threads.threads import is_thread
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, store_u32, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.cancellation import (
    ASYNCHRONOUS,
    CANCELABLE,
    DISABLED,
    cancel_due,
    end_if_cancelled,
)
from irsan.runtime.kernels.threads.scheduler import S_BLOCKED, S_FINISHED, wake_thread
from irsan.runtime.layout.thread_states import WAIT_CANCELLED

PREVIOUS = 72
W_CANCELLED = WAIT_CANCELLED


@kernel
def i_pthread_cancel(ctx: Context, handle: u64) -> i32:
    """pthread_cancel: marks the thread; one that waits at a cancellation point is woken."""
    if not is_thread(handle):
        return ESRCH
    target = thread_at(handle)
    if target.state == S_FINISHED:
        return OK
    target.cancel.pending = 1
    if (target.cancel.state & DISABLED) != 0:
        return OK
    if target.state == S_BLOCKED and ((1 << target.wait.kind) & CANCELABLE) != 0:
        wake_thread(ctx, handle, W_CANCELLED)
    if handle == ctx.thread:
        end_if_cancelled(ctx)
    return OK


@kernel
def i_testcancel(ctx: Context) -> None:
    """pthread_testcancel."""
    cancel_due(ctx)


@kernel
def i_register_cancel(ctx: Context, buffer: u64) -> None:
    """__pthread_register_cancel: a cleanup handler's jump buffer becomes the newest."""
    thread = thread_at(ctx.thread)
    store_u64(buffer + PREVIOUS, thread.cancel.buffer)
    thread.cancel.buffer = buffer


@kernel
def i_unregister_cancel(ctx: Context, buffer: u64) -> None:
    """__pthread_unregister_cancel."""
    thread_at(ctx.thread).cancel.buffer = load_u64(buffer + PREVIOUS)


@kernel
def take_cancel_buffer(ctx: Context) -> u64:
    """The newest cleanup handler's jump buffer, taken off the list; 0 when there is none."""
    thread = thread_at(ctx.thread)
    buffer = thread.cancel.buffer
    if buffer != 0:
        thread.cancel.buffer = load_u64(buffer + PREVIOUS)
    return buffer


@kernel
def i_set_cancel_state(ctx: Context, state: i32, old: u64) -> i32:
    """pthread_setcancelstate."""
    if state < 0 or state > 1:
        return EINVAL
    thread = thread_at(ctx.thread)
    if old != 0:
        store_u32(old, u32(thread.cancel.state & DISABLED))
    thread.cancel.state = (thread.cancel.state & ASYNCHRONOUS) | u64(state)
    end_if_cancelled(ctx)
    return OK


@kernel
def i_set_cancel_type(ctx: Context, kind: i32, old: u64) -> i32:
    """pthread_setcanceltype; asynchronous: at once if it is pending, then at any safepoint."""
    if kind < 0 or kind > 1:
        return EINVAL
    thread = thread_at(ctx.thread)
    if old != 0:
        store_u32(old, u32(thread.cancel.state >> 1))
    thread.cancel.state = (thread.cancel.state & DISABLED) | u64(kind) << 1
    end_if_cancelled(ctx)
    return OK


EXPORTS = (
    Export("i32 pthread_cancel(u64)", kernel="i_pthread_cancel"),
    Export("void pthread_testcancel()", kernel="i_testcancel"),
    Export("i32 pthread_setcancelstate(i32,ptr)", kernel="i_set_cancel_state"),
    Export("i32 pthread_setcanceltype(i32,ptr)", kernel="i_set_cancel_type"),
    Export("void __pthread_register_cancel(ptr)", kernel="i_register_cancel"),
    Export("void __pthread_unregister_cancel(ptr)", kernel="i_unregister_cancel"),
)
