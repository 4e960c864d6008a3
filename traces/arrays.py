"""Arrays that grow: doubled when too small, so that growing costs a constant per element."""

from __future__ import annotations

from typing import Any

import numpy as np


def grown(array: Any, needed: int, fill: int = 0) -> Any:
    """The array itself when it has `needed` rows, else a longer copy; new places hold `fill`."""
    if len(array) >= needed:
        return array
    return reshaped(array, (capacity(len(array), needed), *array.shape[1:]), fill)


def reshaped(array: Any, shape: tuple[int, ...], fill: int = 0) -> Any:
    """A copy of a larger shape, with the old values in the corner where they were."""
    new = np.full(shape, fill, array.dtype)
    new[tuple(slice(n) for n in array.shape)] = array
    return new


def capacity(current: int, needed: int) -> int:
    """The least doubling of `current` (or 1) that holds `needed`."""
    size = max(current, 1)
    while size < needed:
        size *= 2
    return size
