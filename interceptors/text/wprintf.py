"""wprintf and its kin: wide format and arguments are checked, then the library's v-form works.

    wprintf(f, ...)           f and what the arguments lead to are read
    swprintf(d, n, f, ...)    the same; afterwards r + 1 wide characters of d were written, or all
                              n where the text does not fit

Source: the printf interceptors of LLVM's sanitizer_common_interceptors_format.inc; what swprintf
writes when it fails is the GNU C library's.
Deviations: swprintf is checked after it has written, as its length is not known before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.registry import Export
from irsan.interceptors.text.wide_strings import chars_to_bytes
from irsan.runtime.kernels.errno import is_errno
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.text.formats import format_of_read

I32_0 = np.int32(0)
U64_1 = np.uint64(1)
WIDE_BYTES = np.uint64(4)
EILSEQ = np.uint32(84)


@kernel("b1(ctx,u64,u64)")
def check_vwprintf(ctx: Any, form: Any, arguments: Any) -> Any:
    """wprintf."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)
    return True


@kernel("b1(ctx,u64,u64,u64)")
def check_vfwprintf(ctx: Any, _stream: Any, form: Any, arguments: Any) -> Any:
    """fwprintf and what has one argument before the format."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)
    return True


@kernel("b1(ctx,u64,i32,u64,u64)")
def check_vfwprintf_chk(ctx: Any, _stream: Any, _flag: Any, form: Any, arguments: Any) -> Any:
    """__fwprintf_chk."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)
    return True


@kernel("void(ctx,u64,u64,u64,u64)")
def ask_swprintf(ctx: Any, _target: Any, _limit: Any, form: Any, arguments: Any) -> None:
    """Before swprintf."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)


@kernel("void(ctx,u64,u64,i32,u64,u64,u64)")
def ask_swprintf_chk(
    ctx: Any, _target: Any, _limit: Any, _flag: Any, _declared: Any, form: Any, arguments: Any
) -> None:
    """Before __swprintf_chk."""
    format_of_read(ctx, form, arguments, WIDE_BYTES)


@kernel("void(ctx,i32,u64,u64)")
def written_by_swprintf(ctx: Any, length: Any, target: Any, limit: Any) -> None:
    """swprintf gives the length without the final zero; -1 when that does not fit, or when a
    character cannot be converted.
    """
    if length >= I32_0:
        written(ctx, target, chars_to_bytes(np.uint64(length) + U64_1))
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
