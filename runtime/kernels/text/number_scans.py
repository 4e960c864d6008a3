"""Where a number in a text ends: what strtol, strtod, wcstol and wcstod read, found beforehand.

    "  -12x"   blanks, sign, digits: the end is at the x       "0x1.8p3"   all of it
    "  -x"     nothing converted: the end is behind the sign   "nan(1)"    all of it

A character has `step` bytes: 1 in a string, 4 in a wide one.  Nothing is read past the first
character that must not be read.

Source: ISO C 7.24.1 (N3096), the strtol and strtod families.
Deviations: the decimal point of floats is that of the C locale.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.text.string_scans import byte_or_end, to_lower, touchable_bytes

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
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_BYTE = np.uint64(0xFF)
INFINITY = np.uint64(int.from_bytes(b"infinity", "little"))
NAN = np.uint64(int.from_bytes(b"nan", "little"))
U8_128 = np.uint8(128)
U32_127 = np.uint32(127)


@kernel("u8(ctx,u64,u64)")
def character_or_end(ctx: Any, at: Any, step: Any) -> Any:
    """A character of `step` bytes: 0 where none may be read, 128 for what is not ASCII."""
    if step == U64_1:
        return byte_or_end(ctx, at)
    if touchable_bytes(ctx, at, U64_4) < U64_4:
        return U8_0
    character = load_u32(at)
    if character > U32_127:
        return U8_128
    return np.uint8(character)


@kernel("u64(ctx,u64,u64)")
def skip_blanks_and_sign(ctx: Any, text: Any, step: Any) -> Any:
    """Where the digits of a number have to begin."""
    byte = character_or_end(ctx, text, step)
    while byte == U8_BLANK or (byte >= U8_TAB and byte <= U8_CR):
        text += step
        byte = character_or_end(ctx, text, step)
    if byte in (U8_PLUS, U8_MINUS):
        text += step
    return text


@kernel("u8(ctx,u64,u64)")
def digit_at(ctx: Any, at: Any, step: Any) -> Any:
    """The digit of base 36 at an address; 36 when there is none."""
    byte = to_lower(character_or_end(ctx, at, step))
    if np.uint8(byte - U8_DIGIT_0) < U8_10:
        return np.uint8(byte - U8_DIGIT_0)
    if np.uint8(byte - U8_SMALL_A) < U8_26:
        return np.uint8(byte - U8_SMALL_A + U8_10)
    return U8_36


@kernel("u64(ctx,u64,u8,u64)", outlined=True)
def skip_digits_of(ctx: Any, at: Any, base: Any, step: Any) -> Any:
    """First address that has no digit of a base."""
    while digit_at(ctx, at, step) < base:
        at += step
    return at


@kernel("u8(ctx,u64,u8,u64)")
def prefix_base(ctx: Any, at: Any, takes_binary: Any, step: Any) -> Any:
    """16 or 2 when 0x or 0b and a digit of that base start here, else 0."""
    if character_or_end(ctx, at, step) != U8_DIGIT_0:
        return U8_0
    letter = to_lower(character_or_end(ctx, at + step, step))
    if letter == U8_X and digit_at(ctx, at + (step << U64_1), step) < U8_16:
        return U8_16
    if takes_binary != U8_0 and letter == U8_B and digit_at(ctx, at + (step << U64_1), step) < U8_2:
        return U8_2
    return U8_0


@kernel("u64(ctx,u64,u8,u8,u64)")
def end_of_integer(ctx: Any, text: Any, base: Any, takes_binary: Any, step: Any) -> Any:
    """Where strtol stops reading; the blanks and the sign count when nothing follows them."""
    at = skip_blanks_and_sign(ctx, text, step)
    prefix = prefix_base(ctx, at, takes_binary, step)
    if prefix != U8_0 and base in (U8_0, prefix):
        return skip_digits_of(ctx, at + (step << U64_1), prefix, step)
    if base == U8_0:
        base = U8_10
        if character_or_end(ctx, at, step) == U8_DIGIT_0:
            base = U8_8
    return skip_digits_of(ctx, at, base, step)


@kernel("u64(ctx,u64,u8,u64)")
def end_of_exponent(ctx: Any, at: Any, letter: Any, step: Any) -> Any:
    """The place behind an exponent, or `at` when no whole one starts there."""
    if to_lower(character_or_end(ctx, at, step)) != letter:
        return at
    digits = at + step
    if character_or_end(ctx, digits, step) in (U8_PLUS, U8_MINUS):
        digits += step
    if digit_at(ctx, digits, step) >= U8_10:
        return at
    return skip_digits_of(ctx, digits, U8_10, step)


@kernel("u64(ctx,u64,u64,u64)")
def letters_of(ctx: Any, at: Any, word: Any, step: Any) -> Any:
    """How many letters of a word of at most eight (packed, the first one lowest) start here."""
    n_letters = U64_0
    while word != U64_0:
        letter = to_lower(character_or_end(ctx, at + n_letters * step, step))
        if np.uint64(letter) != word & U64_BYTE:
            return n_letters
        word = word >> U64_8
        n_letters += U64_1
    return n_letters


@kernel("u64(ctx,u64,u64)")
def end_of_word(ctx: Any, at: Any, step: Any) -> Any:
    """The place behind inf, infinity, nan or nan(...); `at` when none of them starts there."""
    n_letters = letters_of(ctx, at, INFINITY, step)
    if n_letters == U64_8:
        return at + U64_8 * step
    if n_letters >= U64_3:
        return at + U64_3 * step
    if letters_of(ctx, at, NAN, step) < U64_3:
        return at
    inner = at + U64_4 * step
    while digit_at(ctx, inner, step) < U8_36 or character_or_end(ctx, inner, step) == U8_LINE:
        inner += step
    is_open = character_or_end(ctx, at + U64_3 * step, step) == U8_OPEN
    if is_open and character_or_end(ctx, inner, step) == U8_CLOSE:
        return inner + step
    return at + U64_3 * step


@kernel("u64(ctx,u64,u64)")
def end_of_float(ctx: Any, text: Any, step: Any) -> Any:
    """Where strtod stops reading."""
    at = skip_blanks_and_sign(ctx, text, step)
    if to_lower(character_or_end(ctx, at, step)) in (U8_I, U8_N):
        return end_of_word(ctx, at, step)
    base, letter = U8_10, U8_E
    if prefix_base(ctx, at, U8_0, step) == U8_16:
        base, letter, at = U8_16, U8_P, at + (step << U64_1)
    digits = at
    at = skip_digits_of(ctx, at, base, step)
    is_dot = character_or_end(ctx, at, step) == U8_DOT
    if is_dot and (at != digits or digit_at(ctx, at + step, step) < base):
        at = skip_digits_of(ctx, at + step, base, step)
    if at == digits:
        return at
    return end_of_exponent(ctx, at, letter, step)
