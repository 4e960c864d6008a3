"""write and writev: to a pipe or a socket in parts, as there is room; other guest threads run.

    regular file        the host's function, which does not wait for anybody
    socket              as send does it: send.py
    pipe, terminal, eventfd and others that are no file
                        what PIPE_BUF holds at once, as pipe(7) promises; more than that in parts
                        of so many bytes, whenever the descriptor is ready to be written

A thread that is alone calls the host's function and blocks in it.

Sources: write(2), writev(2), pipe(7).
Deviation: the parts of one writev to a pipe end where pieces of its list end, too.
"""

from __future__ import annotations

from irsan.interceptors.network.message_parts import (
    LENGTH_AT,
    N_PIECES_AT,
    OWN_HEADER,
    OWN_PIECE,
    PIECES_AT,
    REST_PIECE,
    is_native_call,
    make_message,
    make_rest,
    message_bytes,
    part_or_failure,
    wait_for_part,
)
from irsan.interceptors.network.send import send_parts
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.combined.touches import KIND_READ, routine_access
from irsan.runtime.kernels.injected import bytes_to_write, transfer_is_interrupted
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_function,
    real_write,
    store_u64,
)
from irsan.runtime.kernels.race.descriptors import (
    descriptor_place,
    descriptor_publishes,
    is_followed,
)
from irsan.runtime.kernels.race.object_lives import is_use_racy
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.threads.awaited import READY_TO_WRITE
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.file_times import note_moment
from irsan.runtime.kernels.threads.socket_options import is_socket
from irsan.runtime.kernels.threads.stream_room import has_room_only
from irsan.runtime.kernels.threads.waiting import W_INPUT, descriptor_ready
from irsan.runtime.layout import libc_layout as libc

FAILED = -1
# What a pipe that is ready to be written has room for.
PIPE_PIECE = libc.constant("PIPE_BUF")
MOST_PIECES = libc.constant("UIO_MAXIOV")

real_writev = real_function("writev", 3)


@kernel
def writes_natively(ctx: Context, descriptor: i32) -> bool:
    """Whether a write is the host's: no thread waits for this one, or it waits for none."""
    return is_native_call(ctx) or descriptor < 0 or not has_room_only(ctx, descriptor)


@kernel
def write_part(descriptor: i32, header: u64, n_bytes: u64, n_done: u64) -> i64:
    """Write what a pipe has room for: all at once if it fits."""
    file = u64(descriptor)
    if n_bytes <= PIPE_PIECE and n_done == 0:
        n_pieces = load_u64(header + N_PIECES_AT)
        return i64(real_writev(file, load_u64(header + PIECES_AT), n_pieces))
    make_rest(header, n_done)
    size = min(load_u64(u64(REST_PIECE) + LENGTH_AT), u64(PIPE_PIECE))
    return i64(real_write(file, load_u64(REST_PIECE), size))


@kernel(outlined=True)
def write_parts(ctx: Context, descriptor: i32, header: u64) -> i64:
    """Write the pieces of OWN_HEADER; RETRY is left behind while it waits for room."""
    thread = thread_at(ctx.thread)
    errno = load_u32(ctx.c_library.errno_addr)
    n_bytes = message_bytes(header)
    while True:
        n_done = thread.wait.retry_word
        may_go = n_bytes == 0 or descriptor_ready(ctx, u64(descriptor), READY_TO_WRITE)
        if not may_go:
            return wait_for_part(ctx, descriptor, READY_TO_WRITE, 0, n_done, errno)
        ctx.outside.try_streak = 0
        descriptor_publishes(ctx, descriptor)
        moved = write_part(descriptor, header, n_bytes, n_done)
        if moved < 0:
            return part_or_failure(ctx, n_done, errno)
        n_done += u64(moved)
        thread.wait.retry_word = n_done
        if moved == 0 or n_done >= n_bytes:
            return i64(n_done)


@kernel
def write_message(ctx: Context, descriptor: i32, header: u64) -> i64:
    """Write the pieces of OWN_HEADER to a socket, or to what else has its reader."""
    if is_socket(ctx, descriptor):
        return send_parts(ctx, descriptor, header, 0)
    return write_parts(ctx, descriptor, header)


@kernel
def is_first_use_racy(ctx: Context, descriptor: i32) -> bool:
    """Whether a write that begins has left a race on its descriptor: the call is made again."""
    if thread_at(ctx.thread).wait.resuming == W_INPUT or not is_followed(ctx, descriptor):
        return False
    return is_use_racy(ctx, descriptor_place(descriptor))


@kernel
def i_write(ctx: Context, descriptor: i32, buffer: u64, n_bytes: u64) -> i64:
    """write.  Its use of the descriptor comes before what it publishes: a reader may close it."""
    if cancel_due(ctx) or is_first_use_racy(ctx, descriptor):
        return 0
    if transfer_is_interrupted(ctx, descriptor):
        return FAILED
    n_bytes = bytes_to_write(ctx, descriptor, n_bytes)
    note_moment(ctx)
    if writes_natively(ctx, descriptor):
        descriptor_publishes(ctx, descriptor)
        moved = i64(real_write(u64(descriptor), buffer, n_bytes))
    else:
        make_message(OWN_HEADER, OWN_PIECE, buffer, n_bytes)
        moved = write_message(ctx, descriptor, OWN_HEADER)
        if ctx.action != NONE:
            return 0
        descriptor_publishes(ctx, descriptor)
    if moved > 0:
        routine_access(ctx, buffer, u64(moved), KIND_READ, 1)
    return moved


@kernel
def write_list(ctx: Context, descriptor: i32, pieces: u64, n_pieces: i32) -> i64:
    """writev."""
    if cancel_due(ctx) or transfer_is_interrupted(ctx, descriptor):
        return FAILED
    is_wrong = n_pieces < 0 or n_pieces > MOST_PIECES
    if writes_natively(ctx, descriptor) or is_wrong:
        return i64(real_writev(u64(descriptor), pieces, u64(n_pieces)))
    make_message(OWN_HEADER, OWN_PIECE, 0, 0)
    store_u64(u64(OWN_HEADER) + PIECES_AT, pieces)
    store_u64(u64(OWN_HEADER) + N_PIECES_AT, u64(n_pieces))
    return write_message(ctx, descriptor, OWN_HEADER)


EXPORTS = (
    Export("i64 write(i32,ptr,u64)", kernel="i_write"),
    Export("i64 writev(i32,ptr,i32)", kernel="taken_by_writev", real_first=True,
           before="ask_pieces", instead="write_list"),
)  # fmt: skip
