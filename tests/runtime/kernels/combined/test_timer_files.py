"""Descriptors that stand for timers, and those that are too high to."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.kernels.combined import timer_files
from irsan.runtime.records.threads import timer_records as tr

MONOTONIC = 1


def rows_in_use() -> int:
    """Timers that exist."""
    rows = arena.view_words(tr.ROWS, tr.MAX_ROWS * tr.ROW_BYTES // 8)
    return int((rows[:: tr.ROW_BYTES // 8] != tr.FREE).sum())


def test_the_last_descriptor_has_a_row_until_it_is_closed(guest: Any) -> None:
    last = tr.MAX_DESCRIPTOR - 1
    before = rows_in_use()
    timer_files.timerfd_created(guest.ctx, last, MONOTONIC)
    assert timer_files.timer_of(last) != 0 and rows_in_use() == before + 1
    timer_files.timer_closed(guest.ctx, last)
    assert timer_files.timer_of(last) == 0 and rows_in_use() == before


@pytest.mark.parametrize("file", [tr.MAX_DESCRIPTOR, tr.MAX_DESCRIPTOR + 1000])
def test_a_higher_one_has_none_so_its_time_is_the_hosts(guest: Any, file: int) -> None:
    before = rows_in_use()
    timer_files.timerfd_created(guest.ctx, file, MONOTONIC)
    assert timer_files.timer_of(file) == 0
    timer_files.timer_closed(guest.ctx, file)
    assert rows_in_use() == before
    assert arena.view_words(tr.N_DESCRIPTORS, 1)[0] == 0
