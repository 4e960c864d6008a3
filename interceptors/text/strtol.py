"""atoi, strtol, wcstod and similar: the text of the number is read, then the library does it.

    "  -12x"   strtol gives -12, end -> "x"   6 bytes read: blanks, sign, digits, what ended them
    "  -x"     nothing converted, end = start  4 bytes read: up to the first that is no digit

Where a number ends is found first (number_scans.py), because a text without an end must not be
read further.

Source: LLVM's asan_interceptors.cpp (strtol and its repair of the end pointer); ISO C 7.24.1.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u8, u64
from irsan.runtime.kernels.text.number_scans import end_of_float, end_of_integer
from irsan.runtime.kernels.text.strings import (
    REPLACED,
    family_write,
    string_part_read,
    string_read,
)


@kernel
def number_read(ctx: Context, text: u64, end: u64, end_place: u64, step: u64) -> bool:
    """A number is read, and the character that ends it; its end is stored where one asks for it."""
    if step == 1:
        may_read = string_read(ctx, text, end - text + step, REPLACED)
    else:
        may_read = string_part_read(ctx, text, end - text + step, REPLACED)
    if end_place == 0:
        return may_read
    return family_write(ctx, end_place, 8, REPLACED) and may_read


@kernel
def check_strtol(
    ctx: Context, text: u64, end_place: u64, base: i32, takes_binary: u64, step: u64
) -> bool:
    """The strtol family, wide with a step of 4.  A wrong base reads nothing, unless strict.

    A strict check wants the text to end all the same.
    """
    if base < 0 or base == 1 or base > 36:
        return step != 1 or string_read(ctx, text, 0, REPLACED)
    end = end_of_integer(ctx, text, u8(base), u8(takes_binary), step)
    return number_read(ctx, text, end, end_place, step)


@kernel
def check_atol(ctx: Context, text: u64) -> bool:
    """atoi, atol and atoll."""
    return check_strtol(ctx, text, 0, 10, 0, 1)


@kernel
def check_strtod(ctx: Context, text: u64, end_place: u64, step: u64) -> bool:
    """The strtod family, wide with a step of 4."""
    return number_read(ctx, text, end_of_float(ctx, text, step), end_place, step)


@kernel
def check_atof(ctx: Context, text: u64) -> bool:
    """atof."""
    return check_strtod(ctx, text, 0, 1)


_INTEGERS = ("l", "ll", "ul", "ull", "imax", "umax")
_FLOATS = (("f32", "f"), ("f64", "d"), ("f80", "ld"))
_STEMS = (("strto", 1), ("wcsto", 4))

EXPORTS = (
    *(
        Export(
            f"i64 {prefix}{stem}{name}(ptr,ptr,i32)",
            kernel="check_strtol",
            then_real=True,
            constants=(int(bool(prefix)), step),
        )
        for name in _INTEGERS
        for prefix in ("", "__isoc23_")
        for stem, step in _STEMS
    ),
    Export("i32 atoi(ptr)", kernel="check_atol", then_real=True),
    Export("i64 atol(ptr)", kernel="check_atol", then_real=True),
    Export("i64 atoll(ptr)", kernel="check_atol", then_real=True),
    *(
        Export(f"{kind} {stem}{name}(ptr,ptr)", kernel="check_strtod", then_real=True,
               constants=(step,))
        for kind, name in _FLOATS
        for stem, step in _STEMS
    ),
    Export("f64 atof(ptr)", kernel="check_atof", then_real=True),
)  # fmt: skip
