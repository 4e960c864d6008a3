"""strcpy, strcat and similar: checked whole before a byte moves, then left to the library.

    strcpy(d, s)     n = strlen(s) + 1      apart(d, n, s, n)   read(s, n)   write(d, n)
    strcat(d, s)     m = strlen(d)          read(d, m)          write(d + m, n)

Undefined bits are copied along; the zero that ends a string, and the bytes read to find the end
of the one that is appended to, decide where bytes go: they are used.

`_chk` forms share the checks; their own check of the declared size is the library's.

Source: the string interceptors of LLVM's asan_interceptors.cpp.
Deviations: strlcpy and strlcat are done here, because older C libraries do not have them.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks.ranges import asan_no_overlap
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_memmove, store_u8
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.text.string_scans import (
    needed_bytes,
    string_length,
    string_length_within,
)
from irsan.runtime.kernels.text.strings import (
    NO_FAMILY,
    REPLACED,
    bytes_read_of,
    family_write,
    is_unchecked,
    string_part_read,
    string_read,
    string_write,
    whole_string_read,
)
from irsan.runtime.kernels.uninitialised.uninit_origins import bits_copy
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, tracks_bits
from irsan.runtime.kernels.uninitialised.uninit_use import used_bits

NONE = int(actions.NONE)


@kernel
def strings_apart(
    ctx: Context, first: u64, first_bytes: u64, second: u64, second_bytes: u64
) -> None:
    """asan_no_overlap unless replace_str is off or the call has its finding."""
    if not is_unchecked(ctx, REPLACED) and ctx.action == NONE:
        asan_no_overlap(ctx, first, first_bytes, second, second_bytes)


@kernel
def check_string_copy(ctx: Context, target: u64, n_written: u64, source: u64, n_read: u64) -> bool:
    """Overlap of the ranges, read of source, write of target; False to leave it out."""
    strings_apart(ctx, target, n_read, source, n_read)
    may_read = string_part_read(ctx, source, n_read, REPLACED)
    may_copy = family_write(ctx, target, n_written, REPLACED) and may_read
    if may_copy and tracks_bits():
        bits_copy(ctx, target, source, n_read)
    return may_copy


@kernel
def check_strcpy(ctx: Context, target: u64, source: u64) -> bool:
    """strcpy and stpcpy."""
    n_bytes = needed_bytes(ctx, source, string_length(ctx, source) + 1)
    used_bits(ctx, source + n_bytes - 1, 1)
    return check_string_copy(ctx, target, n_bytes, source, n_bytes)


@kernel
def check_strncpy(ctx: Context, target: u64, source: u64, size_bytes: u64) -> bool:
    """strncpy and stpncpy write all of the size, with zeros after the string."""
    n_read = min(needed_bytes(ctx, source, bytes_read_of(ctx, source, size_bytes)), size_bytes)
    return check_string_copy(ctx, target, size_bytes, source, n_read)


@kernel
def append_bits(
    ctx: Context, target: u64, old_bytes: u64, source: u64, n_copied: u64, end_bytes: u64
) -> None:
    """Undefined bits go along when bytes and a zero of `end_bytes` are appended to a string."""
    if tracks_bits():
        used_bits(ctx, target, old_bytes)
        bits_copy(ctx, target + old_bytes, source, n_copied)
        bits_clear(ctx, target + old_bytes + n_copied, end_bytes)


@kernel
def check_append(ctx: Context, target: u64, source: u64, n_read: u64, n_copied: u64) -> bool:
    """Append `n_copied` bytes and a NUL to the string at target."""
    may_read = string_part_read(ctx, source, n_read, REPLACED)
    old_bytes = string_length(ctx, target)
    used_bits(ctx, target + old_bytes, 1)  # before it is written over
    may_read = string_read(ctx, target, old_bytes, REPLACED) and may_read
    may_write = family_write(ctx, target + old_bytes, n_copied + 1, REPLACED)
    if n_copied != 0:
        strings_apart(ctx, target, old_bytes + n_copied + 1, source, n_read)
    append_bits(ctx, target, old_bytes, source, n_copied, 1)
    return may_read and may_write


@kernel
def check_strcat(ctx: Context, target: u64, source: u64) -> bool:
    """strcat."""
    n_read = needed_bytes(ctx, source, string_length(ctx, source) + 1)
    used_bits(ctx, source + n_read - 1, 1)
    return check_append(ctx, target, source, n_read, n_read - 1)


@kernel
def check_strncat(ctx: Context, target: u64, source: u64, limit: u64) -> bool:
    """strncat."""
    n_bytes = string_length_within(ctx, source, limit)
    n_read = min(needed_bytes(ctx, source, min(n_bytes + 1, limit)), limit)
    return check_append(ctx, target, source, n_read, n_bytes)


@kernel
def i_strlcpy(ctx: Context, target: u64, source: u64, size_bytes: u64) -> u64:
    """strlcpy: copies what fits, always ends it, returns the length it wanted."""
    wanted = string_length(ctx, source)
    n_copied = min(wanted + 1, size_bytes)
    strings_apart(ctx, target, n_copied, source, wanted + 1)
    may_read = whole_string_read(ctx, source, NO_FAMILY)
    if string_write(ctx, target, n_copied) and may_read and n_copied != 0:
        real_memmove(target, source, n_copied - 1)
        store_u8(target + n_copied - 1, 0)
        if tracks_bits():
            used_bits(ctx, source + wanted, 1)
            bits_copy(ctx, target, source, n_copied - 1)
    return wanted


@kernel
def i_strlcat(ctx: Context, target: u64, source: u64, size_bytes: u64) -> u64:
    """strlcat: appends what fits into `size_bytes` in all, returns the length it wanted."""
    old_bytes = string_length_within(ctx, target, size_bytes)
    string_part_read(ctx, target, min(old_bytes + 1, size_bytes), NO_FAMILY)
    return old_bytes + i_strlcpy(ctx, target + old_bytes, source, size_bytes - old_bytes)


EXPORTS = (
    Export("ptr strcpy(ptr,ptr)", kernel="check_strcpy", then_real=True),
    Export("ptr stpcpy(ptr,ptr)", kernel="check_strcpy", then_real=True),
    Export("ptr __stpcpy(ptr,ptr)", kernel="check_strcpy", then_real=True),
    Export("ptr __strcpy_chk(ptr,ptr,u64)", kernel="check_strcpy", then_real=True),
    Export("ptr __stpcpy_chk(ptr,ptr,u64)", kernel="check_strcpy", then_real=True),
    Export("ptr strncpy(ptr,ptr,u64)", kernel="check_strncpy", then_real=True),
    Export("ptr stpncpy(ptr,ptr,u64)", kernel="check_strncpy", then_real=True),
    Export("ptr __strncpy_chk(ptr,ptr,u64,u64)", kernel="check_strncpy", then_real=True),
    Export("ptr __stpncpy_chk(ptr,ptr,u64,u64)", kernel="check_strncpy", then_real=True),
    Export("ptr strcat(ptr,ptr)", kernel="check_strcat", then_real=True),
    Export("ptr __strcat_chk(ptr,ptr,u64)", kernel="check_strcat", then_real=True),
    Export("ptr strncat(ptr,ptr,u64)", kernel="check_strncat", then_real=True),
    Export("ptr __strncat_chk(ptr,ptr,u64,u64)", kernel="check_strncat", then_real=True),
    Export("u64 strlcpy(ptr,ptr,u64)", kernel="i_strlcpy"),
    Export("u64 strlcat(ptr,ptr,u64)", kernel="i_strlcat"),
)
