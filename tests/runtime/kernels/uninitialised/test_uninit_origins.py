"""Chains of origins: each kept once, reported from the newest step to the first."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.diagnosis.diagnose_uninitialised import origin_chain
from irsan.runtime.kernels.combined import tracked_heap
from irsan.runtime.kernels.heap.heap import UNKNOWN_SIZE, heap_init
from irsan.runtime.kernels.uninitialised import uninit_origins
from irsan.runtime.layout import options
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.records.memory import heap_records as hr
from tests.support.uninit_memory import begin_tracking


@pytest.fixture
def ctx(guest: Any) -> Any:
    begin_tracking()
    options.set_default_options(guest.ctx)
    heap_init(guest.ctx)
    return guest.ctx


@pytest.mark.usefixtures("ctx")
def test_equal_facts_are_one_record() -> None:
    first = uninit_origins.origin_put(ul.STORED, 5, 0)
    assert uninit_origins.origin_put(ul.STORED, 5, 0) == first
    assert uninit_origins.origin_put(ul.STORED, 6, 0) != first
    assert uninit_origins.origin_put(ul.MOVED, 5, 0) != first


@pytest.mark.usefixtures("ctx")
def test_a_chain_is_told_to_its_variable() -> None:
    variable = ul.STACK_BIT | 7
    first = uninit_origins.origin_put(ul.STORED, 5, variable)
    second = uninit_origins.origin_put(ul.STORED, 6, first)
    assert uninit_origins.steps_of(second) == 2
    kinds = [(kind, stack) for kind, stack, _ in origin_chain(second)]
    assert kinds == [(ul.STORED, 6), (ul.STORED, 5), (0, 0)]


def test_blocks_know_where_they_come_from(ctx: Any) -> None:
    block = tracked_heap.tracked_allocate(ctx, 16, 0, hr.MALLOC)
    word = uninit_origins.origin_of(ctx, block + 3)
    assert [kind for kind, _, _ in origin_chain(word)] == [ul.HEAP]
    tracked_heap.free_now(ctx, block, hr.MALLOC, UNKNOWN_SIZE, 0)
    word = uninit_origins.origin_of(ctx, block + 3)
    assert [kind for kind, _, _ in origin_chain(word)] == [ul.FREED]


@pytest.mark.usefixtures("ctx")
def test_a_full_table_gives_the_origin_before() -> None:
    """A shorter story, or none."""
    arena.view_words(ul.N_RECORDS, 1)[0] = ul.MAX_RECORDS - 2
    end = arena.view_bytes(ul.RECORDS + ul.MAX_RECORDS * ul.RECORD_BYTES, ul.RECORD_BYTES)
    last = uninit_origins.origin_put(ul.STORED, 5, 0)
    assert last == ul.MAX_RECORDS - 1
    assert uninit_origins.origin_put(ul.STORED, 6, last) == last
    assert uninit_origins.origin_put(ul.HEAP, 7, 0) == 0
    assert uninit_origins.origin_put(ul.STORED, 5, 0) == last
    assert not end.any()
