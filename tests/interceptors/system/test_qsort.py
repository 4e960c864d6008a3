"""qsort: the whole array is written; what cannot be an array is left to the library."""

from __future__ import annotations

import ctypes
from typing import Any

from irsan.interceptors.system import qsort
from irsan.runtime import arena
from irsan.runtime.kernels.uninitialised import uninit_shadow
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.layout.faults import FaultKind
from tests.support.uninit_memory import begin_tracking, origin_at, shadow_of

VARIABLE = ul.STACK_BIT | 7
COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def order(a: int, b: int) -> int:
    return ctypes.string_at(a, 1)[0] - ctypes.string_at(b, 1)[0]


def test_an_array_is_sorted(shelf: Any) -> None:
    array, compare = shelf.place(b"dacb"), COMPARE(order)
    shelf.library.call("qsort", array, 4, 1, ctypes.cast(compare, ctypes.c_void_p).value)
    assert ctypes.string_at(array, 4) == b"abcd" and shelf.finding() is None


def test_an_array_that_is_too_short(shelf: Any) -> None:
    array = shelf.place(bytes(15))
    assert qsort.check_qsort(shelf.ctx, array, 4, 4)
    found = shelf.finding()
    assert found is not None and found[:3] == [FaultKind.BAD_ACCESS, array, 16] and found[3] & 1
    assert qsort.check_qsort(shelf.ctx, array, 1, 100)
    assert qsort.check_qsort(shelf.ctx, array, 0, 100)
    assert qsort.check_qsort(shelf.ctx, array, 1 << 40, 1 << 40)
    assert shelf.finding() is None
    assert not qsort.check_qsort(shelf.ctx, 64, 4, 4)


def test_shadow_and_origins_go_where_the_items_go(guest: Any) -> None:
    array = memory_map.STACKS_LO + 4096 + 2  # items across the groups that share an origin
    begin_tracking()
    uninit_shadow.bits_begin(guest.ctx, array + 3, 3, VARIABLE)
    ctypes.memmove(array, b"aaabbbccc", 9)
    places = int(qsort.begin_sorting(guest.ctx, array, 3, 3))
    words = (ctypes.c_uint64 * 3).from_address(places)
    assert list(words) == [array, array + 3, array + 6]
    words[:] = array + 6, array, array + 3
    qsort.end_sorting(guest.ctx, places, array, 3, 3)
    assert ctypes.string_at(array, 9) == b"cccaaabbb"
    assert shadow_of(array, 9) == bytes(6) + b"\xff" * 3
    assert origin_at(array + 6) == origin_at(array + 8) == VARIABLE


def test_what_is_sorted_by_the_library_itself(guest: Any) -> None:
    array = memory_map.STACKS_LO + 4096
    begin_tracking()
    assert qsort.begin_sorting(guest.ctx, array, 1, 4) == 0
    assert qsort.begin_sorting(guest.ctx, array, 1 << 40, 1 << 40) == 0
    assert qsort.begin_sorting(guest.ctx, ul.COVERED_BYTES, 4, 4) == 0
    arena.view_words(ul.IS_ON, 1)[0] = 0
    assert qsort.begin_sorting(guest.ctx, array, 4, 4) == 0
