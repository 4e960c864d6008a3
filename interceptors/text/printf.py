"""printf and similar: format and arguments are checked, then the library's v-form does the work.

    sprintf(d, f, ...)     formats into nothing first: the length is known before d is written
    snprintf(d, n, f, ...) formats, then min(n, length + 1) bytes of d are checked
    asprintf(p, f, ...)    formats into nothing, then into a block of our heap

The caller's va_list stays as it is, because a kernel may be asked again.  An export with `...`
takes its arguments as a va_list and calls the function named in `real`.

Source: the printf interceptors of LLVM's sanitizer_common_interceptors_format.inc.
Deviations: sprintf is checked before a byte is written.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_vsnprintf, store_u64
from irsan.runtime.kernels.out_parameters import SCRATCH_COPY
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.text.formats import copy_va_list, format_read
from irsan.runtime.kernels.text.strings import string_write
from irsan.runtime.kernels.threads.awaited import READY_TO_WRITE
from irsan.runtime.kernels.threads.stream_room import FORMAT_BYTES, await_room
from irsan.runtime.kernels.threads.waiting import await_descriptor
from irsan.runtime.records.memory.heap_records import MALLOC

FAILED = -1


@kernel
def check_vfprintf(ctx: Context, stream: u64, form: u64, arguments: u64) -> bool:
    """fprintf."""
    await_room(ctx, stream, FORMAT_BYTES)
    if ctx.action == NONE:
        format_read(ctx, form, arguments)
    return True


@kernel
def check_vprintf(ctx: Context, form: u64, arguments: u64) -> bool:
    """printf."""
    return check_vfprintf(ctx, load_u64(ctx.c_library.stdout_addr), form, arguments)


@kernel
def check_vprintf_chk(ctx: Context, _flag: i32, form: u64, arguments: u64) -> bool:
    """__printf_chk."""
    return check_vfprintf(ctx, load_u64(ctx.c_library.stdout_addr), form, arguments)


@kernel
def check_vdprintf(ctx: Context, descriptor: i32, form: u64, arguments: u64) -> bool:
    """dprintf."""
    await_descriptor(ctx, descriptor, READY_TO_WRITE, False)
    if ctx.action == NONE:
        format_read(ctx, form, arguments)
    return True


@kernel
def check_vfprintf_chk(ctx: Context, stream: u64, _flag: i32, form: u64, arguments: u64) -> bool:
    """__fprintf_chk."""
    return check_vfprintf(ctx, stream, form, arguments)


@kernel
def formatted_length(form: u64, arguments: u64) -> i32:
    """Bytes that a format makes, without the NUL; negative when it cannot be formatted."""
    copy_va_list(SCRATCH_COPY, arguments)
    return i32(u32(real_vsnprintf(0, 0, form, SCRATCH_COPY)))


@kernel
def check_formatting(ctx: Context, target: u64, limit: u64, form: u64, arguments: u64) -> bool:
    """Format and arguments are read, at most `limit` bytes of target are written."""
    format_read(ctx, form, arguments)
    length = formatted_length(form, arguments)
    if length < 0:
        return True
    return string_write(ctx, target, min(u64(length) + 1, limit))


@kernel
def check_vsprintf(ctx: Context, target: u64, form: u64, arguments: u64) -> bool:
    """sprintf."""
    return check_formatting(ctx, target, ~u64(0), form, arguments)


@kernel
def check_vsprintf_chk(
    ctx: Context, target: u64, _flag: i32, _declared: u64, form: u64, arguments: u64
) -> bool:
    """__sprintf_chk."""
    return check_formatting(ctx, target, ~u64(0), form, arguments)


@kernel
def check_vsnprintf_chk(
    ctx: Context, target: u64, limit: u64, _flag: i32, _declared: u64, form: u64, arguments: u64
) -> bool:
    """__snprintf_chk."""
    return check_formatting(ctx, target, limit, form, arguments)


@kernel
def i_vsnprintf(ctx: Context, target: u64, limit: u64, form: u64, arguments: u64) -> i32:
    """snprintf."""
    format_read(ctx, form, arguments)
    copy_va_list(SCRATCH_COPY, arguments)
    length = i32(u32(real_vsnprintf(target, limit, form, SCRATCH_COPY)))
    if length >= 0:
        string_write(ctx, target, min(u64(length) + 1, limit))
    return length


@kernel
def i_vasprintf(ctx: Context, place: u64, form: u64, arguments: u64) -> i32:
    """asprintf: the text goes to a block of our heap, its address to `place`."""
    format_read(ctx, form, arguments)
    length = formatted_length(form, arguments)
    if length < 0 or not string_write(ctx, place, 8):
        return FAILED
    n_bytes = u64(length) + 1
    block = tracked_allocate(ctx, n_bytes, 0, MALLOC)
    if block == 0:
        return FAILED
    copy_va_list(SCRATCH_COPY, arguments)
    real_vsnprintf(block, n_bytes, form, SCRATCH_COPY)
    store_u64(place, block)
    return length


@kernel
def i_vasprintf_chk(ctx: Context, place: u64, _flag: i32, form: u64, arguments: u64) -> i32:
    """__asprintf_chk."""
    return i_vasprintf(ctx, place, form, arguments)


_CHECKED = (
    ("check_vprintf", "printf(ptr,", "vprintf(ptr,"),
    ("check_vfprintf", "fprintf(ptr,ptr,", "vfprintf(ptr,ptr,"),
    ("check_vdprintf", "dprintf(i32,ptr,", "vdprintf(i32,ptr,"),
    ("check_vprintf_chk", "__printf_chk(i32,ptr,", "__vprintf_chk(i32,ptr,"),
    ("check_vfprintf_chk", "__fprintf_chk(ptr,i32,ptr,", "__vfprintf_chk(ptr,i32,ptr,"),
    ("check_vsprintf", "sprintf(ptr,ptr,", "vsprintf(ptr,ptr,"),
    ("check_vsprintf_chk", "__sprintf_chk(ptr,i32,u64,ptr,", "__vsprintf_chk(ptr,i32,u64,ptr,"),
    (
        "check_vsnprintf_chk",
        "__snprintf_chk(ptr,u64,i32,u64,ptr,",
        "__vsnprintf_chk(ptr,u64,i32,u64,ptr,",
    ),
)
_DONE_HERE = (
    ("i_vsnprintf", "snprintf(ptr,u64,ptr,", "vsnprintf(ptr,u64,ptr,"),
    ("i_vasprintf", "asprintf(ptr,ptr,", "vasprintf(ptr,ptr,"),
    ("i_vasprintf_chk", "__asprintf_chk(ptr,i32,ptr,", "__vasprintf_chk(ptr,i32,ptr,"),
)


def _name(prototype: str) -> str:
    return prototype.partition("(")[0]


EXPORTS = (
    *(
        Export(f"i32 {open_form}...)", kernel=kernel_name, then_real=True, real=_name(v_form))
        for kernel_name, open_form, v_form in _CHECKED
    ),
    *(Export(f"i32 {v_form}ptr)", kernel=name, then_real=True) for name, _, v_form in _CHECKED),
    *(Export(f"i32 {open_form}...)", kernel=name) for name, open_form, _ in _DONE_HERE),
    *(Export(f"i32 {v_form}ptr)", kernel=name) for name, _, v_form in _DONE_HERE),
)
