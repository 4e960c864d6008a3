"""Where a number in a text ends: what strtol, strtod, wcstol and wcstod read, found beforehand.

    "  -12x"   blanks, sign, digits: the end is at the x       "0x1.8p3"   all of it
    "  -x"     nothing converted: the end is behind the sign   "nan(1)"    all of it

A character has `step` bytes: 1 in a string, 4 in a wide one.  Nothing is read past the first
character that must not be read.

Source: ISO C 7.24.1 (N3096), the strtol and strtod families.
Deviations: the decimal point of floats is that of the C locale.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u64
from irsan.runtime.kernels.text.string_scans import byte_or_end, to_lower, touchable_bytes

TAB = 9
CR = 13
BLANK = 32
PLUS = ord("+")
MINUS = ord("-")
DOT = ord(".")
OPEN = ord("(")
CLOSE = ord(")")
LINE = ord("_")
DIGIT_0 = ord("0")
SMALL_A = ord("a")
LETTER_B = ord("b")
LETTER_E = ord("e")
LETTER_I = ord("i")
LETTER_N = ord("n")
LETTER_P = ord("p")
LETTER_X = ord("x")
BYTE = 0xFF
INFINITY = int.from_bytes(b"infinity", "little")
NAN = int.from_bytes(b"nan", "little")


@kernel
def character_or_end(ctx: Context, at: u64, step: u64) -> u8:
    """A character of `step` bytes: 0 where none may be read, 128 for any that is not ASCII."""
    if step == 1:
        return byte_or_end(ctx, at)
    if touchable_bytes(ctx, at, 4) < 4:
        return 0
    character = load_u32(at)
    if character > 127:
        return 128
    return u8(character)


@kernel
def skip_blanks_and_sign(ctx: Context, text: u64, step: u64) -> u64:
    """Where the digits of a number have to begin."""
    byte = character_or_end(ctx, text, step)
    while byte == BLANK or (byte >= TAB and byte <= CR):
        text += step
        byte = character_or_end(ctx, text, step)
    if byte in (u8(PLUS), u8(MINUS)):
        text += step
    return text


@kernel
def digit_at(ctx: Context, at: u64, step: u64) -> u8:
    """The digit of base 36 at an address; 36 when there is none."""
    byte = to_lower(character_or_end(ctx, at, step))
    if u8(byte - DIGIT_0) < 10:
        return u8(byte - DIGIT_0)
    if u8(byte - SMALL_A) < 26:
        return u8(byte - SMALL_A + 10)
    return 36


@kernel(outlined=True)
def skip_digits_of(ctx: Context, at: u64, base: u8, step: u64) -> u64:
    """First address that has no digit of a base."""
    while digit_at(ctx, at, step) < base:
        at += step
    return at


@kernel
def prefix_base(ctx: Context, at: u64, takes_binary: u8, step: u64) -> u8:
    """16 or 2 when 0x or 0b and a digit of that base start here, else 0."""
    if character_or_end(ctx, at, step) != DIGIT_0:
        return 0
    letter = to_lower(character_or_end(ctx, at + step, step))
    if letter == LETTER_X and digit_at(ctx, at + (step << 1), step) < 16:
        return 16
    if takes_binary != 0 and letter == LETTER_B and digit_at(ctx, at + (step << 1), step) < 2:
        return 2
    return 0


@kernel
def end_of_integer(ctx: Context, text: u64, base: u8, takes_binary: u8, step: u64) -> u64:
    """Where strtol stops reading; the blanks and the sign count when nothing follows them."""
    at = skip_blanks_and_sign(ctx, text, step)
    prefix = prefix_base(ctx, at, takes_binary, step)
    if prefix != 0 and base in (u8(0), prefix):
        return skip_digits_of(ctx, at + (step << 1), prefix, step)
    if base == 0:
        base = u8(10)
        if character_or_end(ctx, at, step) == DIGIT_0:
            base = u8(8)
    return skip_digits_of(ctx, at, base, step)


@kernel
def end_of_exponent(ctx: Context, at: u64, letter: u8, step: u64) -> u64:
    """The place behind an exponent, or `at` when no whole one starts there."""
    if to_lower(character_or_end(ctx, at, step)) != letter:
        return at
    digits = at + step
    if character_or_end(ctx, digits, step) in (u8(PLUS), u8(MINUS)):
        digits += step
    if digit_at(ctx, digits, step) >= 10:
        return at
    return skip_digits_of(ctx, digits, 10, step)


@kernel
def letters_of(ctx: Context, at: u64, word: u64, step: u64) -> u64:
    """How many letters of a word of at most eight (packed, the first one lowest) start here."""
    n_letters = u64(0)
    while word != 0:
        letter = to_lower(character_or_end(ctx, at + n_letters * step, step))
        if u64(letter) != word & BYTE:
            return n_letters
        word = word >> 8
        n_letters += 1
    return n_letters


@kernel
def end_of_word(ctx: Context, at: u64, step: u64) -> u64:
    """The place behind inf, infinity, nan or nan(...); `at` when none of them starts there."""
    n_letters = letters_of(ctx, at, INFINITY, step)
    if n_letters == 8:
        return at + 8 * step
    if n_letters >= 3:
        return at + 3 * step
    if letters_of(ctx, at, NAN, step) < 3:
        return at
    inner = at + 4 * step
    while digit_at(ctx, inner, step) < 36 or character_or_end(ctx, inner, step) == LINE:
        inner += step
    is_open = character_or_end(ctx, at + 3 * step, step) == OPEN
    if is_open and character_or_end(ctx, inner, step) == CLOSE:
        return inner + step
    return at + 3 * step


@kernel
def end_of_float(ctx: Context, text: u64, step: u64) -> u64:
    """Where strtod stops reading."""
    at = skip_blanks_and_sign(ctx, text, step)
    if to_lower(character_or_end(ctx, at, step)) in (u8(LETTER_I), u8(LETTER_N)):
        return end_of_word(ctx, at, step)
    base, letter = u8(10), u8(LETTER_E)
    if prefix_base(ctx, at, 0, step) == 16:
        base, letter, at = u8(16), u8(LETTER_P), at + (step << 1)
    digits = at
    at = skip_digits_of(ctx, at, base, step)
    is_dot = character_or_end(ctx, at, step) == DOT
    if is_dot and (at != digits or digit_at(ctx, at + step, step) < base):
        at = skip_digits_of(ctx, at + step, base, step)
    if at == digits:
        return at
    return end_of_exponent(ctx, at, letter, step)
