"""strcmp and its kin: the library compares, then both strings are checked up to what decided it.

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
from irsan.runtime.kernels.memory import real_strlen
from irsan.runtime.kernels.strings import (
    NO_FAMILY,
    common_prefix,
    common_prefix_nocase,
    string_part_read,
    string_read,
    string_write,
    whole_string_read,
)

U64_1 = np.uint64(1)
U64_MAX = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
STRCMP = np.uint64(options.OFF_STRCMP)


@kernel("void(ctx,u64,u64,u64)")
def read_by_strcmp(ctx: Any, _order: Any, first: Any, second: Any) -> None:
    """strcmp."""
    n_bytes = common_prefix(first, second, U64_MAX) + U64_1
    string_read(ctx, first, n_bytes, STRCMP)
    string_read(ctx, second, n_bytes, STRCMP)


@kernel("void(ctx,u64,u64,u64,u64)")
def read_by_strncmp(ctx: Any, _order: Any, first: Any, second: Any, limit: Any) -> None:
    """strncmp; no string has to end before the limit, so strict_string_checks changes nothing."""
    n_bytes = min(common_prefix(first, second, limit) + U64_1, limit)
    string_part_read(ctx, first, n_bytes, STRCMP)
    string_part_read(ctx, second, n_bytes, STRCMP)


@kernel("void(ctx,u64,u64,u64)")
def read_by_strcasecmp(ctx: Any, _order: Any, first: Any, second: Any) -> None:
    """strcasecmp."""
    n_bytes = common_prefix_nocase(first, second, U64_MAX) + U64_1
    string_read(ctx, first, n_bytes, STRCMP)
    string_read(ctx, second, n_bytes, STRCMP)


@kernel("void(ctx,u64,u64,u64,u64)")
def read_by_strncasecmp(ctx: Any, _order: Any, first: Any, second: Any, limit: Any) -> None:
    """strncasecmp."""
    n_bytes = min(common_prefix_nocase(first, second, limit) + U64_1, limit)
    string_part_read(ctx, first, n_bytes, STRCMP)
    string_part_read(ctx, second, n_bytes, STRCMP)


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
    string_part_read(ctx, source, real_strlen(source) + U64_1, NO_FAMILY)
    if length < limit:
        string_write(ctx, target, length + U64_1)


EXPORTS = (
    Export("i32 strcmp(ptr,ptr)", kernel="read_by_strcmp", real_first=True),
    Export("i32 strncmp(ptr,ptr,u64)", kernel="read_by_strncmp", real_first=True),
    Export("i32 strcasecmp(ptr,ptr)", kernel="read_by_strcasecmp", real_first=True),
    Export("i32 strncasecmp(ptr,ptr,u64)", kernel="read_by_strncasecmp", real_first=True),
    Export("i32 strcoll(ptr,ptr)", kernel="check_two_texts", then_real=True),
    Export("u64 strxfrm(ptr,ptr,u64)", kernel="written_by_strxfrm", real_first=True),
)
