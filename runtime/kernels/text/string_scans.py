"""Strings measured within the bytes that may be touched: no scan reads past the first bad one.

    block   | a b c | redzone ...        string_length = 3: the byte after them must not be read
    shadow  |  03   |  fa  ...           "ab\\0" gives 2: the byte after them is the NUL

A scan alternates between the shadow (how many bytes from here may be touched?) and the bytes (is
the end among those?), in pieces of 64 bytes, 512, and then four times as much up to 64 KiB, so
that an early find costs little.  A function that is to report a string without an end
therefore checks `length + 1` bytes: with an end that is the string with its NUL, without one it is
what may be read and the first byte that may not.

Foreign memory counts as far as its mapping is known to go, or to the end of the page.

Source: none; the interceptors of LLVM scan with the C library and look at the shadow afterwards.
Deviations: from them, no scan gives its caller anything from behind the first bad byte; how far the
function would have gone on is only looked up for the report (needed_bytes), up to 64 KiB.
Soundness: a byte of the arena is only looked at after the shadow allowed it, or loaded in one word
with one that it allows, in the same page; a foreign one in no known mapping is loaded, because the
table may be older than the mapping.
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.access import asan_ok1
from irsan.runtime.kernels.checks.shadow import addr_to_shadow, first_poisoned, is_nobody_there
from irsan.runtime.kernels.heap.guarded_pool import is_guarded
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u64,
    real_memchr,
    real_memmem,
    real_strnlen,
    real_wcsnlen,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u8, u64
from irsan.runtime.kernels.threads.stack_rooms import stack_end
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import ARENA_LO, STACKS_LO

LETTER_A = ord("A")
BYTE = 0xFF
MAX = 0xFFFF_FFFF_FFFF_FFFF
PAGE = 4096
PAGE_MASK = 4095
LAST_WORD = 4088
ONES = 0x0101_0101_0101_0101
HIGHER_ONES = 0x0101_0101_0101_0100
HIGHS = 0x8080_8080_8080_8080
STACKS_SIZE = memory_map.STACKS_HI - memory_map.STACKS_LO
FIRST_PIECE = 64
SECOND_PIECE = 512
LAST_PIECE = 1 << 16


@kernel(outlined=True)
def touchable_bytes(ctx: Context, addr: u64, limit: u64) -> u64:
    """How many bytes from an address on may be read, at most `limit`; O(limit / 8).

    Foreign memory is taken a page at a time: the program may have protected the next one.
    """
    if ctx.sanitize_address == 0:
        return limit
    offset = addr - ARENA_LO
    if offset >= ctx.arena_used:
        return min(limit, PAGE - (addr & PAGE_MASK))
    inside = min(limit, ctx.arena_used - offset)
    bad = first_poisoned(ctx, addr, inside)
    if bad == 0:
        return inside
    return bad - addr


@kernel
def addressable_run(ctx: Context, addr: u64) -> u64:
    """Bytes from an address on that one load of the shadow shows as addressable, at most 64.

    0 decides nothing.
    """
    if addr - ARENA_LO + FIRST_PIECE >= ctx.arena_used:
        return 0
    granules = load_u64(addr_to_shadow(addr))
    skipped = addr & 7
    if granules == 0:
        return FIRST_PIECE - skipped
    room = u64(0)
    while (granules & BYTE) == 0:
        granules = granules >> 8
        room += 8
    if (granules & BYTE) < 8:
        room += granules & BYTE
    return max(room, skipped) - skipped


@kernel(outlined=True)
def string_length_within(ctx: Context, text: u64, limit: u64) -> u64:
    """Bytes before the NUL, before the first byte that must not be read, or `limit`."""
    done, piece = u64(0), u64(SECOND_PIECE)
    room = min(addressable_run(ctx, text), limit)
    while True:
        n_bytes = real_strnlen(text + done, room)
        done += n_bytes
        if n_bytes < room or done == limit:
            return done
        room = touchable_bytes(ctx, text + done, min(piece, limit - done))
        if room == 0:
            return done
        piece = min(piece << 2, u64(LAST_PIECE))


@kernel
def string_length(ctx: Context, text: u64) -> u64:
    """string_length_within without a limit."""
    return string_length_within(ctx, text, MAX)


@kernel
def mapped_run(ctx: Context, addr: u64) -> u64:
    """Bytes from an address on that are mapped, whatever their shadow says; 0 when not known."""
    offset = addr - ARENA_LO
    if offset >= ctx.arena_used or is_guarded(ctx, addr) or is_nobody_there(ctx, addr):
        return 0
    room = ctx.arena_used - offset
    if addr - STACKS_LO < STACKS_SIZE:
        room = stack_end(addr) - addr
    elif addr < STACKS_LO:
        room = PAGE - (addr & PAGE_MASK)
        while room < LAST_PIECE and not is_nobody_there(ctx, addr + room):
            room += PAGE
    return min(room, u64(LAST_PIECE))


@kernel(outlined=True)
def needed_bytes(ctx: Context, text: u64, n_bytes: u64) -> u64:
    """How far a function would read a string of which a scan saw `n_bytes`.

    As far as the scan, unless that ended at a byte that must not be read: then to the next NUL.
    """
    if n_bytes == 0 or ctx.sanitize_address == 0:
        return n_bytes
    last = text + n_bytes - 1
    if asan_ok1(ctx, last):
        return n_bytes
    if touchable_bytes(ctx, last, 1) != 0:
        return n_bytes
    room = mapped_run(ctx, last)
    return n_bytes + min(real_strnlen(last, room), max(room, u64(1)) - 1)


@kernel(outlined=True)
def wide_length_within(ctx: Context, text: u64, limit: u64) -> u64:
    """The same for a string of 4-byte characters, counted in these."""
    done, piece = u64(0), u64(FIRST_PIECE)
    while done < limit:
        wanted = min(piece, limit - done)
        room = touchable_bytes(ctx, text + (done << 2), wanted << 2) >> 2
        n_chars = real_wcsnlen(text + (done << 2), room)
        done += n_chars
        if n_chars < room or room == 0:
            return done
        piece = min(piece << 2, u64(LAST_PIECE))
    return done


@kernel
def wide_length(ctx: Context, text: u64) -> u64:
    """wide_length_within without a limit."""
    return wide_length_within(ctx, text, MAX)


@kernel
def byte_or_end(ctx: Context, addr: u64) -> u8:
    """A byte, or 0 where none may be read."""
    if asan_ok1(ctx, addr) or touchable_bytes(ctx, addr, 1) != 0:
        return load_u8(addr)
    return 0


@kernel(outlined=True)
def bytes_before(ctx: Context, text: u64, value: u64) -> u64:
    """Bytes before the first `value`, the NUL, or the first byte that must not be read."""
    done, piece = u64(0), u64(SECOND_PIECE)
    room = addressable_run(ctx, text)
    while True:
        n_bytes = real_strnlen(text + done, room)
        found = real_memchr(text + done, value, n_bytes)
        if found != 0:
            return found - text
        done += n_bytes
        if n_bytes < room:
            return done
        room = touchable_bytes(ctx, text + done, piece)
        if room == 0:
            return done
        piece = min(piece << 2, u64(LAST_PIECE))


@kernel(outlined=True)
def bytes_before_match(ctx: Context, text: u64, needle: u64, needle_bytes: u64) -> u64:
    """Offset of the first place where a needle lies in a string; the string's length if none."""
    piece = u64(FIRST_PIECE)
    while True:
        length = string_length_within(ctx, text, piece)
        found = real_memmem(text, length, needle, needle_bytes)
        if found != 0:
            return found - text
        if length < piece:
            return length
        piece = piece << 2


@kernel(outlined=True)
def span(ctx: Context, text: u64, members: u64, n_members: u64, wanted: bool) -> u64:
    """Bytes that are members (or, without `wanted`, none) before the first that is not so.

    The NUL and a byte that must not be read end every span.
    """
    done = u64(0)
    while True:
        room = touchable_bytes(ctx, text + done, FIRST_PIECE)
        i = u64(0)
        while i < room:
            byte = load_u8(text + done + i)
            is_member = real_memchr(members, u64(byte), n_members) != 0
            if byte == 0 or is_member != wanted:
                return done + i
            i += 1
        if room == 0:
            return done
        done += room


@kernel
def is_in_page(addr: u64) -> bool:
    """Whether the 8 bytes at an address lie in one page: one readable byte vouches for all."""
    return (addr & PAGE_MASK) <= LAST_WORD


@kernel
def low_byte(word: u64) -> u64:
    """Which byte of a word that is not 0 is the lowest that is not."""
    lowest = word & (u64(0) - word)
    below = ((lowest << 1) - 1) & HIGHER_ONES
    return (below * ONES) >> 56


@kernel
def common_prefix(first: u64, second: u64, limit: u64) -> u64:
    """Bytes before the first difference or the common NUL of two strings, at most `limit`."""
    i = u64(0)
    while i < limit:
        if is_in_page(first + i) and is_in_page(second + i):
            word = load_u64(first + i)
            ends = (word ^ load_u64(second + i)) | ((word - ONES) & ~word & HIGHS)
            if ends != 0:
                return min(i + low_byte(ends), limit)
            i += 8
            continue
        end = min(i + 8, limit)
        while i < end:
            byte = load_u8(first + i)
            if byte != load_u8(second + i) or byte == 0:
                return i
            i += 1
    return min(i, limit)


@kernel
def to_lower(byte: u8) -> u8:
    """tolower of the C locale."""
    if u8(byte - LETTER_A) < 26:
        return u8(byte | 32)
    return byte


@kernel
def common_prefix_nocase(first: u64, second: u64, limit: u64) -> u64:
    """common_prefix where A is the same as a."""
    i = u64(0)
    while i < limit:
        byte = load_u8(first + i)
        if to_lower(byte) != to_lower(load_u8(second + i)) or byte == 0:
            return i
        i += 1
    return i


@kernel(outlined=True)
def compared_bytes(ctx: Context, first: u64, second: u64, limit: u64, folds: bool) -> u64:
    """Bytes before what decides a comparison: a difference, the common NUL, a byte not to be read.

    folds   A is the same as a
    """
    done, piece = u64(0), u64(SECOND_PIECE)
    room = min(addressable_run(ctx, first), addressable_run(ctx, second), limit)
    while True:
        if folds:
            n_bytes = common_prefix_nocase(first + done, second + done, room)
        else:
            n_bytes = common_prefix(first + done, second + done, room)
        done += n_bytes
        if n_bytes < room or done == limit:
            return done
        room = touchable_bytes(ctx, first + done, min(piece, limit - done))
        room = touchable_bytes(ctx, second + done, room)
        if room == 0:
            return done
        piece = min(piece << 2, u64(LAST_PIECE))
