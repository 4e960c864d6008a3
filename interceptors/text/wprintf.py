"""wprintf and similar: wide format and arguments are checked, then the library's v-form works.

    wprintf(f, ...)           f and what the arguments lead to are read
    swprintf(d, n, f, ...)    the same; afterwards r + 1 wide characters of d were written, or all
                              n where the text does not fit

Source: the printf interceptors of LLVM's sanitizer_common_interceptors_format.inc; what swprintf
writes when it fails is the GNU C library's.
Deviations: swprintf is checked after it has written, as its length is not known before.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.registry import Export
from irsan.interceptors.text.wide_strings import chars_to_bytes
from irsan.runtime.kernels.errno import is_errno
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.text.formats import format_of_read

WIDE_BYTES = 4
EILSEQ = 84


@kernel
def check_vwprintf(ctx: Context, form: u64, arguments: u64) -> bool:
    """wprintf."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)
    return True


@kernel
def check_vfwprintf(ctx: Context, _stream: u64, form: u64, arguments: u64) -> bool:
    """fwprintf and what has one argument before the format."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)
    return True


@kernel
def check_vfwprintf_chk(ctx: Context, _stream: u64, _flag: i32, form: u64, arguments: u64) -> bool:
    """__fwprintf_chk."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)
    return True


@kernel
def ask_swprintf(ctx: Context, _target: u64, _limit: u64, form: u64, arguments: u64) -> None:
    """Before swprintf."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)


@kernel
def ask_swprintf_chk(
    ctx: Context, _target: u64, _limit: u64, _flag: i32, _declared: u64, form: u64, arguments: u64
) -> None:
    """Before __swprintf_chk."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)


@kernel
def written_by_swprintf(ctx: Context, length: i32, target: u64, limit: u64) -> None:
    """swprintf gives the length without the final zero; -1 when that does not fit, or when a
    character cannot be converted.
    """
    if length >= 0:
        written(ctx, target, chars_to_bytes(u64(length) + 1))
    elif not is_errno(ctx, EILSEQ):
        written(ctx, target, chars_to_bytes(limit))


_CHECKED = (
    ("check_vwprintf", "wprintf(ptr,", "vwprintf(ptr,"),
    ("check_vfwprintf", "fwprintf(ptr,ptr,", "vfwprintf(ptr,ptr,"),
    ("check_vfwprintf", "__wprintf_chk(i32,ptr,", "__vwprintf_chk(i32,ptr,"),
    ("check_vfwprintf_chk", "__fwprintf_chk(ptr,i32,ptr,", "__vfwprintf_chk(ptr,i32,ptr,"),
)
_SWPRINTF = (
    ("swprintf(ptr,u64,ptr,", "vswprintf(ptr,u64,ptr,", "ask_swprintf"),
    ("__swprintf_chk(ptr,u64,i32,u64,ptr,", "__vswprintf_chk(ptr,u64,i32,u64,ptr,",
     "ask_swprintf_chk"),
)  # fmt: skip


def _name(prototype: str) -> str:
    return prototype.partition("(")[0]


def _printing(rest: str) -> tuple[Export, ...]:
    is_open = rest == "..."
    return tuple(
        Export(
            f"i32 {open_form if is_open else v_form}{rest})", kernel=name, then_real=True,
            real=_name(v_form) if is_open else "",
        )
        for name, open_form, v_form in _CHECKED
    )  # fmt: skip


def _into_memory(rest: str) -> tuple[Export, ...]:
    is_open = rest == "..."
    return tuple(
        Export(
            f"i32 {open_form if is_open else v_form}{rest})", kernel="written_by_swprintf",
            real_first=True, before=before, takes=(0, 1),
            real=_name(v_form) if is_open else "",
        )
        for open_form, v_form, before in _SWPRINTF
    )  # fmt: skip


EXPORTS = (*_printing("..."), *_printing("ptr"), *_into_memory("..."), *_into_memory("va"))
