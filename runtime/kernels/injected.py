"""Failures that are injected: which call fails, drawn from the seed, and what is noted of it.

A kind of failure has a generator of its own (splitmix64, random.py) and a rate,
both set by engine/guest/injected_failures.py.  So a kind that is switched on moves neither
schedules nor failures of another kind.

    malloc     the allocation gives 0 and ENOMEM; or, counted, exactly the n-th one does
    io         a transfer of n bytes is one of 1 to n - 1
    eintr      a call that could wait fails; at one place of one thread never twice in a row
    wakeups    a wait on a condition or a futex ends, as one that was woken
    cas        a weak compare-exchange fails although the value is as expected
    signals    a signal to another thread comes later: threads/signals.py

The newest failure is kept for the report: stack, thread, and how many calls that could have failed
there have been since.

Source of the generator: Steele, Lea, Flood, OOPSLA 2014.
"""

from __future__ import annotations

from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.errno import set_errno
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_function, real_syscall, store_u32
from irsan.runtime.kernels.out_parameters import FD_SETS
from irsan.runtime.kernels.random import mixed_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.layout import inject_words as words
from irsan.runtime.layout import libc_layout as libc

GOLDEN = 0x9E37_79B9_7F4A_7C15
MALLOC, IO, EINTR = words.MALLOC, words.IO, words.EINTR
WAKEUPS, CAS = words.WAKEUPS, words.CAS
ENOMEM = libc.constant("ENOMEM")
INTERRUPTED = libc.constant("EINTR")
PLACE_SHIFT = 64 - 6  # INTERRUPTED_PLACES
LARGEST = (1 << 31) - 1
PIPE_PIECE = libc.constant("PIPE_BUF")
SYS_FSTAT = libc.constant("SYS_stat") + 1
MODE_AT = libc.offset("struct stat.st_mode")
FILE_TYPE, REGULAR, PIPE, SOCKET = 0o170000, 0o100000, 0o010000, 0o140000
SOL_SOCKET = libc.constant("SOL_SOCKET")
SO_TYPE = libc.constant("SO_TYPE")
STREAM = libc.constant("SOCK_STREAM")
F_GETFL = 3
O_NONBLOCK = 0o4000
STATUS = FD_SETS  # struct stat; then an option of a socket and its size
OPTION = FD_SETS + 256
OPTION_SIZE = OPTION + 16

real_getsockopt = real_function("getsockopt", 5)
real_fcntl = real_function("fcntl", 3)


@kernel
def draw_injected(ctx: Context, kind: u64) -> u64:
    """Next 64 random bits of a kind; mutates ctx.inject.rng."""
    state = ctx.inject.rng[kind] + u64(GOLDEN)
    ctx.inject.rng[kind] = state
    return mixed_u64(state)


@kernel
def injected_below(ctx: Context, kind: u64, bound: u64) -> u64:
    """A number in [0, bound) for a kind; bound below 2**32, 0 for bound 0."""
    return ((draw_injected(ctx, kind) >> 32) * bound) >> 32


@kernel(inlined=True)
def injects(ctx: Context, kind: u64) -> bool:
    """Whether failures of a kind are injected."""
    return (ctx.inject.kinds >> kind) & 1 != 0


@kernel
def is_next_failing(ctx: Context, kind: u64) -> bool:
    """Whether this call of a kind fails; it counts as one that could."""
    ctx.inject.n_calls += 1
    return injected_below(ctx, kind, ctx.inject.one_in[kind]) == 0


@kernel(outlined=True)
def note_injected(ctx: Context, kind: u64, asked: u64, given: u64) -> None:
    """The call in progress fails; what was asked for and given, in the kind's own measure.

    malloc: bytes, and the allocation's number;  io: bytes;  signals: the signal's bit, and
    questions to the scheduler
    """
    ctx.inject.newest = kind + 1
    ctx.inject.n_injected += 1
    ctx.inject.at_call = ctx.inject.n_calls
    ctx.inject.routine = u64(ctx.routine)
    ctx.inject.stack = u64(current_stack_id(ctx))
    ctx.inject.tid = thread_at(ctx.thread).tid
    ctx.inject.asked = asked
    ctx.inject.given = given


@kernel(outlined=True)
def allocation_fails(ctx: Context, size_bytes: u64) -> bool:
    """Whether an allocation fails; errno is ENOMEM then."""
    if not injects(ctx, MALLOC):
        return False
    ctx.inject.n_allocations += 1
    fails = is_next_failing(ctx, MALLOC)
    if ctx.inject.failing_allocation != 0:
        fails = ctx.inject.n_allocations == ctx.inject.failing_allocation
    if fails:
        note_injected(ctx, MALLOC, size_bytes, ctx.inject.n_allocations)
        set_errno(ctx, ENOMEM)
    return fails


@kernel
def file_type(ctx: Context, descriptor: i32) -> u64:
    """S_IFREG, ... of an open file, 0 of others; errno stays."""
    errno = load_u32(ctx.c_library.errno_addr)
    status = real_syscall(SYS_FSTAT, u64(descriptor), STATUS, 0, 0, 0)
    store_u32(ctx.c_library.errno_addr, errno)
    if status != 0:
        return 0
    return u64(load_u32(STATUS + MODE_AT)) & FILE_TYPE


@kernel
def is_stream_socket(ctx: Context, descriptor: i32) -> bool:
    """Whether a socket has no bounds of messages; errno stays."""
    errno = load_u32(ctx.c_library.errno_addr)
    store_u32(OPTION, 0)
    store_u32(OPTION_SIZE, 4)
    real_getsockopt(u64(descriptor), SOL_SOCKET, SO_TYPE, OPTION, OPTION_SIZE)
    store_u32(ctx.c_library.errno_addr, errno)
    return u64(load_u32(OPTION)) == STREAM


@kernel
def may_be_short(ctx: Context, descriptor: i32, n_bytes: u64, writes: bool) -> bool:
    """Whether a transfer may be less than asked for.

    A message is moved whole, what fits into a pipe at once is written at once.
    """
    kind = file_type(ctx, descriptor)
    if kind == PIPE:
        return not writes or n_bytes > PIPE_PIECE
    return kind == REGULAR or (kind == SOCKET and is_stream_socket(ctx, descriptor))


@kernel(outlined=True)
def draw_short_count(ctx: Context, descriptor: i32, n_bytes: u64, writes: bool) -> u64:
    """How many bytes the transfer that begins moves at most: n_bytes, or fewer, never none."""
    if n_bytes < 2 or not may_be_short(ctx, descriptor, n_bytes, writes):
        return n_bytes
    if not is_next_failing(ctx, IO):
        return n_bytes
    given = 1 + injected_below(ctx, IO, min(n_bytes, u64(LARGEST)) - 1)
    note_injected(ctx, IO, n_bytes, given)
    return given


@kernel
def short_count(ctx: Context, descriptor: i32, n_bytes: u64, writes: bool) -> u64:
    """The same for a call that may be made again after a wait: it is decided once."""
    if not injects(ctx, IO):
        return n_bytes
    thread = thread_at(ctx.thread)
    if thread.wait.resuming == 0:
        thread.wait.short_count = draw_short_count(ctx, descriptor, n_bytes, writes)
    return min(n_bytes, thread.wait.short_count)


@kernel
def bytes_to_read(ctx: Context, descriptor: i32, n_bytes: u64) -> u64:
    """How many bytes a read asks for.  The glue calls it before read and pread."""
    return short_count(ctx, descriptor, n_bytes, False)


@kernel
def bytes_to_write(ctx: Context, descriptor: i32, n_bytes: u64) -> u64:
    """How many bytes a write writes at most."""
    return short_count(ctx, descriptor, n_bytes, True)


@kernel(outlined=True)
def draw_interruption(ctx: Context) -> bool:
    """Whether the call at the running thread's place is interrupted, as the last one was not.

    A slot holds the place whose last call was interrupted; others of that slot go on.
    """
    here = u64(ctx.site) << 16 | (thread_at(ctx.thread).tid & 0xFFFF)
    slot = (here * GOLDEN) >> PLACE_SHIFT
    fails = is_next_failing(ctx, EINTR)
    if ctx.inject.interrupted[slot] != 0:
        if ctx.inject.interrupted[slot] == here:
            ctx.inject.interrupted[slot] = 0
        return False
    if not fails:
        return False
    ctx.inject.interrupted[slot] = here
    note_injected(ctx, EINTR, 0, 0)
    return True


@kernel(inlined=True)
def interrupts(ctx: Context) -> bool:
    """Whether the call that begins to wait ends with EINTR; its caller sets errno."""
    return injects(ctx, EINTR) and draw_interruption(ctx)


@kernel(inlined=True)
def is_interrupted(ctx: Context) -> bool:
    """The same; errno is set."""
    if not interrupts(ctx):
        return False
    set_errno(ctx, INTERRUPTED)
    return True


@kernel(outlined=True)
def may_wait(ctx: Context, descriptor: i32) -> bool:
    """Whether a call on a descriptor could wait: it is no file on a disk, and may block."""
    if file_type(ctx, descriptor) == REGULAR:
        return False
    errno = load_u32(ctx.c_library.errno_addr)
    flags = real_fcntl(u64(descriptor), F_GETFL, 0)
    store_u32(ctx.c_library.errno_addr, errno)
    return flags & O_NONBLOCK == 0


@kernel
def transfer_is_interrupted(ctx: Context, descriptor: i32) -> bool:
    """Whether a call on a descriptor, which begins, ends with EINTR; errno is set."""
    if not injects(ctx, EINTR) or thread_at(ctx.thread).wait.resuming != 0:
        return False
    return may_wait(ctx, descriptor) and is_interrupted(ctx)


@kernel
def socket_is_interrupted(ctx: Context, socket: i32) -> bool:
    """The same for a call whose message lies in the scratch memory already: a socket."""
    if not injects(ctx, EINTR) or thread_at(ctx.thread).wait.resuming != 0:
        return False
    errno = load_u32(ctx.c_library.errno_addr)
    flags = real_fcntl(u64(socket), F_GETFL, 0)
    store_u32(ctx.c_library.errno_addr, errno)
    return flags & O_NONBLOCK == 0 and is_interrupted(ctx)


@kernel
def wakes_spuriously(ctx: Context) -> bool:
    """Whether the wait that begins ends without a signal."""
    if not injects(ctx, WAKEUPS) or not is_next_failing(ctx, WAKEUPS):
        return False
    note_injected(ctx, WAKEUPS, 0, 0)
    return True


@kernel
def weak_fails(ctx: Context) -> bool:
    """Whether a weak compare-exchange whose value is as expected fails."""
    if not injects(ctx, CAS) or not is_next_failing(ctx, CAS):
        return False
    note_injected(ctx, CAS, 0, 0)
    return True
