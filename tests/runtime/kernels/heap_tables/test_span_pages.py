"""Which pages the heap makes beforehand: those of every span of small blocks but the first."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.kernels.heap_tables import chunks, heap_classes, spans
from irsan.runtime.kernels.race.clocks.race_words import SINGLE
from irsan.runtime.layout import memory_map
from irsan.runtime.records.memory import heap_records as hr
from tests.support.present_pages import PAGE_BYTES, count_present


def span_pages(ctx: Any, block_bytes: int) -> list[tuple[int, int]]:
    """Pages of two spans of a class, and of their race shadow, before a block is touched."""
    size_class = heap_classes.size_to_class(block_bytes)
    found = []
    for _ in range(2):
        span = arena.view_record(int(chunks.class_span_take(ctx, size_class)), hr.SPAN_DTYPE)
        lo, size_bytes = int(span["lo"]), int(span["size_bytes"])
        cells = memory_map.RACE_SHADOW + (lo - memory_map.ARENA_LO) * 4
        found.append((count_present(lo, size_bytes), count_present(cells, size_bytes * 4)))
    return found


@pytest.fixture
def heap(guest: Any) -> Any:
    """The Context of an empty heap, while races count."""
    guest.ctx["heap"] = 0
    arena.discard(hr.UNIT_TABLE, hr.CHUNKS_HI - hr.UNIT_TABLE)
    spans.spans_init(guest.ctx)
    guest.ctx["sanitize_thread"], guest.ctx["ignore_depth"] = 1, 0
    return guest.ctx


def test_the_second_span_of_a_class_is_made_at_once(heap: Any) -> None:
    all_pages = chunks.SMALL_SPAN // PAGE_BYTES
    first, second = span_pages(heap, 64)
    if second == (0, 0):
        pytest.skip("the system cannot make pages beforehand")
    assert (first, second) == ((0, 0), (all_pages, 4 * all_pages))


def test_race_shadow_is_left_alone_until_races_count(heap: Any) -> None:
    heap["ignore_depth"] = SINGLE
    assert [n_cells for _, n_cells in span_pages(heap, 64)] == [0, 0]
    heap["sanitize_thread"], heap["ignore_depth"] = 0, 0
    assert [n_cells for _, n_cells in span_pages(heap, 64)] == [0, 0]


def test_spans_of_bigger_blocks_are_made_as_they_are_touched(heap: Any) -> None:
    assert span_pages(heap, 2 * chunks.SMALL_BLOCK) == [(0, 0), (0, 0)]
