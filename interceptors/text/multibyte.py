"""mbstowcs, wcrtomb and their kin: conversions between narrow and wide strings.

    mbstowcs(d, s, n) = r    min(r + 1, n) characters of d are written; s is read whole if r < n
    mbsrtowcs(d, &s, n, p)   the same, s is moved on; without d nothing is moved or written
    wcrtomb(d, c, p) = r     r bytes of d are written

Source: the multibyte interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: the conversion state at p (8 bytes) counts as written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.registry import Export
from irsan.interceptors.text.wide_search import whole_wide_read
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.text.strings import NO_FAMILY, string_part_read, whole_string_read

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
I64_0 = np.int64(0)


@kernel("void(ctx,i64,u64,u64,u64)")
def converted(ctx: Any, n_made: Any, target: Any, limit: Any, shift: Any) -> None:
    """A string of n_made characters of 1 << shift bytes, and its end if it fits, were written."""
    if target != U64_0 and n_made >= I64_0:
        written(ctx, target, min(np.uint64(n_made) + U64_1, limit) << shift)


@kernel("void(ctx,u64,u64)")
def ask_place(ctx: Any, _target: Any, place: Any) -> None:
    """Before mbsrtowcs: the pointer at `place` is read, and changed."""
    written(ctx, place, U64_8)


@kernel("b1(i64,u64,u64)")
def is_whole(n_made: Any, target: Any, limit: Any) -> Any:
    """Whether a conversion came to the end of its source."""
    return n_made >= I64_0 and (target == U64_0 or np.uint64(n_made) < limit)


@kernel("void(ctx,i64,u64,u64,u64)")
def made_by_mbstowcs(ctx: Any, n_made: Any, target: Any, source: Any, limit: Any) -> None:
    """mbstowcs."""
    if is_whole(n_made, target, limit):
        whole_string_read(ctx, source, NO_FAMILY)
    converted(ctx, n_made, target, limit, U64_2)


@kernel("void(ctx,i64,u64,u64,u64)")
def made_by_wcstombs(ctx: Any, n_made: Any, target: Any, source: Any, limit: Any) -> None:
    """wcstombs."""
    if is_whole(n_made, target, limit):
        whole_wide_read(ctx, source)
    converted(ctx, n_made, target, limit, U64_0)


@kernel("void(ctx,i64,u64,u64,u64,u64,u64)")
def made_by_mbsrtowcs(
    ctx: Any, n_made: Any, target: Any, place: Any, limit: Any, state: Any, shift: Any
) -> None:
    """mbsrtowcs and wcsrtombs."""
    written(ctx, state, U64_8)
    converted(ctx, n_made, target, limit, shift)


@kernel("void(ctx,i64,u64,u64,u64)")
def made_by_mbrtowc(ctx: Any, n_read: Any, target: Any, source: Any, limit: Any) -> None:
    """mbrtowc and mbtowc: one character."""
    if source == U64_0 or n_read < I64_0:
        return
    string_part_read(ctx, source, min(max(np.uint64(n_read), U64_1), limit), NO_FAMILY)
    written(ctx, target, U64_4)


@kernel("void(ctx,i64,u64)")
def made_by_wcrtomb(ctx: Any, n_made: Any, target: Any) -> None:
    """wcrtomb and wctomb."""
    if n_made > I64_0:
        written(ctx, target, np.uint64(n_made))


_STRINGS = (
    ("mbstowcs{}(ptr,ptr,u64{})", "made_by_mbstowcs", (), "", ()),
    ("wcstombs{}(ptr,ptr,u64{})", "made_by_wcstombs", (), "", ()),
    ("mbsrtowcs{}(ptr,ptr,u64,ptr{})", "made_by_mbsrtowcs", (), "ask_place", (2,)),
    ("wcsrtombs{}(ptr,ptr,u64,ptr{})", "made_by_mbsrtowcs", (), "ask_place", (0,)),
    ("mbsnrtowcs{}(ptr,ptr,u64,u64,ptr{})", "made_by_mbsrtowcs", (0, 1, 3, 4), "ask_place", (2,)),
    ("wcsnrtombs{}(ptr,ptr,u64,u64,ptr{})", "made_by_mbsrtowcs", (0, 1, 3, 4), "ask_place", (0,)),
)

EXPORTS = (
    *(
        Export(f"i64 {prefix}{row.format(suffix, more)}", kernel=name, real_first=True,
               takes=takes, before=before, constants=constants)
        for row, name, takes, before, constants in _STRINGS
        for prefix, suffix, more in (("", "", ""), ("__", "_chk", ",u64"))
    ),
    Export("i64 mbrtowc(ptr,ptr,u64,ptr)", kernel="made_by_mbrtowc", real_first=True),
    Export("i32 mbtowc(ptr,ptr,u64)", kernel="made_by_mbrtowc", real_first=True),
    Export("i64 wcrtomb(ptr,i32,ptr)", kernel="made_by_wcrtomb", real_first=True),
    Export("i64 __wcrtomb_chk(ptr,i32,ptr,u64)", kernel="made_by_wcrtomb", real_first=True),
    Export("i32 wctomb(ptr,i32)", kernel="made_by_wcrtomb", real_first=True),
    Export("i32 __wctomb_chk(ptr,i32,u64)", kernel="made_by_wcrtomb", real_first=True),
)  # fmt: skip
