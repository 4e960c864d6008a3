"""What a str* function reads and writes of its strings, told to both detectors.

    text: | c h a r s ... | NUL |        extent = bytes that the function looked at
          strict_string_checks: the extent is the whole string with its NUL

A family is one bit OFF_* of the option SWITCHED_OFF (the intercept_* flags), or 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime import options
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, real_strlen, real_strnlen
from irsan.runtime.kernels.touches import KIND_READ, KIND_WRITE, routine_access

REPLACE_STR = options.REPLACE_STR
STRICT_STRING_CHECKS = options.STRICT_STRING_CHECKS
SWITCHED_OFF = options.SWITCHED_OFF

U8_0 = np.uint8(0)
U8_32 = np.uint8(32)
U8_A = np.uint8(ord("A"))
U8_26 = np.uint8(26)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_PAGE_MASK = np.uint64(4095)
U64_LAST_WORD = np.uint64(4088)
U64_ONES = np.uint64(0x0101_0101_0101_0101)
U64_HIGHS = np.uint64(0x8080_8080_8080_8080)
NO_FAMILY = U64_0


@kernel("b1(ctx,u64,u64,u64)", outlined=True)
def string_read(ctx: Any, text: Any, n_bytes: Any, family: Any) -> Any:
    """The function read `n_bytes` of a string; False when the range cannot be touched at all."""
    if (ctx.options[SWITCHED_OFF] & family) != U64_0:
        return True
    if ctx.options[STRICT_STRING_CHECKS] != U64_0 and ctx.sanitize_address != U64_0:
        n_bytes = real_strlen(text) + U64_1
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
    return string_part_read(ctx, text, real_strlen(text) + U64_1, family)


@kernel("b1(ctx,u64,u64)")
def string_write(ctx: Any, target: Any, n_bytes: Any) -> Any:
    """The function writes these bytes; False when the range cannot be touched at all."""
    return routine_access(ctx, target, n_bytes, KIND_WRITE, ctx.options[REPLACE_STR])


@kernel("u64(u64,u64)")
def bytes_read_of(text: Any, limit: Any) -> Any:
    """How many bytes a function reads that stops after the NUL or at `limit` bytes."""
    return min(real_strnlen(text, limit) + U64_1, limit)


@kernel("b1(u64)")
def is_in_page(addr: Any) -> Any:
    """Whether the 8 bytes at an address lie in one page: one readable byte vouches for all."""
    return (addr & U64_PAGE_MASK) <= U64_LAST_WORD


@kernel("b1(u64,u64)")
def is_same_word(first: Any, second: Any) -> Any:
    """Whether the next 8 bytes may be read, are the same in both and hold no NUL."""
    if not (is_in_page(first) and is_in_page(second)):
        return False
    word = load_u64(first)
    return word == load_u64(second) and ((word - U64_ONES) & ~word & U64_HIGHS) == U64_0


@kernel("u64(u64,u64,u64)")
def common_prefix(first: Any, second: Any, limit: Any) -> Any:
    """Bytes before the first difference or the common NUL of two strings, at most `limit`."""
    i = U64_0
    while i < limit:
        if is_same_word(first + i, second + i):
            i += U64_8
            continue
        end = min(i + U64_8, limit)
        while i < end:
            byte = load_u8(first + i)
            if byte != load_u8(second + i) or byte == U8_0:
                return i
            i += U64_1
    return min(i, limit)


@kernel("u8(u8)")
def to_lower(byte: Any) -> Any:
    """tolower of the C locale."""
    if np.uint8(byte - U8_A) < U8_26:
        return np.uint8(byte | U8_32)
    return byte


@kernel("u64(u64,u64,u64)")
def common_prefix_nocase(first: Any, second: Any, limit: Any) -> Any:
    """common_prefix where A is the same as a."""
    i = U64_0
    while i < limit:
        byte = load_u8(first + i)
        if to_lower(byte) != to_lower(load_u8(second + i)) or byte == U8_0:
            return i
        i += U64_1
    return i
