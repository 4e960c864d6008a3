"""strcmp and its kin: both strings are checked up to what decides, then the library compares.

    strcmp("abc", "abd")   3 bytes of each        strcmp("ab", "ab")   3 bytes, the NUL is one

Source: the string interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: where letters of another locale than C are the same, fewer bytes are checked than read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime import options
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.string_scans import compared_bytes, string_length
from irsan.runtime.kernels.strings import (
    NO_FAMILY,
    string_part_read,
    string_read,
    string_write,
    whole_string_read,
)

U64_1 = np.uint64(1)
U64_MAX = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
STRCMP = np.uint64(options.OFF_STRCMP)


@kernel("b1(ctx,u64,u64,b1)")
def check_comparison(ctx: Any, first: Any, second: Any, folds: Any) -> Any:
    """Both strings are read up to what decides."""
    n_bytes = compared_bytes(ctx, first, second, U64_MAX, folds) + U64_1
    may_read = string_read(ctx, first, n_bytes, STRCMP)
    return string_read(ctx, second, n_bytes, STRCMP) and may_read


@kernel("b1(ctx,u64,u64,u64,b1)")
def check_limited(ctx: Any, first: Any, second: Any, limit: Any, folds: Any) -> Any:
    """The same up to a limit, before which no string has to end: strict checks change nothing."""
    n_bytes = min(compared_bytes(ctx, first, second, limit, folds) + U64_1, limit)
    may_read = string_part_read(ctx, first, n_bytes, STRCMP)
    return string_part_read(ctx, second, n_bytes, STRCMP) and may_read


@kernel("b1(ctx,u64,u64)")
def check_strcmp(ctx: Any, first: Any, second: Any) -> Any:
    """strcmp."""
    return check_comparison(ctx, first, second, False)


@kernel("b1(ctx,u64,u64)")
def check_strcasecmp(ctx: Any, first: Any, second: Any) -> Any:
    """strcasecmp."""
    return check_comparison(ctx, first, second, True)


@kernel("b1(ctx,u64,u64,u64)")
def check_strncmp(ctx: Any, first: Any, second: Any, limit: Any) -> Any:
    """strncmp."""
    return check_limited(ctx, first, second, limit, False)


@kernel("b1(ctx,u64,u64,u64)")
def check_strncasecmp(ctx: Any, first: Any, second: Any, limit: Any) -> Any:
    """strncasecmp."""
    return check_limited(ctx, first, second, limit, True)


@kernel("b1(ctx,u64)")
def check_text(ctx: Any, text: Any) -> Any:
    """A function that reads one whole string."""
    return whole_string_read(ctx, text, NO_FAMILY)


@kernel("b1(ctx,u64,u64)")
def check_two_texts(ctx: Any, first: Any, second: Any) -> Any:
    """A function that reads two whole strings."""
    may_read = whole_string_read(ctx, first, NO_FAMILY)
    return whole_string_read(ctx, second, NO_FAMILY) and may_read


@kernel("void(ctx,u64,u64,u64,u64)")
def written_by_strxfrm(ctx: Any, length: Any, target: Any, source: Any, limit: Any) -> None:
    """strxfrm writes when it fits."""
    string_part_read(ctx, source, string_length(ctx, source) + U64_1, NO_FAMILY)
    if length < limit:
        string_write(ctx, target, length + U64_1)


EXPORTS = (
    Export("i32 strcmp(ptr,ptr)", kernel="check_strcmp", then_real=True),
    Export("i32 strncmp(ptr,ptr,u64)", kernel="check_strncmp", then_real=True),
    Export("i32 strcasecmp(ptr,ptr)", kernel="check_strcasecmp", then_real=True),
    Export("i32 strncasecmp(ptr,ptr,u64)", kernel="check_strncasecmp", then_real=True),
    Export("i32 strcoll(ptr,ptr)", kernel="check_two_texts", then_real=True),
    Export("u64 strxfrm(ptr,ptr,u64)", kernel="written_by_strxfrm", real_first=True),
)
