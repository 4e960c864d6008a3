"""Strings measured within the bytes that may be touched: no scan reads past the first bad one.

    block   | a b c | redzone ...        string_length = 3: the byte after them must not be read
    shadow  |  03   |  fa  ...           "ab\\0" gives 2: the byte after them is the NUL

A scan alternates between the shadow (how many bytes from here may be touched?) and the bytes (is
the end among those?), in pieces of 64 bytes, 512, and then four times as much up to 64 KiB, so
that what is found early costs little.  A function that is to report a string without an end
therefore checks `length + 1` bytes: with an end that is the string with its NUL, without one it is
what may be read and the first byte that may not.

Foreign memory counts as far as its mapping is known to go, or to the end of the page.

Source: none; the interceptors of LLVM scan with the C library and look at the shadow afterwards.
Deviations: from them, no scan gives its caller anything from behind the first bad byte; how far the
function would have gone on is only looked up for the report (needed_bytes), up to 64 KiB.
Soundness: a byte of the arena is only loaded after the shadow allowed it; a foreign one in no known
mapping is loaded, because the table may be older than the mapping.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
from irsan.runtime.kernels.threads.stack_rooms import stack_end
from irsan.runtime.layout import memory_map

U8_0 = np.uint8(0)
U8_32 = np.uint8(32)
U8_A = np.uint8(ord("A"))
U8_26 = np.uint8(26)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_BYTE = np.uint64(0xFF)
U64_MAX = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
U64_PAGE = np.uint64(4096)
U64_PAGE_MASK = np.uint64(4095)
U64_LAST_WORD = np.uint64(4088)
U64_ONES = np.uint64(0x0101_0101_0101_0101)
U64_HIGHS = np.uint64(0x8080_8080_8080_8080)
U64_ARENA_LO = np.uint64(memory_map.ARENA_LO)
U64_STACKS_LO = np.uint64(memory_map.STACKS_LO)
U64_STACKS_SIZE = np.uint64(memory_map.STACKS_HI - memory_map.STACKS_LO)
FIRST_PIECE = np.uint64(64)
SECOND_PIECE = np.uint64(512)
LAST_PIECE = np.uint64(1 << 16)


@kernel("u64(ctx,u64,u64)", outlined=True)
def touchable_bytes(ctx: Any, addr: Any, limit: Any) -> Any:
    """How many bytes from an address on may be read, at most `limit`; O(limit / 8).

    Foreign memory is taken a page at a time: the program may have protected the next one.
    """
    if ctx.sanitize_address == U64_0:
        return limit
    offset = addr - U64_ARENA_LO
    if offset >= ctx.arena_used:
        return min(limit, U64_PAGE - (addr & U64_PAGE_MASK))
    inside = min(limit, ctx.arena_used - offset)
    bad = first_poisoned(ctx, addr, inside)
    if bad == U64_0:
        return inside
    return bad - addr


@kernel("u64(ctx,u64)")
def addressable_run(ctx: Any, addr: Any) -> Any:
    """Bytes from an address on that one load of the shadow shows as addressable, at most 64.

    0 decides nothing.
    """
    if addr - U64_ARENA_LO + FIRST_PIECE >= ctx.arena_used:
        return U64_0
    granules = load_u64(addr_to_shadow(addr))
    skipped = addr & U64_7
    if granules == U64_0:
        return FIRST_PIECE - skipped
    room = U64_0
    while (granules & U64_BYTE) == U64_0:
        granules = granules >> U64_8
        room += U64_8
    if (granules & U64_BYTE) < U64_8:
        room += granules & U64_BYTE
    return max(room, skipped) - skipped


@kernel("u64(ctx,u64,u64)", outlined=True)
def string_length_within(ctx: Any, text: Any, limit: Any) -> Any:
    """Bytes before the NUL, before the first byte that must not be read, or `limit`."""
    done, piece = U64_0, SECOND_PIECE
    room = min(addressable_run(ctx, text), limit)
    while True:
        n_bytes = real_strnlen(text + done, room)
        done += n_bytes
        if n_bytes < room or done == limit:
            return done
        room = touchable_bytes(ctx, text + done, min(piece, limit - done))
        if room == U64_0:
            return done
        piece = min(piece << U64_2, LAST_PIECE)


@kernel("u64(ctx,u64)")
def string_length(ctx: Any, text: Any) -> Any:
    """string_length_within without a limit."""
    return string_length_within(ctx, text, U64_MAX)


@kernel("u64(ctx,u64)")
def mapped_run(ctx: Any, addr: Any) -> Any:
    """Bytes from an address on that are mapped, whatever their shadow says; 0 when not known."""
    offset = addr - U64_ARENA_LO
    if offset >= ctx.arena_used or is_guarded(ctx, addr) or is_nobody_there(ctx, addr):
        return U64_0
    room = ctx.arena_used - offset
    if addr - U64_STACKS_LO < U64_STACKS_SIZE:
        room = stack_end(addr) - addr
    elif addr < U64_STACKS_LO:
        room = U64_PAGE - (addr & U64_PAGE_MASK)
        while room < LAST_PIECE and not is_nobody_there(ctx, addr + room):
            room += U64_PAGE
    return min(room, LAST_PIECE)


@kernel("u64(ctx,u64,u64)", outlined=True)
def needed_bytes(ctx: Any, text: Any, n_bytes: Any) -> Any:
    """How far a function would read a string of which a scan saw `n_bytes`.

    As far as the scan, unless that ended at a byte that must not be read: then to the next NUL.
    """
    if n_bytes == U64_0 or ctx.sanitize_address == U64_0:
        return n_bytes
    last = text + n_bytes - U64_1
    if asan_ok1(ctx, last):
        return n_bytes
    if touchable_bytes(ctx, last, U64_1) != U64_0:
        return n_bytes
    room = mapped_run(ctx, last)
    return n_bytes + min(real_strnlen(last, room), max(room, U64_1) - U64_1)


@kernel("u64(ctx,u64,u64)", outlined=True)
def wide_length_within(ctx: Any, text: Any, limit: Any) -> Any:
    """The same for a string of 4-byte characters, counted in these."""
    done, piece = U64_0, FIRST_PIECE
    while done < limit:
        wanted = min(piece, limit - done)
        room = touchable_bytes(ctx, text + (done << U64_2), wanted << U64_2) >> U64_2
        n_chars = real_wcsnlen(text + (done << U64_2), room)
        done += n_chars
        if n_chars < room or room == U64_0:
            return done
        piece = min(piece << U64_2, LAST_PIECE)
    return done


@kernel("u64(ctx,u64)")
def wide_length(ctx: Any, text: Any) -> Any:
    """wide_length_within without a limit."""
    return wide_length_within(ctx, text, U64_MAX)


@kernel("u8(ctx,u64)")
def byte_or_end(ctx: Any, addr: Any) -> Any:
    """A byte, or 0 where none may be read."""
    if asan_ok1(ctx, addr) or touchable_bytes(ctx, addr, U64_1) != U64_0:
        return load_u8(addr)
    return U8_0


@kernel("u64(ctx,u64,u64)", outlined=True)
def bytes_before(ctx: Any, text: Any, value: Any) -> Any:
    """Bytes before the first `value`, the NUL, or the first byte that must not be read."""
    done, piece = U64_0, SECOND_PIECE
    room = addressable_run(ctx, text)
    while True:
        n_bytes = real_strnlen(text + done, room)
        found = real_memchr(text + done, value, n_bytes)
        if found != U64_0:
            return found - text
        done += n_bytes
        if n_bytes < room:
            return done
        room = touchable_bytes(ctx, text + done, piece)
        if room == U64_0:
            return done
        piece = min(piece << U64_2, LAST_PIECE)


@kernel("u64(ctx,u64,u64,u64)", outlined=True)
def bytes_before_match(ctx: Any, text: Any, needle: Any, needle_bytes: Any) -> Any:
    """Offset of the first place where a needle lies in a string; the string's length if none."""
    piece = FIRST_PIECE
    while True:
        length = string_length_within(ctx, text, piece)
        found = real_memmem(text, length, needle, needle_bytes)
        if found != U64_0:
            return found - text
        if length < piece:
            return length
        piece = piece << U64_2


@kernel("u64(ctx,u64,u64,u64,b1)", outlined=True)
def span(ctx: Any, text: Any, members: Any, n_members: Any, wanted: Any) -> Any:
    """Bytes that are members (or, without `wanted`, none) before the first that is not so.

    The NUL and a byte that must not be read end every span.
    """
    done = U64_0
    while True:
        room = touchable_bytes(ctx, text + done, FIRST_PIECE)
        i = U64_0
        while i < room:
            byte = load_u8(text + done + i)
            is_member = real_memchr(members, np.uint64(byte), n_members) != U64_0
            if byte == U8_0 or is_member != wanted:
                return done + i
            i += U64_1
        if room == U64_0:
            return done
        done += room


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
        if i + U64_8 <= limit and is_same_word(first + i, second + i):
            i += U64_8
            continue
        end = min(i + U64_8, limit)
        while i < end:
            byte = load_u8(first + i)
            if byte != load_u8(second + i) or byte == U8_0:
                return i
            i += U64_1
    return i


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


@kernel("u64(ctx,u64,u64,u64,b1)", outlined=True)
def compared_bytes(ctx: Any, first: Any, second: Any, limit: Any, folds: Any) -> Any:
    """Bytes before what decides a comparison: a difference, the common NUL, a byte not to be read.

    folds   A is the same as a
    """
    done, piece = U64_0, SECOND_PIECE
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
        if room == U64_0:
            return done
        piece = min(piece << U64_2, LAST_PIECE)
