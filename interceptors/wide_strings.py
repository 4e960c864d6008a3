"""wcslen, wcscpy, wmemcpy and their kin: strings of 4-byte characters, checked as the narrow ones.

Source: the wide string interceptors of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory_operations import check_copy, check_move
from irsan.interceptors.registry import Export
from irsan.interceptors.strings_copy import check_string_copy, strings_apart
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_wcslen, real_wcsnlen
from irsan.runtime.kernels.strings import NO_FAMILY, string_part_read, string_write
from irsan.runtime.kernels.touches import KIND_WRITE, memory_access

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


@kernel("void(ctx,u64,u64)")
def read_by_wcslen(ctx: Any, length: Any, text: Any) -> None:
    """wcslen reads the final zero, too."""
    string_part_read(ctx, text, chars_to_bytes(length + U64_1), NO_FAMILY)


@kernel("void(ctx,u64,u64,u64)")
def read_by_wcsnlen(ctx: Any, length: Any, text: Any, limit: Any) -> None:
    """wcsnlen reads the final zero when it comes before the limit."""
    string_part_read(ctx, text, chars_to_bytes(min(length + U64_1, limit)), NO_FAMILY)


@kernel("void(ctx,u64,u64)")
def read_by_wcschr(ctx: Any, found: Any, text: Any) -> None:
    """wcschr reads up to what it found."""
    n_bytes = found - text + U64_4
    if found == U64_0:
        n_bytes = chars_to_bytes(real_wcslen(text) + U64_1)
    string_part_read(ctx, text, n_bytes, NO_FAMILY)


@kernel("b1(ctx,u64,u64)")
def check_wcscpy(ctx: Any, target: Any, source: Any) -> Any:
    """wcscpy and wcpcpy."""
    n_bytes = chars_to_bytes(real_wcslen(source) + U64_1)
    return check_string_copy(ctx, target, n_bytes, source, n_bytes)


@kernel("b1(ctx,u64,u64,u64)")
def check_wcsncpy(ctx: Any, target: Any, source: Any, n_chars: Any) -> Any:
    """wcsncpy and wcpncpy write all of the size."""
    n_read = min(real_wcsnlen(source, n_chars) + U64_1, n_chars)
    return check_string_copy(ctx, target, chars_to_bytes(n_chars), source, chars_to_bytes(n_read))


@kernel("b1(ctx,u64,u64,u64)")
def check_wcsncat(ctx: Any, target: Any, source: Any, limit: Any) -> Any:
    """wcsncat."""
    n_copied = real_wcsnlen(source, limit)
    n_read = chars_to_bytes(min(n_copied + U64_1, limit))
    may_read = string_part_read(ctx, source, n_read, NO_FAMILY)
    old_bytes = chars_to_bytes(real_wcslen(target))
    new_bytes = chars_to_bytes(n_copied + U64_1)
    may_write = string_write(ctx, target + old_bytes, new_bytes)
    if n_copied != U64_0:
        strings_apart(ctx, target, old_bytes + new_bytes, source, n_read)
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


EXPORTS = (
    Export("u64 wcslen(ptr)", kernel="read_by_wcslen", real_first=True),
    Export("u64 wcsnlen(ptr,u64)", kernel="read_by_wcsnlen", real_first=True),
    Export("ptr wcschr(ptr,i32)", kernel="read_by_wcschr", real_first=True),
    Export("ptr wcscpy(ptr,ptr)", kernel="check_wcscpy", then_real=True),
    Export("ptr wcpcpy(ptr,ptr)", kernel="check_wcscpy", then_real=True),
    Export("ptr wcsncpy(ptr,ptr,u64)", kernel="check_wcsncpy", then_real=True),
    Export("ptr wcpncpy(ptr,ptr,u64)", kernel="check_wcsncpy", then_real=True),
    Export("ptr wcscat(ptr,ptr)", kernel="check_wcscat", then_real=True),
    Export("ptr wcsncat(ptr,ptr,u64)", kernel="check_wcsncat", then_real=True),
    Export("ptr wmemcpy(ptr,ptr,u64)", kernel="check_wmemcpy", then_real=True),
    Export("ptr wmempcpy(ptr,ptr,u64)", kernel="check_wmemcpy", then_real=True),
    Export("ptr wmemmove(ptr,ptr,u64)", kernel="check_wmemmove", then_real=True),
    Export("ptr wmemset(ptr,i32,u64)", kernel="check_wmemset", then_real=True),
)
