"""strlen, strchr, strstr, strtok and their kin: the library searches, then what it read is checked.

    "a,b\\0"   strchr(s, ',') -> s + 1   2 bytes read     strchr(s, 'x') -> 0   all 4 bytes read

All are `real_first`: only the result tells how much was read.  A string without an end is read to
the first NUL that follows in memory, and reported as that many bytes from its first bad one.

Source: the string interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: strtok and strsep are checked for the token they give, where the original looks at the
first byte only unless strict_string_checks is on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime import options
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_strlen
from irsan.runtime.kernels.strings import (
    string_part_read,
    string_read,
    string_write,
    whole_string_read,
)

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
STRLEN = np.uint64(options.OFF_STRLEN)
STRCHR = np.uint64(options.OFF_STRCHR)
STRSTR = np.uint64(options.OFF_STRSTR)
STRSPN = np.uint64(options.OFF_STRSPN)
STRPBRK = np.uint64(options.OFF_STRPBRK)
STRTOK = np.uint64(options.OFF_STRTOK)


@kernel("void(ctx,u64,u64)")
def read_by_strlen(ctx: Any, length: Any, text: Any) -> None:
    """strlen reads the NUL, too."""
    string_part_read(ctx, text, length + U64_1, STRLEN)


@kernel("void(ctx,u64,u64,u64)")
def read_by_strnlen(ctx: Any, length: Any, text: Any, limit: Any) -> None:
    """strnlen reads the NUL when it comes before the limit."""
    string_part_read(ctx, text, min(length + U64_1, limit), STRLEN)


@kernel("void(ctx,u64,u64)")
def read_by_strchr(ctx: Any, found: Any, text: Any) -> None:
    """strchr, index and strchrnul read up to what they found."""
    if found == U64_0:
        whole_string_read(ctx, text, STRCHR)
        return
    string_read(ctx, text, found - text + U64_1, STRCHR)


@kernel("void(ctx,u64,u64)")
def read_by_strrchr(ctx: Any, _found: Any, text: Any) -> None:
    """strrchr and rindex read everything."""
    whole_string_read(ctx, text, STRCHR)


@kernel("void(ctx,u64,u64,u64)")
def read_by_strstr(ctx: Any, found: Any, text: Any, needle: Any) -> None:
    """strstr and strcasestr read the needle, and the text up to the end of the match."""
    needle_bytes = real_strlen(needle)
    string_part_read(ctx, needle, needle_bytes + U64_1, STRSTR)
    if found == U64_0:
        whole_string_read(ctx, text, STRSTR)
        return
    string_read(ctx, text, found - text + needle_bytes, STRSTR)


@kernel("void(ctx,u64,u64,u64)")
def read_by_strspn(ctx: Any, length: Any, text: Any, bytes_of: Any) -> None:
    """strspn and strcspn read the set, and the text up to the byte that ended the span."""
    whole_string_read(ctx, bytes_of, STRSPN)
    string_read(ctx, text, length + U64_1, STRSPN)


@kernel("void(ctx,u64,u64,u64)")
def read_by_strpbrk(ctx: Any, found: Any, text: Any, bytes_of: Any) -> None:
    """strpbrk reads the set, and the text up to what it found."""
    whole_string_read(ctx, bytes_of, STRPBRK)
    if found == U64_0:
        whole_string_read(ctx, text, STRPBRK)
        return
    string_read(ctx, text, found - text + U64_1, STRPBRK)


@kernel("void(ctx,u64,u64,u64)")
def read_by_strtok(ctx: Any, token: Any, text: Any, delimiters: Any) -> None:
    """strtok reads the delimiters, what it skips of a new text, and the token."""
    whole_string_read(ctx, delimiters, STRTOK)
    if token == U64_0:
        if text != U64_0:
            whole_string_read(ctx, text, STRTOK)
        return
    start = token
    if text != U64_0:
        start = text
    string_part_read(ctx, start, token - start + real_strlen(token) + U64_1, STRTOK)


@kernel("void(ctx,u64,u64,u64)")
def read_by_strsep(ctx: Any, token: Any, place: Any, delimiters: Any) -> None:
    """strsep reads the delimiters and the token, and moves the pointer at `place`."""
    string_write(ctx, place, U64_8)
    if token == U64_0:
        return
    whole_string_read(ctx, delimiters, STRTOK)
    whole_string_read(ctx, token, STRTOK)


EXPORTS = (
    Export("u64 strlen(ptr)", kernel="read_by_strlen", real_first=True),
    Export("u64 strnlen(ptr,u64)", kernel="read_by_strnlen", real_first=True),
    Export("ptr strchr(ptr,i32)", kernel="read_by_strchr", real_first=True),
    Export("ptr strchrnul(ptr,i32)", kernel="read_by_strchr", real_first=True),
    Export("ptr index(ptr,i32)", kernel="read_by_strchr", real_first=True),
    Export("ptr strrchr(ptr,i32)", kernel="read_by_strrchr", real_first=True),
    Export("ptr rindex(ptr,i32)", kernel="read_by_strrchr", real_first=True),
    Export("ptr strstr(ptr,ptr)", kernel="read_by_strstr", real_first=True),
    Export("ptr strcasestr(ptr,ptr)", kernel="read_by_strstr", real_first=True),
    Export("u64 strspn(ptr,ptr)", kernel="read_by_strspn", real_first=True),
    Export("u64 strcspn(ptr,ptr)", kernel="read_by_strspn", real_first=True),
    Export("ptr strpbrk(ptr,ptr)", kernel="read_by_strpbrk", real_first=True),
    Export("ptr strtok(ptr,ptr)", kernel="read_by_strtok", real_first=True),
    Export("ptr strtok_r(ptr,ptr,ptr)", kernel="read_by_strtok", real_first=True),
    Export("ptr __strtok_r(ptr,ptr,ptr)", kernel="read_by_strtok", real_first=True),
    Export("ptr strsep(ptr,ptr)", kernel="read_by_strsep", real_first=True),
)
