"""wcscmp, wcsstr, wmemchr and their kin: wide strings are read, up to what decided the result.

    wcscmp(L"ab", L"ac")   8 bytes of each      wcsrchr(s, c)   the whole string

Source: the wide string interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: wcscoll, wcsxfrm and wcstok count both strings as read whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.interceptors.wide_strings import chars_to_bytes
from irsan.runtime import heap_records as hr
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64, real_memcpy
from irsan.runtime.kernels.string_scans import touchable_bytes, wide_length
from irsan.runtime.kernels.strings import NO_FAMILY, string_part_read, string_write
from irsan.runtime.kernels.touches import KIND_READ, memory_access
from irsan.runtime.kernels.tracked_heap import tracked_allocate

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


@kernel("void(ctx,u64,u64,u64)")
def read_by_wcsstr(ctx: Any, found: Any, text: Any, needle: Any) -> None:
    """wcsstr reads the needle, and the text up to the end of the match."""
    whole_wide_read(ctx, needle)
    if found == U64_0:
        whole_wide_read(ctx, text)
    else:
        n_bytes = found - text + chars_to_bytes(wide_length(ctx, needle))
        string_part_read(ctx, text, n_bytes, NO_FAMILY)


@kernel("void(ctx,u64,u64,u64)")
def read_by_wcspbrk(ctx: Any, found: Any, text: Any, members: Any) -> None:
    """wcspbrk reads the set, and the text up to what it found."""
    whole_wide_read(ctx, members)
    if found == U64_0:
        whole_wide_read(ctx, text)
    else:
        string_part_read(ctx, text, found - text + U64_4, NO_FAMILY)


@kernel("void(ctx,u64,u64,u64)")
def read_by_wcsspn(ctx: Any, length: Any, text: Any, members: Any) -> None:
    """wcsspn and wcscspn read the set, and the text up to what ended the span."""
    whole_wide_read(ctx, members)
    string_part_read(ctx, text, chars_to_bytes(length + U64_1), NO_FAMILY)


@kernel("b1(ctx,u64,u64,u64)")
def check_wmemcmp(ctx: Any, first: Any, second: Any, n_chars: Any) -> Any:
    """wmemcmp."""
    may_read = memory_access(ctx, first, chars_to_bytes(n_chars), KIND_READ)
    return memory_access(ctx, second, chars_to_bytes(n_chars), KIND_READ) and may_read


@kernel("void(ctx,u64,u64,i32,u64)")
def read_by_wmemchr(ctx: Any, found: Any, start: Any, _value: Any, n_chars: Any) -> None:
    """wmemchr reads up to what it found, or everything."""
    n_bytes = chars_to_bytes(n_chars)
    if found != U64_0:
        n_bytes = found - start + U64_4
    memory_access(ctx, start, n_bytes, KIND_READ)


@kernel("void(ctx,u64,u64,u64,u64)")
def read_by_wcstok(ctx: Any, token: Any, text: Any, delimiters: Any, place: Any) -> None:
    """wcstok reads the delimiters and the token, and keeps where it is at `place`."""
    whole_wide_read(ctx, delimiters)
    string_write(ctx, place, U64_8)
    if token != U64_0:
        whole_wide_read(ctx, token)
    elif text != U64_0:
        whole_wide_read(ctx, text)


@kernel("void(ctx,i64,u64,u64)")
def read_by_wcstol(ctx: Any, _number: Any, text: Any, end_place: Any) -> None:
    """The wcstol family, when it says where the number ends."""
    if end_place == U64_0:
        return
    string_write(ctx, end_place, U64_8)
    string_part_read(ctx, text, load_u64(end_place) - text + U64_4, NO_FAMILY)


@kernel("void(ctx,u64,u64)")
def read_by_wcstod(ctx: Any, text: Any, end_place: Any) -> None:
    """wcstof, wcstod and wcstold."""
    read_by_wcstol(ctx, np.int64(0), text, end_place)


@kernel("u64(ctx,u64)")
def i_wcsdup(ctx: Any, text: Any) -> Any:
    """wcsdup."""
    whole_wide_read(ctx, text)
    n_bytes = chars_to_bytes(wide_length(ctx, text) + U64_1)
    copy = tracked_allocate(ctx, n_bytes, U64_0, U64_MALLOC)
    if copy != U64_0:
        real_memcpy(copy, text, n_bytes)
    return copy


_FLOATS = (("f32", "wcstof"), ("f64", "wcstod"), ("f80", "wcstold"))

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
    Export("ptr wcsstr(ptr,ptr)", kernel="read_by_wcsstr", real_first=True),
    Export("ptr wcspbrk(ptr,ptr)", kernel="read_by_wcspbrk", real_first=True),
    Export("u64 wcsspn(ptr,ptr)", kernel="read_by_wcsspn", real_first=True),
    Export("u64 wcscspn(ptr,ptr)", kernel="read_by_wcsspn", real_first=True),
    Export("i32 wmemcmp(ptr,ptr,u64)", kernel="check_wmemcmp", then_real=True),
    Export("ptr wmemchr(ptr,i32,u64)", kernel="read_by_wmemchr", real_first=True),
    Export("ptr wcstok(ptr,ptr,ptr)", kernel="read_by_wcstok", real_first=True),
    *(
        Export(f"i64 {prefix}{name}(ptr,ptr,i32)", kernel="read_by_wcstol", real_first=True)
        for name in ("wcstol", "wcstoll", "wcstoul", "wcstoull", "wcstoimax", "wcstoumax")
        for prefix in ("", "__isoc23_")
    ),
    *(
        Export(f"{kind} {name}(ptr,ptr)", kernel="read_by_wcstod", real_first=True)
        for kind, name in _FLOATS
    ),
    Export("ptr wcsdup(ptr)", kernel="i_wcsdup"),
)  # fmt: skip
