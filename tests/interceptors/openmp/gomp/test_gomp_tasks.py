"""Lists of dependences as GCC writes them, old and new form."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import pytest

from irsan.interceptors.openmp.gomp.gomp_tasks import gomp_count_depends, gomp_read_depends
from irsan.interceptors.openmp.tasks.dependences import IN, IN_OUT_SET, INFO_BYTES, MUTEX, OUT


def words(values: Sequence[int]) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * len(values))(*values)


def read(values: Sequence[int]) -> list[tuple[int, int]]:
    """Address and kind of each dependence of a list."""
    given = words(values)
    count = int(gomp_count_depends(ctypes.addressof(given)))
    infos = words([7] * (count * INFO_BYTES // 8))
    gomp_read_depends(ctypes.addressof(given), ctypes.addressof(infos))
    return [(infos[3 * n], infos[3 * n + 2]) for n in range(count)]


def test_the_short_form() -> None:
    assert read([3, 1, 16, 24, 32]) == [(16, OUT), (24, IN), (32, IN)]
    assert int(gomp_count_depends(0)) == 0


@pytest.mark.parametrize(
    ("number", "kind"), [(1, IN), (2, OUT), (3, OUT), (4, MUTEX), (5, IN_OUT_SET)]
)
def test_the_long_form(number: int, kind: int) -> None:
    depend_object = words([64, number])
    address = ctypes.addressof(depend_object)
    found = read([0, 5, 1, 2, 1, 16, 24, 32, 40, address])
    assert found == [(16, OUT), (24, MUTEX), (32, MUTEX), (40, IN), (64, kind)]
