"""mbstowcs, wcrtomb and similar: conversions between narrow and wide strings.

    mbstowcs(d, s, n) = r    min(r + 1, n) characters of d are written; s is read whole if r < n
    mbsrtowcs(d, &s, n, p)   the same, s is moved on; without d nothing is moved or written
    wcrtomb(d, c, p) = r     r bytes of d are written

Source: the multibyte interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: the conversion state at p (8 bytes) counts as written.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.registry import Export
from irsan.interceptors.text.wide_search import whole_wide_read
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i64, u64
from irsan.runtime.kernels.text.strings import NO_FAMILY, string_part_read, whole_string_read


@kernel
def converted(ctx: Context, n_made: i64, target: u64, limit: u64, shift: u64) -> None:
    """A string of n_made characters of 1 << shift bytes, and its end if it fits, were written."""
    if target != 0 and n_made >= 0:
        written(ctx, target, min(u64(n_made) + 1, limit) << shift)


@kernel
def ask_place(ctx: Context, _target: u64, place: u64) -> None:
    """Before mbsrtowcs: the pointer at `place` is read, and changed."""
    written(ctx, place, 8)


@kernel
def is_whole(n_made: i64, target: u64, limit: u64) -> bool:
    """Whether a conversion came to the end of its source."""
    return n_made >= 0 and (target == 0 or u64(n_made) < limit)


@kernel
def made_by_mbstowcs(ctx: Context, n_made: i64, target: u64, source: u64, limit: u64) -> None:
    """mbstowcs."""
    if is_whole(n_made, target, limit):
        whole_string_read(ctx, source, NO_FAMILY)
    converted(ctx, n_made, target, limit, 2)


@kernel
def made_by_wcstombs(ctx: Context, n_made: i64, target: u64, source: u64, limit: u64) -> None:
    """wcstombs."""
    if is_whole(n_made, target, limit):
        whole_wide_read(ctx, source)
    converted(ctx, n_made, target, limit, 0)


@kernel
def made_by_mbsrtowcs(
    ctx: Context, n_made: i64, target: u64, place: u64, limit: u64, state: u64, shift: u64
) -> None:
    """mbsrtowcs and wcsrtombs."""
    written(ctx, state, 8)
    converted(ctx, n_made, target, limit, shift)


@kernel
def made_by_mbrtowc(ctx: Context, n_read: i64, target: u64, source: u64, limit: u64) -> None:
    """mbrtowc and mbtowc: one character."""
    if source == 0 or n_read < 0:
        return
    string_part_read(ctx, source, min(max(u64(n_read), u64(1)), limit), NO_FAMILY)
    written(ctx, target, 4)


@kernel
def made_by_wcrtomb(ctx: Context, n_made: i64, target: u64) -> None:
    """wcrtomb and wctomb."""
    if n_made > 0:
        written(ctx, target, u64(n_made))


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
