"""regcomp, iconv, strerror_r, setlocale and their kin: texts in other shapes.

    regexec(&r, s, n, m, f) = 0     s is read; n matches of 8 bytes at m were written
    iconv(c, &in, &a, &out, &b)     a bytes at in are read; what lies between the old out and the
                                    new one was written

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; regex(3), iconv(3).
Deviations: iconv counts as read what it was offered, whether it got that far or not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory.passed_memory import ask_text, read, text_written, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, store_u64
from irsan.runtime.kernels.out_parameters import SCRATCH_ROOM
from irsan.runtime.layout import libc_layout as libc

I32_0 = np.int32(0)
I32_START_END = np.int32(libc.constant("REG_STARTEND"))  # what pmatch[0] spans
U8_0 = np.uint8(0)
U8_NO_SUB = np.uint8(libc.REGEX_NO_SUB)
U64_0 = np.uint64(0)
U64_8 = np.uint64(8)
REGEX_BYTES = np.uint64(libc.size("regex_t"))
REGEX_FLAGS_AT = np.uint64(libc.REGEX_FLAGS)


@kernel("void(ctx,u64,u64)")
def ask_regcomp(ctx: Any, _regex: Any, pattern: Any) -> None:
    """Before regcomp."""
    ask_text(ctx, pattern)


@kernel("void(ctx,u64,u64,u64,u64,i32)")
def ask_regexec(
    ctx: Any, regex: Any, text: Any, _n_matches: Any, _matches: Any, flags: Any
) -> None:
    """Before regexec."""
    read(ctx, regex, REGEX_BYTES)
    if flags & I32_START_END == I32_0:
        ask_text(ctx, text)


@kernel("void(ctx,i32,u64,u64,u64)")
def matches_written(ctx: Any, status: Any, regex: Any, n_matches: Any, matches: Any) -> None:
    """regexec, unless the expression was made without places (REG_NOSUB)."""
    if status == I32_0 and (load_u8(regex + REGEX_FLAGS_AT) & U8_NO_SUB) == U8_0:
        written(ctx, matches, n_matches * U64_8)


@kernel("void(ctx,u64,u64,u64)")
def clipped_written(ctx: Any, wanted: Any, target: Any, limit: Any) -> None:
    """regerror and confstr give the size they wanted."""
    written(ctx, target, min(wanted, limit))


@kernel("void(ctx,u64,u64)")
def text_in_buffer(ctx: Any, result: Any, buffer: Any) -> None:
    """strerror_r: the text may be the library's own."""
    if result == buffer:
        text_written(ctx, buffer)


@kernel("void(ctx,u64,u64,u64,u64)")
def ask_iconv(ctx: Any, _converter: Any, source: Any, left: Any, target: Any) -> None:
    """Before iconv: what there is to convert, and where it goes."""
    store_u64(SCRATCH_ROOM, U64_0)
    if source != U64_0 and left != U64_0:
        read(ctx, source, U64_8)
        read(ctx, left, U64_8)
        read(ctx, load_u64(source), load_u64(left))
    if target != U64_0:
        read(ctx, target, U64_8)
        store_u64(SCRATCH_ROOM, load_u64(target))


@kernel("void(ctx,u64,u64)")
def filled_by_iconv(ctx: Any, _result: Any, target: Any) -> None:
    """iconv has moved its target on."""
    before = load_u64(SCRATCH_ROOM)
    if target != U64_0 and load_u64(target) > before:
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
