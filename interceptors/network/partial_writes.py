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

from typing import Any

import numpy as np

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
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_function,
    real_lseek,
    real_write,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.descriptors import (
    descriptor_place,
    descriptor_publishes,
    is_followed,
)
from irsan.runtime.kernels.race.object_lives import is_use_racy
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.file_times import note_moment
from irsan.runtime.kernels.threads.scheduler import TRY_STREAK
from irsan.runtime.kernels.threads.socket_options import is_socket
from irsan.runtime.kernels.threads.waiting import READY_TO_WRITE, W_INPUT, descriptor_ready
from irsan.runtime.layout import libc_layout as libc

I32_0 = np.int32(0)
I64_0 = np.int64(0)
I64_FAILED = np.int64(-1)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
# What a pipe that is ready to be written has room for.
PIPE_PIECE = np.uint64(libc.constant("PIPE_BUF"))
MOST_PIECES = np.int32(libc.constant("UIO_MAXIOV"))

real_writev = real_function("writev", 3)


@kernel("b1(ctx,i32)")
def has_room_only(ctx: Any, descriptor: Any) -> Any:
    """Whether a descriptor is a pipe or socket: what is written waits for its reader."""
    errno = load_u32(ctx.errno_addr)
    has_place = np.int64(real_lseek(np.uint64(descriptor), U64_0, U64_1)) >= I64_0
    store_u32(ctx.errno_addr, errno)
    return not has_place


@kernel("b1(ctx,i32)")
def writes_natively(ctx: Any, descriptor: Any) -> Any:
    """Whether a write is the host's: nobody waits for this thread, or it waits for nobody."""
    return is_native_call(ctx) or descriptor < I32_0 or not has_room_only(ctx, descriptor)


@kernel("i64(i32,u64,u64,u64)")
def write_part(descriptor: Any, header: Any, n_bytes: Any, n_done: Any) -> Any:
    """Write what a pipe has room for: all at once if it fits."""
    file = np.uint64(descriptor)
    if n_bytes <= PIPE_PIECE and n_done == U64_0:
        n_pieces = load_u64(header + N_PIECES_AT)
        return np.int64(real_writev(file, load_u64(header + PIECES_AT), n_pieces))
    make_rest(header, n_done)
    size = min(load_u64(REST_PIECE + LENGTH_AT), PIPE_PIECE)
    return np.int64(real_write(file, load_u64(REST_PIECE), size))


@kernel("i64(ctx,i32,u64)", outlined=True)
def write_parts(ctx: Any, descriptor: Any, header: Any) -> Any:
    """Write the pieces of OWN_HEADER; RETRY is left behind while it waits for room."""
    thread = thread_at(ctx.thread)
    errno = load_u32(ctx.errno_addr)
    n_bytes = message_bytes(header)
    while True:
        n_done = thread.retry_word
        may_go = n_bytes == U64_0 or descriptor_ready(ctx, np.uint64(descriptor), READY_TO_WRITE)
        if not may_go:
            return wait_for_part(ctx, U64_0, n_done, errno)
        ctx.outside[TRY_STREAK] = U64_0
        descriptor_publishes(ctx, descriptor)
        moved = write_part(descriptor, header, n_bytes, n_done)
        if moved < I64_0:
            return part_or_failure(ctx, n_done, errno)
        n_done += np.uint64(moved)
        thread.retry_word = n_done
        if moved == I64_0 or n_done >= n_bytes:
            return np.int64(n_done)


@kernel("i64(ctx,i32,u64)")
def write_message(ctx: Any, descriptor: Any, header: Any) -> Any:
    """Write the pieces of OWN_HEADER to a socket, or to what else has its reader."""
    if is_socket(ctx, descriptor):
        return send_parts(ctx, descriptor, header, I32_0)
    return write_parts(ctx, descriptor, header)


@kernel("b1(ctx,i32)")
def is_first_use_racy(ctx: Any, descriptor: Any) -> Any:
    """Whether a write that begins has left a race on its descriptor: the call is made again."""
    if thread_at(ctx.thread).resuming == W_INPUT or not is_followed(ctx, descriptor):
        return False
    return is_use_racy(ctx, descriptor_place(descriptor))


@kernel("i64(ctx,i32,u64,u64)")
def i_write(ctx: Any, descriptor: Any, buffer: Any, n_bytes: Any) -> Any:
    """write.  Its use of the descriptor comes before what it publishes: a reader may close it."""
    if cancel_due(ctx) or is_first_use_racy(ctx, descriptor):
        return I64_0
    note_moment(ctx)
    if writes_natively(ctx, descriptor):
        descriptor_publishes(ctx, descriptor)
        moved = np.int64(real_write(np.uint64(descriptor), buffer, n_bytes))
    else:
        make_message(OWN_HEADER, OWN_PIECE, buffer, n_bytes)
        moved = write_message(ctx, descriptor, OWN_HEADER)
        if ctx.action != NONE:
            return I64_0
        descriptor_publishes(ctx, descriptor)
    if moved > I64_0:
        routine_access(ctx, buffer, np.uint64(moved), KIND_READ, U64_1)
    return moved


@kernel("i64(ctx,i32,u64,i32)")
def write_list(ctx: Any, descriptor: Any, pieces: Any, n_pieces: Any) -> Any:
    """writev."""
    if cancel_due(ctx):
        return I64_FAILED
    is_wrong = n_pieces < I32_0 or n_pieces > MOST_PIECES
    if writes_natively(ctx, descriptor) or is_wrong:
        return np.int64(real_writev(np.uint64(descriptor), pieces, np.uint64(n_pieces)))
    make_message(OWN_HEADER, OWN_PIECE, U64_0, U64_0)
    store_u64(OWN_HEADER + PIECES_AT, pieces)
    store_u64(OWN_HEADER + N_PIECES_AT, np.uint64(n_pieces))
    return write_message(ctx, descriptor, OWN_HEADER)


EXPORTS = (
    Export("i64 write(i32,ptr,u64)", kernel="i_write"),
    Export("i64 writev(i32,ptr,i32)", kernel="taken_by_writev", real_first=True,
           before="ask_pieces", instead="write_list"),
)  # fmt: skip
