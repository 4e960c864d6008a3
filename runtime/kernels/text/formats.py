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

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u32,
    load_u64,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import SCRATCH_WALK
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u32, u64
from irsan.runtime.kernels.text.string_scans import wide_length, wide_length_within
from irsan.runtime.kernels.text.strings import (
    NO_FAMILY,
    bytes_read_of,
    string_part_read,
    string_write,
    whole_string_read,
)
from irsan.runtime.layout.options import CHECK_PRINTF

DIGIT_0 = ord("0")
PERCENT = ord("%")
STAR = ord("*")
DOT = ord(".")
LETTER_H = ord("h")
LETTER_L = ord("l")
LONG_DOUBLE = ord("L")
LETTER_S = ord("s")
LETTER_N = ord("n")
LETTER_M = ord("m")
CAPITAL_S = ord("S")


def _bits(characters: str, first: int) -> int:
    """A set of characters as bits, `first` is the character of bit 0."""
    return sum(1 << (ord(character) - first) for character in characters)


INTEGERS = _bits("diouxXcpCbB", 64)
FLOATS = _bits("eEfFgGaA", 64)
LENGTHS = _bits("hljztLqZ", 64)
FLAGS = _bits("-+ #0'", 32)
LOW32 = 0xFFFF_FFFF
SIGN32 = 1 << 31
NO_PRECISION = 0xFFFF_FFFF_FFFF_FFFF
WALK_FP = SCRATCH_WALK + 4
WALK_OVERFLOW = SCRATCH_WALK + 8
WALK_REGISTERS = SCRATCH_WALK + 16


@kernel
def copy_va_list(target: u64, source: u64) -> None:
    """va_copy."""
    store_u64(target, load_u64(source))
    store_u64(target + 8, load_u64(source + 8))
    store_u64(target + 16, load_u64(source + 16))


@kernel
def next_overflow_word() -> u64:
    """Next 8 bytes of the overflow area."""
    at = load_u64(WALK_OVERFLOW)
    store_u64(WALK_OVERFLOW, at + 8)
    return load_u64(at)


@kernel
def next_word() -> u64:
    """Next integer or pointer argument."""
    offset = load_u32(SCRATCH_WALK)
    if offset >= 48:
        return next_overflow_word()
    store_u32(SCRATCH_WALK, u32(offset + 8))
    return load_u64(load_u64(WALK_REGISTERS) + u64(offset))


@kernel
def skip_float(length: u8) -> None:
    """Pass over a double, or over a long double when the length is L."""
    offset = load_u32(WALK_FP)
    if length == LONG_DOUBLE:
        store_u64(WALK_OVERFLOW, ((load_u64(WALK_OVERFLOW) + 15) & ~u64(15)) + 16)
    elif offset < 176:
        store_u32(WALK_FP, u32(offset + 16))
    else:
        next_overflow_word()


@kernel
def is_letter_of(byte: u8, letters: u64) -> bool:
    """Whether a character of 64..127 is in a set."""
    if byte < 64 or byte >= 128:
        return False
    return ((letters >> u64(byte - 64)) & 1) != 0


@kernel
def letter_at(at: u64, step: u64) -> u8:
    """A character of a format, of 1 or 4 bytes; 255 for those that are no letter of a byte."""
    if step == 1:
        return load_u8(at)
    return u8(min(load_u32(at), u32(255)))


@kernel
def skip_flags(at: u64, step: u64) -> u64:
    """First character of a conversion that is no flag."""
    byte = letter_at(at, step)
    while byte >= 32 and byte < 64 and (FLAGS >> u64(byte - 32)) & 1 != 0:
        at += step
        byte = letter_at(at, step)
    return at


@kernel
def skip_digits(at: u64, step: u64) -> u64:
    """First character that is no digit."""
    while u8(letter_at(at, step) - DIGIT_0) < 10:
        at += step
    return at


@kernel
def read_digits(at: u64, step: u64) -> u64:
    """The number that starts here; 0 without digits."""
    number = u64(0)
    digit = u8(letter_at(at, step) - DIGIT_0)
    while digit < 10:
        number = number * 10 + u64(digit)
        at += step
        digit = u8(letter_at(at, step) - DIGIT_0)
    return number


@kernel
def string_argument(ctx: Context, text: u64, precision: u64, is_wide: bool) -> None:
    """The string of a %s is read; a null pointer prints (null)."""
    if text == 0:
        return
    if is_wide:
        n_chars = wide_length(ctx, text) + 1
        if precision != NO_PRECISION:
            n_chars = min(wide_length_within(ctx, text, precision) + 1, precision)
        string_part_read(ctx, text, n_chars << 2, NO_FAMILY)
    elif precision != NO_PRECISION:
        string_part_read(ctx, text, bytes_read_of(ctx, text, precision), NO_FAMILY)
    else:
        whole_string_read(ctx, text, NO_FAMILY)


@kernel
def length_to_bytes(length: u8, at: u64, step: u64) -> u64:
    """Size of what %n writes; `at` is the first length character."""
    if length == 0:
        return 4
    if length != LETTER_H:
        return 8
    if letter_at(at + step, step) == LETTER_H:
        return 1
    return 2


@kernel
def read_precision(at: u64, step: u64) -> u64:
    """The precision that starts here with a dot; a negative one counts as none."""
    if letter_at(at, step) != DOT:
        return NO_PRECISION
    if letter_at(at + step, step) != STAR:
        return read_digits(at + step, step)
    precision = next_word() & LOW32
    if precision >= SIGN32:
        return NO_PRECISION
    return precision


@kernel
def convert(ctx: Context, at: u64, step: u64) -> u64:
    """One conversion, `at` behind its %; the place behind it, or 0 to end the walk."""
    at = skip_flags(at, step)
    if letter_at(at, step) == STAR:
        next_word()
        at += step
    at = skip_digits(at, step)
    precision = read_precision(at, step)
    if letter_at(at, step) == DOT:
        at = skip_digits(at + step, step)
        if letter_at(at, step) == STAR:
            at += step
    length_at = at
    length = u8(0)
    while is_letter_of(letter_at(at, step), LENGTHS):
        length = letter_at(at, step)
        at += step
    letter = letter_at(at, step)
    if letter in (u8(LETTER_S), u8(CAPITAL_S)):
        string_argument(ctx, next_word(), precision, letter == CAPITAL_S or length == LETTER_L)
    elif is_letter_of(letter, INTEGERS):
        next_word()
    elif is_letter_of(letter, FLOATS):
        skip_float(length)
    elif letter == LETTER_N:
        string_write(ctx, next_word(), length_to_bytes(length, length_at, step))
    elif letter != PERCENT and letter != LETTER_M:
        return 0
    return at + step


@kernel
def characters_read(ctx: Context, text: u64, step: u64, family: u64) -> None:
    """A string of characters of `step` bytes is read, its NUL too."""
    if step == 1:
        whole_string_read(ctx, text, family)
    else:
        string_part_read(ctx, text, (wide_length(ctx, text) + 1) << 2, family)


@kernel(outlined=True)
def format_of_read(ctx: Context, form: u64, arguments: u64, step: u64) -> None:
    """A printf format of characters of `step` bytes is read, and what its arguments (address of a
    va_list) point to.

    check_printf=0: neither is looked at.
    """
    if ctx.options[CHECK_PRINTF] == 0:
        return
    characters_read(ctx, form, step, NO_FAMILY)
    copy_va_list(SCRATCH_WALK, arguments)
    at = form
    while at != 0 and letter_at(at, step) != 0:
        if letter_at(at, step) == PERCENT:
            at = convert(ctx, at + step, step)
        else:
            at += step


@kernel
def format_read(ctx: Context, form: u64, arguments: u64) -> None:
    """format_of_read of bytes."""
    format_of_read(ctx, form, arguments, 1)
