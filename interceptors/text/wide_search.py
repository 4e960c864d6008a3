"""wcscmp, wcsstr, wmemchr and their kin: wide strings are read, up to what decided the result.

    wcscmp(L"ab", L"ac")   8 bytes of each      wcsrchr(s, c)   the whole string

Source: the wide string interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: wcscoll counts both strings as read whole; wcsxfrm with too little room counts all of it
as written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
from irsan.runtime.kernels.text.string_scans import touchable_bytes, wide_length
from irsan.runtime.kernels.text.strings import NO_FAMILY, string_part_read, string_write
from irsan.runtime.kernels.uninitialised.uninit_origins import bits_copy
from irsan.runtime.kernels.uninitialised.uninit_shadow import tracks_bits
from irsan.runtime.records import heap_records as hr

U32_0 = np.uint32(0)
U32_32 = np.uint32(32)
U32_A = np.uint32(ord("A"))
U32_26 = np.uint32(26)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_MAX = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
PIECE_BYTES = np.uint64(64)
PIECE_MASK = np.uint64(15)  # of characters in a piece
U64_MALLOC = np.uint64(hr.MALLOC)
real_wcsxfrm = host_function("wcsxfrm", 3)


@kernel("u32(u32,u64)")
def folded(character: Any, folds: Any) -> Any:
    """A character, or its small letter when case does not count."""
    if folds != U64_0 and np.uint32(character - U32_A) < U32_26:
        return np.uint32(character + U32_32)
    return character


@kernel("u64(ctx,u64,u64,u64,u64)")
def wide_prefix(ctx: Any, first: Any, second: Any, limit: Any, folds: Any) -> Any:
    """Characters before a difference, the common end or one that must not be read; <= limit."""
    i, room = U64_0, U64_0
    while i < limit:
        at, other_at = first + (i << U64_2), second + (i << U64_2)
        if (i & PIECE_MASK) == U64_0:
            room = touchable_bytes(ctx, other_at, touchable_bytes(ctx, at, PIECE_BYTES))
        if room < ((i & PIECE_MASK) + U64_1) << U64_2:
            return i
        character = load_u32(at)
        if folded(character, folds) != folded(load_u32(other_at), folds) or character == U32_0:
            return i
        i += U64_1
    return i


@kernel("b1(ctx,u64,u64,u64,u64)")
def check_wcsncmp(ctx: Any, first: Any, second: Any, limit: Any, folds: Any) -> Any:
    """wcsncmp and wcsncasecmp."""
    n_chars = wide_prefix(ctx, first, second, limit, folds)
    if n_chars < limit:
        n_chars += U64_1
    may_read = string_part_read(ctx, first, chars_to_bytes(n_chars), NO_FAMILY)
    return string_part_read(ctx, second, chars_to_bytes(n_chars), NO_FAMILY) and may_read


@kernel("b1(ctx,u64,u64,u64)")
def check_wcscmp(ctx: Any, first: Any, second: Any, folds: Any) -> Any:
    """wcscmp and wcscasecmp."""
    return check_wcsncmp(ctx, first, second, U64_MAX, folds)


@kernel("b1(ctx,u64)")
def whole_wide_read(ctx: Any, text: Any) -> Any:
    """A wide string and its final zero are read."""
    return string_part_read(ctx, text, chars_to_bytes(wide_length(ctx, text) + U64_1), NO_FAMILY)


@kernel("b1(ctx,u64,u64)")
def check_two_wide(ctx: Any, first: Any, second: Any) -> Any:
    """A function that reads two whole wide strings."""
    may_read = whole_wide_read(ctx, first)
    return whole_wide_read(ctx, second) and may_read


@kernel("b1(ctx,u64,u64)")
def check_wcsstr(ctx: Any, text: Any, needle: Any) -> Any:
    """wcsstr reads the needle, and the text up to the end of the match."""
    may_read = whole_wide_read(ctx, needle)
    n_needle = wide_length(ctx, needle)
    n_text = wide_length(ctx, text)
    at = U64_0
    while at + n_needle <= n_text:
        if wide_prefix(ctx, text + (at << U64_2), needle, n_needle, U64_0) == n_needle:
            n_bytes = chars_to_bytes(at + n_needle)
            return string_part_read(ctx, text, n_bytes, NO_FAMILY) and may_read
        at += U64_1
    return string_part_read(ctx, text, chars_to_bytes(n_text + U64_1), NO_FAMILY) and may_read


@kernel("u64(ctx,u64,u64,u64,u64)")
def wide_span(ctx: Any, text: Any, members: Any, n_members: Any, wanted: Any) -> Any:
    """Characters that are members (or, with wanted 0, none) before the first that is not so.

    The final zero and a character that must not be read end every span.
    """
    n_text = wide_length(ctx, text)
    at = U64_0
    while at < n_text:
        character = load_u32(text + (at << U64_2))
        i = U64_0
        while i < n_members and load_u32(members + (i << U64_2)) != character:
            i += U64_1
        if (i < n_members) != (wanted != U64_0):
            return at
        at += U64_1
    return at


@kernel("b1(ctx,u64,u64,u64)")
def check_wide_span(ctx: Any, text: Any, members: Any, wanted: Any) -> Any:
    """wcsspn, wcscspn and wcspbrk read the set, and the text up to what ends the span."""
    may_read = whole_wide_read(ctx, members)
    n_chars = wide_span(ctx, text, members, wide_length(ctx, members), wanted) + U64_1
    return string_part_read(ctx, text, chars_to_bytes(n_chars), NO_FAMILY) and may_read


@kernel("b1(ctx,u64,u64,u64)")
def check_wmemcmp(ctx: Any, first: Any, second: Any, n_chars: Any) -> Any:
    """wmemcmp."""
    may_read = memory_access(ctx, first, chars_to_bytes(n_chars), KIND_READ)
    return memory_access(ctx, second, chars_to_bytes(n_chars), KIND_READ) and may_read


@kernel("u64(ctx,u64,i32,u64)")
def i_wmemchr(ctx: Any, start: Any, value: Any, n_chars: Any) -> Any:
    """wmemchr reads up to what it finds, or everything."""
    n_room = touchable_bytes(ctx, start, chars_to_bytes(n_chars)) >> U64_2
    at = U64_0
    while at < min(n_room, n_chars) and load_u32(start + (at << U64_2)) != np.uint32(value):
        at += U64_1
    if at < min(n_room, n_chars):
        memory_access(ctx, start, chars_to_bytes(at + U64_1), KIND_READ)
        return start + (at << U64_2)
    memory_access(ctx, start, chars_to_bytes(n_chars), KIND_READ)
    return U64_0


@kernel("u64(ctx,u64,u64,u64)")
def i_wcstok(ctx: Any, text: Any, delimiters: Any, place: Any) -> Any:
    """wcstok: the delimiters, `place` and the token are looked at, its end becomes a zero."""
    if not (whole_wide_read(ctx, delimiters) and string_write(ctx, place, U64_8)):
        return U64_0
    if text == U64_0:
        text = load_u64(place)
    if text == U64_0:
        return U64_0
    n_delimiters = wide_length(ctx, delimiters)
    n_skipped = wide_span(ctx, text, delimiters, n_delimiters, U64_1)
    token = text + (n_skipped << U64_2)
    n_token = wide_span(ctx, token, delimiters, n_delimiters, U64_0)
    n_bytes = chars_to_bytes(n_skipped + n_token + U64_1)
    if not string_part_read(ctx, text, n_bytes, NO_FAMILY) or n_token == U64_0:
        store_u64(place, token)
        return U64_0
    end = token + (n_token << U64_2)
    if touchable_bytes(ctx, end, U64_4) >= U64_4 and load_u32(end) != U32_0:
        if string_write(ctx, end, U64_4):
            store_u32(end, U32_0)
        end += U64_4
    store_u64(place, end)
    return token


@kernel("b1(ctx,u64,u64,u64)")
def check_wcsxfrm(ctx: Any, target: Any, source: Any, limit: Any) -> Any:
    """wcsxfrm writes what it makes, as far as it fits."""
    if not whole_wide_read(ctx, source):
        return False
    n_made = min(real_wcsxfrm(U64_0, source, U64_0) + U64_1, limit)
    return string_write(ctx, target, chars_to_bytes(n_made))


@kernel("u64(ctx,u64)")
def i_wcsdup(ctx: Any, text: Any) -> Any:
    """wcsdup."""
    whole_wide_read(ctx, text)
    n_bytes = chars_to_bytes(wide_length(ctx, text) + U64_1)
    copy = tracked_allocate(ctx, n_bytes, U64_0, U64_MALLOC)
    if copy != U64_0:
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
