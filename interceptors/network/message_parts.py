"""Messages that go through in parts: what send, recv, write and their kin share.

A call that may not block natively is made without waiting, again and again.  A stream may take or
give a part of what was asked for; how far the call is, is kept between two tries:

    retry_word    bytes moved so far      retry_count   when it gives up (socket_options.py)

All of them are sendmsg and recvmsg here, of messages made in scratch memory when the program has
none: OWN_HEADER is what the call means, REST_HEADER what is left of the piece it stopped in.

Sources: sendmsg(2), recvmsg(2), readv(2), socket(7), signal(7).
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.socket_options import NOT_ASKED
from irsan.runtime.kernels.threads.waiting import (
    BY_ANY,
    BY_ENDING,
    F_GETFL,
    O_NONBLOCK,
    U32_EAGAIN,
    block_trying,
    ended_by_handler,
    may_block_natively,
    resume_trying,
)
from irsan.runtime.layout import libc_layout as libc

I32_0 = np.int32(0)
I64_FAILED = np.int64(-1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_32 = np.uint64(32)
U64_48 = np.uint64(48)
U64_INT = np.uint64(0xFFFF_FFFF)
HEADER_BYTES = np.uint64(libc.size("struct msghdr"))
NAME_BYTES_AT = np.uint64(libc.offset("struct msghdr.msg_namelen"))
PIECES_AT = np.uint64(libc.offset("struct msghdr.msg_iov"))
N_PIECES_AT = np.uint64(libc.offset("struct msghdr.msg_iovlen"))
PIECE_BYTES = np.uint64(libc.size("struct iovec"))
LENGTH_AT = np.uint64(libc.offset("struct iovec.iov_len"))
DONTWAIT = np.int32(libc.constant("MSG_DONTWAIT"))
POLLERR = np.uint64(libc.constant("POLLERR"))
# No call moves more (MAX_RW_COUNT of the kernel).
MOST_BYTES = np.uint64(0x7FFF_F000)
OWN_HEADER = FD_SETS
OWN_PIECE = np.uint64(OWN_HEADER + HEADER_BYTES)
REST_HEADER = np.uint64(OWN_PIECE + PIECE_BYTES)
REST_PIECE = np.uint64(REST_HEADER + HEADER_BYTES)


@kernel("b1(ctx)")
def is_native_call(ctx: Any) -> Any:
    """Whether a call is the host's, as nobody waits for this thread; else one begins or goes on."""
    if resume_trying(ctx):
        return False
    thread = thread_at(ctx.thread)
    thread.retry_word = U64_0
    thread.retry_count = NOT_ASKED
    return may_block_natively(ctx)


@kernel("void(u64,u64,u64,u64)", outlined=True)
def make_message(header: Any, piece: Any, base: Any, n_bytes: Any) -> None:
    """A message of one piece, without a name and control data."""
    real_memset(header, U64_0, HEADER_BYTES)
    store_u64(header + PIECES_AT, piece)
    store_u64(header + N_PIECES_AT, U64_1)
    store_u64(piece, base)
    store_u64(piece + LENGTH_AT, n_bytes)


@kernel("u64(u64)", outlined=True)
def message_bytes(header: Any) -> Any:
    """How much a call with this message moves at most."""
    place, n_pieces = load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT)
    n_bytes = U64_0
    i = U64_0
    while i < n_pieces and n_bytes < MOST_BYTES:
        n_bytes += load_u64(place + i * PIECE_BYTES + LENGTH_AT)
        i += U64_1
    return min(n_bytes, MOST_BYTES)


@kernel("void(u64,u64)", outlined=True)
def make_rest(header: Any, n_done: Any) -> None:
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
        make_message(REST_HEADER, REST_PIECE, U64_0, U64_0)


@kernel("b1(ctx,i32,i32)")
def never_waits(ctx: Any, descriptor: Any, flags: Any) -> Any:
    """Whether the program itself asked not to wait: one of these flags, or O_NONBLOCK."""
    if flags != I32_0:
        return True
    return (real_fcntl(np.uint64(descriptor), F_GETFL, U64_0) & O_NONBLOCK) != U64_0


@kernel("u64(ctx,i32,u64)")
def socket_events(ctx: Any, socket: Any, events: Any) -> Any:
    """Which of these events a socket has, and POLLERR with them; errno stays."""
    errno = load_u32(ctx.errno_addr)
    store_u64(SCRATCH_POLL, (np.uint64(socket) & U64_INT) | events << U64_32)
    real_poll(SCRATCH_POLL, U64_1, U64_0)
    store_u32(ctx.errno_addr, errno)
    return load_u64(SCRATCH_POLL) >> U64_48


@kernel("b1(ctx,i32)")
def has_error(ctx: Any, socket: Any) -> Any:
    """Whether a socket has an error to tell: behind a part, the next call tells it."""
    return (socket_events(ctx, socket, U64_0) & POLLERR) != U64_0


@kernel("b1(ctx)")
def would_wait(ctx: Any) -> Any:
    """Whether a call that did not wait has failed for that."""
    return load_u32(ctx.errno_addr) == U32_EAGAIN


@kernel("i64(ctx,u64,u32)")
def part_or_failure(ctx: Any, n_done: Any, errno: Any) -> Any:
    """What a call that cannot go on gives: a part, and errno as it was, or -1."""
    if n_done == U64_0:
        return I64_FAILED
    store_u32(ctx.errno_addr, errno)
    return np.int64(n_done)


@kernel("i64(ctx,u64,u64,u32)", outlined=True)
def wait_for_part(ctx: Any, deadline_ns: Any, n_done: Any, errno: Any) -> Any:
    """Nothing can be moved now: wait, or the result if a handler or the time has ended the call.

    errno: as it was before the call
    """
    kinds = BY_ENDING
    if n_done != U64_0 or deadline_ns != U64_0:
        kinds = BY_ANY
    if ended_by_handler(ctx, kinds):
        return part_or_failure(ctx, n_done, errno)
    if deadline_ns != U64_0 and deadline_ns <= ctx.clock_ns:
        set_errno(ctx, U32_EAGAIN)
        return part_or_failure(ctx, n_done, errno)
    store_u32(ctx.errno_addr, errno)
    block_trying(ctx, deadline_ns)
    return I64_FAILED
