"""What a str* function reads and writes of its strings, told to both detectors.

    text: | c h a r s ... | NUL |        extent = bytes that the function looked at
          strict_string_checks: the extent is the whole string with its NUL

A scan ends at the first byte that must not be read (string_scans.py).  What is reported then is the
extent that the function needs: on to the NUL that follows in memory, wherever that is ours.
A family is one bit OFF_* of the option SWITCHED_OFF (the intercept_* flags), REPLACED for what
replace_str switches off, or 0 for what is always checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.combined.touches import KIND_READ, KIND_WRITE, routine_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.text.string_scans import (
    needed_bytes,
    string_length,
    string_length_within,
)
from irsan.runtime.layout import options

REPLACE_STR = options.REPLACE_STR
STRICT_STRING_CHECKS = options.STRICT_STRING_CHECKS
SWITCHED_OFF = options.SWITCHED_OFF

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
NO_FAMILY = U64_0
REPLACED = np.uint64(1 << 63)


@kernel("b1(ctx,u64)")
def is_unchecked(ctx: Any, family: Any) -> Any:
    """Whether the strings of a family are left to the library, unseen."""
    if family == REPLACED:
        return ctx.options[REPLACE_STR] == U64_0
    return (ctx.options[SWITCHED_OFF] & family) != U64_0


@kernel("b1(ctx)")
def is_strict(ctx: Any) -> Any:
    """Whether strings have to end where the function would not look any more."""
    return ctx.options[STRICT_STRING_CHECKS] != U64_0 and ctx.sanitize_address != U64_0


@kernel("b1(ctx,u64,u64,u64)", outlined=True)
def string_read(ctx: Any, text: Any, n_bytes: Any, family: Any) -> Any:
    """The function read `n_bytes` of a string; False when the range cannot be touched at all."""
    if is_unchecked(ctx, family):
        return True
    if is_strict(ctx):
        n_bytes = string_length(ctx, text) + U64_1
    return routine_access(ctx, text, needed_bytes(ctx, text, n_bytes), KIND_READ, U64_1)


@kernel("b1(ctx,u64,u64,u64)", outlined=True)
def string_part_read(ctx: Any, text: Any, n_bytes: Any, family: Any) -> Any:
    """The function read these bytes of an array with a length of its own: never extended."""
    if is_unchecked(ctx, family):
        return True
    return routine_access(ctx, text, n_bytes, KIND_READ, U64_1)


@kernel("b1(ctx,u64,u64)", outlined=True)
def whole_string_read(ctx: Any, text: Any, family: Any) -> Any:
    """The function read a string and its NUL."""
    n_bytes = string_length(ctx, text) + U64_1
    return string_part_read(ctx, text, needed_bytes(ctx, text, n_bytes), family)


@kernel("b1(ctx,u64,u64)")
def string_write(ctx: Any, target: Any, n_bytes: Any) -> Any:
    """The function writes these bytes; False when the range cannot be touched at all."""
    return routine_access(ctx, target, n_bytes, KIND_WRITE, U64_1)


@kernel("b1(ctx,u64,u64,u64)")
def family_write(ctx: Any, target: Any, n_bytes: Any, family: Any) -> Any:
    """string_write of a family that may be switched off."""
    return is_unchecked(ctx, family) or string_write(ctx, target, n_bytes)


@kernel("u64(ctx,u64,u64)")
def bytes_read_of(ctx: Any, text: Any, limit: Any) -> Any:
    """How many bytes a function reads that stops after the NUL or at `limit` bytes."""
    return min(string_length_within(ctx, text, limit) + U64_1, limit)
