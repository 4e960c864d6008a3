"""Messages that go through in parts: what send, recv, write and similar share.

A call that may not block natively is made without waiting, again and again.  A stream may take or
give a part of what was asked for; how far the call is, is kept between two tries:

    retry_word    bytes moved so far      retry_count   when it gives up (socket_options.py)

All of them are sendmsg and recvmsg here, of messages made in scratch memory when the program has
none: OWN_HEADER is what the call means, REST_HEADER the rest of the piece it stopped in.

Sources: sendmsg(2), recvmsg(2), readv(2), socket(7), signal(7).
"""

from __future__ import annotations

from irsan.runtime.kernels.errno import set_errno
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_fcntl,
    real_memset,
    real_poll,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import FD_SETS, SCRATCH_POLL
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.threads.awaited import poll_word
from irsan.runtime.kernels.threads.socket_options import NOT_ASKED
from irsan.runtime.kernels.threads.waiting import (
    BY_ANY,
    BY_ENDING,
    EAGAIN,
    F_GETFL,
    O_NONBLOCK,
    block_for,
    ended_by_handler,
    may_block_natively,
    resume_trying,
)
from irsan.runtime.layout import libc_layout as libc

FAILED = -1
HEADER_BYTES = libc.size("struct msghdr")
NAME_BYTES_AT = libc.offset("struct msghdr.msg_namelen")
PIECES_AT = libc.offset("struct msghdr.msg_iov")
N_PIECES_AT = libc.offset("struct msghdr.msg_iovlen")
PIECE_BYTES = libc.size("struct iovec")
LENGTH_AT = libc.offset("struct iovec.iov_len")
DONTWAIT = libc.constant("MSG_DONTWAIT")
POLLERR = libc.constant("POLLERR")
# No call moves more (MAX_RW_COUNT of the kernel).
MOST_BYTES = 0x7FFF_F000
OWN_HEADER = FD_SETS
OWN_PIECE = OWN_HEADER + HEADER_BYTES
REST_HEADER = OWN_PIECE + PIECE_BYTES
REST_PIECE = REST_HEADER + HEADER_BYTES


@kernel
def is_native_call(ctx: Context) -> bool:
    """Whether a call is the host's, as no thread waits for this one; else one begins or goes on."""
    if resume_trying(ctx):
        return False
    thread = thread_at(ctx.thread)
    thread.wait.retry_word = 0
    thread.wait.retry_count = NOT_ASKED
    return may_block_natively(ctx)


@kernel(outlined=True)
def make_message(header: u64, piece: u64, base: u64, n_bytes: u64) -> None:
    """A message of one piece, without a name and control data."""
    real_memset(header, 0, HEADER_BYTES)
    store_u64(header + PIECES_AT, piece)
    store_u64(header + N_PIECES_AT, 1)
    store_u64(piece, base)
    store_u64(piece + LENGTH_AT, n_bytes)


@kernel(outlined=True)
def message_bytes(header: u64) -> u64:
    """How much a call with this message moves at most."""
    place, n_pieces = load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT)
    n_bytes = u64(0)
    i = u64(0)
    while i < n_pieces and n_bytes < MOST_BYTES:
        n_bytes += load_u64(place + i * PIECE_BYTES + LENGTH_AT)
        i += 1
    return min(n_bytes, u64(MOST_BYTES))


@kernel(outlined=True)
def make_rest(header: u64, n_done: u64) -> None:
    """REST_HEADER becomes what follows the first n_done bytes in the piece that they end in."""
    place, left = load_u64(header + PIECES_AT), n_done
    end = place + load_u64(header + N_PIECES_AT) * PIECE_BYTES
    while place < end and left >= load_u64(place + LENGTH_AT):
        left -= load_u64(place + LENGTH_AT)
        place += PIECE_BYTES
    if place < end:
        n_bytes = load_u64(place + LENGTH_AT) - left
        make_message(REST_HEADER, REST_PIECE, load_u64(place) + left, n_bytes)
    else:
        make_message(REST_HEADER, REST_PIECE, 0, 0)


@kernel
def never_waits(ctx: Context, descriptor: i32, flags: i32) -> bool:
    """Whether the program itself asked not to wait: one of these flags, or O_NONBLOCK."""
    if flags != 0:
        return True
    return (real_fcntl(u64(descriptor), F_GETFL, 0) & O_NONBLOCK) != 0


@kernel
def socket_events(ctx: Context, socket: i32, events: u64) -> u64:
    """Which of these events a socket has, and POLLERR with them; errno stays."""
    errno = load_u32(ctx.c_library.errno_addr)
    store_u64(SCRATCH_POLL, poll_word(socket, events))
    real_poll(SCRATCH_POLL, 1, 0)
    store_u32(ctx.c_library.errno_addr, errno)
    return load_u64(SCRATCH_POLL) >> 48


@kernel
def has_error(ctx: Context, socket: i32) -> bool:
    """Whether a socket has a pending error: behind a part, the next call returns it."""
    return (socket_events(ctx, socket, 0) & POLLERR) != 0


@kernel
def would_wait(ctx: Context) -> bool:
    """Whether a call that did not wait has failed for that."""
    return load_u32(ctx.c_library.errno_addr) == EAGAIN


@kernel
def part_or_failure(ctx: Context, n_done: u64, errno: u32) -> i64:
    """What a call that cannot go on gives: a part, and errno as it was, or -1."""
    if n_done == 0:
        return FAILED
    store_u32(ctx.c_library.errno_addr, errno)
    return i64(n_done)


@kernel(outlined=True)
def wait_for_part(
    ctx: Context, descriptor: i32, events: u64, deadline_ns: u64, n_done: u64, errno: u32
) -> i64:
    """Nothing can be moved now: wait, or the result if a handler or the time has ended the call.

    events  of the descriptor without which nothing can be moved
    errno   as it was before the call
    """
    kinds = u64(BY_ENDING)
    if n_done != 0 or deadline_ns != 0:
        kinds = u64(BY_ANY)
    if ended_by_handler(ctx, kinds):
        return part_or_failure(ctx, n_done, errno)
    if deadline_ns != 0 and deadline_ns <= ctx.schedule.clock_ns:
        set_errno(ctx, EAGAIN)
        return part_or_failure(ctx, n_done, errno)
    store_u32(ctx.c_library.errno_addr, errno)
    block_for(ctx, descriptor, events, deadline_ns)
    return FAILED
