"""atoi, strtol, strtod and their kin: the text of the number is read, then the library does it.

    "  -12x"   strtol gives -12, end -> "x"   6 bytes read: blanks, sign, digits, what ended them
    "  -x"     nothing converted, end = start  4 bytes read: up to what is no digit

Where a number ends is found here first, because a text without an end must not be read further.

Source: LLVM's asan_interceptors.cpp (strtol and its repair of the end pointer); ISO C 7.24.1.
Deviations: the decimal point of floats is that of the C locale.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.string_scans import byte_or_end, to_lower
from irsan.runtime.kernels.strings import NO_FAMILY, string_read, string_write

U8_0 = np.uint8(0)
U8_TAB = np.uint8(9)
U8_CR = np.uint8(13)
U8_10 = np.uint8(10)
U8_26 = np.uint8(26)
U8_36 = np.uint8(36)
U8_BLANK = np.uint8(32)
U8_PLUS = np.uint8(ord("+"))
U8_MINUS = np.uint8(ord("-"))
U8_DOT = np.uint8(ord("."))
U8_OPEN = np.uint8(ord("("))
U8_CLOSE = np.uint8(ord(")"))
U8_LINE = np.uint8(ord("_"))
U8_DIGIT_0 = np.uint8(ord("0"))
U8_SMALL_A = np.uint8(ord("a"))
U8_B = np.uint8(ord("b"))
U8_E = np.uint8(ord("e"))
U8_I = np.uint8(ord("i"))
U8_N = np.uint8(ord("n"))
U8_P = np.uint8(ord("p"))
U8_X = np.uint8(ord("x"))
U8_2 = np.uint8(2)
U8_8 = np.uint8(8)
U8_16 = np.uint8(16)
I32_0 = np.int32(0)
I32_1 = np.int32(1)
I32_10 = np.int32(10)
I32_36 = np.int32(36)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_BYTE = np.uint64(0xFF)
INFINITY = np.uint64(int.from_bytes(b"infinity", "little"))
NAN = np.uint64(int.from_bytes(b"nan", "little"))


@kernel("u64(ctx,u64)")
def skip_blanks_and_sign(ctx: Any, text: Any) -> Any:
    """Where the digits of a number have to begin."""
    byte = byte_or_end(ctx, text)
    while byte == U8_BLANK or (byte >= U8_TAB and byte <= U8_CR):
        text += U64_1
        byte = byte_or_end(ctx, text)
    if byte in (U8_PLUS, U8_MINUS):
        text += U64_1
    return text


@kernel("u8(ctx,u64)")
def digit_at(ctx: Any, at: Any) -> Any:
    """The digit of base 36 at an address; 36 when there is none."""
    byte = to_lower(byte_or_end(ctx, at))
    if np.uint8(byte - U8_DIGIT_0) < U8_10:
        return np.uint8(byte - U8_DIGIT_0)
    if np.uint8(byte - U8_SMALL_A) < U8_26:
        return np.uint8(byte - U8_SMALL_A + U8_10)
    return U8_36


@kernel("u64(ctx,u64,u8)", outlined=True)
def skip_digits_of(ctx: Any, at: Any, base: Any) -> Any:
    """First address that has no digit of a base."""
    while digit_at(ctx, at) < base:
        at += U64_1
    return at


@kernel("u8(ctx,u64,u8)")
def prefix_base(ctx: Any, at: Any, takes_binary: Any) -> Any:
    """16 or 2 when 0x or 0b and a digit of that base start here, else 0."""
    if byte_or_end(ctx, at) != U8_DIGIT_0:
        return U8_0
    letter = to_lower(byte_or_end(ctx, at + U64_1))
    if letter == U8_X and digit_at(ctx, at + U64_2) < U8_16:
        return U8_16
    if takes_binary != U8_0 and letter == U8_B and digit_at(ctx, at + U64_2) < U8_2:
        return U8_2
    return U8_0


@kernel("u64(ctx,u64,u8,u8)")
def end_of_integer(ctx: Any, text: Any, base: Any, takes_binary: Any) -> Any:
    """Where strtol stops reading; the blanks and the sign count when nothing follows them."""
    at = skip_blanks_and_sign(ctx, text)
    prefix = prefix_base(ctx, at, takes_binary)
    if prefix != U8_0 and base in (U8_0, prefix):
        return skip_digits_of(ctx, at + U64_2, prefix)
    if base == U8_0:
        base = U8_10
        if byte_or_end(ctx, at) == U8_DIGIT_0:
            base = U8_8
    return skip_digits_of(ctx, at, base)


@kernel("u64(ctx,u64,u8)")
def end_of_exponent(ctx: Any, at: Any, letter: Any) -> Any:
    """The place behind an exponent, or `at` when no whole one starts there."""
    if to_lower(byte_or_end(ctx, at)) != letter:
        return at
    digits = at + U64_1
    if byte_or_end(ctx, digits) in (U8_PLUS, U8_MINUS):
        digits += U64_1
    if digit_at(ctx, digits) >= U8_10:
        return at
    return skip_digits_of(ctx, digits, U8_10)


@kernel("u64(ctx,u64,u64)")
def letters_of(ctx: Any, at: Any, word: Any) -> Any:
    """How many letters of a word of at most eight (packed, the first one lowest) start here."""
    n_letters = U64_0
    while (
        word != U64_0 and np.uint64(to_lower(byte_or_end(ctx, at + n_letters))) == word & U64_BYTE
    ):
        word = word >> U64_8
        n_letters += U64_1
    return n_letters


@kernel("u64(ctx,u64)")
def end_of_word(ctx: Any, at: Any) -> Any:
    """The place behind inf, infinity, nan or nan(...); `at` when none of them starts there."""
    n_letters = letters_of(ctx, at, INFINITY)
    if n_letters == U64_8:
        return at + U64_8
    if n_letters >= U64_3:
        return at + U64_3
    if letters_of(ctx, at, NAN) < U64_3:
        return at
    inner = at + U64_4
    while digit_at(ctx, inner) < U8_36 or byte_or_end(ctx, inner) == U8_LINE:
        inner += U64_1
    if byte_or_end(ctx, at + U64_3) == U8_OPEN and byte_or_end(ctx, inner) == U8_CLOSE:
        return inner + U64_1
    return at + U64_3


@kernel("u64(ctx,u64)")
def end_of_float(ctx: Any, text: Any) -> Any:
    """Where strtod stops reading."""
    at = skip_blanks_and_sign(ctx, text)
    if to_lower(byte_or_end(ctx, at)) in (U8_I, U8_N):
        return end_of_word(ctx, at)
    base, letter = U8_10, U8_E
    if prefix_base(ctx, at, U8_0) == U8_16:
        base, letter, at = U8_16, U8_P, at + U64_2
    digits = at
    at = skip_digits_of(ctx, at, base)
    if byte_or_end(ctx, at) == U8_DOT and (at != digits or digit_at(ctx, at + U64_1) < base):
        at = skip_digits_of(ctx, at + U64_1, base)
    if at == digits:
        return at
    return end_of_exponent(ctx, at, letter)


@kernel("b1(ctx,u64,u64)")
def number_read(ctx: Any, text: Any, end: Any) -> Any:
    """A number is read from `text`, and the byte that ends it."""
    return string_read(ctx, text, end - text + U64_1, NO_FAMILY)


@kernel("b1(ctx,u64,u64,i32,u64)")
def check_strtol(ctx: Any, text: Any, end_place: Any, base: Any, takes_binary: Any) -> Any:
    """The strtol family: the text, and where its end is stored.  A wrong base reads nothing."""
    if base < I32_0 or base == I32_1 or base > I32_36:
        return True
    end = end_of_integer(ctx, text, np.uint8(base), np.uint8(takes_binary))
    may_read = number_read(ctx, text, end)
    if end_place == U64_0:
        return may_read
    return string_write(ctx, end_place, U64_8) and may_read


@kernel("b1(ctx,u64)")
def check_atol(ctx: Any, text: Any) -> Any:
    """atoi, atol and atoll."""
    return check_strtol(ctx, text, U64_0, I32_10, U64_0)


@kernel("b1(ctx,u64,u64)")
def check_strtod(ctx: Any, text: Any, end_place: Any) -> Any:
    """strtof, strtod and strtold."""
    may_read = number_read(ctx, text, end_of_float(ctx, text))
    if end_place == U64_0:
        return may_read
    return string_write(ctx, end_place, U64_8) and may_read


@kernel("b1(ctx,u64)")
def check_atof(ctx: Any, text: Any) -> Any:
    """atof."""
    return check_strtod(ctx, text, U64_0)


_INTEGERS = ("strtol", "strtoll", "strtoul", "strtoull", "strtoimax", "strtoumax")
_FLOATS = (("f32", "strtof"), ("f64", "strtod"), ("f80", "strtold"))

EXPORTS = (
    *(
        Export(
            f"i64 {prefix}{name}(ptr,ptr,i32)",
            kernel="check_strtol",
            then_real=True,
            constants=(int(bool(prefix)),),
        )
        for name in _INTEGERS
        for prefix in ("", "__isoc23_")
    ),
    Export("i32 atoi(ptr)", kernel="check_atol", then_real=True),
    Export("i64 atol(ptr)", kernel="check_atol", then_real=True),
    Export("i64 atoll(ptr)", kernel="check_atol", then_real=True),
    *(
        Export(f"{kind} {name}(ptr,ptr)", kernel="check_strtod", then_real=True)
        for kind, name in _FLOATS
    ),
    Export("f64 atof(ptr)", kernel="check_atof", then_real=True),
)
