"""regcomp, iconv, strerror_r, setlocale and similar: texts in other shapes.

    regexec(&r, s, n, m, f) = 0     s is read; n matches of 8 bytes at m were written
    iconv(c, &in, &a, &out, &b)     a bytes at in are read; what lies between the old out and the
                                    new one was written

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; regex(3), iconv(3).
Deviations: iconv counts as read what it was offered, whether it got that far or not.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import ask_text, read, text_written, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, store_u64
from irsan.runtime.kernels.out_parameters import SCRATCH_ROOM
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.libc_layout import REGEX_NO_SUB

START_END = libc.constant("REG_STARTEND")  # what pmatch[0] spans
REGEX_BYTES = libc.size("regex_t")
REGEX_FLAGS_AT = libc.REGEX_FLAGS


@kernel
def ask_regcomp(ctx: Context, _regex: u64, pattern: u64) -> None:
    """Before regcomp."""
    ask_text(ctx, pattern)


@kernel
def ask_regexec(
    ctx: Context, regex: u64, text: u64, _n_matches: u64, _matches: u64, flags: i32
) -> None:
    """Before regexec."""
    read(ctx, regex, REGEX_BYTES)
    if flags & START_END == 0:
        ask_text(ctx, text)


@kernel
def matches_written(ctx: Context, status: i32, regex: u64, n_matches: u64, matches: u64) -> None:
    """regexec, unless the expression was made without places (REG_NOSUB)."""
    if status == 0 and (load_u8(regex + REGEX_FLAGS_AT) & REGEX_NO_SUB) == 0:
        written(ctx, matches, n_matches * 8)


@kernel
def clipped_written(ctx: Context, wanted: u64, target: u64, limit: u64) -> None:
    """regerror and confstr give the size they wanted."""
    written(ctx, target, min(wanted, limit))


@kernel
def text_in_buffer(ctx: Context, result: u64, buffer: u64) -> None:
    """strerror_r: the text may be the library's own."""
    if result == buffer:
        text_written(ctx, buffer)


@kernel
def ask_iconv(ctx: Context, _converter: u64, source: u64, left: u64, target: u64) -> None:
    """Before iconv: what there is to convert, and where it goes."""
    store_u64(SCRATCH_ROOM, 0)
    if source != 0 and left != 0:
        read(ctx, source, 8)
        read(ctx, left, 8)
        read(ctx, load_u64(source), load_u64(left))
    if target != 0:
        read(ctx, target, 8)
        store_u64(SCRATCH_ROOM, load_u64(target))


@kernel
def filled_by_iconv(ctx: Context, _result: u64, target: u64) -> None:
    """iconv has moved its target on."""
    before = load_u64(SCRATCH_ROOM)
    if target != 0 and load_u64(target) > before:
        written(ctx, before, load_u64(target) - before)


EXPORTS = (
    Export("i32 regcomp(ptr,ptr,i32)", kernel="written_when_zero", real_first=True, takes=(0,),
           constants=(libc.size("regex_t"),), before="ask_regcomp"),
    Export("i32 regexec(ptr,ptr,u64,ptr,i32)", kernel="matches_written", real_first=True,
           takes=(0, 2, 3), before="ask_regexec"),
    Export("u64 regerror(i32,ptr,ptr,u64)", kernel="clipped_written", real_first=True,
           takes=(2, 3)),
    Export("u64 confstr(i32,ptr,u64)", kernel="clipped_written", real_first=True, takes=(1, 2)),
    Export("ptr strerror_r(i32,ptr,u64)", kernel="text_in_buffer", real_first=True, takes=(1,)),
    Export("u64 iconv(ptr,ptr,ptr,ptr,ptr)", kernel="filled_by_iconv", real_first=True,
           takes=(3,), before="ask_iconv"),
    Export("ptr setlocale(i32,ptr)", kernel="check_given_text", then_real=True, takes=(1,)),
    Export("ptr textdomain(ptr)", kernel="check_given_text", then_real=True),
    Export("ptr dlopen(ptr,i32)", kernel="check_given_text", then_real=True, real="irsan_dlopen"),
)  # fmt: skip
