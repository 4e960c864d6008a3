"""Rows of mappings against a naive twin; fresh cells and what they remember."""

from __future__ import annotations

import ctypes
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.race.cells import mapping_marks as marks
from irsan.runtime.kernels.race.thread_clocks import race_flush
from irsan.runtime.layout import mapping_zone as mz
from tests.conftest import fresh_guest
from tests.oracles.mapped_pages import MappedPages

PAGE = 4096
N_PAGES = 12
STEPS = st.lists(
    st.tuples(st.sampled_from(["note", "forget"]), st.integers(0, N_PAGES), st.integers(1, 5)),
    max_size=30,
)


def rows() -> list[tuple[int, int]]:
    """All rows, as page numbers."""
    n_rows = ctypes.c_uint64.from_address(int(marks.MARKS)).value
    found = (ctypes.c_uint64 * (3 * n_rows)).from_address(int(marks.ROWS))
    return [
        ((found[i] - mz.ZONE_LO) // PAGE, (found[i + 1] - mz.ZONE_LO) // PAGE)
        for i in range(0, 3 * n_rows, 3)
    ]


@given(steps=STEPS)
def test_rows_are_what_a_table_of_pages_says(
    steps: list[tuple[str, int, int]],
) -> None:
    fresh_guest()
    naive = MappedPages(PAGE)
    for number, (what, page, n_pages) in enumerate(steps, start=1):
        lo = mz.ZONE_LO + page * PAGE
        hi = lo + n_pages * PAGE
        marks.forget_mapped(lo, hi)
        naive.forget(lo, hi)
        if what == "note":
            marks.insert_row(marks.rows_up_to(lo), lo, hi, number)
            naive.note(lo, hi, number)
        found = rows()
        assert all(begin < end for begin, end in found)
        assert all(before[1] <= after[0] for before, after in pairwise(found))
        for addr in range(mz.ZONE_LO, mz.ZONE_LO + (N_PAGES + 5) * PAGE, PAGE // 2):
            assert marks.mark_at(addr) == naive.mark_at(addr)


def test_nobody_has_mapped_anything_after_a_flush(guest: Any) -> None:
    assert guest.ctx["race"]["n_flushes"] == 0
    marks.insert_row(0, mz.ZONE_LO, mz.ZONE_LO + PAGE, 7)
    assert marks.mark_at(mz.ZONE_LO) == 7
    race_flush(guest.ctx)
    assert marks.mark_at(mz.ZONE_LO) == 0


@pytest.mark.usefixtures("guest")
def test_one_row_too_many_is_left_out() -> None:
    rows_end = int(marks.ROWS) + 24 * marks.CAP_ROWS
    arena.view_words(rows_end, 3)[:] = 7
    arena.view_words(int(marks.MARKS), 1)[0] = marks.CAP_ROWS - 1  # of nothing, at address 0
    lo, hi = mz.ZONE_LO, mz.ZONE_LO + PAGE
    marks.insert_row(marks.rows_up_to(lo), lo, hi, 5)
    assert marks.mark_at(lo) == 5
    marks.insert_row(marks.rows_up_to(hi), hi, hi + PAGE, 6)
    assert (marks.mark_at(lo), marks.mark_at(hi)) == (5, 0)
    assert arena.view_words(rows_end, 3).tolist() == [7, 7, 7]
    arena.view_words(rows_end, 3)[:] = 0
    marks.forget_mapped(lo, hi)
    marks.insert_row(marks.rows_up_to(hi), hi, hi + PAGE, 6)
    assert marks.mark_at(hi) == 6
