"""qsort: the whole array is written; what cannot be an array is left to the library."""

from __future__ import annotations

import ctypes
from typing import Any

from irsan.interceptors import sorting
from irsan.runtime.faults import FaultKind

COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def order(a: int, b: int) -> int:
    return ctypes.string_at(a, 1)[0] - ctypes.string_at(b, 1)[0]


def test_an_array_is_sorted(shelf: Any) -> None:
    array, compare = shelf.place(b"dacb"), COMPARE(order)
    shelf.library.call("qsort", array, 4, 1, ctypes.cast(compare, ctypes.c_void_p).value)
    assert ctypes.string_at(array, 4) == b"abcd" and shelf.finding() is None


def test_an_array_that_is_too_short(shelf: Any) -> None:
    array = shelf.place(bytes(15))
    assert sorting.check_qsort(shelf.ctx, array, 4, 4)
    found = shelf.finding()
    assert found is not None and found[:3] == [FaultKind.BAD_ACCESS, array, 16] and found[3] & 1
    assert sorting.check_qsort(shelf.ctx, array, 1, 100)
    assert sorting.check_qsort(shelf.ctx, array, 0, 100)
    assert sorting.check_qsort(shelf.ctx, array, 1 << 40, 1 << 40)
    assert shelf.finding() is None
    assert not sorting.check_qsort(shelf.ctx, 64, 4, 4)
