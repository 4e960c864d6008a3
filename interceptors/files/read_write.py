"""read, write, fread, fgets, puts and their kin: the buffers that the program lends the library.

    read(fd, b, n) = r     r bytes written at b         write(fd, b, n) = r    r bytes read at b
    fread(b, s, n, f) = r  r * s bytes written at b     puts(s)   the string is read first

What is moved is known from the result, so these are `real_first`; strings are checked beforehand.
getline and getdelim are done here, because the buffer they grow is the guest's own.  send and recv
are called in send.py and recv.py.

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.combined.timer_files import tell_expirations
from irsan.runtime.kernels.combined.touches import KIND_READ, KIND_WRITE, routine_access
from irsan.runtime.kernels.combined.tracked_heap import real_free, tracked_reallocate
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u64,
    real_getdelim,
    real_memmove,
    real_strlen,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import SCRATCH_LINE, SCRATCH_LINE_SIZE
from irsan.runtime.kernels.race.descriptors import descriptor_read, descriptor_written
from irsan.runtime.kernels.text.strings import string_write
from irsan.runtime.kernels.threads.waiting import await_stream
from irsan.runtime.kernels.uninitialised.uninit_use import used_bits
from irsan.runtime.layout import options

SWITCHED_OFF = options.SWITCHED_OFF

I64_0 = np.int64(0)
I64_8 = np.int64(8)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
SEND = np.uint64(options.OFF_SEND)
FIRST_LINE_BYTES = np.uint64(120)


@kernel("void(ctx,i64,i32,u64)")
def filled_by_read(ctx: Any, n_moved: Any, file: Any, buffer: Any) -> None:
    """read, pread, recv: what came in was written to the buffer."""
    if n_moved == I64_8:
        tell_expirations(file, buffer)
    if n_moved >= I64_0:
        descriptor_read(ctx, file)
    if n_moved > I64_0 and ctx.action == NONE:
        routine_access(ctx, buffer, np.uint64(n_moved), KIND_WRITE, U64_1)


@kernel("void(ctx,i64,i32,u64)")
def taken_by_write(ctx: Any, n_moved: Any, file: Any, buffer: Any) -> None:
    """write, pwrite: what went out was read from the buffer."""
    descriptor_written(ctx, file)
    if n_moved > I64_0 and ctx.action == NONE:
        routine_access(ctx, buffer, np.uint64(n_moved), KIND_READ, U64_1)


@kernel("void(ctx,i64,i32,u64)")
def taken_by_send(ctx: Any, n_moved: Any, socket: Any, buffer: Any) -> None:
    """send and sendto, unless intercept_send is off."""
    descriptor_written(ctx, socket)
    if n_moved > I64_0 and ctx.action == NONE and (ctx.options[SWITCHED_OFF] & SEND) == U64_0:
        used_bits(ctx, buffer, np.uint64(n_moved))
        routine_access(ctx, buffer, np.uint64(n_moved), KIND_READ, U64_1)


@kernel("void(ctx,u64,u64,u64)")
def filled_by_fread(ctx: Any, n_items: Any, buffer: Any, item_bytes: Any) -> None:
    """fread."""
    routine_access(ctx, buffer, n_items * item_bytes, KIND_WRITE, U64_1)


@kernel("void(ctx,u64,u64,u64,u64,u64)")
def await_stream_fifth(
    ctx: Any, _buffer: Any, _declared: Any, _size: Any, _count: Any, stream: Any
) -> None:
    """Before __fread_chk."""
    await_stream(ctx, stream)


@kernel("void(ctx,u64,u64,u64)")
def taken_by_fwrite(ctx: Any, n_items: Any, buffer: Any, item_bytes: Any) -> None:
    """fwrite."""
    routine_access(ctx, buffer, n_items * item_bytes, KIND_READ, U64_1)


@kernel("void(ctx,i64)")
def nothing(ctx: Any, _result: Any) -> None:
    """What is moved needs no check."""


@kernel("void(ctx,u64)")
def filled_with_text(ctx: Any, text: Any) -> None:
    """fgets and __getcwd_chk: the result is the buffer with a string in it, or 0."""
    if text != U64_0:
        routine_access(ctx, text, real_strlen(text) + U64_1, KIND_WRITE, U64_1)


@kernel("b1(ctx,u64,u64)")
def take_line(ctx: Any, line_place: Any, size_place: Any) -> Any:
    """Grow the guest's line buffer to what the scratch line needs; False without memory."""
    wanted = load_u64(SCRATCH_LINE_SIZE)
    if load_u64(line_place) != U64_0 and load_u64(size_place) >= wanted:
        return True
    grown = tracked_reallocate(ctx, load_u64(line_place), max(wanted, FIRST_LINE_BYTES))
    if grown == U64_0:
        return False
    store_u64(line_place, grown)
    store_u64(size_place, max(wanted, FIRST_LINE_BYTES))
    return True


@kernel("i64(ctx,u64,u64,i32,u64)")
def i_getdelim(ctx: Any, line_place: Any, size_place: Any, delimiter: Any, stream: Any) -> Any:
    """getdelim: the library reads into a line of its own, which is moved to the guest's buffer."""
    await_stream(ctx, stream)
    if ctx.action != NONE:
        return np.int64(-1)
    used_bits(ctx, line_place, U64_8)
    if load_u64(line_place) != U64_0:
        used_bits(ctx, size_place, U64_8)
    if ctx.action != NONE:
        return np.int64(-1)
    may_write = string_write(ctx, line_place, U64_8)
    if not (string_write(ctx, size_place, U64_8) and may_write):
        return np.int64(-1)
    store_u64(SCRATCH_LINE, U64_0)
    store_u64(SCRATCH_LINE_SIZE, U64_0)
    length = np.int64(real_getdelim(SCRATCH_LINE, SCRATCH_LINE_SIZE, np.uint64(delimiter), stream))
    line = load_u64(SCRATCH_LINE)
    if length >= I64_0:
        n_bytes = np.uint64(length) + U64_1
        store_u64(SCRATCH_LINE_SIZE, n_bytes)
        if not take_line(ctx, line_place, size_place):
            length = np.int64(-1)
        elif not is_arena(load_u64(line_place)) or string_write(ctx, load_u64(line_place), n_bytes):
            real_memmove(load_u64(line_place), line, n_bytes)
    if line != U64_0:
        real_free(line)
    return length


@kernel("i64(ctx,u64,u64,u64)")
def i_getline(ctx: Any, line_place: Any, size_place: Any, stream: Any) -> Any:
    """getline."""
    return i_getdelim(ctx, line_place, size_place, np.int32(10), stream)


_READERS = (
    "read(i32,ptr,u64)", "__read_chk(i32,ptr,u64,u64)", "pread(i32,ptr,u64,i64)",
    "pread64(i32,ptr,u64,i64)", "__pread_chk(i32,ptr,u64,i64,u64)",
    "__pread64_chk(i32,ptr,u64,i64,u64)",
)  # fmt: skip
_WRITERS = ("pwrite(i32,ptr,u64,i64)", "pwrite64(i32,ptr,u64,i64)")
_STREAM = "(ptr,u64,u64,ptr)"
_LINE_READERS = {
    "fgets(ptr,i32,ptr)": "await_stream_third",
    "fgets_unlocked(ptr,i32,ptr)": "await_stream_third",
    "__fgets_chk(ptr,u64,i32,ptr)": "",
    "__fgets_unlocked_chk(ptr,u64,i32,ptr)": "",
    "__getcwd_chk(ptr,u64,u64)": "",
}
_BYTE_READERS = ("fgetc", "getc", "_IO_getc", "fgetc_unlocked", "getc_unlocked")
_TEXT_READERS = (
    "i32 puts(ptr)", "i32 fputs(ptr,ptr)", "i32 fputs_unlocked(ptr,ptr)", "ptr getenv(ptr)",
    "i32 chdir(ptr)", "i32 access(ptr,i32)", "ptr opendir(ptr)", "i32 unsetenv(ptr)",
    "i32 putenv(ptr)",
)  # fmt: skip
_TWO_TEXT_READERS = (
    "i32 setenv(ptr,ptr,i32)",
)

EXPORTS = (
    *(
        Export(f"i64 {text}", kernel="filled_by_read", real_first=True, before="await_input")
        for text in _READERS
    ),
    *(Export(f"i64 {text}", kernel="taken_by_write", real_first=True) for text in _WRITERS),
    *(
        Export(
            f"u64 {name}{_STREAM}",
            kernel="filled_by_fread",
            real_first=True,
            before="await_stream_fourth",
        )
        for name in ("fread", "fread_unlocked")
    ),
    *(
        Export(
            f"u64 {name}(ptr,u64,u64,u64,ptr)",
            kernel="filled_by_fread",
            real_first=True,
            before="await_stream_fifth",
            takes=(0, 2),
        )
        for name in ("__fread_chk", "__fread_unlocked_chk")
    ),
    Export(f"u64 fwrite{_STREAM}", kernel="taken_by_fwrite", real_first=True),
    Export(f"u64 fwrite_unlocked{_STREAM}", kernel="taken_by_fwrite", real_first=True),
    *(
        Export(f"ptr {text}", kernel="filled_with_text", real_first=True, before=before)
        for text, before in _LINE_READERS.items()
    ),
    *(Export(text, kernel="check_text", then_real=True) for text in _TEXT_READERS),
    *(Export(text, kernel="check_two_texts", then_real=True) for text in _TWO_TEXT_READERS),
    *(
        Export(f"i32 {name}(ptr)", kernel="nothing", real_first=True, before="await_stream_first")
        for name in _BYTE_READERS
    ),
    Export("i64 getdelim(ptr,ptr,i32,ptr)", kernel="i_getdelim"),
    Export("i64 __getdelim(ptr,ptr,i32,ptr)", kernel="i_getdelim"),
    Export("i64 getline(ptr,ptr,ptr)", kernel="i_getline"),
)
