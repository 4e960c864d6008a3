"""strcmp and similar: both strings are checked up to what decides, then they are compared.

    strcmp("abc", "abd")   3 bytes of each        strcmp("ab", "ab")   3 bytes, the NUL is one
    strict checks          each string to its own end, with a limit at most so far

strcmp and strncmp give -1, 0 or 1, as the original does; the others are the library's own.

Source: the string interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: where letters of another locale than C are the same, fewer bytes are checked than read;
strxfrm with too little room counts all of it as written.
"""

from __future__ import annotations

from irsan.interceptors.host_functions import host_function
from irsan.interceptors.registry import Export
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
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

NONE = int(actions.NONE)
MAX = 0xFFFF_FFFF_FFFF_FFFF
STRCMP = options.OFF_STRCMP
real_strcmp = host_function("strcmp", 2)
real_strncmp = host_function("strncmp", 3)
real_strxfrm = host_function("strxfrm", 3)
real_strxfrm_l = host_function("strxfrm_l", 4)


@kernel
def check_comparison(ctx: Context, first: u64, second: u64, folds: bool) -> bool:
    """Both strings are read up to what decides."""
    n_bytes = compared_bytes(ctx, first, second, MAX, folds) + 1
    may_read = string_read(ctx, first, n_bytes, STRCMP)
    return string_read(ctx, second, n_bytes, STRCMP) and may_read


@kernel
def limited_read(ctx: Context, text: u64, n_bytes: u64, limit: u64) -> bool:
    """`n_bytes` of a string are read; strict checks want its NUL, unless the limit comes first."""
    if is_strict(ctx):
        n_bytes = bytes_read_of(ctx, text, limit)
    n_bytes = min(needed_bytes(ctx, text, n_bytes), limit)
    return string_part_read(ctx, text, n_bytes, STRCMP)


@kernel
def check_limited(ctx: Context, first: u64, second: u64, limit: u64, folds: bool) -> bool:
    """The same up to a limit."""
    n_bytes = min(compared_bytes(ctx, first, second, limit, folds) + 1, limit)
    may_read = limited_read(ctx, first, n_bytes, limit)
    return limited_read(ctx, second, n_bytes, limit) and may_read


@kernel
def order_of_bytes(first: u64, second: u64) -> i32:
    """-1, 0 or 1: the order of the bytes at two addresses."""
    return i32(i32(load_u8(first) > load_u8(second)) - i32(load_u8(first) < load_u8(second)))


@kernel
def result_to_order(result: u64) -> i32:
    """-1, 0 or 1 for what the library's comparison gave."""
    difference = i32(u32(result))
    return i32(i32(difference > 0) - i32(difference < 0))


@kernel
def i_strcmp(ctx: Context, first: u64, second: u64) -> i32:
    """strcmp."""
    n_same = compared_bytes(ctx, first, second, MAX, False)
    may_read = string_read(ctx, first, n_same + 1, STRCMP)
    if not (string_read(ctx, second, n_same + 1, STRCMP) and may_read):
        return 0
    if ctx.action != NONE or is_unchecked(ctx, STRCMP):
        return result_to_order(real_strcmp(first, second))  # it goes on where nothing may be read
    return order_of_bytes(first + n_same, second + n_same)


@kernel
def i_strncmp(ctx: Context, first: u64, second: u64, limit: u64) -> i32:
    """strncmp."""
    n_same = compared_bytes(ctx, first, second, limit, False)
    n_bytes = min(n_same + 1, limit)
    may_read = limited_read(ctx, first, n_bytes, limit)
    if not (limited_read(ctx, second, n_bytes, limit) and may_read):
        return 0
    if ctx.action != NONE or is_unchecked(ctx, STRCMP):
        return result_to_order(real_strncmp(first, second, limit))
    if n_same == limit:
        return 0
    return order_of_bytes(first + n_same, second + n_same)


@kernel
def check_strcasecmp(ctx: Context, first: u64, second: u64) -> bool:
    """strcasecmp."""
    return check_comparison(ctx, first, second, True)


@kernel
def check_strncasecmp(ctx: Context, first: u64, second: u64, limit: u64) -> bool:
    """strncasecmp."""
    return check_limited(ctx, first, second, limit, True)


@kernel
def check_text(ctx: Context, text: u64) -> bool:
    """A function that reads one whole string; to no string it has an answer, or crashes, itself."""
    return text == 0 or whole_string_read(ctx, text, NO_FAMILY)


@kernel
def check_two_texts(ctx: Context, first: u64, second: u64) -> bool:
    """A function that reads two whole strings."""
    may_read = check_text(ctx, first)
    return check_text(ctx, second) and may_read


@kernel
def check_strxfrm(ctx: Context, target: u64, source: u64, limit: u64) -> bool:
    """strxfrm writes what it makes, as far as it fits."""
    if not whole_string_read(ctx, source, NO_FAMILY):
        return False
    return string_write(ctx, target, min(real_strxfrm(0, source, 0) + 1, limit))


@kernel
def check_strxfrm_l(ctx: Context, target: u64, source: u64, limit: u64, locale: u64) -> bool:
    """strxfrm_l."""
    if not whole_string_read(ctx, source, NO_FAMILY):
        return False
    n_bytes = real_strxfrm_l(0, source, 0, locale) + 1
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
