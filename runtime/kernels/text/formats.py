"""The arguments of printf: which memory do the conversions of a format read and write?

    va_list of x86-64   gp_offset u32 | fp_offset u32 | overflow area u64 | register area u64
                        integers: register area up to 48, then the overflow area, 8 bytes each
                        doubles:  register area 48..176 by 16, then the overflow area
                        long double: always the overflow area, aligned to 16

The walk is over a copy of the va_list, so the real function finds its own untouched.
`%s` reads a string (with a precision: at most so many bytes), `%ls` a wide one, `%n` writes.

Source: System V ABI for x86-64, 3.5.7; ISO C 7.23.6.1.
Deviations: numbered arguments (`%1$s`) and unknown conversions end the walk; nothing after them is
checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u32,
    load_u64,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import SCRATCH_WALK
from irsan.runtime.kernels.text.string_scans import wide_length, wide_length_within
from irsan.runtime.kernels.text.strings import (
    NO_FAMILY,
    bytes_read_of,
    string_part_read,
    string_write,
    whole_string_read,
)
from irsan.runtime.layout import options

CHECK_PRINTF = options.CHECK_PRINTF

U8_0 = np.uint8(0)
U8_10 = np.uint8(10)
U8_DIGIT_0 = np.uint8(ord("0"))
U8_PERCENT = np.uint8(ord("%"))
U8_STAR = np.uint8(ord("*"))
U8_DOT = np.uint8(ord("."))
U8_H = np.uint8(ord("h"))
U8_L = np.uint8(ord("l"))
U8_LONG_DOUBLE = np.uint8(ord("L"))
U8_S = np.uint8(ord("s"))
U8_N = np.uint8(ord("n"))
U8_M = np.uint8(ord("m"))
U8_CAPITAL_S = np.uint8(ord("S"))


def _bits(characters: str, first: int) -> Any:
    """A set of characters as bits, `first` is the character of bit 0."""
    return np.uint64(sum(1 << (ord(character) - first) for character in characters))


U64_INTEGERS = _bits("diouxXcpCbB", 64)
U64_FLOATS = _bits("eEfFgGaA", 64)
U64_LENGTHS = _bits("hljztLqZ", 64)
U64_FLAGS = _bits("-+ #0'", 32)
U8_64 = np.uint8(64)
U8_128 = np.uint8(128)
U8_32 = np.uint8(32)
U32_8 = np.uint32(8)
U32_16 = np.uint32(16)
U32_48 = np.uint32(48)
U32_176 = np.uint32(176)
U32_255 = np.uint32(255)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_10 = np.uint64(10)
U64_15 = np.uint64(15)
U64_16 = np.uint64(16)
U64_LOW32 = np.uint64(0xFFFF_FFFF)
U64_SIGN32 = np.uint64(1 << 31)
NO_PRECISION = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
WALK_FP = SCRATCH_WALK + U64_4
WALK_OVERFLOW = SCRATCH_WALK + U64_8
WALK_REGISTERS = SCRATCH_WALK + U64_16


@kernel("void(u64,u64)")
def copy_va_list(target: Any, source: Any) -> None:
    """va_copy."""
    store_u64(target, load_u64(source))
    store_u64(target + U64_8, load_u64(source + U64_8))
    store_u64(target + U64_16, load_u64(source + U64_16))


@kernel("u64()")
def next_overflow_word() -> Any:
    """Next 8 bytes of the overflow area."""
    at = load_u64(WALK_OVERFLOW)
    store_u64(WALK_OVERFLOW, at + U64_8)
    return load_u64(at)


@kernel("u64()")
def next_word() -> Any:
    """Next integer or pointer argument."""
    offset = load_u32(SCRATCH_WALK)
    if offset >= U32_48:
        return next_overflow_word()
    store_u32(SCRATCH_WALK, offset + U32_8)
    return load_u64(load_u64(WALK_REGISTERS) + np.uint64(offset))


@kernel("void(u8)")
def skip_float(length: Any) -> None:
    """Pass over a double, or over a long double when the length is L."""
    offset = load_u32(WALK_FP)
    if length == U8_LONG_DOUBLE:
        store_u64(WALK_OVERFLOW, ((load_u64(WALK_OVERFLOW) + U64_15) & ~U64_15) + U64_16)
    elif offset < U32_176:
        store_u32(WALK_FP, offset + U32_16)
    else:
        next_overflow_word()


@kernel("b1(u8,u64)")
def is_letter_of(byte: Any, letters: Any) -> Any:
    """Whether a character of 64..127 is in a set."""
    if byte < U8_64 or byte >= U8_128:
        return False
    return ((letters >> np.uint64(byte - U8_64)) & U64_1) != U64_0


@kernel("u8(u64,u64)")
def letter_at(at: Any, step: Any) -> Any:
    """A character of a format, of 1 or 4 bytes; 255 for those that are no letter of a byte."""
    if step == U64_1:
        return load_u8(at)
    return np.uint8(min(load_u32(at), U32_255))


@kernel("u64(u64,u64)")
def skip_flags(at: Any, step: Any) -> Any:
    """First character of a conversion that is no flag."""
    byte = letter_at(at, step)
    while (
        byte >= U8_32 and byte < U8_64 and (U64_FLAGS >> np.uint64(byte - U8_32)) & U64_1 != U64_0
    ):
        at += step
        byte = letter_at(at, step)
    return at


@kernel("u64(u64,u64)")
def skip_digits(at: Any, step: Any) -> Any:
    """First character that is no digit."""
    while np.uint8(letter_at(at, step) - U8_DIGIT_0) < U8_10:
        at += step
    return at


@kernel("u64(u64,u64)")
def read_digits(at: Any, step: Any) -> Any:
    """The number that starts here; 0 without digits."""
    number = U64_0
    digit = np.uint8(letter_at(at, step) - U8_DIGIT_0)
    while digit < U8_10:
        number = number * U64_10 + np.uint64(digit)
        at += step
        digit = np.uint8(letter_at(at, step) - U8_DIGIT_0)
    return number


@kernel("void(ctx,u64,u64,b1)")
def string_argument(ctx: Any, text: Any, precision: Any, is_wide: Any) -> None:
    """The string of a %s is read; a null pointer prints (null)."""
    if text == U64_0:
        return
    if is_wide:
        n_chars = wide_length(ctx, text) + U64_1
        if precision != NO_PRECISION:
            n_chars = min(wide_length_within(ctx, text, precision) + U64_1, precision)
        string_part_read(ctx, text, n_chars << U64_2, NO_FAMILY)
    elif precision != NO_PRECISION:
        string_part_read(ctx, text, bytes_read_of(ctx, text, precision), NO_FAMILY)
    else:
        whole_string_read(ctx, text, NO_FAMILY)


@kernel("u64(u8,u64,u64)")
def length_to_bytes(length: Any, at: Any, step: Any) -> Any:
    """Size of what %n writes; `at` is the first length character."""
    if length == U8_0:
        return U64_4
    if length != U8_H:
        return U64_8
    if letter_at(at + step, step) == U8_H:
        return U64_1
    return U64_2


@kernel("u64(u64,u64)")
def read_precision(at: Any, step: Any) -> Any:
    """The precision that starts here with a dot; a negative one counts as none."""
    if letter_at(at, step) != U8_DOT:
        return NO_PRECISION
    if letter_at(at + step, step) != U8_STAR:
        return read_digits(at + step, step)
    precision = next_word() & U64_LOW32
    if precision >= U64_SIGN32:
        return NO_PRECISION
    return precision


@kernel("u64(ctx,u64,u64)")
def convert(ctx: Any, at: Any, step: Any) -> Any:
    """One conversion, `at` behind its %; the place behind it, or 0 to end the walk."""
    at = skip_flags(at, step)
    if letter_at(at, step) == U8_STAR:
        next_word()
        at += step
    at = skip_digits(at, step)
    precision = read_precision(at, step)
    if letter_at(at, step) == U8_DOT:
        at = skip_digits(at + step, step)
        if letter_at(at, step) == U8_STAR:
            at += step
    length_at = at
    length = U8_0
    while is_letter_of(letter_at(at, step), U64_LENGTHS):
        length = letter_at(at, step)
        at += step
    letter = letter_at(at, step)
    if letter in (U8_S, U8_CAPITAL_S):
        string_argument(ctx, next_word(), precision, letter == U8_CAPITAL_S or length == U8_L)
    elif is_letter_of(letter, U64_INTEGERS):
        next_word()
    elif is_letter_of(letter, U64_FLOATS):
        skip_float(length)
    elif letter == U8_N:
        string_write(ctx, next_word(), length_to_bytes(length, length_at, step))
    elif letter != U8_PERCENT and letter != U8_M:
        return U64_0
    return at + step


@kernel("void(ctx,u64,u64,u64)")
def characters_read(ctx: Any, text: Any, step: Any, family: Any) -> None:
    """A string of characters of `step` bytes is read, its NUL too."""
    if step == U64_1:
        whole_string_read(ctx, text, family)
    else:
        string_part_read(ctx, text, (wide_length(ctx, text) + U64_1) << U64_2, family)


@kernel("void(ctx,u64,u64,u64)", outlined=True)
def format_of_read(ctx: Any, form: Any, arguments: Any, step: Any) -> None:
    """A printf format of characters of `step` bytes is read, and what its arguments (address of a
    va_list) point to.

    check_printf=0: neither is looked at.
    """
    if ctx.options[CHECK_PRINTF] == U64_0:
        return
    characters_read(ctx, form, step, NO_FAMILY)
    copy_va_list(SCRATCH_WALK, arguments)
    at = form
    while at != U64_0 and letter_at(at, step) != U8_0:
        if letter_at(at, step) == U8_PERCENT:
            at = convert(ctx, at + step, step)
        else:
            at += step


@kernel("void(ctx,u64,u64)")
def format_read(ctx: Any, form: Any, arguments: Any) -> None:
    """format_of_read of bytes."""
    format_of_read(ctx, form, arguments, U64_1)
