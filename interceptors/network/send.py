"""send, sendto, sendmsg, sendmmsg: other guest threads run while a socket has no room.

    no room at all        wait, unless MSG_DONTWAIT or O_NONBLOCK says not to
    room for a part       the name and the control data go with the first part, the rest of a stream
                          as room is made for it; other threads know of each part as it goes
    SO_SNDTIMEO is over   what has gone so far, else EAGAIN

A thread that is alone calls the host's function and blocks in it.  What is read of the program's
memory is checked around the call: sendmsg_readv.py, read_write.py.

Sources: send(2), sendmmsg(2), socket(7).
Deviations: the time of SO_SNDTIMEO counts from the first wait of a call, also where Linux counts
it for each part; with MSG_OOB each part of one message has its urgent byte.
"""

from __future__ import annotations

from irsan.interceptors.network.message_parts import (
    DONTWAIT,
    NAME_BYTES_AT,
    OWN_HEADER,
    OWN_PIECE,
    REST_HEADER,
    has_error,
    is_native_call,
    make_message,
    make_rest,
    message_bytes,
    never_waits,
    part_or_failure,
    wait_for_part,
    would_wait,
)
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.combined.touches import KIND_READ
from irsan.runtime.kernels.injected import bytes_to_write, socket_is_interrupted
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_function, store_u32, store_u64
from irsan.runtime.kernels.race.descriptors import descriptor_publishes, descriptor_used
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.threads.awaited import READY_TO_WRITE
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.socket_options import NOT_ASKED, SO_SNDTIMEO, call_deadline_ns
from irsan.runtime.layout import libc_layout as libc

FAILED = -1
FAILED = -1
NOSIGNAL = libc.constant("MSG_NOSIGNAL")
MESSAGE_BYTES = libc.size("struct mmsghdr")
LENGTH_AT = libc.offset("struct mmsghdr.msg_len")
MOST_MESSAGES = libc.constant("UIO_MAXIOV")
# retry_word: bytes of the message in progress, and which one of sendmmsg's that is.
BYTES_DONE = (1 << 48) - 1
NUMBER_SHIFT = 48

real_sendmsg = real_function("sendmsg", 3)
real_sendmmsg = real_function("sendmmsg", 4)


@kernel
def try_to_send(ctx: Context, socket: i32, header: u64, flags: i32, n_done: u64) -> i64:
    """Send what there is room for.  Behind a part, an error or a reader that is gone is no more."""
    if n_done == 0:
        return i64(real_sendmsg(u64(socket), header, u64(flags | DONTWAIT)))
    if has_error(ctx, socket):
        return 0
    make_rest(header, n_done)
    asked = u64(flags | DONTWAIT | NOSIGNAL)
    return i64(real_sendmsg(u64(socket), REST_HEADER, asked))


@kernel(outlined=True)
def send_parts(ctx: Context, socket: i32, header: u64, flags: i32) -> i64:
    """Send a message, in parts if it must be; RETRY is left behind while it waits for room."""
    thread = thread_at(ctx.thread)
    errno = load_u32(ctx.c_library.errno_addr)
    while True:
        n_done = thread.wait.retry_word & BYTES_DONE
        moved = try_to_send(ctx, socket, header, flags, n_done)
        if moved < 0:
            if would_wait(ctx) and not never_waits(ctx, socket, i32(flags & DONTWAIT)):
                deadline_ns = call_deadline_ns(ctx, socket, SO_SNDTIMEO)
                return wait_for_part(ctx, socket, READY_TO_WRITE, deadline_ns, n_done, errno)
            return part_or_failure(ctx, n_done, errno)
        ctx.outside.try_streak = 0
        n_done += u64(moved)
        if moved == 0 or n_done >= message_bytes(header):
            return i64(n_done)
        if never_waits(ctx, socket, i32(flags & DONTWAIT)):
            return i64(n_done)
        thread.wait.retry_word = thread.wait.retry_word + u64(moved)
        descriptor_publishes(ctx, socket)


@kernel(outlined=True)
def send_message(ctx: Context, socket: i32, header: u64, flags: i32) -> i64:
    """sendmsg."""
    if cancel_due(ctx):
        return FAILED
    if flags & DONTWAIT == 0 and socket_is_interrupted(ctx, socket):
        return FAILED
    if is_native_call(ctx):
        return i64(real_sendmsg(u64(socket), header, u64(flags)))
    return send_parts(ctx, socket, header, flags)


@kernel
def send_bytes(ctx: Context, socket: i32, buffer: u64, n_bytes: u64, flags: i32) -> i64:
    """send."""
    n_bytes = bytes_to_write(ctx, socket, n_bytes)
    make_message(OWN_HEADER, OWN_PIECE, buffer, n_bytes)
    return send_message(ctx, socket, OWN_HEADER, flags)


@kernel
def send_to(
    ctx: Context,
    socket: i32,
    buffer: u64,
    n_bytes: u64,
    flags: i32,
    address: u64,
    address_bytes: i32,
) -> i64:
    """sendto."""
    n_bytes = bytes_to_write(ctx, socket, n_bytes)
    make_message(OWN_HEADER, OWN_PIECE, buffer, n_bytes)
    store_u64(OWN_HEADER, address)
    if address != 0:
        store_u32(u64(OWN_HEADER) + NAME_BYTES_AT, u32(address_bytes))
    return send_message(ctx, socket, OWN_HEADER, flags)


@kernel
def send_one_of_many(ctx: Context, socket: i32, message: u64, flags: i32) -> bool:
    """Send the message of sendmmsg that is in progress; whether the next one is to follow."""
    thread = thread_at(ctx.thread)
    moved = send_parts(ctx, socket, message, flags)
    if ctx.action != NONE or moved < 0:
        return False
    store_u32(message + LENGTH_AT, u32(moved))
    thread.wait.retry_word = ((thread.wait.retry_word >> NUMBER_SHIFT) + 1) << NUMBER_SHIFT
    thread.wait.retry_count = NOT_ASKED
    descriptor_publishes(ctx, socket)
    return u64(moved) == message_bytes(message)


@kernel
def send_messages(ctx: Context, socket: i32, messages: u64, n_messages: i32, flags: i32) -> i32:
    """sendmmsg."""
    if cancel_due(ctx):
        return FAILED
    wanted = min(u64(u32(n_messages)), u64(MOST_MESSAGES))
    if is_native_call(ctx) or wanted == 0:
        sent = real_sendmmsg(u64(socket), messages, wanted, u64(flags))
        return i32(u32(sent))
    thread = thread_at(ctx.thread)
    errno = load_u32(ctx.c_library.errno_addr)
    n_sent = thread.wait.retry_word >> NUMBER_SHIFT
    while n_sent < wanted:
        goes_on = send_one_of_many(ctx, socket, messages + n_sent * MESSAGE_BYTES, flags)
        n_sent = thread.wait.retry_word >> NUMBER_SHIFT
        if not goes_on:
            break
    if ctx.action != NONE or n_sent == 0:
        return FAILED
    store_u32(ctx.c_library.errno_addr, errno)
    descriptor_used(ctx, socket)
    return i32(n_sent)


EXPORTS = (
    Export("i64 send(i32,ptr,u64,i32)", kernel="taken_by_send", real_first=True,
           instead="send_bytes"),
    Export("i64 sendto(i32,ptr,u64,i32,ptr,i32)", kernel="taken_by_send", real_first=True,
           before="ask_sendto", instead="send_to"),
    Export("i64 sendmsg(i32,ptr,i32)", kernel="taken_by_sendmsg", real_first=True,
           before="ask_sendmsg", instead="send_message"),
    Export("i32 sendmmsg(i32,ptr,i32,i32)", kernel="messages_moved", real_first=True,
           before="ask_mmsg", instead="send_messages", takes=(1,), constants=(int(KIND_READ),)),
)  # fmt: skip
