"""Opening a named pipe waits for its other end: while one guest thread waits, the others run.

    to write    opened with O_NONBLOCK, again and again, until there is a reader (ENXIO before)
    to read     opened with O_NONBLOCK, which makes this process a reader; then asked whether there
                is a writer: tee copies nothing from a pipe without one, and is told to wait else

Then the descriptor waits again, and is the program's.  A thread that is alone opens natively.

Sources: fifo(7), tee(2); fs/pipe.c of Linux.
Deviation: openat waits natively.
"""

from __future__ import annotations

from irsan.interceptors.files.file_locks import asks_natively
from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_compare import check_two_texts
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u32,
    load_u64,
    real_fcntl,
    real_function,
    real_poll,
    real_syscall,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import FD_SETS, SCRATCH_POLL
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.threads.awaited import poll_word
from irsan.runtime.kernels.threads.file_times import note_moment
from irsan.runtime.kernels.threads.waiting import (
    BY_ENDING,
    O_NONBLOCK,
    W_INPUT,
    block_trying,
    ended_by_handler,
)
from irsan.runtime.layout import libc_layout as libc

FAILED = -1
ACCESS_MODE, O_RDONLY, O_WRONLY, O_RDWR, O_CLOEXEC = 3, 0, 1, 2, 0o2000000
STATUS_FLAGS = 0o62000 | O_WRONLY  # O_APPEND, O_ASYNC, O_DIRECT: what F_SETFL takes
F_SETFL = 4
SYS_STAT = libc.constant("SYS_stat")
SYS_CLOSE = libc.constant("SYS_close")
SYS_PIPE = libc.constant("SYS_pipe2")
MODE_AT = libc.offset("struct stat.st_mode")
FILE_TYPE, NAMED_PIPE = 0o170000, 0o010000
ENXIO = libc.constant("ENXIO")
SPLICE_NOWAIT = libc.constant("SPLICE_F_NONBLOCK")
POLLHUP = 16
READS, PLUS = ord("r"), ord("+")  # in a mode of fopen
STATUS = FD_SETS  # struct stat
ENDS = FD_SETS + 256  # of a pipe

real_open = real_function("open", 3)
real_tee = real_function("tee", 4)
real_fopen = real_function("fopen", 2)
real_fdopen = real_function("fdopen", 2)


@kernel
def is_named_pipe(ctx: Context, path: u64) -> bool:
    """Whether a path leads to one; errno stays."""
    errno = load_u32(ctx.c_library.errno_addr)
    status = real_syscall(SYS_STAT, path, STATUS, 0, 0, 0)
    store_u32(ctx.c_library.errno_addr, errno)
    if status != 0:
        return False
    return u64(load_u32(STATUS + MODE_AT)) & FILE_TYPE == NAMED_PIPE


@kernel
def close_natively(descriptor: u64) -> None:
    """Close what no program knows of."""
    real_syscall(SYS_CLOSE, descriptor, 0, 0, 0, 0)


@kernel(outlined=True)
def has_writer(descriptor: u64) -> bool:
    """Whether the other end of a named pipe is open, or has been."""
    store_u64(SCRATCH_POLL, poll_word(i32(u32(descriptor)), 0))
    real_poll(SCRATCH_POLL, 1, 0)
    if (load_u64(SCRATCH_POLL) >> 48) & POLLHUP != 0:
        return True
    if real_syscall(SYS_PIPE, ENDS, O_CLOEXEC, 0, 0, 0) != 0:
        return True
    copied = i64(real_tee(descriptor, u64(load_u32(ENDS + 4)), 1, SPLICE_NOWAIT))
    close_natively(u64(load_u32(ENDS)))
    close_natively(u64(load_u32(ENDS + 4)))
    return copied != 0


@kernel(outlined=True)
def await_other_end(ctx: Context, path: u64, flags: u64) -> i32:
    """open of a named pipe: a descriptor, or -1 and a failure or an action; while the pipe has no
    writer this process is one of its readers, by the descriptor in retry_word less one."""
    thread = thread_at(ctx.thread)
    errno = load_u32(ctx.c_library.errno_addr)
    found = thread.wait.retry_word
    if found == 0:
        found = u64(u32(real_open(path, flags | O_NONBLOCK, 0))) + 1
    is_open = u32(found) != 0
    writes = flags & ACCESS_MODE == O_WRONLY
    if not is_open and not (writes and load_u32(ctx.c_library.errno_addr) == ENXIO):
        return FAILED
    if is_open and (writes or has_writer(found - 1)):
        real_fcntl(found - 1, F_SETFL, flags & STATUS_FLAGS)
        store_u32(ctx.c_library.errno_addr, errno)
        ctx.outside.try_streak = 0
        return i32(u32(found - 1))
    if ended_by_handler(ctx, BY_ENDING):
        if is_open:
            close_natively(found - 1)
        return FAILED
    store_u32(ctx.c_library.errno_addr, errno)
    thread.wait.retry_word = found if is_open else u64(0)
    block_trying(ctx, 0)
    return FAILED


@kernel
def may_wait_for_end(ctx: Context, path: u64, flags: u64) -> bool:
    """Whether an open may wait for another thread; retry_word is 0 where it begins."""
    thread = thread_at(ctx.thread)
    begins = thread.wait.resuming != W_INPUT
    if asks_natively(ctx) or flags & O_NONBLOCK != 0 or flags & ACCESS_MODE > O_WRONLY:
        return False
    if begins:
        thread.wait.retry_word = 0
    return path != 0 and is_named_pipe(ctx, path)


@kernel
def open_file(ctx: Context, path: u64, flags: i32, mode: i32) -> i32:
    """open."""
    asked = u64(u32(flags))
    if may_wait_for_end(ctx, path, asked):
        return await_other_end(ctx, path, asked)
    return i32(u32(real_open(path, asked, u64(u32(mode)))))


@kernel
def flags_of_mode(mode: u64) -> u64:
    """What open is asked for by a mode of fopen; O_RDWR for one that never waits."""
    first = load_u8(mode)
    if first != 0 and u64(load_u8(mode + 1)) == PLUS:
        return O_RDWR
    return O_RDONLY if u64(first) == READS else u64(O_WRONLY)


@kernel
def open_stream(ctx: Context, path: u64, mode: u64) -> u64:
    """fopen."""
    note_moment(ctx)
    if not check_two_texts(ctx, path, mode):
        return 0
    flags = flags_of_mode(mode)
    if not may_wait_for_end(ctx, path, flags):
        return real_fopen(path, mode)
    descriptor = await_other_end(ctx, path, flags)
    if descriptor < 0:
        return 0
    return real_fdopen(u64(descriptor), mode)


EXPORTS = tuple(
    Export(f"ptr {name}(ptr,ptr)", kernel="open_stream") for name in ("fopen", "fopen64")
)
