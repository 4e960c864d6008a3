"""Functions in the language of kernels: made by numba for this process, and as LLVM text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

ONE, FIVE, SIXTY_FOUR = np.uint64(1), np.uint64(5), np.uint64(64)
NEEDLES = (np.uint64(3), np.uint64(250), np.uint64(2**63))
EDGES = (0, 1, 2, 3, 5, 63, 64, 250, 2**31, 2**32 - 1, 2**63, 2**64 - 1)


def wraps(a: Any, b: Any) -> Any:
    return (a - b) * FIVE + (a ^ ~b)


def shifts(a: Any, b: Any) -> Any:
    return (a << (b % SIXTY_FOUR)) | (a >> (b & np.uint64(7)))


def least(a: Any, b: Any) -> Any:
    return min(a, b, FIVE) + max(a, ONE)


def mixes_signs(a: Any, b: Any) -> Any:
    signed = np.int64(a) - np.int64(b)
    if signed < 0 and not (a == b or b == ONE):
        return np.uint64(-signed)
    return np.uint64(signed) if a > b else np.uint64(np.uint8(a))


def is_needle(a: Any, b: Any) -> Any:
    return np.uint64(a in NEEDLES or b in NEEDLES)


def loops(a: Any, b: Any) -> Any:
    total = np.uint64(0)
    for step in range(np.int64(a & np.uint64(15)), 20, 3):
        if np.uint64(step) == b:
            continue
        total += np.uint64(step) * b
        if total > np.uint64(2**40):
            break
    while total > SIXTY_FOUR:
        total //= FIVE
    return total


def picks(a: Any, b: Any) -> Any:
    return NEEDLES[a % np.uint64(3)] + (a if b & ONE else FIVE)


def counts_down(a: Any, b: Any) -> Any:
    if a == np.uint64(0):
        return b
    return counts_down((a & np.uint64(31)) - ONE if a & np.uint64(31) else np.uint64(0), b + ONE)


FUNCTIONS: tuple[Callable[..., Any], ...] = (
    wraps, shifts, least, mixes_signs, is_needle, loops, picks, counts_down,
)  # fmt: skip
