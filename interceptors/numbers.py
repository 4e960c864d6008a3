"""atoi, strtol, strtod and their kin: the library reads the number, then its text is checked.

    "  -12x"   strtol gives -12, end -> "x"   6 bytes read: blanks, sign, digits, what ended them
    "  -x"     nothing converted, end = start  4 bytes read: up to what is no digit

Source: LLVM's asan_interceptors.cpp (strtol and its repair of the end pointer).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, real_strtod, real_strtol
from irsan.runtime.kernels.places import SCRATCH_END
from irsan.runtime.kernels.strings import NO_FAMILY, string_read, string_write

U8_TAB = np.uint8(9)
U8_CR = np.uint8(13)
U8_BLANK = np.uint8(32)
U8_PLUS = np.uint8(ord("+"))
U8_MINUS = np.uint8(ord("-"))
I32_0 = np.int32(0)
I32_1 = np.int32(1)
I32_36 = np.int32(36)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_10 = np.uint64(10)


@kernel("u64(u64)")
def end_of_no_number(text: Any) -> Any:
    """Where a text without a number was given up: after blanks and one sign."""
    byte = load_u8(text)
    while byte == U8_BLANK or (byte >= U8_TAB and byte <= U8_CR):
        text += U64_1
        byte = load_u8(text)
    if byte in (U8_PLUS, U8_MINUS):
        text += U64_1
    return text


@kernel("void(ctx,u64,u64)")
def number_read(ctx: Any, text: Any, end: Any) -> None:
    """A number was read from `text`; `end` is where the library says it ended."""
    if end == text:
        end = end_of_no_number(text)
    string_read(ctx, text, end - text + U64_1, NO_FAMILY)


@kernel("void(ctx,u64,u64,u64,i32)")
def read_by_strtol(ctx: Any, _number: Any, text: Any, end_place: Any, base: Any) -> None:
    """The strtol family: the text, and where its end is stored.  A wrong base reads nothing."""
    if base < I32_0 or base == I32_1 or base > I32_36:
        return
    end = U64_0
    if end_place != U64_0:
        end = load_u64(end_place)
        string_write(ctx, end_place, U64_8)
    else:
        real_strtol(text, SCRATCH_END, np.uint64(base))
        end = load_u64(SCRATCH_END)
    number_read(ctx, text, end)


@kernel("void(ctx,u64,u64)")
def read_by_atol(ctx: Any, _number: Any, text: Any) -> None:
    """atoi, atol and atoll."""
    real_strtol(text, SCRATCH_END, U64_10)
    number_read(ctx, text, load_u64(SCRATCH_END))


@kernel("void(ctx,u64,u64)")
def read_by_strtod(ctx: Any, text: Any, end_place: Any) -> None:
    """strtof, strtod and strtold."""
    real_strtod(text, SCRATCH_END)
    if end_place != U64_0:
        string_write(ctx, end_place, U64_8)
    number_read(ctx, text, load_u64(SCRATCH_END))


@kernel("void(ctx,u64)")
def read_by_atof(ctx: Any, text: Any) -> None:
    """atof."""
    read_by_strtod(ctx, text, U64_0)


_INTEGERS = ("strtol", "strtoll", "strtoul", "strtoull", "strtoimax", "strtoumax")
_FLOATS = (("f32", "strtof"), ("f64", "strtod"), ("f80", "strtold"))

EXPORTS = (
    *(
        Export(f"i64 {prefix}{name}(ptr,ptr,i32)", kernel="read_by_strtol", real_first=True)
        for name in _INTEGERS
        for prefix in ("", "__isoc23_")
    ),
    Export("i32 atoi(ptr)", kernel="read_by_atol", real_first=True),
    Export("i64 atol(ptr)", kernel="read_by_atol", real_first=True),
    Export("i64 atoll(ptr)", kernel="read_by_atol", real_first=True),
    *(
        Export(f"{kind} {name}(ptr,ptr)", kernel="read_by_strtod", real_first=True)
        for kind, name in _FLOATS
    ),
    Export("f64 atof(ptr)", kernel="read_by_atof", real_first=True),
)
