"""recv, recvfrom, recvmsg, recvmmsg: other guest threads run while a socket has nothing to read.

    nothing there         wait, unless MSG_DONTWAIT or O_NONBLOCK says not to
    a part of a stream    is enough, but for MSG_WAITALL, or if it is less than SO_RCVLOWAT
    SO_RCVTIMEO is over   what has come so far, else EAGAIN

MSG_WAITALL ends early at the stream's end, an error, a handler, and descriptors in the control
data.  A thread that is alone calls the host's function and blocks in it.  What is written to the
program's memory is checked behind the call: sendmsg_readv.py, read_write.py.

Sources: recv(2), recvmmsg(2), socket(7), tcp(7), unix(7).
Deviation: recvmmsg leaves its timeout as it was, and ends when that is over once it has a message;
Linux looks at the time when the next one comes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
    socket_events,
    wait_for_part,
    would_wait,
)
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.combined.touches import KIND_WRITE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_function, store_u32, store_u64
from irsan.runtime.kernels.out_parameters import SCRATCH_ROOM
from irsan.runtime.kernels.race.descriptors import descriptor_read
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.real_time import time_after_ns
from irsan.runtime.kernels.threads.scheduler import TRY_STREAK
from irsan.runtime.kernels.threads.socket_options import (
    NOT_ASKED,
    SO_RCVTIMEO,
    SO_TYPE,
    SOL_SOCKET,
    call_deadline_ns,
    socket_number,
)
from irsan.runtime.kernels.threads.virtual_clock import load_timespec_ns
from irsan.runtime.layout import libc_layout as libc

I32_0 = np.int32(0)
I32_FAILED = np.int32(-1)
I64_0 = np.int64(0)
I64_FAILED = np.int64(-1)
U64_0 = np.uint64(0)
U64_7 = np.uint64(7)
CONTROL_AT = np.uint64(libc.offset("struct msghdr.msg_control"))
CONTROL_BYTES_AT = np.uint64(libc.offset("struct msghdr.msg_controllen"))
FLAGS_AT = np.uint64(libc.offset("struct msghdr.msg_flags"))
CONTROL_HEAD = np.uint64(libc.size("struct cmsghdr"))
LEVEL_AT = np.uint64(libc.offset("struct cmsghdr.cmsg_level"))
TYPE_AT = np.uint64(libc.offset("struct cmsghdr.cmsg_type"))
RIGHTS = np.uint32(libc.constant("SCM_RIGHTS"))
PEEK = np.int32(libc.constant("MSG_PEEK"))
WAITALL = np.int32(libc.constant("MSG_WAITALL"))
WAITFORONE = np.int32(libc.constant("MSG_WAITFORONE"))
# Urgent bytes and errors are there, or they are not: nobody waits for them.
NO_WAIT = np.int32(
    libc.constant("MSG_DONTWAIT") | libc.constant("MSG_OOB") | libc.constant("MSG_ERRQUEUE")
)
STREAM = np.uint64(libc.constant("SOCK_STREAM"))
UNIX = np.uint64(libc.constant("AF_UNIX"))
SO_DOMAIN = np.uint64(libc.constant("SO_DOMAIN"))
SO_RCVLOWAT = np.uint64(libc.constant("SO_RCVLOWAT"))
POLLRDHUP = np.uint64(libc.constant("POLLRDHUP"))
MESSAGE_BYTES = np.uint64(libc.size("struct mmsghdr"))
MOST_MESSAGES = np.uint64(libc.constant("UIO_MAXIOV"))

real_recvmsg = real_function("recvmsg", 3)
real_recvmmsg = real_function("recvmmsg", 5)
real_recv_chk = real_function("__recv_chk", 5)
real_recvfrom_chk = real_function("__recvfrom_chk", 7)


@kernel("i64(ctx,i32,u64,i32,u64)")
def try_to_receive(ctx: Any, socket: Any, header: Any, flags: Any, n_done: Any) -> Any:
    """Receive what is there: the whole message, or what follows n_done bytes of it."""
    asked = np.uint64(flags | DONTWAIT)
    if n_done == U64_0:
        return np.int64(real_recvmsg(np.uint64(socket), header, asked))
    if has_error(ctx, socket):
        store_u64(header + CONTROL_BYTES_AT, U64_0)
        return I64_0
    make_rest(header, n_done)
    store_u64(REST_HEADER + CONTROL_AT, load_u64(header + CONTROL_AT))
    store_u64(REST_HEADER + CONTROL_BYTES_AT, load_u64(header + CONTROL_BYTES_AT))
    moved = np.int64(real_recvmsg(np.uint64(socket), REST_HEADER, asked))
    if moved >= I64_0:
        store_u64(header + CONTROL_BYTES_AT, load_u64(REST_HEADER + CONTROL_BYTES_AT))
        store_u32(header + FLAGS_AT, load_u32(REST_HEADER + FLAGS_AT))
    return moved


@kernel("b1(u64)")
def has_descriptors(header: Any) -> Any:
    """Whether the control data of a message that came bring descriptors."""
    place = load_u64(header + CONTROL_AT)
    end = place + load_u64(header + CONTROL_BYTES_AT)
    while place + CONTROL_HEAD <= end:
        level = np.uint64(load_u32(place + LEVEL_AT))
        if level == SOL_SOCKET and load_u32(place + TYPE_AT) == RIGHTS:
            return True
        n_bytes = (load_u64(place) + U64_7) & ~U64_7
        place += max(n_bytes, CONTROL_HEAD)
    return False


@kernel("b1(ctx,i32,u64,i32,u64)", outlined=True)
def is_enough(ctx: Any, socket: Any, header: Any, flags: Any, n_done: Any) -> Any:
    """Whether a call that may wait is content with what has come; only streams can want more."""
    wanted = message_bytes(header)
    if flags & WAITALL == I32_0:
        wanted = min(wanted, socket_number(ctx, socket, SO_RCVLOWAT))
    if n_done >= wanted or socket_number(ctx, socket, SO_TYPE) != STREAM:
        return True
    if flags & PEEK != I32_0:
        is_local = socket_number(ctx, socket, SO_DOMAIN) == UNIX
        if is_local or socket_events(ctx, socket, POLLRDHUP) != U64_0:
            return True
    return never_waits(ctx, socket, flags & NO_WAIT) or has_descriptors(header)


@kernel("i64(ctx,i32,u64,u64,u32)")
def wait_for_more(ctx: Any, socket: Any, header: Any, n_done: Any, errno: Any) -> Any:
    """Wait; if the call ends with a part instead, the control data of that are none."""
    deadline_ns = call_deadline_ns(ctx, socket, SO_RCVTIMEO)
    moved = wait_for_part(ctx, deadline_ns, n_done, errno)
    if moved >= I64_0:
        store_u64(header + CONTROL_BYTES_AT, U64_0)
    return moved


@kernel("i64(ctx,i32,u64,i32)", outlined=True)
def receive_parts(ctx: Any, socket: Any, header: Any, flags: Any) -> Any:
    """Receive a message; RETRY is left behind while it waits, with all room for control data."""
    thread = thread_at(ctx.thread)
    errno = load_u32(ctx.errno_addr)
    room = load_u64(header + CONTROL_BYTES_AT)
    while True:
        n_done = thread.retry_word
        n_before = n_done
        if flags & PEEK != I32_0:
            n_before = U64_0
        moved = try_to_receive(ctx, socket, header, flags, n_before)
        if moved < I64_0:
            if would_wait(ctx) and not never_waits(ctx, socket, flags & NO_WAIT):
                return wait_for_more(ctx, socket, header, n_done, errno)
            if n_done != U64_0:
                store_u64(header + CONTROL_BYTES_AT, U64_0)
            return part_or_failure(ctx, n_done, errno)
        ctx.outside[TRY_STREAK] = U64_0
        n_done = n_before + np.uint64(moved)
        if moved == I64_0 or is_enough(ctx, socket, header, flags, n_done):
            return np.int64(n_done)
        thread.retry_word = n_done
        store_u64(header + CONTROL_BYTES_AT, room)
        if flags & PEEK != I32_0:
            return wait_for_more(ctx, socket, header, n_done, errno)


@kernel("i64(ctx,i32,u64,i32)", outlined=True)
def receive_any(ctx: Any, socket: Any, header: Any, flags: Any) -> Any:
    """recvmsg of the program's message, or of one made for it."""
    if cancel_due(ctx):
        return I64_FAILED
    if is_native_call(ctx):
        return np.int64(real_recvmsg(np.uint64(socket), header, np.uint64(flags)))
    return receive_parts(ctx, socket, header, flags)


@kernel("i64(ctx,i32,u64,i32)")
def receive_message(ctx: Any, socket: Any, header: Any, flags: Any) -> Any:
    """recvmsg; a name that does not fit is cut off, and its whole size given."""
    store_u64(SCRATCH_ROOM, np.uint64(load_u32(header + NAME_BYTES_AT)))
    return receive_any(ctx, socket, header, flags)


@kernel("i64(ctx,i32,u64,u64,i32)")
def receive_bytes(ctx: Any, socket: Any, buffer: Any, n_bytes: Any, flags: Any) -> Any:
    """recv."""
    make_message(OWN_HEADER, OWN_PIECE, buffer, n_bytes)
    return receive_any(ctx, socket, OWN_HEADER, flags)


@kernel("i64(ctx,i32,u64,u64,i32,u64,u64)")
def receive_from(
    ctx: Any, socket: Any, buffer: Any, n_bytes: Any, flags: Any, address: Any, size_place: Any
) -> Any:
    """recvfrom: the name comes with the first part."""
    make_message(OWN_HEADER, OWN_PIECE, buffer, n_bytes)
    is_named = address != U64_0 and size_place != U64_0
    if is_named:
        store_u64(OWN_HEADER, address)
        store_u32(OWN_HEADER + NAME_BYTES_AT, load_u32(size_place))
        store_u64(SCRATCH_ROOM, np.uint64(load_u32(size_place)))
    moved = receive_any(ctx, socket, OWN_HEADER, flags)
    has_part = ctx.action != NONE and thread_at(ctx.thread).retry_word != U64_0
    if is_named and (moved >= I64_0 or has_part):
        store_u32(size_place, load_u32(OWN_HEADER + NAME_BYTES_AT))
    return moved


@kernel("i64(ctx,i32,u64,u64,u64,i32)")
def receive_bytes_checked(
    ctx: Any, socket: Any, buffer: Any, n_bytes: Any, declared: Any, flags: Any
) -> Any:
    """__recv_chk: more than the buffer holds ends the program, in the host's function."""
    if n_bytes > declared:
        asked = np.uint64(flags)
        return np.int64(real_recv_chk(np.uint64(socket), buffer, n_bytes, declared, asked))
    return receive_bytes(ctx, socket, buffer, n_bytes, flags)


@kernel("i64(ctx,i32,u64,u64,u64,i32,u64,u64)")
def receive_from_checked(
    ctx: Any, socket: Any, buffer: Any, n_bytes: Any, declared: Any, flags: Any, address: Any,
    size_place: Any,
) -> Any:  # fmt: skip
    """__recvfrom_chk."""
    if n_bytes > declared:
        file, asked = np.uint64(socket), np.uint64(flags)
        moved = real_recvfrom_chk(file, buffer, n_bytes, declared, asked, address, size_place)
        return np.int64(moved)
    return receive_from(ctx, socket, buffer, n_bytes, flags, address, size_place)


@kernel("i32(ctx,i32,u64,u64,u32)")
def wait_for_message(ctx: Any, socket: Any, timeout: Any, n_done: Any, errno: Any) -> Any:
    """Wait for the next message of recvmmsg; its timeout ends it only behind the first one."""
    deadline_ns = U64_0
    if timeout == U64_0:
        deadline_ns = call_deadline_ns(ctx, socket, SO_RCVTIMEO)
    elif n_done != U64_0:
        deadline_ns = thread_at(ctx.thread).retry_count
    return np.int32(wait_for_part(ctx, deadline_ns, n_done, errno))


@kernel("i32(ctx,i32,u64,u64,i32,u64)", outlined=True)
def receive_many(
    ctx: Any, socket: Any, messages: Any, wanted: Any, flags: Any, timeout: Any
) -> Any:
    """Messages until there are enough; how many there are so far is in retry_word."""
    thread = thread_at(ctx.thread)
    errno = load_u32(ctx.errno_addr)
    file, asked = np.uint64(socket), np.uint64(flags | DONTWAIT)
    if timeout != U64_0 and thread.retry_count == NOT_ASKED:
        thread.retry_count = time_after_ns(ctx, load_timespec_ns(timeout))
    while True:
        n_done = thread.retry_word
        place = messages + n_done * MESSAGE_BYTES
        found = np.int32(np.uint32(real_recvmmsg(file, place, wanted - n_done, asked, U64_0)))
        if found <= I32_0:
            if would_wait(ctx) and not never_waits(ctx, socket, flags & NO_WAIT):
                return wait_for_message(ctx, socket, timeout, n_done, errno)
            return np.int32(part_or_failure(ctx, n_done, errno))
        ctx.outside[TRY_STREAK] = U64_0
        n_done += np.uint64(found)
        thread.retry_word = n_done
        is_over = timeout != U64_0 and thread.retry_count <= ctx.clock_ns
        if n_done >= wanted or is_over or never_waits(ctx, socket, flags & (NO_WAIT | WAITFORONE)):
            return np.int32(n_done)


@kernel("i32(ctx,i32,u64,i32,i32,u64)")
def receive_messages(
    ctx: Any, socket: Any, messages: Any, n_messages: Any, flags: Any, timeout: Any
) -> Any:
    """recvmmsg."""
    if cancel_due(ctx):
        return I32_FAILED
    wanted = min(np.uint64(np.uint32(n_messages)), MOST_MESSAGES)
    if is_native_call(ctx) or wanted == U64_0:
        file, asked = np.uint64(socket), np.uint64(flags)
        found = np.int32(np.uint32(real_recvmmsg(file, messages, wanted, asked, timeout)))
    else:
        found = receive_many(ctx, socket, messages, wanted, flags, timeout)
    if found >= I32_0 and ctx.action == NONE:
        descriptor_read(ctx, socket)
    return found


EXPORTS = (
    Export("i64 recv(i32,ptr,u64,i32)", kernel="filled_by_read", real_first=True,
           instead="receive_bytes"),
    Export("i64 __recv_chk(i32,ptr,u64,u64,i32)", kernel="filled_by_read", real_first=True,
           instead="receive_bytes_checked"),
    Export("i64 recvfrom(i32,ptr,u64,i32,ptr,ptr)", kernel="filled_by_recvfrom", real_first=True,
           before="ask_recvfrom", instead="receive_from", takes=(0, 1, 4, 5)),
    Export("i64 __recvfrom_chk(i32,ptr,u64,u64,i32,ptr,ptr)", kernel="filled_by_recvfrom",
           real_first=True, before="ask_recvfrom_chk", instead="receive_from_checked",
           takes=(0, 1, 5, 6)),
    Export("i64 recvmsg(i32,ptr,i32)", kernel="filled_by_recvmsg", real_first=True,
           before="ask_recvmsg", instead="receive_message"),
    Export("i32 recvmmsg(i32,ptr,i32,i32,ptr)", kernel="messages_moved", real_first=True,
           before="ask_mmsg", instead="receive_messages", takes=(1,), constants=(int(KIND_WRITE),)),
)  # fmt: skip
