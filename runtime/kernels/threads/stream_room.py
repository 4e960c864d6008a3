"""Room behind a FILE: before the C library writes what a stream holds, other threads run if the
pipe or the socket that it leads to is full.

    room in the buffer    nothing is written, and nothing asked: two words of the FILE say so
    else                  the descriptor must be ready; a pipe takes PIPE_BUF bytes then, pipe(7)
    more than a piece     written piece by piece: what is less than a buffer makes one write

A thread that is alone, and a regular file, wait for nobody.

Sources: struct _IO_FILE of glibc; poll(2), pipe(7).
May wait natively: one format that makes more than FORMAT_BYTES, a buffer larger than PIPE_BUF,
putc and its kin, and what C++ streams write by themselves.
"""

from __future__ import annotations

from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_function, real_lseek, store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.threads.awaited import READY_TO_WRITE
from irsan.runtime.kernels.threads.scheduler import take_resuming
from irsan.runtime.kernels.threads.waiting import (
    STREAM_DESCRIPTOR,
    W_INPUT,
    await_descriptor,
    may_block_natively,
)

FORMAT_BYTES = 1024
PIECE_BYTES = 2048
ALL = 0xFFFF_FFFF_FFFF_FFFF
# glibc's struct _IO_FILE
WRITE_BASE, WRITE_POINTER, BUFFER_END = 32, 40, 64
WRITES_AT_ONCE = 0x202  # _IO_UNBUFFERED, _IO_LINE_BUF

real_fwrite = real_function("fwrite", 4)


@kernel
def has_room_only(ctx: Context, descriptor: i32) -> bool:
    """Whether a descriptor is a pipe or socket: written bytes wait for its reader."""
    errno = load_u32(ctx.c_library.errno_addr)
    has_place = i64(real_lseek(u64(descriptor), 0, 1)) >= 0
    store_u32(ctx.c_library.errno_addr, errno)
    return not has_place


@kernel
def holds_more(stream: u64, n_bytes: u64) -> bool:
    """Whether so many bytes more stay in a stream's buffer."""
    at = load_u64(stream + WRITE_POINTER)
    if n_bytes == ALL:
        return at == load_u64(stream + WRITE_BASE)
    if u64(load_u32(stream)) & WRITES_AT_ONCE != 0:
        return False
    return at != 0 and load_u64(stream + BUFFER_END) - at > n_bytes


@kernel(outlined=True)
def await_pipe(ctx: Context, stream: u64, n_bytes: u64) -> None:
    """As await_room, where other threads may have to run."""
    if stream == 0 or is_arena(stream) or holds_more(stream, n_bytes):
        take_resuming(ctx)
        return
    await_descriptor(ctx, i32(load_u32(stream + STREAM_DESCRIPTOR)), READY_TO_WRITE, False)


@kernel
def is_alone(ctx: Context) -> bool:
    """Whether a call that begins may wait natively."""
    return thread_at(ctx.thread).wait.resuming != W_INPUT and may_block_natively(ctx)


@kernel
def await_room(ctx: Context, stream: u64, n_bytes: u64) -> None:
    """Return when so many bytes can be put into a stream (ALL: what it holds can be written), or
    ask to be called again."""
    if not is_alone(ctx):
        await_pipe(ctx, stream, n_bytes)


@kernel(outlined=True)
def writes_in_pieces(ctx: Context, stream: u64, n_bytes: u64) -> bool:
    """Whether bytes are put into a stream piece by piece: another thread may have to read them."""
    if thread_at(ctx.thread).wait.resuming == W_INPUT:
        return True
    if is_alone(ctx) or stream == 0 or is_arena(stream) or holds_more(stream, n_bytes):
        return False
    descriptor = i32(load_u32(stream + STREAM_DESCRIPTOR))
    return descriptor >= 0 and has_room_only(ctx, descriptor)


@kernel(outlined=True)
def write_pieces(ctx: Context, buffer: u64, n_bytes: u64, stream: u64) -> u64:
    """Put bytes into a stream; how many it has taken.  RETRY may be left behind."""
    thread = thread_at(ctx.thread)
    if thread.wait.resuming != W_INPUT:
        thread.wait.retry_word = 0
    n_done = thread.wait.retry_word
    while n_done < n_bytes:
        piece = min(n_bytes - n_done, u64(PIECE_BYTES))
        await_pipe(ctx, stream, piece)
        if ctx.action != NONE:
            return 0
        moved = real_fwrite(buffer + n_done, 1, piece, stream)
        n_done += moved
        thread.wait.retry_word = n_done
        if moved < piece:
            break
    return n_done
