"""What scanf wrote: the objects behind the arguments of the conversions that were assigned.

    sscanf("12 ab", "%d%*c%3s%n", &i, s, &n) = 2
        %d   assigned, 2 left -> 1     4 bytes at i
        %*c  suppressed                no argument
        %3s  assigned, 1 left -> 0     the string that is at s now, with its NUL
        %n   directly behind the last  4 bytes at n

The walk comes after the call, with the result as the number of conversions to look at: whether a
conversion writes is known only then, and a string that was read ends in a NUL now.  Formats of
wide functions are the same with characters of 4 bytes (`step`).

A block that %m made is the C library's; the guest gets one of its own heap in its place, so that
errors on it are found.

Source: ISO C 7.23.6.2; the scanf manual page of the GNU C library for m, a and the flags ' and I.
Deviations: of what follows the last assignment only a %n directly behind it (white space aside) is
looked at: whether a later one was reached is not known.
Misses: numbered arguments (`%1$d`) and unknown conversions end the walk; %n when nothing was
assigned; conversions read before the end of input made the result EOF.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.combined.tracked_heap import real_free, tracked_allocate
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u32,
    load_u64,
    real_memcpy,
    real_strlen,
    real_wcslen,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import SCRATCH_END, SCRATCH_WALK
from irsan.runtime.kernels.text.formats import copy_va_list, next_word
from irsan.runtime.kernels.text.strings import string_write
from irsan.runtime.records import heap_records as hr

U32_0 = np.uint32(0)
U32_9 = np.uint32(9)
U32_10 = np.uint32(10)
U32_13 = np.uint32(13)
U32_64 = np.uint32(64)
U32_128 = np.uint32(128)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_10 = np.uint64(10)
U64_16 = np.uint64(16)
U64_LETTER = np.uint64(0xFF)
U64_MALLOC = np.uint64(hr.MALLOC)


def _code(character: str) -> Any:
    return np.uint32(ord(character))


def _letter(character: str) -> Any:
    return np.uint64(ord(character))


def _set(letters: str) -> Any:
    """Letters of 64..127 as bits."""
    return np.uint64(sum(1 << (ord(letter) - 64) for letter in letters))


BLANK, PERCENT, STAR, QUOTE = _code(" "), _code("%"), _code("*"), _code("'")
DIGIT_0, CARET, OPEN, CLOSE = _code("0"), _code("^"), _code("["), _code("]")
SMALL_A, SMALL_H, SMALL_L, SMALL_M = _code("a"), _code("h"), _code("l"), _code("m")
CAPITAL_I, CAPITAL_L = _code("I"), _code("L")
LENGTHS, TEXTS, GNU_ALLOCATED = _set("hlqLjzt"), _set("sSCc["), _set("sS[")
LETTER_C, LETTER_CAPITAL_C = _letter("c"), _letter("C")
LETTER_S, LETTER_CAPITAL_S, LETTER_SET = _letter("s"), _letter("S"), _letter("[")
LETTER_N, LETTER_P = _letter("n"), _letter("p")
INTEGERS, FLOATS = _set("diouxXbn"), _set("aAeEfFgG")

# A directive as one word: letter | length << 8 | flags << 16 | width << 32
SUPPRESSED = np.uint64(1 << 16)
ALLOCATES = np.uint64(1 << 17)
LENGTH_SHIFT = np.uint64(8)
WIDTH_SHIFT = np.uint64(32)
WIDTH_MASK = np.uint64(0xFFFF_FFFF)
# Lengths, by which the size of the object is chosen
PLAIN, CHAR, SHORT, LONG, LONG_DOUBLE = (np.uint64(n) for n in range(5))


@kernel("u32(u64,u64)")
def character_at(at: Any, step: Any) -> Any:
    """A character of a format, of 1 or 4 bytes."""
    if step == U64_1:
        return np.uint32(load_u8(at))
    return load_u32(at)


@kernel("b1(u32,u64)")
def is_one_of(character: Any, letters: Any) -> Any:
    """Whether a character of 64..127 is in a set."""
    if character < U32_64 or character >= U32_128:
        return False
    return ((letters >> np.uint64(character - U32_64)) & U64_1) != U64_0


@kernel("b1(u32)")
def is_space(character: Any) -> Any:
    """isspace of the C locale."""
    return character == BLANK or (character >= U32_9 and character <= U32_13)


@kernel("u64(u64,u64)")
def skip_prefix(at: Any, step: Any) -> Any:
    """The place behind the flags * ' and I."""
    character = character_at(at, step)
    while character in (STAR, QUOTE, CAPITAL_I):
        at += step
        character = character_at(at, step)
    return at


@kernel("u64(u64,u64)")
def read_width(at: Any, step: Any) -> Any:
    """The number that starts here, the place behind it in SCRATCH_END."""
    width = U64_0
    digit = np.uint32(character_at(at, step) - DIGIT_0)
    while digit < U32_10:
        width = (width * U64_10 + np.uint64(digit)) & WIDTH_MASK
        at += step
        digit = np.uint32(character_at(at, step) - DIGIT_0)
    store_u64(SCRATCH_END, at)
    return width


@kernel("u64(u64,u64)")
def read_length(at: Any, step: Any) -> Any:
    """The length modifier that starts here, the place behind it in SCRATCH_END."""
    length = PLAIN
    character = character_at(at, step)
    while is_one_of(character, LENGTHS):
        if character == SMALL_H and length == SHORT:
            length = CHAR
        elif character == SMALL_H:
            length = SHORT
        elif character == CAPITAL_L:
            length = LONG_DOUBLE
        else:
            length = LONG
        at += step
        character = character_at(at, step)
    store_u64(SCRATCH_END, at)
    return length


@kernel("u64(u64,u64)")
def skip_set(at: Any, step: Any) -> Any:
    """The place behind the ] of a set whose [ is at `at`; a ] that comes first is a member."""
    at += step
    if character_at(at, step) == CARET:
        at += step
    if character_at(at, step) == CLOSE:
        at += step
    while character_at(at, step) != CLOSE:
        if character_at(at, step) == U32_0:
            return at
        at += step
    return at + step


@kernel("u64(u64,u64)")
def read_allocates(at: Any, step: Any) -> Any:
    """ALLOCATES when an m starts here, or the a that means the same before a string."""
    character = character_at(at, step)
    if character == SMALL_M:
        return ALLOCATES
    if character == SMALL_A and is_one_of(character_at(at + step, step), GNU_ALLOCATED):
        return ALLOCATES
    return U64_0


@kernel("u64(u64,u64,b1)")
def read_directive(at: Any, step: Any, takes_a: Any) -> Any:
    """The directive whose % is before `at`, as a word; the place behind it is in SCRATCH_END.

    takes_a   a before s, S or [ allocates, instead of being a float conversion
    """
    flags = U64_0
    if character_at(at, step) == STAR:
        flags = SUPPRESSED
    at = skip_prefix(at, step)
    width = read_width(at, step)
    at = load_u64(SCRATCH_END)
    if takes_a or character_at(at, step) == SMALL_M:
        flags |= read_allocates(at, step)
    if (flags & ALLOCATES) != U64_0:
        at += step
    length = read_length(at, step)
    at = load_u64(SCRATCH_END)
    letter = character_at(at, step)
    if letter == OPEN:
        at = skip_set(at, step)
    elif letter != U32_0:
        at += step
    store_u64(SCRATCH_END, at)
    return np.uint64(letter) & U64_LETTER | length << LENGTH_SHIFT | flags | width << WIDTH_SHIFT


@kernel("u64(u64)")
def directive_to_bytes(directive: Any) -> Any:
    """Size of the number that a directive writes; 0 for what is none."""
    letter = directive & U64_LETTER
    length = (directive >> LENGTH_SHIFT) & U64_LETTER
    if letter == LETTER_P:
        return U64_8
    if is_one_of(np.uint32(letter), FLOATS):
        if length == LONG_DOUBLE:
            return U64_16
        return U64_8 if length == LONG else U64_4
    if not is_one_of(np.uint32(letter), INTEGERS):
        return U64_0
    if length == CHAR:
        return U64_1
    if length == SHORT:
        return U64_2
    return U64_4 if length == PLAIN else U64_8


@kernel("u64(u64,u64)")
def text_to_bytes(directive: Any, text: Any) -> Any:
    """Bytes that a string directive wrote at `text`."""
    letter = directive & U64_LETTER
    is_wide = ((directive >> LENGTH_SHIFT) & U64_LETTER) == LONG
    is_wide = is_wide or letter in (LETTER_CAPITAL_C, LETTER_CAPITAL_S)
    if letter in (LETTER_C, LETTER_CAPITAL_C):
        n_chars = max(directive >> WIDTH_SHIFT, U64_1)
    elif is_wide:
        n_chars = real_wcslen(text) + U64_1
    else:
        n_chars = real_strlen(text) + U64_1
    return n_chars << U64_2 if is_wide else n_chars


@kernel("void(ctx,u64,u64)")
def adopt_text(ctx: Any, directive: Any, place: Any) -> None:
    """Put a block of our heap in the place of the one that the C library made."""
    made = load_u64(place)
    if made == U64_0:
        return
    n_bytes = text_to_bytes(directive, made)
    block = tracked_allocate(ctx, n_bytes, U64_0, U64_MALLOC)
    if block != U64_0:
        real_memcpy(block, made, n_bytes)
        store_u64(place, block)
        real_free(made)


@kernel("b1(ctx,u64,u64)")
def object_written(ctx: Any, directive: Any, target: Any) -> Any:
    """A directive was assigned; False when it is no known one."""
    n_bytes = directive_to_bytes(directive)
    if n_bytes != U64_0:
        string_write(ctx, target, n_bytes)
        return True
    if not is_one_of(np.uint32(directive & U64_LETTER), TEXTS):
        return False
    if (directive & ALLOCATES) == U64_0:
        string_write(ctx, target, text_to_bytes(directive, target))
    elif string_write(ctx, target, U64_8):
        adopt_text(ctx, directive, target)
    return True


@kernel("void(ctx,u64,u64,i32,u64,b1)", outlined=True)
def format_written(
    ctx: Any, form: Any, arguments: Any, n_assigned: Any, step: Any, takes_a: Any
) -> None:
    """What a scanf wrote that gave `n_assigned`.

    form       address of its format, characters of `step` bytes
    arguments  address of a va_list as it was before the call
    takes_a    as for read_directive
    """
    copy_va_list(SCRATCH_WALK, arguments)
    left, is_reached, at = n_assigned, n_assigned > 0, form
    while is_reached and character_at(at, step) != U32_0:
        character = character_at(at, step)
        at += step
        if character != PERCENT:
            is_reached = left > 0 or is_space(character)
            continue
        directive = read_directive(at, step, takes_a)
        at = load_u64(SCRATCH_END)
        letter = directive & U64_LETTER
        if letter == np.uint64(PERCENT) or (directive & SUPPRESSED) != U64_0:
            is_reached = left > 0
            continue
        if letter != LETTER_N:
            is_reached = left > 0
            left -= 1
        is_reached = is_reached and object_written(ctx, directive, next_word())
