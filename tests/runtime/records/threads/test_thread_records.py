"""Who created a thread, when its record belongs to another one already."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime.kernels.combined.thread_life import note_creation
from irsan.runtime.layout import memory_map
from irsan.runtime.records.context import THREAD_DTYPE
from irsan.runtime.records.threads.thread_records import MAX_CREATIONS, creation_of
from irsan.runtime.views.thread_facts import find_thread, threads_of


def test_a_record_ends_before_the_next_one() -> None:
    assert THREAD_DTYPE.itemsize <= memory_map.THREAD_STRIDE


@pytest.mark.usefixtures("guest")
def test_a_creation_is_kept() -> None:
    note_creation(3, 0, 70)
    note_creation(9, 3, 71)
    assert (creation_of(3), creation_of(9), creation_of(4)) == ((0, 70), (3, 71), None)


@pytest.mark.usefixtures("guest")
def test_numbers_beyond_the_table_are_not_kept() -> None:
    note_creation(MAX_CREATIONS, 1, 70)
    assert creation_of(MAX_CREATIONS) is None and creation_of(-1) is None


def test_a_thread_without_a_record_has_creator_and_ancestors(guest: Any) -> None:
    note_creation(3, 0, 70)
    note_creation(9, 3, 71)
    known = find_thread(guest.ctx, 9)
    assert known is not None and known.parent_tid == 3 and known.creation_stack == 71
    assert known.facts.status == "finished" and known.facts.created_by == "T3"
    assert [one.facts.thread for one in threads_of(guest.ctx, {9})] == ["T3", "T9"]
    assert find_thread(guest.ctx, 8) is None
