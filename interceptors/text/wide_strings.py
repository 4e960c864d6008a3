"""wcslen, wcscpy, wmemcpy and their kin: strings of 4-byte characters, checked as the narrow ones.

Source: the wide string interceptors of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory.memcpy import check_copy, check_move
from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_copy import append_bits, check_string_copy, strings_apart
from irsan.runtime.kernels.combined.touches import KIND_WRITE, memory_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.text.string_scans import wide_length, wide_length_within
from irsan.runtime.kernels.text.strings import NO_FAMILY, REPLACED, family_write, string_part_read
from irsan.runtime.kernels.uninitialised.uninit_use import used_bits

U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_MAX = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
TOO_MANY = np.uint64(1 << 62)


@kernel("u64(u64)")
def chars_to_bytes(n_chars: Any) -> Any:
    """Size of so many characters; a number that cannot be a size stays one that cannot."""
    if n_chars >= TOO_MANY:
        return U64_MAX
    return n_chars << U64_2


@kernel("u64(ctx,u64)")
def i_wcslen(ctx: Any, text: Any) -> Any:
    """wcslen reads the final zero, too."""
    length = wide_length(ctx, text)
    string_part_read(ctx, text, chars_to_bytes(length + U64_1), NO_FAMILY)
    return length


@kernel("u64(ctx,u64,u64)")
def i_wcsnlen(ctx: Any, text: Any, limit: Any) -> Any:
    """wcsnlen reads the final zero when it comes before the limit."""
    length = wide_length_within(ctx, text, limit)
    string_part_read(ctx, text, chars_to_bytes(min(length + U64_1, limit)), NO_FAMILY)
    return length


@kernel("u64(ctx,u64,u32)")
def i_wcschr(ctx: Any, text: Any, character: Any) -> Any:
    """wcschr reads up to what it finds."""
    length = wide_length(ctx, text)
    at = U64_0
    while at < length and load_u32(text + (at << U64_2)) != character:
        at += U64_1
    string_part_read(ctx, text, chars_to_bytes(at + U64_1), NO_FAMILY)
    if at < length or character == U32_0:
        return text + (at << U64_2)
    return U64_0


@kernel("b1(ctx,u64,u64)")
def check_wcscpy(ctx: Any, target: Any, source: Any) -> Any:
    """wcscpy and wcpcpy."""
    n_bytes = chars_to_bytes(wide_length(ctx, source) + U64_1)
    return check_string_copy(ctx, target, n_bytes, source, n_bytes)


@kernel("b1(ctx,u64,u64,u64)")
def check_wcsncpy(ctx: Any, target: Any, source: Any, n_chars: Any) -> Any:
    """wcsncpy and wcpncpy write all of the size."""
    n_read = min(wide_length_within(ctx, source, n_chars) + U64_1, n_chars)
    return check_string_copy(ctx, target, chars_to_bytes(n_chars), source, chars_to_bytes(n_read))


@kernel("b1(ctx,u64,u64,u64)")
def check_wcsncat(ctx: Any, target: Any, source: Any, limit: Any) -> Any:
    """wcsncat."""
    n_copied = wide_length_within(ctx, source, limit)
    n_read = chars_to_bytes(min(n_copied + U64_1, limit))
    may_read = string_part_read(ctx, source, n_read, REPLACED)
    old_bytes = chars_to_bytes(wide_length(ctx, target))
    used_bits(ctx, target + old_bytes, U64_4)  # before it is written over
    new_bytes = chars_to_bytes(n_copied + U64_1)
    may_write = family_write(ctx, target + old_bytes, new_bytes, REPLACED)
    if n_copied != U64_0:
        strings_apart(ctx, target, old_bytes + new_bytes, source, n_read)
    append_bits(ctx, target, old_bytes, source, new_bytes - U64_4, U64_4)
    return may_read and may_write


@kernel("b1(ctx,u64,u64)")
def check_wcscat(ctx: Any, target: Any, source: Any) -> Any:
    """wcscat."""
    return check_wcsncat(ctx, target, source, U64_MAX)


@kernel("b1(ctx,u64,u64,u64)")
def check_wmemcpy(ctx: Any, target: Any, source: Any, n_chars: Any) -> Any:
    """wmemcpy and wmempcpy."""
    return check_copy(ctx, target, source, chars_to_bytes(n_chars))


@kernel("b1(ctx,u64,u64,u64)")
def check_wmemmove(ctx: Any, target: Any, source: Any, n_chars: Any) -> Any:
    """wmemmove."""
    return check_move(ctx, target, source, chars_to_bytes(n_chars))


@kernel("b1(ctx,u64,i32,u64)")
def check_wmemset(ctx: Any, target: Any, _value: Any, n_chars: Any) -> Any:
    """wmemset."""
    return memory_access(ctx, target, chars_to_bytes(n_chars), KIND_WRITE)


# name, arguments, kernel; each has a fortified form with the declared size after them
_COPIES = (
    ("wcscpy", "ptr,ptr", "check_wcscpy"),
    ("wcpcpy", "ptr,ptr", "check_wcscpy"),
    ("wcsncpy", "ptr,ptr,u64", "check_wcsncpy"),
    ("wcpncpy", "ptr,ptr,u64", "check_wcsncpy"),
    ("wcscat", "ptr,ptr", "check_wcscat"),
    ("wcsncat", "ptr,ptr,u64", "check_wcsncat"),
    ("wmemcpy", "ptr,ptr,u64", "check_wmemcpy"),
    ("wmempcpy", "ptr,ptr,u64", "check_wmemcpy"),
    ("wmemmove", "ptr,ptr,u64", "check_wmemmove"),
    ("wmemset", "ptr,i32,u64", "check_wmemset"),
)

EXPORTS = (
    Export("u64 wcslen(ptr)", kernel="i_wcslen"),
    Export("u64 wcsnlen(ptr,u64)", kernel="i_wcsnlen"),
    Export("ptr wcschr(ptr,u32)", kernel="i_wcschr"),
    *(
        Export(prototype, kernel=kernel_name, then_real=True)
        for name, arguments, kernel_name in _COPIES
        for prototype in (f"ptr {name}({arguments})", f"ptr __{name}_chk({arguments},u64)")
    ),
)
