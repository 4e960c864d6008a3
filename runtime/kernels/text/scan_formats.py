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

from irsan.runtime.kernels.combined.tracked_heap import allocate_surely, real_free
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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.text.formats import copy_va_list, next_word
from irsan.runtime.kernels.text.strings import string_write

LETTER = 0xFF


def _code(character: str) -> int:
    return ord(character)


def _letter(character: str) -> int:
    return ord(character)


def _set(letters: str) -> int:
    """Letters of 64..127 as bits."""
    return sum(1 << (ord(letter) - 64) for letter in letters)


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
SUPPRESSED = 1 << 16
ALLOCATES = 1 << 17
LENGTH_SHIFT = 8
WIDTH_SHIFT = 32
WIDTH_MASK = 0xFFFF_FFFF
# Lengths, by which the size of the object is chosen
PLAIN, CHAR, SHORT, LONG, LONG_DOUBLE = range(5)


@kernel
def character_at(at: u64, step: u64) -> u32:
    """A character of a format, of 1 or 4 bytes."""
    if step == 1:
        return u32(load_u8(at))
    return load_u32(at)


@kernel
def is_one_of(character: u32, letters: u64) -> bool:
    """Whether a character of 64..127 is in a set."""
    if character < 64 or character >= 128:
        return False
    return ((letters >> u64(character - 64)) & 1) != 0


@kernel
def is_space(character: u32) -> bool:
    """isspace of the C locale."""
    return character == BLANK or (character >= 9 and character <= 13)


@kernel
def skip_prefix(at: u64, step: u64) -> u64:
    """The place behind the flags * ' and I."""
    character = character_at(at, step)
    while character in (u32(STAR), u32(QUOTE), u32(CAPITAL_I)):
        at += step
        character = character_at(at, step)
    return at


@kernel
def read_width(at: u64, step: u64) -> u64:
    """The number that starts here, the place behind it in SCRATCH_END."""
    width = u64(0)
    digit = u32(character_at(at, step) - DIGIT_0)
    while digit < 10:
        width = (width * 10 + u64(digit)) & WIDTH_MASK
        at += step
        digit = u32(character_at(at, step) - DIGIT_0)
    store_u64(SCRATCH_END, at)
    return width


@kernel
def read_length(at: u64, step: u64) -> u64:
    """The length modifier that starts here, the place behind it in SCRATCH_END."""
    length = u64(PLAIN)
    character = character_at(at, step)
    while is_one_of(character, LENGTHS):
        if character == SMALL_H and length == SHORT:
            length = u64(CHAR)
        elif character == SMALL_H:
            length = u64(SHORT)
        elif character == CAPITAL_L:
            length = u64(LONG_DOUBLE)
        else:
            length = u64(LONG)
        at += step
        character = character_at(at, step)
    store_u64(SCRATCH_END, at)
    return length


@kernel
def skip_set(at: u64, step: u64) -> u64:
    """The place behind the ] of a set whose [ is at `at`; a ] that comes first is a member."""
    at += step
    if character_at(at, step) == CARET:
        at += step
    if character_at(at, step) == CLOSE:
        at += step
    while character_at(at, step) != CLOSE:
        if character_at(at, step) == 0:
            return at
        at += step
    return at + step


@kernel
def read_allocates(at: u64, step: u64) -> u64:
    """ALLOCATES when an m starts here, or the a that means the same before a string."""
    character = character_at(at, step)
    if character == SMALL_M:
        return ALLOCATES
    if character == SMALL_A and is_one_of(character_at(at + step, step), GNU_ALLOCATED):
        return ALLOCATES
    return 0


@kernel
def read_directive(at: u64, step: u64, takes_a: bool) -> u64:
    """The directive whose % is before `at`, as a word; the place behind it is in SCRATCH_END.

    takes_a   a before s, S or [ allocates, instead of being a float conversion
    """
    flags = u64(0)
    if character_at(at, step) == STAR:
        flags = u64(SUPPRESSED)
    at = skip_prefix(at, step)
    width = read_width(at, step)
    at = load_u64(SCRATCH_END)
    if takes_a or character_at(at, step) == SMALL_M:
        flags |= read_allocates(at, step)
    if (flags & ALLOCATES) != 0:
        at += step
    length = read_length(at, step)
    at = load_u64(SCRATCH_END)
    letter = character_at(at, step)
    if letter == OPEN:
        at = skip_set(at, step)
    elif letter != 0:
        at += step
    store_u64(SCRATCH_END, at)
    return u64(letter) & LETTER | length << LENGTH_SHIFT | flags | width << WIDTH_SHIFT


@kernel
def directive_to_bytes(directive: u64) -> u64:
    """Size of the number that a directive writes; 0 for other directives."""
    letter = directive & LETTER
    length = (directive >> LENGTH_SHIFT) & LETTER
    if letter == LETTER_P:
        return 8
    if is_one_of(u32(letter), FLOATS):
        if length == LONG_DOUBLE:
            return 16
        return u64(8) if length == LONG else u64(4)
    if not is_one_of(u32(letter), INTEGERS):
        return 0
    if length == CHAR:
        return 1
    if length == SHORT:
        return 2
    return u64(4) if length == PLAIN else u64(8)


@kernel
def text_to_bytes(directive: u64, text: u64) -> u64:
    """Bytes that a string directive wrote at `text`."""
    letter = directive & LETTER
    is_wide = ((directive >> LENGTH_SHIFT) & LETTER) == LONG
    is_wide = is_wide or letter in (u64(LETTER_CAPITAL_C), u64(LETTER_CAPITAL_S))
    if letter in (u64(LETTER_C), u64(LETTER_CAPITAL_C)):
        n_chars = max(directive >> WIDTH_SHIFT, u64(1))
    elif is_wide:
        n_chars = real_wcslen(text) + 1
    else:
        n_chars = real_strlen(text) + 1
    return n_chars << 2 if is_wide else n_chars


@kernel
def adopt_text(ctx: Context, directive: u64, place: u64) -> None:
    """Put a block of our heap in the place of the one that the C library made."""
    made = load_u64(place)
    if made == 0:
        return
    n_bytes = text_to_bytes(directive, made)
    block = allocate_surely(ctx, n_bytes)
    if block != 0:
        real_memcpy(block, made, n_bytes)
        store_u64(place, block)
        real_free(made)


@kernel
def object_written(ctx: Context, directive: u64, target: u64) -> bool:
    """A directive was assigned; False when it is no known one."""
    n_bytes = directive_to_bytes(directive)
    if n_bytes != 0:
        string_write(ctx, target, n_bytes)
        return True
    if not is_one_of(u32(directive & LETTER), TEXTS):
        return False
    if (directive & ALLOCATES) == 0:
        string_write(ctx, target, text_to_bytes(directive, target))
    elif string_write(ctx, target, 8):
        adopt_text(ctx, directive, target)
    return True


@kernel(outlined=True)
def format_written(
    ctx: Context, form: u64, arguments: u64, n_assigned: i32, step: u64, takes_a: bool
) -> None:
    """What a scanf wrote that gave `n_assigned`.

    form       address of its format, characters of `step` bytes
    arguments  address of a va_list as it was before the call
    takes_a    as for read_directive
    """
    copy_va_list(SCRATCH_WALK, arguments)
    left, is_reached, at = n_assigned, n_assigned > 0, form
    while is_reached and character_at(at, step) != 0:
        character = character_at(at, step)
        at += step
        if character != PERCENT:
            is_reached = left > 0 or is_space(character)
            continue
        directive = read_directive(at, step, takes_a)
        at = load_u64(SCRATCH_END)
        letter = directive & LETTER
        if letter == PERCENT or (directive & SUPPRESSED) != 0:
            is_reached = left > 0
            continue
        if letter != LETTER_N:
            is_reached = left > 0
            left = i32(left - 1)
        is_reached = is_reached and object_written(ctx, directive, next_word())
