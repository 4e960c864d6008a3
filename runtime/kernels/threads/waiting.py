"""Waiting for what lies outside the guest: descriptors, children, signals of other processes.

All guest threads share one OS thread, so a native call that blocks would stop them all, and for
ever when the awaited byte comes from one of them.  So what would block is asked without blocking
first; while the answer is no, the thread waits in kind WAIT_INPUT and asks again

    when no thread is runnable    at once; after a round without progress, a real pause first
    when one is                   at every question to the scheduler
    otherwise                     after every TRY_PERIOD questions to the scheduler

Virtual time advances by the length of each pause, so that timed waits of other threads end when
they would.  A thread that is alone calls the native function and blocks in it, unless the virtual
alarm is set, which would not ring then.

A handler that runs meanwhile ends the wait with EINTR: any that of poll, select and epoll_wait, of
a socket that has a timeout, and of a call that has moved a part already; one without SA_RESTART the
others (signal(7)).  A socket's own timeout (SO_RCVTIMEO) ends it in virtual time, with EAGAIN.

A pause ends when a descriptor that a thread waits for is ready (awaited.py).

Deviations: what is no descriptor (a child, a lock of a file) is seen up to PAUSE_US later.  Reading
from a FILE goes on behind any handler.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.errno import set_errno
from irsan.runtime.kernels.injected import transfer_is_interrupted
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_fcntl,
    real_poll,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import SCRATCH_POLL, SCRATCH_ZERO_TIME
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.threads.awaited import (
    READY_TO_READ,
    READY_TO_WRITE,
    note_polls,
    poll_word,
)
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.scheduler import (
    block_current,
    take_resuming,
)
from irsan.runtime.kernels.threads.socket_options import (
    NOT_ASKED,
    SO_RCVTIMEO,
    SO_SNDTIMEO,
    call_deadline_ns,
)
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.thread_states import WAIT_INPUT
from irsan.runtime.records.threads import signal_records as sr

INT = 0xFFFF_FFFF
FOREVER = 0xFFFF_FFFF_FFFF_FFFF
WAITS, TIME_IS_UP, ENDED = 0, 1, 2
W_INPUT = WAIT_INPUT
BY_ANY, BY_ENDING = sr.RAN, sr.ENDS
EINTR = libc.constant("EINTR")
EAGAIN = libc.constant("EAGAIN")
F_GETFL = 3
O_NONBLOCK = 0o4000
#: glibc's struct _IO_FILE: what has been read ahead, and the descriptor
STREAM_READ_END = 16
STREAM_DESCRIPTOR = 112


@kernel
def set_zero_time() -> None:
    """Make the scratch timespec or timeval zero."""
    store_u64(SCRATCH_ZERO_TIME, 0)
    store_u64(SCRATCH_ZERO_TIME + 8, 0)


@kernel
def block_trying(ctx: Context, wake_ns: u64) -> None:
    """Wait until the next round of tries, or until wake_ns of virtual time (0: no limit)."""
    ctx.outside.n_trying = ctx.outside.n_trying + 1
    ctx.outside.try_streak = ctx.outside.try_streak + 1
    block_current(ctx, W_INPUT, 0, wake_ns)


@kernel
def block_for(ctx: Context, descriptor: i32, events: u64, wake_ns: u64) -> None:
    """The same, until a descriptor has one of these events at most."""
    store_u64(SCRATCH_POLL, poll_word(descriptor, events))
    note_polls(ctx, SCRATCH_POLL, 1)
    block_trying(ctx, wake_ns)


@kernel
def descriptor_ready(ctx: Context, descriptor: u64, events: u64) -> bool:
    """Whether a call on a descriptor would not block: ready, in error, or in non-blocking mode."""
    before = load_u32(ctx.c_library.errno_addr)
    store_u64(SCRATCH_POLL, poll_word(i32(u32(descriptor)), events))
    found = real_poll(SCRATCH_POLL, 1, 0) & INT
    if found == 0:
        flags = real_fcntl(descriptor, F_GETFL, 0)
        found = flags & O_NONBLOCK
    store_u32(ctx.c_library.errno_addr, before)
    return found != 0


@kernel
def resume_trying(ctx: Context) -> bool:
    """Whether the running thread asks once more; else its wait begins and no handler has run."""
    is_again = take_resuming(ctx) == W_INPUT
    if not is_again:
        thread_at(ctx.thread).handler.ran = 0
    return is_again


@kernel
def ended_by_handler(ctx: Context, kinds: u64) -> bool:
    """Whether a handler of these kinds has run since the wait began; errno is EINTR then."""
    if (thread_at(ctx.thread).handler.ran & kinds) == 0:
        return False
    set_errno(ctx, EINTR)
    return True


@kernel
def may_block_natively(ctx: Context) -> bool:
    """Whether no other thread and no alarm waits for the running thread to go on."""
    return ctx.schedule.n_live <= 1 and ctx.schedule.n_timed == 0


@kernel
def ending_handlers(ctx: Context) -> u64:
    """Which handlers end the wait in progress: all, when it is one with a socket's timeout."""
    deadline_ns = thread_at(ctx.thread).wait.retry_count
    if deadline_ns == 0 or deadline_ns == NOT_ASKED:
        return BY_ENDING
    return BY_ANY


@kernel
def keep_awaiting(ctx: Context, descriptor: i32, events: u64, may_end: bool) -> None:
    """A descriptor is not ready: wait on, or no more when the time that a socket gives is up."""
    option = u64(SO_RCVTIMEO)
    if events == READY_TO_WRITE:
        option = u64(SO_SNDTIMEO)
    deadline_ns = call_deadline_ns(ctx, descriptor, option)
    if deadline_ns == 0 or deadline_ns > ctx.schedule.clock_ns:
        if deadline_ns != 0 or not may_block_natively(ctx):
            block_for(ctx, descriptor, events, deadline_ns)
    elif may_end:
        set_errno(ctx, EAGAIN)
        ctx.outside.call_ends = 1


@kernel
def await_descriptor(ctx: Context, descriptor: i32, events: u64, may_end: bool) -> None:
    """Return when a call on a descriptor would not block, or ask to be called again.

    may_end: a handler can end it, and a socket's timeout, with ctx.outside.call_ends.
    """
    if cancel_due(ctx):
        return
    if may_end and transfer_is_interrupted(ctx, descriptor):
        ctx.outside.call_ends = 1
        return
    is_again = resume_trying(ctx)
    if not is_again:
        thread_at(ctx.thread).wait.retry_count = NOT_ASKED
    if descriptor < 0 or (not is_again and may_block_natively(ctx)):
        return
    if descriptor_ready(ctx, u64(descriptor), events):
        ctx.outside.try_streak = 0
    elif may_end and ended_by_handler(ctx, ending_handlers(ctx)):
        ctx.outside.call_ends = 1
    else:
        keep_awaiting(ctx, descriptor, events, may_end)


@kernel
def await_stream(ctx: Context, stream: u64) -> None:
    """The same for reading from a FILE: it has bytes in its buffer, or its descriptor has some."""
    if stream == 0 or is_arena(stream):
        take_resuming(ctx)
        return
    if load_u64(stream + 8) < load_u64(stream + STREAM_READ_END):
        take_resuming(ctx)
        return
    descriptor = i32(load_u32(stream + STREAM_DESCRIPTOR))
    await_descriptor(ctx, descriptor, READY_TO_READ, False)


@kernel
def begin_waiting(ctx: Context, duration_ns: u64) -> u64:
    """Deadline in virtual time of the wait in progress, or of the one that begins now; 0: none.

    Between two tries it is kept in retry_word.
    """
    thread = thread_at(ctx.thread)
    if resume_trying(ctx):
        return thread.wait.retry_word
    deadline_ns = u64(0)
    if duration_ns != FOREVER:
        deadline_ns = time_after_ns(ctx, duration_ns)
    thread.wait.retry_word = deadline_ns
    return deadline_ns


@kernel
def keep_waiting(ctx: Context, deadline_ns: u64, polls: u64, n_polls: u64) -> i32:
    """The answer was no: WAITS (the action is set), TIME_IS_UP, or ENDED and errno is EINTR.

    polls, n_polls: what is waited for, n structures pollfd; 0 of them: not known
    """
    if ended_by_handler(ctx, BY_ANY):
        return ENDED
    if deadline_ns != 0 and deadline_ns <= ctx.schedule.clock_ns:
        return TIME_IS_UP
    note_polls(ctx, polls, n_polls)
    block_trying(ctx, deadline_ns)
    return WAITS


@kernel
def await_input(ctx: Context, descriptor: i32) -> None:
    """Before read, recv, accept and similar."""
    await_descriptor(ctx, descriptor, READY_TO_READ, True)


@kernel
def await_stream_first(ctx: Context, stream: u64) -> None:
    """Before fgetc."""
    await_stream(ctx, stream)


@kernel
def await_standard_input(ctx: Context) -> None:
    """Before getchar."""
    await_stream(ctx, load_u64(ctx.c_library.stdin_addr))


@kernel
def await_stream_third(ctx: Context, _buffer: u64, _room: i32, stream: u64) -> None:
    """Before fgets."""
    await_stream(ctx, stream)


@kernel
def await_stream_fourth(ctx: Context, _buffer: u64, _size: u64, _count: u64, stream: u64) -> None:
    """Before fread."""
    await_stream(ctx, stream)
