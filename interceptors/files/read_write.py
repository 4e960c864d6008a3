"""read, write, fread, fgets, puts and similar: the buffers that the program lends the library.

    read(fd, b, n) = r     r bytes written at b         write(fd, b, n) = r    r bytes read at b
    fread(b, s, n, f) = r  r * s bytes written at b     puts(s)   the string is read first

The result says how much was moved, so these are `real_first`; strings are checked beforehand.
getline and getdelim are done here, because the buffer they grow is the guest's own.  send and recv
are called in send.py and recv.py.

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_compare import check_text
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.combined.timer_files import tell_expirations
from irsan.runtime.kernels.combined.touches import KIND_READ, KIND_WRITE, routine_access
from irsan.runtime.kernels.combined.tracked_heap import real_free, tracked_reallocate
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u64,
    real_function,
    real_getdelim,
    real_memmove,
    real_strlen,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import SCRATCH_LINE, SCRATCH_LINE_SIZE
from irsan.runtime.kernels.race.descriptors import descriptor_read, descriptor_written
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.text.strings import string_write
from irsan.runtime.kernels.threads.scheduler import take_resuming
from irsan.runtime.kernels.threads.stream_room import (
    await_pipe,
    await_room,
    real_fwrite,
    write_pieces,
    writes_in_pieces,
)
from irsan.runtime.kernels.threads.waiting import await_stream
from irsan.runtime.kernels.uninitialised.uninit_use import used_bits
from irsan.runtime.layout import options
from irsan.runtime.layout.options import SWITCHED_OFF

FAILED = -1
SEND = options.OFF_SEND
FIRST_LINE_BYTES = 120
LINE_END = ord("\n")

real_fputs = real_function("fputs", 2)
real_fputc = real_function("fputc", 2)
real_puts = real_function("puts", 1)


@kernel
def filled_by_read(ctx: Context, n_moved: i64, file: i32, buffer: u64) -> None:
    """read, pread, recv: what came in was written to the buffer."""
    if n_moved == 8:
        tell_expirations(file, buffer)
    if n_moved >= 0:
        descriptor_read(ctx, file)
    if n_moved > 0 and ctx.action == NONE:
        routine_access(ctx, buffer, u64(n_moved), KIND_WRITE, 1)


@kernel
def taken_by_write(ctx: Context, n_moved: i64, file: i32, buffer: u64) -> None:
    """write, pwrite: what went out was read from the buffer."""
    descriptor_written(ctx, file)
    if n_moved > 0 and ctx.action == NONE:
        routine_access(ctx, buffer, u64(n_moved), KIND_READ, 1)


@kernel
def taken_by_send(ctx: Context, n_moved: i64, socket: i32, buffer: u64) -> None:
    """send and sendto, unless intercept_send is off."""
    descriptor_written(ctx, socket)
    if n_moved > 0 and ctx.action == NONE and (ctx.options[SWITCHED_OFF] & SEND) == 0:
        used_bits(ctx, buffer, u64(n_moved))
        routine_access(ctx, buffer, u64(n_moved), KIND_READ, 1)


@kernel
def filled_by_fread(ctx: Context, n_items: u64, buffer: u64, item_bytes: u64) -> None:
    """fread."""
    routine_access(ctx, buffer, n_items * item_bytes, KIND_WRITE, 1)


@kernel
def await_stream_fifth(
    ctx: Context, _buffer: u64, _declared: u64, _size: u64, _count: u64, stream: u64
) -> None:
    """Before __fread_chk."""
    await_stream(ctx, stream)


@kernel
def taken_by_fwrite(ctx: Context, n_items: u64, buffer: u64, item_bytes: u64) -> None:
    """fwrite."""
    routine_access(ctx, buffer, n_items * item_bytes, KIND_READ, 1)


@kernel
def write_items(ctx: Context, buffer: u64, item_bytes: u64, n_items: u64, stream: u64) -> u64:
    """fwrite."""
    n_bytes = item_bytes * n_items
    if item_bytes == 0 or not writes_in_pieces(ctx, stream, n_bytes):
        take_resuming(ctx)
        return real_fwrite(buffer, item_bytes, n_items, stream)
    return u64(write_pieces(ctx, buffer, n_bytes, stream) // item_bytes)


@kernel(outlined=True)
def put_in_pieces(ctx: Context, text: u64, stream: u64, ends_line: bool) -> i32:
    """A text goes to a stream piece by piece; -1 where it does not take all of it."""
    n_bytes = real_strlen(text)
    if write_pieces(ctx, text, n_bytes, stream) != n_bytes or ctx.action != NONE:
        return FAILED
    if not ends_line:
        return 1
    await_pipe(ctx, stream, 1)
    if ctx.action != NONE:
        return FAILED
    return i32(u32(real_fputc(LINE_END, stream)))


@kernel
def await_overflow(ctx: Context, stream: u64) -> None:
    """Before what putc_unlocked calls when the buffer is full."""
    await_room(ctx, stream, 1)


@kernel
def put_text(ctx: Context, text: u64, stream: u64) -> i32:
    """fputs."""
    if not check_text(ctx, text):
        return FAILED
    if writes_in_pieces(ctx, stream, real_strlen(text)):
        return put_in_pieces(ctx, text, stream, False)
    take_resuming(ctx)
    return i32(u32(real_fputs(text, stream)))


@kernel
def put_line(ctx: Context, text: u64) -> i32:
    """puts."""
    stream = load_u64(ctx.c_library.stdout_addr)
    if not check_text(ctx, text):
        return FAILED
    if writes_in_pieces(ctx, stream, real_strlen(text) + 1):
        return put_in_pieces(ctx, text, stream, True)
    take_resuming(ctx)
    return i32(u32(real_puts(text)))


@kernel
def nothing(ctx: Context, _result: i64) -> None:
    """The moved bytes need no check."""


@kernel
def filled_with_text(ctx: Context, text: u64) -> None:
    """fgets and __getcwd_chk: the result is the buffer with a string in it, or 0."""
    if text != 0:
        routine_access(ctx, text, real_strlen(text) + 1, KIND_WRITE, 1)


@kernel
def take_line(ctx: Context, line_place: u64, size_place: u64) -> bool:
    """Grow the guest's line buffer to what the scratch line needs; False without memory."""
    wanted = load_u64(SCRATCH_LINE_SIZE)
    if load_u64(line_place) != 0 and load_u64(size_place) >= wanted:
        return True
    grown = tracked_reallocate(ctx, load_u64(line_place), max(wanted, u64(FIRST_LINE_BYTES)))
    if grown == 0:
        return False
    store_u64(line_place, grown)
    store_u64(size_place, max(wanted, u64(FIRST_LINE_BYTES)))
    return True


@kernel
def i_getdelim(ctx: Context, line_place: u64, size_place: u64, delimiter: i32, stream: u64) -> i64:
    """getdelim: the library reads into a line of its own, which is moved to the guest's buffer."""
    await_stream(ctx, stream)
    if ctx.action != NONE:
        return i64(-1)
    used_bits(ctx, line_place, 8)
    if load_u64(line_place) != 0:
        used_bits(ctx, size_place, 8)
    if ctx.action != NONE:
        return i64(-1)
    may_write = string_write(ctx, line_place, 8)
    if not (string_write(ctx, size_place, 8) and may_write):
        return i64(-1)
    store_u64(SCRATCH_LINE, 0)
    store_u64(SCRATCH_LINE_SIZE, 0)
    length = i64(real_getdelim(SCRATCH_LINE, SCRATCH_LINE_SIZE, u64(delimiter), stream))
    line = load_u64(SCRATCH_LINE)
    if length >= 0:
        n_bytes = u64(length) + 1
        store_u64(SCRATCH_LINE_SIZE, n_bytes)
        if not take_line(ctx, line_place, size_place):
            length = i64(-1)
        elif not is_arena(load_u64(line_place)) or string_write(ctx, load_u64(line_place), n_bytes):
            real_memmove(load_u64(line_place), line, n_bytes)
    if line != 0:
        real_free(line)
    return length


@kernel
def i_getline(ctx: Context, line_place: u64, size_place: u64, stream: u64) -> i64:
    """getline."""
    return i_getdelim(ctx, line_place, size_place, 10, stream)


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
_BYTE_READERS = (
    "fgetc", "getc", "_IO_getc", "fgetc_unlocked", "getc_unlocked", "getw", "fgetwc", "getwc",
    "fgetwc_unlocked", "getwc_unlocked", "__uflow",  # what getc_unlocked calls for more
)  # fmt: skip
_INPUT_READERS = ("getchar", "getchar_unlocked", "getwchar", "getwchar_unlocked")
_TEXT_READERS = (
    "ptr getenv(ptr)",
    "i32 chdir(ptr)", "i32 access(ptr,i32)", "ptr opendir(ptr)", "i32 unsetenv(ptr)",
    "i32 putenv(ptr)",
)  # fmt: skip
_TWO_TEXT_READERS = (
    "i32 setenv(ptr,ptr,i32)",
)

EXPORTS = (
    *(
        Export(
            f"i64 {text}",
            kernel="filled_by_read",
            real_first=True,
            before="await_input",
            counted="bytes_to_read",
        )
        for text in _READERS
    ),
    *(
        Export(f"i64 {text}", kernel="taken_by_write", real_first=True, counted="bytes_to_write")
        for text in _WRITERS
    ),
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
    *(
        Export(f"u64 {name}{_STREAM}", kernel="taken_by_fwrite", real_first=True,
               instead="write_items")
        for name in ("fwrite", "fwrite_unlocked")
    ),
    Export("i32 __overflow(ptr,i32)", kernel="nothing", real_first=True, before="await_overflow"),
    Export("i32 puts(ptr)", kernel="put_line"),
    *(
        Export(f"i32 {name}(ptr,ptr)", kernel="put_text") for name in ("fputs", "fputs_unlocked")
    ),
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
    *(
        Export(f"i32 {name}()", kernel="nothing", real_first=True, before="await_standard_input")
        for name in _INPUT_READERS
    ),
    Export("i64 getdelim(ptr,ptr,i32,ptr)", kernel="i_getdelim"),
    Export("i64 __getdelim(ptr,ptr,i32,ptr)", kernel="i_getdelim"),
    Export("i64 getline(ptr,ptr,ptr)", kernel="i_getline"),
)
