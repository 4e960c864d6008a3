"""recv, recvfrom, recvmsg, recvmmsg: other guest threads run while a socket has nothing to read.

    nothing there         wait, unless MSG_DONTWAIT or O_NONBLOCK says not to
    a part of a stream    is enough, but for MSG_WAITALL, or if it is less than SO_RCVLOWAT
    SO_RCVTIMEO is over   what has come so far, else EAGAIN

MSG_WAITALL ends early at the stream's end, an error, a handler, and descriptors in the control
data.  A thread that is alone calls the host's function and blocks in it.  Bytes written to the
program's memory is checked behind the call: sendmsg_readv.py, read_write.py.

Sources: recv(2), recvmmsg(2), socket(7), tcp(7), unix(7).
Deviation: recvmmsg leaves its timeout as it was, and ends when that is over once it has a message;
Linux looks at the time when the next one comes.
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
    socket_events,
    wait_for_part,
    would_wait,
)
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.combined.touches import KIND_WRITE
from irsan.runtime.kernels.injected import bytes_to_read, socket_is_interrupted
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_function, store_u32, store_u64
from irsan.runtime.kernels.out_parameters import SCRATCH_ROOM
from irsan.runtime.kernels.race.descriptors import descriptor_read
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.threads.awaited import READY_TO_READ
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.real_time import time_after_ns
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

FAILED = -1
FAILED = -1
CONTROL_AT = libc.offset("struct msghdr.msg_control")
CONTROL_BYTES_AT = libc.offset("struct msghdr.msg_controllen")
FLAGS_AT = libc.offset("struct msghdr.msg_flags")
CONTROL_HEAD = libc.size("struct cmsghdr")
LEVEL_AT = libc.offset("struct cmsghdr.cmsg_level")
TYPE_AT = libc.offset("struct cmsghdr.cmsg_type")
RIGHTS = libc.constant("SCM_RIGHTS")
PEEK = libc.constant("MSG_PEEK")
WAITALL = libc.constant("MSG_WAITALL")
WAITFORONE = libc.constant("MSG_WAITFORONE")
# Urgent bytes and errors are there, or they are not: no thread waits for them.
NO_WAIT = libc.constant("MSG_DONTWAIT") | libc.constant("MSG_OOB") | libc.constant("MSG_ERRQUEUE")
STREAM = libc.constant("SOCK_STREAM")
UNIX = libc.constant("AF_UNIX")
SO_DOMAIN = libc.constant("SO_DOMAIN")
SO_RCVLOWAT = libc.constant("SO_RCVLOWAT")
POLLRDHUP = libc.constant("POLLRDHUP")
MESSAGE_BYTES = libc.size("struct mmsghdr")
MOST_MESSAGES = libc.constant("UIO_MAXIOV")

real_recvmsg = real_function("recvmsg", 3)
real_recvmmsg = real_function("recvmmsg", 5)
real_recv_chk = real_function("__recv_chk", 5)
real_recvfrom_chk = real_function("__recvfrom_chk", 7)


@kernel
def try_to_receive(ctx: Context, socket: i32, header: u64, flags: i32, n_done: u64) -> i64:
    """Receive the bytes there: the whole message, or what follows n_done bytes of it."""
    asked = u64(flags | DONTWAIT)
    if n_done == 0:
        return i64(real_recvmsg(u64(socket), header, asked))
    if has_error(ctx, socket):
        store_u64(header + CONTROL_BYTES_AT, 0)
        return 0
    make_rest(header, n_done)
    store_u64(u64(REST_HEADER) + CONTROL_AT, load_u64(header + CONTROL_AT))
    store_u64(u64(REST_HEADER) + CONTROL_BYTES_AT, load_u64(header + CONTROL_BYTES_AT))
    moved = i64(real_recvmsg(u64(socket), REST_HEADER, asked))
    if moved >= 0:
        store_u64(header + CONTROL_BYTES_AT, load_u64(u64(REST_HEADER) + CONTROL_BYTES_AT))
        store_u32(header + FLAGS_AT, load_u32(u64(REST_HEADER) + FLAGS_AT))
    return moved


@kernel
def has_descriptors(header: u64) -> bool:
    """Whether the control data of a message that came bring descriptors."""
    place = load_u64(header + CONTROL_AT)
    end = place + load_u64(header + CONTROL_BYTES_AT)
    while place + CONTROL_HEAD <= end:
        level = u64(load_u32(place + LEVEL_AT))
        if level == SOL_SOCKET and load_u32(place + TYPE_AT) == RIGHTS:
            return True
        n_bytes = (load_u64(place) + 7) & ~u64(7)
        place += max(n_bytes, u64(CONTROL_HEAD))
    return False


@kernel(outlined=True)
def is_enough(ctx: Context, socket: i32, header: u64, flags: i32, n_done: u64) -> bool:
    """Whether a call that may wait is content with what has come; only streams can want more."""
    wanted = message_bytes(header)
    if flags & WAITALL == 0:
        wanted = min(wanted, socket_number(ctx, socket, SO_RCVLOWAT))
    if n_done >= wanted or socket_number(ctx, socket, SO_TYPE) != STREAM:
        return True
    if flags & PEEK != 0:
        is_local = socket_number(ctx, socket, SO_DOMAIN) == UNIX
        if is_local or socket_events(ctx, socket, POLLRDHUP) != 0:
            return True
    return never_waits(ctx, socket, i32(flags & NO_WAIT)) or has_descriptors(header)


@kernel
def wait_for_more(ctx: Context, socket: i32, header: u64, n_done: u64, errno: u32) -> i64:
    """Wait; if the call ends with a part instead, the control data of that are none."""
    deadline_ns = call_deadline_ns(ctx, socket, SO_RCVTIMEO)
    moved = wait_for_part(ctx, socket, READY_TO_READ, deadline_ns, n_done, errno)
    if moved >= 0:
        store_u64(header + CONTROL_BYTES_AT, 0)
    return moved


@kernel(outlined=True)
def receive_parts(ctx: Context, socket: i32, header: u64, flags: i32) -> i64:
    """Receive a message; RETRY is left behind while it waits, with all room for control data."""
    thread = thread_at(ctx.thread)
    errno = load_u32(ctx.c_library.errno_addr)
    room = load_u64(header + CONTROL_BYTES_AT)
    while True:
        n_done = thread.wait.retry_word
        n_before = n_done
        if flags & PEEK != 0:
            n_before = u64(0)
        moved = try_to_receive(ctx, socket, header, flags, n_before)
        if moved < 0:
            if would_wait(ctx) and not never_waits(ctx, socket, i32(flags & NO_WAIT)):
                return wait_for_more(ctx, socket, header, n_done, errno)
            if n_done != 0:
                store_u64(header + CONTROL_BYTES_AT, 0)
            return part_or_failure(ctx, n_done, errno)
        ctx.outside.try_streak = 0
        n_done = n_before + u64(moved)
        if moved == 0 or is_enough(ctx, socket, header, flags, n_done):
            return i64(n_done)
        thread.wait.retry_word = n_done
        store_u64(header + CONTROL_BYTES_AT, room)
        if flags & PEEK != 0:
            return wait_for_more(ctx, socket, header, n_done, errno)


@kernel(outlined=True)
def receive_any(ctx: Context, socket: i32, header: u64, flags: i32) -> i64:
    """recvmsg of the program's message, or of one made for it."""
    if cancel_due(ctx):
        return FAILED
    if flags & NO_WAIT == 0 and socket_is_interrupted(ctx, socket):
        return FAILED
    if is_native_call(ctx):
        return i64(real_recvmsg(u64(socket), header, u64(flags)))
    return receive_parts(ctx, socket, header, flags)


@kernel
def receive_message(ctx: Context, socket: i32, header: u64, flags: i32) -> i64:
    """recvmsg; a name that does not fit is cut off, and its whole size given."""
    store_u64(SCRATCH_ROOM, u64(load_u32(header + NAME_BYTES_AT)))
    return receive_any(ctx, socket, header, flags)


@kernel
def bytes_to_receive(ctx: Context, socket: i32, n_bytes: u64, flags: i32) -> u64:
    """How many bytes a call asks for: all, or fewer when failures are injected.

    Who says MSG_WAITALL gets all: no handler has run that would end the call.
    """
    if flags & WAITALL != 0:
        return n_bytes
    return bytes_to_read(ctx, socket, n_bytes)


@kernel
def receive_bytes(ctx: Context, socket: i32, buffer: u64, n_bytes: u64, flags: i32) -> i64:
    """recv."""
    n_bytes = bytes_to_receive(ctx, socket, n_bytes, flags)
    make_message(OWN_HEADER, OWN_PIECE, buffer, n_bytes)
    return receive_any(ctx, socket, OWN_HEADER, flags)


@kernel
def receive_from(
    ctx: Context, socket: i32, buffer: u64, n_bytes: u64, flags: i32, address: u64, size_place: u64
) -> i64:
    """recvfrom: the name comes with the first part."""
    n_bytes = bytes_to_receive(ctx, socket, n_bytes, flags)
    make_message(OWN_HEADER, OWN_PIECE, buffer, n_bytes)
    is_named = address != 0 and size_place != 0
    if is_named:
        store_u64(OWN_HEADER, address)
        store_u32(u64(OWN_HEADER) + NAME_BYTES_AT, load_u32(size_place))
        store_u64(SCRATCH_ROOM, u64(load_u32(size_place)))
    moved = receive_any(ctx, socket, OWN_HEADER, flags)
    has_part = ctx.action != NONE and thread_at(ctx.thread).wait.retry_word != 0
    if is_named and (moved >= 0 or has_part):
        store_u32(size_place, load_u32(u64(OWN_HEADER) + NAME_BYTES_AT))
    return moved


@kernel
def receive_bytes_checked(
    ctx: Context, socket: i32, buffer: u64, n_bytes: u64, declared: u64, flags: i32
) -> i64:
    """__recv_chk: more than the buffer holds ends the program, in the host's function."""
    if n_bytes > declared:
        asked = u64(flags)
        return i64(real_recv_chk(u64(socket), buffer, n_bytes, declared, asked))
    return receive_bytes(ctx, socket, buffer, n_bytes, flags)


@kernel
def receive_from_checked(
    ctx: Context,
    socket: i32,
    buffer: u64,
    n_bytes: u64,
    declared: u64,
    flags: i32,
    address: u64,
    size_place: u64,
) -> i64:  # fmt: skip
    """__recvfrom_chk."""
    if n_bytes > declared:
        file, asked = u64(socket), u64(flags)
        moved = real_recvfrom_chk(file, buffer, n_bytes, declared, asked, address, size_place)
        return i64(moved)
    return receive_from(ctx, socket, buffer, n_bytes, flags, address, size_place)


@kernel
def wait_for_message(ctx: Context, socket: i32, timeout: u64, n_done: u64, errno: u32) -> i32:
    """Wait for the next message of recvmmsg; its timeout ends it only behind the first one."""
    deadline_ns = u64(0)
    if timeout == 0:
        deadline_ns = call_deadline_ns(ctx, socket, SO_RCVTIMEO)
    elif n_done != 0:
        deadline_ns = thread_at(ctx.thread).wait.retry_count
    return i32(wait_for_part(ctx, socket, READY_TO_READ, deadline_ns, n_done, errno))


@kernel(outlined=True)
def receive_many(
    ctx: Context, socket: i32, messages: u64, wanted: u64, flags: i32, timeout: u64
) -> i32:
    """Messages until there are enough; how many there are so far is in retry_word."""
    thread = thread_at(ctx.thread)
    errno = load_u32(ctx.c_library.errno_addr)
    file, asked = u64(socket), u64(flags | DONTWAIT)
    if timeout != 0 and thread.wait.retry_count == NOT_ASKED:
        thread.wait.retry_count = time_after_ns(ctx, load_timespec_ns(timeout))
    while True:
        n_done = thread.wait.retry_word
        place = messages + n_done * MESSAGE_BYTES
        found = i32(u32(real_recvmmsg(file, place, wanted - n_done, asked, 0)))
        if found <= 0:
            if would_wait(ctx) and not never_waits(ctx, socket, i32(flags & NO_WAIT)):
                return wait_for_message(ctx, socket, timeout, n_done, errno)
            return i32(part_or_failure(ctx, n_done, errno))
        ctx.outside.try_streak = 0
        n_done += u64(found)
        thread.wait.retry_word = n_done
        is_over = timeout != 0 and thread.wait.retry_count <= ctx.schedule.clock_ns
        if (
            n_done >= wanted
            or is_over
            or never_waits(ctx, socket, i32(flags & (NO_WAIT | WAITFORONE)))
        ):
            return i32(n_done)


@kernel
def receive_messages(
    ctx: Context, socket: i32, messages: u64, n_messages: i32, flags: i32, timeout: u64
) -> i32:
    """recvmmsg."""
    if cancel_due(ctx):
        return FAILED
    wanted = min(u64(u32(n_messages)), u64(MOST_MESSAGES))
    if is_native_call(ctx) or wanted == 0:
        file, asked = u64(socket), u64(flags)
        found = i32(u32(real_recvmmsg(file, messages, wanted, asked, timeout)))
    else:
        found = receive_many(ctx, socket, messages, wanted, flags, timeout)
    if found >= 0 and ctx.action == NONE:
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
