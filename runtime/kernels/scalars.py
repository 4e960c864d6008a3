"""The number types of kernels: annotations of arguments and results, and casts in their bodies.

    @kernel
    def slot_of(ctx: Context, addr: u64) -> u32:
        return u32((addr - HEAP_LO) >> 4)

numba sees numpy's types.  To mypy each is a type of its own (`scalars.pyi`), compatible with int,
so that literals need no cast, and with no other width.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np

__all__ = ["Matrix", "Vector", "b1", "f64", "i32", "i64", "u8", "u16", "u32", "u64"]

u8 = np.uint8
u16 = np.uint16
u32 = np.uint32
u64 = np.uint64
i32 = np.int32
i64 = np.int64
f64 = np.float64
b1 = bool

_Number = TypeVar("_Number")


class Vector(Generic[_Number]):
    """In annotations: an array of one axis, without gaps."""


class Matrix(Generic[_Number]):
    """In annotations: an array of two axes, without gaps."""
