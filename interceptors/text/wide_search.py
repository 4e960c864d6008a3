"""wcscmp, wcsstr, wmemchr and similar: wide strings are read, up to what decided the result.

    wcscmp(L"ab", L"ac")   8 bytes of each      wcsrchr(s, c)   the whole string

Source: the wide string interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: wcscoll counts both strings as read whole; wcsxfrm with too little room counts all of it
as written.
"""

from __future__ import annotations

from irsan.interceptors.host_functions import host_function
from irsan.interceptors.registry import Export
from irsan.interceptors.text.wide_strings import chars_to_bytes
from irsan.runtime.kernels.combined.touches import KIND_READ, memory_access
from irsan.runtime.kernels.combined.tracked_heap import tracked_allocate
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u32,
    load_u64,
    real_memcpy,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.text.string_scans import touchable_bytes, wide_length
from irsan.runtime.kernels.text.strings import NO_FAMILY, string_part_read, string_write
from irsan.runtime.kernels.uninitialised.uninit_origins import bits_copy
from irsan.runtime.kernels.uninitialised.uninit_shadow import tracks_bits
from irsan.runtime.records.memory.heap_records import MALLOC

LETTER_A = ord("A")
MAX = 0xFFFF_FFFF_FFFF_FFFF
PIECE_BYTES = 64
PIECE_MASK = 15  # of characters in a piece
real_wcsxfrm = host_function("wcsxfrm", 3)


@kernel
def folded(character: u32, folds: u64) -> u32:
    """A character, or its small letter when case does not count."""
    if folds != 0 and u32(character - LETTER_A) < 26:
        return u32(character + 32)
    return character


@kernel
def wide_prefix(ctx: Context, first: u64, second: u64, limit: u64, folds: u64) -> u64:
    """Characters before a difference, the common end or one that must not be read; <= limit."""
    i, room = u64(0), u64(0)
    while i < limit:
        at, other_at = first + (i << 2), second + (i << 2)
        if (i & PIECE_MASK) == 0:
            room = touchable_bytes(ctx, other_at, touchable_bytes(ctx, at, PIECE_BYTES))
        if room < ((i & PIECE_MASK) + 1) << 2:
            return i
        character = load_u32(at)
        if folded(character, folds) != folded(load_u32(other_at), folds) or character == 0:
            return i
        i += 1
    return i


@kernel
def check_wcsncmp(ctx: Context, first: u64, second: u64, limit: u64, folds: u64) -> bool:
    """wcsncmp and wcsncasecmp."""
    n_chars = wide_prefix(ctx, first, second, limit, folds)
    if n_chars < limit:
        n_chars += 1
    may_read = string_part_read(ctx, first, chars_to_bytes(n_chars), NO_FAMILY)
    return string_part_read(ctx, second, chars_to_bytes(n_chars), NO_FAMILY) and may_read


@kernel
def check_wcscmp(ctx: Context, first: u64, second: u64, folds: u64) -> bool:
    """wcscmp and wcscasecmp."""
    return check_wcsncmp(ctx, first, second, MAX, folds)


@kernel
def whole_wide_read(ctx: Context, text: u64) -> bool:
    """A wide string and its final zero are read."""
    return string_part_read(ctx, text, chars_to_bytes(wide_length(ctx, text) + 1), NO_FAMILY)


@kernel
def check_two_wide(ctx: Context, first: u64, second: u64) -> bool:
    """A function that reads two whole wide strings."""
    may_read = whole_wide_read(ctx, first)
    return whole_wide_read(ctx, second) and may_read


@kernel
def check_wcsstr(ctx: Context, text: u64, needle: u64) -> bool:
    """wcsstr reads the needle, and the text up to the end of the match."""
    may_read = whole_wide_read(ctx, needle)
    n_needle = wide_length(ctx, needle)
    n_text = wide_length(ctx, text)
    at = u64(0)
    while at + n_needle <= n_text:
        if wide_prefix(ctx, text + (at << 2), needle, n_needle, 0) == n_needle:
            n_bytes = chars_to_bytes(at + n_needle)
            return string_part_read(ctx, text, n_bytes, NO_FAMILY) and may_read
        at += 1
    return string_part_read(ctx, text, chars_to_bytes(n_text + 1), NO_FAMILY) and may_read


@kernel
def wide_span(ctx: Context, text: u64, members: u64, n_members: u64, wanted: u64) -> u64:
    """Characters that are members (or, with wanted 0, none) before the first that is not so.

    The final zero and a character that must not be read end every span.
    """
    n_text = wide_length(ctx, text)
    at = u64(0)
    while at < n_text:
        character = load_u32(text + (at << 2))
        i = u64(0)
        while i < n_members and load_u32(members + (i << 2)) != character:
            i += 1
        if (i < n_members) != (wanted != 0):
            return at
        at += 1
    return at


@kernel
def check_wide_span(ctx: Context, text: u64, members: u64, wanted: u64) -> bool:
    """wcsspn, wcscspn and wcspbrk read the set, and the text up to what ends the span."""
    may_read = whole_wide_read(ctx, members)
    n_chars = wide_span(ctx, text, members, wide_length(ctx, members), wanted) + 1
    return string_part_read(ctx, text, chars_to_bytes(n_chars), NO_FAMILY) and may_read


@kernel
def check_wmemcmp(ctx: Context, first: u64, second: u64, n_chars: u64) -> bool:
    """wmemcmp."""
    may_read = memory_access(ctx, first, chars_to_bytes(n_chars), KIND_READ)
    return memory_access(ctx, second, chars_to_bytes(n_chars), KIND_READ) and may_read


@kernel
def i_wmemchr(ctx: Context, start: u64, value: i32, n_chars: u64) -> u64:
    """wmemchr reads up to what it finds, or everything."""
    n_room = touchable_bytes(ctx, start, chars_to_bytes(n_chars)) >> 2
    at = u64(0)
    while at < min(n_room, n_chars) and load_u32(start + (at << 2)) != u32(value):
        at += 1
    if at < min(n_room, n_chars):
        memory_access(ctx, start, chars_to_bytes(at + 1), KIND_READ)
        return start + (at << 2)
    memory_access(ctx, start, chars_to_bytes(n_chars), KIND_READ)
    return 0


@kernel
def i_wcstok(ctx: Context, text: u64, delimiters: u64, place: u64) -> u64:
    """wcstok: the delimiters, `place` and the token are looked at, its end becomes a zero."""
    if not (whole_wide_read(ctx, delimiters) and string_write(ctx, place, 8)):
        return 0
    if text == 0:
        text = load_u64(place)
    if text == 0:
        return 0
    n_delimiters = wide_length(ctx, delimiters)
    n_skipped = wide_span(ctx, text, delimiters, n_delimiters, 1)
    token = text + (n_skipped << 2)
    n_token = wide_span(ctx, token, delimiters, n_delimiters, 0)
    n_bytes = chars_to_bytes(n_skipped + n_token + 1)
    if not string_part_read(ctx, text, n_bytes, NO_FAMILY) or n_token == 0:
        store_u64(place, token)
        return 0
    end = token + (n_token << 2)
    if touchable_bytes(ctx, end, 4) >= 4 and load_u32(end) != 0:
        if string_write(ctx, end, 4):
            store_u32(end, 0)
        end += 4
    store_u64(place, end)
    return token


@kernel
def check_wcsxfrm(ctx: Context, target: u64, source: u64, limit: u64) -> bool:
    """wcsxfrm writes what it makes, as far as it fits."""
    if not whole_wide_read(ctx, source):
        return False
    n_made = min(real_wcsxfrm(0, source, 0) + 1, limit)
    return string_write(ctx, target, chars_to_bytes(n_made))


@kernel
def i_wcsdup(ctx: Context, text: u64) -> u64:
    """wcsdup."""
    whole_wide_read(ctx, text)
    n_bytes = chars_to_bytes(wide_length(ctx, text) + 1)
    copy = tracked_allocate(ctx, n_bytes, 0, MALLOC)
    if copy != 0:
        real_memcpy(copy, text, n_bytes)
        if tracks_bits():
            bits_copy(ctx, copy, text, n_bytes)
    return copy


EXPORTS = (
    *(
        Export(f"i32 {name}(ptr,ptr)", kernel="check_wcscmp", then_real=True, constants=(folds,))
        for name, folds in (("wcscmp", 0), ("wcscasecmp", 1))
    ),
    *(
        Export(
            f"i32 {name}(ptr,ptr,u64)", kernel="check_wcsncmp", then_real=True, constants=(folds,)
        )
        for name, folds in (("wcsncmp", 0), ("wcsncasecmp", 1))
    ),
    Export("ptr wcsrchr(ptr,i32)", kernel="whole_wide_read", then_real=True),
    Export("i32 wcscoll(ptr,ptr)", kernel="check_two_wide", then_real=True),
    Export("ptr wcsstr(ptr,ptr)", kernel="check_wcsstr", then_real=True),
    Export("u64 wcsspn(ptr,ptr)", kernel="check_wide_span", then_real=True, constants=(1,)),
    Export("u64 wcscspn(ptr,ptr)", kernel="check_wide_span", then_real=True, constants=(0,)),
    Export("ptr wcspbrk(ptr,ptr)", kernel="check_wide_span", then_real=True, constants=(0,)),
    Export("i32 wmemcmp(ptr,ptr,u64)", kernel="check_wmemcmp", then_real=True),
    Export("ptr wmemchr(ptr,i32,u64)", kernel="i_wmemchr"),
    Export("ptr wcstok(ptr,ptr,ptr)", kernel="i_wcstok"),
    Export("u64 wcsxfrm(ptr,ptr,u64)", kernel="check_wcsxfrm", then_real=True),
    Export("i32 fputws(ptr,ptr)", kernel="whole_wide_read", then_real=True),
    Export("ptr wcsdup(ptr)", kernel="i_wcsdup"),
)  # fmt: skip
