"""atoi, strtol, wcstod and their kin: the text of the number is read, then the library does it.

    "  -12x"   strtol gives -12, end -> "x"   6 bytes read: blanks, sign, digits, what ended them
    "  -x"     nothing converted, end = start  4 bytes read: up to what is no digit

Where a number ends is found first (number_scans.py), because a text without an end must not be
read further.

Source: LLVM's asan_interceptors.cpp (strtol and its repair of the end pointer); ISO C 7.24.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.text.number_scans import end_of_float, end_of_integer
from irsan.runtime.kernels.text.strings import (
    REPLACED,
    family_write,
    string_part_read,
    string_read,
)

I32_0 = np.int32(0)
I32_1 = np.int32(1)
I32_10 = np.int32(10)
I32_36 = np.int32(36)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)


@kernel("b1(ctx,u64,u64,u64,u64)")
def number_read(ctx: Any, text: Any, end: Any, end_place: Any, step: Any) -> Any:
    """A number is read, and the character that ends it; its end is stored where one asks for it."""
    if step == U64_1:
        may_read = string_read(ctx, text, end - text + step, REPLACED)
    else:
        may_read = string_part_read(ctx, text, end - text + step, REPLACED)
    if end_place == U64_0:
        return may_read
    return family_write(ctx, end_place, U64_8, REPLACED) and may_read


@kernel("b1(ctx,u64,u64,i32,u64,u64)")
def check_strtol(
    ctx: Any, text: Any, end_place: Any, base: Any, takes_binary: Any, step: Any
) -> Any:
    """The strtol family, wide with a step of 4.  A wrong base reads nothing, unless told strictly.

    A strict check wants the text to end all the same.
    """
    if base < I32_0 or base == I32_1 or base > I32_36:
        return step != U64_1 or string_read(ctx, text, U64_0, REPLACED)
    end = end_of_integer(ctx, text, np.uint8(base), np.uint8(takes_binary), step)
    return number_read(ctx, text, end, end_place, step)


@kernel("b1(ctx,u64)")
def check_atol(ctx: Any, text: Any) -> Any:
    """atoi, atol and atoll."""
    return check_strtol(ctx, text, U64_0, I32_10, U64_0, U64_1)


@kernel("b1(ctx,u64,u64,u64)")
def check_strtod(ctx: Any, text: Any, end_place: Any, step: Any) -> Any:
    """The strtod family, wide with a step of 4."""
    return number_read(ctx, text, end_of_float(ctx, text, step), end_place, step)


@kernel("b1(ctx,u64)")
def check_atof(ctx: Any, text: Any) -> Any:
    """atof."""
    return check_strtod(ctx, text, U64_0, U64_1)


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
