"""strcmp and its kin: both strings are checked up to what decides, then they are compared.

    strcmp("abc", "abd")   3 bytes of each        strcmp("ab", "ab")   3 bytes, the NUL is one
    strict checks          each string to its own end, with a limit at most so far

strcmp and strncmp give -1, 0 or 1, as the original does; the others are the library's own.

Source: the string interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: where letters of another locale than C are the same, fewer bytes are checked than read;
strxfrm with too little room counts all of it as written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.host_functions import host_function
from irsan.interceptors.registry import Export
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8
from irsan.runtime.kernels.text.string_scans import compared_bytes, needed_bytes
from irsan.runtime.kernels.text.strings import (
    NO_FAMILY,
    bytes_read_of,
    is_strict,
    is_unchecked,
    string_part_read,
    string_read,
    string_write,
    whole_string_read,
)
from irsan.runtime.layout import options

NONE = actions.NONE
I32_0 = np.int32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_MAX = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
STRCMP = np.uint64(options.OFF_STRCMP)
real_strcmp = host_function("strcmp", 2)
real_strncmp = host_function("strncmp", 3)
real_strxfrm = host_function("strxfrm", 3)
real_strxfrm_l = host_function("strxfrm_l", 4)


@kernel("b1(ctx,u64,u64,b1)")
def check_comparison(ctx: Any, first: Any, second: Any, folds: Any) -> Any:
    """Both strings are read up to what decides."""
    n_bytes = compared_bytes(ctx, first, second, U64_MAX, folds) + U64_1
    may_read = string_read(ctx, first, n_bytes, STRCMP)
    return string_read(ctx, second, n_bytes, STRCMP) and may_read


@kernel("b1(ctx,u64,u64,u64)")
def limited_read(ctx: Any, text: Any, n_bytes: Any, limit: Any) -> Any:
    """`n_bytes` of a string are read; strict checks want its NUL, unless the limit comes first."""
    if is_strict(ctx):
        n_bytes = bytes_read_of(ctx, text, limit)
    n_bytes = min(needed_bytes(ctx, text, n_bytes), limit)
    return string_part_read(ctx, text, n_bytes, STRCMP)


@kernel("b1(ctx,u64,u64,u64,b1)")
def check_limited(ctx: Any, first: Any, second: Any, limit: Any, folds: Any) -> Any:
    """The same up to a limit."""
    n_bytes = min(compared_bytes(ctx, first, second, limit, folds) + U64_1, limit)
    may_read = limited_read(ctx, first, n_bytes, limit)
    return limited_read(ctx, second, n_bytes, limit) and may_read


@kernel("i32(u64,u64)")
def order_of_bytes(first: Any, second: Any) -> Any:
    """-1, 0 or 1: the order of the bytes at two addresses."""
    return np.int32(load_u8(first) > load_u8(second)) - np.int32(load_u8(first) < load_u8(second))


@kernel("i32(u64)")
def result_to_order(result: Any) -> Any:
    """-1, 0 or 1 for what the library's comparison gave."""
    difference = np.int32(np.uint32(result))
    return np.int32(difference > I32_0) - np.int32(difference < I32_0)


@kernel("i32(ctx,u64,u64)")
def i_strcmp(ctx: Any, first: Any, second: Any) -> Any:
    """strcmp."""
    n_same = compared_bytes(ctx, first, second, U64_MAX, False)
    may_read = string_read(ctx, first, n_same + U64_1, STRCMP)
    if not (string_read(ctx, second, n_same + U64_1, STRCMP) and may_read):
        return I32_0
    if ctx.action != NONE or is_unchecked(ctx, STRCMP):
        return result_to_order(real_strcmp(first, second))  # it goes on where nothing may be read
    return order_of_bytes(first + n_same, second + n_same)


@kernel("i32(ctx,u64,u64,u64)")
def i_strncmp(ctx: Any, first: Any, second: Any, limit: Any) -> Any:
    """strncmp."""
    n_same = compared_bytes(ctx, first, second, limit, False)
    n_bytes = min(n_same + U64_1, limit)
    may_read = limited_read(ctx, first, n_bytes, limit)
    if not (limited_read(ctx, second, n_bytes, limit) and may_read):
        return I32_0
    if ctx.action != NONE or is_unchecked(ctx, STRCMP):
        return result_to_order(real_strncmp(first, second, limit))
    if n_same == limit:
        return I32_0
    return order_of_bytes(first + n_same, second + n_same)


@kernel("b1(ctx,u64,u64)")
def check_strcasecmp(ctx: Any, first: Any, second: Any) -> Any:
    """strcasecmp."""
    return check_comparison(ctx, first, second, True)


@kernel("b1(ctx,u64,u64,u64)")
def check_strncasecmp(ctx: Any, first: Any, second: Any, limit: Any) -> Any:
    """strncasecmp."""
    return check_limited(ctx, first, second, limit, True)


@kernel("b1(ctx,u64)")
def check_text(ctx: Any, text: Any) -> Any:
    """A function that reads one whole string; to no string it has an answer, or crashes, itself."""
    return text == U64_0 or whole_string_read(ctx, text, NO_FAMILY)


@kernel("b1(ctx,u64,u64)")
def check_two_texts(ctx: Any, first: Any, second: Any) -> Any:
    """A function that reads two whole strings."""
    may_read = check_text(ctx, first)
    return check_text(ctx, second) and may_read


@kernel("b1(ctx,u64,u64,u64)")
def check_strxfrm(ctx: Any, target: Any, source: Any, limit: Any) -> Any:
    """strxfrm writes what it makes, as far as it fits."""
    if not whole_string_read(ctx, source, NO_FAMILY):
        return False
    return string_write(ctx, target, min(real_strxfrm(U64_0, source, U64_0) + U64_1, limit))


@kernel("b1(ctx,u64,u64,u64,u64)")
def check_strxfrm_l(ctx: Any, target: Any, source: Any, limit: Any, locale: Any) -> Any:
    """strxfrm_l."""
    if not whole_string_read(ctx, source, NO_FAMILY):
        return False
    n_bytes = real_strxfrm_l(U64_0, source, U64_0, locale) + U64_1
    return string_write(ctx, target, min(n_bytes, limit))


EXPORTS = (
    Export("i32 strcmp(ptr,ptr)", kernel="i_strcmp"),
    Export("i32 strncmp(ptr,ptr,u64)", kernel="i_strncmp"),
    Export("i32 strcasecmp(ptr,ptr)", kernel="check_strcasecmp", then_real=True),
    Export("i32 strncasecmp(ptr,ptr,u64)", kernel="check_strncasecmp", then_real=True),
    Export("i32 strcoll(ptr,ptr)", kernel="check_two_texts", then_real=True),
    Export("i32 strcoll_l(ptr,ptr,ptr)", kernel="check_two_texts", then_real=True),
    Export("i32 strcasecmp_l(ptr,ptr,ptr)", kernel="check_strcasecmp", then_real=True),
    Export("i32 strncasecmp_l(ptr,ptr,u64,ptr)", kernel="check_strncasecmp", then_real=True),
    Export("u64 strxfrm(ptr,ptr,u64)", kernel="check_strxfrm", then_real=True),
    Export("u64 strxfrm_l(ptr,ptr,u64,ptr)", kernel="check_strxfrm_l", then_real=True),
    Export("u64 __strxfrm_l(ptr,ptr,u64,ptr)", kernel="check_strxfrm_l", then_real=True),
)
