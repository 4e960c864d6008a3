"""wcslen, wcscpy, wmemcpy and similar: strings of 4-byte characters, checked as the narrow ones.

Source: the wide string interceptors of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from irsan.interceptors.memory.memcpy import check_copy, check_move
from irsan.interceptors.registry import Export
from irsan.interceptors.text.strings_copy import append_bits, check_string_copy, strings_apart
from irsan.runtime.kernels.combined.touches import KIND_WRITE, memory_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.kernels.text.string_scans import wide_length, wide_length_within
from irsan.runtime.kernels.text.strings import NO_FAMILY, REPLACED, family_write, string_part_read
from irsan.runtime.kernels.uninitialised.uninit_use import used_bits

MAX = 0xFFFF_FFFF_FFFF_FFFF
TOO_MANY = 1 << 62


@kernel
def chars_to_bytes(n_chars: u64) -> u64:
    """Size of so many characters; a number that cannot be a size stays one that cannot."""
    if n_chars >= TOO_MANY:
        return MAX
    return n_chars << 2


@kernel
def i_wcslen(ctx: Context, text: u64) -> u64:
    """wcslen reads the final zero, too."""
    length = wide_length(ctx, text)
    string_part_read(ctx, text, chars_to_bytes(length + 1), NO_FAMILY)
    return length


@kernel
def i_wcsnlen(ctx: Context, text: u64, limit: u64) -> u64:
    """wcsnlen reads the final zero when it comes before the limit."""
    length = wide_length_within(ctx, text, limit)
    string_part_read(ctx, text, chars_to_bytes(min(length + 1, limit)), NO_FAMILY)
    return length


@kernel
def i_wcschr(ctx: Context, text: u64, character: u32) -> u64:
    """wcschr reads up to what it finds."""
    length = wide_length(ctx, text)
    at = u64(0)
    while at < length and load_u32(text + (at << 2)) != character:
        at += 1
    string_part_read(ctx, text, chars_to_bytes(at + 1), NO_FAMILY)
    if at < length or character == 0:
        return text + (at << 2)
    return 0


@kernel
def check_wcscpy(ctx: Context, target: u64, source: u64) -> bool:
    """wcscpy and wcpcpy."""
    n_bytes = chars_to_bytes(wide_length(ctx, source) + 1)
    return check_string_copy(ctx, target, n_bytes, source, n_bytes)


@kernel
def check_wcsncpy(ctx: Context, target: u64, source: u64, n_chars: u64) -> bool:
    """wcsncpy and wcpncpy write all of the size."""
    n_read = min(wide_length_within(ctx, source, n_chars) + 1, n_chars)
    return check_string_copy(ctx, target, chars_to_bytes(n_chars), source, chars_to_bytes(n_read))


@kernel
def check_wcsncat(ctx: Context, target: u64, source: u64, limit: u64) -> bool:
    """wcsncat."""
    n_copied = wide_length_within(ctx, source, limit)
    n_read = chars_to_bytes(min(n_copied + 1, limit))
    may_read = string_part_read(ctx, source, n_read, REPLACED)
    old_bytes = chars_to_bytes(wide_length(ctx, target))
    used_bits(ctx, target + old_bytes, 4)  # before it is written over
    new_bytes = chars_to_bytes(n_copied + 1)
    may_write = family_write(ctx, target + old_bytes, new_bytes, REPLACED)
    if n_copied != 0:
        strings_apart(ctx, target, old_bytes + new_bytes, source, n_read)
    append_bits(ctx, target, old_bytes, source, new_bytes - 4, 4)
    return may_read and may_write


@kernel
def check_wcscat(ctx: Context, target: u64, source: u64) -> bool:
    """wcscat."""
    return check_wcsncat(ctx, target, source, MAX)


@kernel
def check_wmemcpy(ctx: Context, target: u64, source: u64, n_chars: u64) -> bool:
    """wmemcpy and wmempcpy."""
    return check_copy(ctx, target, source, chars_to_bytes(n_chars))


@kernel
def check_wmemmove(ctx: Context, target: u64, source: u64, n_chars: u64) -> bool:
    """wmemmove."""
    return check_move(ctx, target, source, chars_to_bytes(n_chars))


@kernel
def check_wmemset(ctx: Context, target: u64, _value: i32, n_chars: u64) -> bool:
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
