"""What a str* function reads and writes of its strings, told to both detectors.

    text: | c h a r s ... | NUL |        extent = bytes that the function looked at
          strict_string_checks: the extent is the whole string with its NUL

A string without an end counts up to the first byte that must not be read (string_scans.py).
A family is one bit OFF_* of the option SWITCHED_OFF (the intercept_* flags), or 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime import options
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.string_scans import string_length, string_length_within
from irsan.runtime.kernels.touches import KIND_READ, KIND_WRITE, routine_access

REPLACE_STR = options.REPLACE_STR
STRICT_STRING_CHECKS = options.STRICT_STRING_CHECKS
SWITCHED_OFF = options.SWITCHED_OFF

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
NO_FAMILY = U64_0


@kernel("b1(ctx,u64)")
def is_unchecked(ctx: Any, family: Any) -> Any:
    """Whether the strings of a family are left to the library, unseen."""
    return ctx.options[REPLACE_STR] == U64_0 or (ctx.options[SWITCHED_OFF] & family) != U64_0


@kernel("b1(ctx,u64,u64,u64)", outlined=True)
def string_read(ctx: Any, text: Any, n_bytes: Any, family: Any) -> Any:
    """The function read `n_bytes` of a string; False when the range cannot be touched at all."""
    if (ctx.options[SWITCHED_OFF] & family) != U64_0:
        return True
    if ctx.options[STRICT_STRING_CHECKS] != U64_0 and ctx.sanitize_address != U64_0:
        n_bytes = string_length(ctx, text) + U64_1
    return routine_access(ctx, text, n_bytes, KIND_READ, ctx.options[REPLACE_STR])


@kernel("b1(ctx,u64,u64,u64)", outlined=True)
def string_part_read(ctx: Any, text: Any, n_bytes: Any, family: Any) -> Any:
    """The function read these bytes of an array with a length of its own: never extended."""
    if (ctx.options[SWITCHED_OFF] & family) != U64_0:
        return True
    return routine_access(ctx, text, n_bytes, KIND_READ, ctx.options[REPLACE_STR])


@kernel("b1(ctx,u64,u64)")
def whole_string_read(ctx: Any, text: Any, family: Any) -> Any:
    """The function read a string and its NUL."""
    return string_part_read(ctx, text, string_length(ctx, text) + U64_1, family)


@kernel("b1(ctx,u64,u64)")
def string_write(ctx: Any, target: Any, n_bytes: Any) -> Any:
    """The function writes these bytes; False when the range cannot be touched at all."""
    return routine_access(ctx, target, n_bytes, KIND_WRITE, ctx.options[REPLACE_STR])


@kernel("u64(ctx,u64,u64)")
def bytes_read_of(ctx: Any, text: Any, limit: Any) -> Any:
    """How many bytes a function reads that stops after the NUL or at `limit` bytes."""
    return min(string_length_within(ctx, text, limit) + U64_1, limit)
