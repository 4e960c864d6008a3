"""All live blocks at once against the view of each: every kind of block, many threads, damage."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.heap import heap
from irsan.runtime.layout import memory_map, options
from irsan.runtime.records.memory import guarded_records as gr
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views import heap_view
from irsan.runtime.views.chunk_table import chunk_records, chunk_rows, live_numbers

SIZES = st.integers(0, 300) | st.sampled_from([4000, 70_000, 131_072, 200_000, 3_000_000])
STEPS = st.lists(
    st.tuples(st.just("allocate"), SIZES, st.sampled_from([0, 64, 4096]))
    | st.tuples(st.just("free"), st.integers(0, 50), st.just(0))
    | st.tuples(st.just("overwrite"), st.integers(0, 50), st.integers(0, 15)),
    max_size=40,
)


def start_heap(guest: Any, is_plain: bool, slots: int) -> Any:
    ctx = guest.ctx
    arena.protect(memory_map.HEAP_LO, 1 << 28, 3)
    ctx["heap"] = 0
    ctx["leaks"] = 0
    arena.discard(hr.UNIT_TABLE, hr.CHUNKS_HI - hr.UNIT_TABLE)
    arena.discard(gr.SLOTS_LO, 1 << 20)
    options.set_default_options(ctx)
    ctx["options"][options.GUARDED_SLOTS] = slots
    ctx["options"][options.GUARDED_SAMPLE_RATE] = 3
    ctx["sanitize_address"] = int(not is_plain)
    ctx["heap"]["is_plain"] = int(is_plain)
    heap.heap_init(ctx)
    guest.switch_to(guest.new_thread(1000, slot=1))
    return ctx


@pytest.fixture
def opened() -> Iterator[None]:
    yield
    arena.protect(memory_map.HEAP_LO, 1 << 28, 3)


def seen(ctx: Any) -> list[tuple[int, ...]]:
    return [
        (one.begin, one.size_bytes, one.sequence, one.alloc_stack, one.alloc_tid)
        for one in heap_view.live_chunks(ctx)
    ]


@pytest.mark.usefixtures("opened")
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(is_plain=st.booleans(), slots=st.sampled_from([0, 4]), steps=STEPS)
def test_rows_say_what_the_view_of_each_block_says(
    guest: Any, is_plain: bool, slots: int, steps: list[Any]
) -> None:
    ctx = start_heap(guest, is_plain, slots)
    blocks: list[int] = []
    for word, first, second in steps:
        if word == "allocate":
            blocks.append(int(heap.heap_allocate(ctx, first, second, hr.MALLOC)))
        elif word == "free" and blocks:
            heap.heap_free(ctx, blocks.pop(first % len(blocks)), hr.MALLOC, heap.UNKNOWN_SIZE, 0)
        elif blocks and not is_plain and not slots:
            chunk = heap_view.addr_to_chunk(ctx, blocks[first % len(blocks)])
            assert chunk is not None
            ctypes.c_uint8.from_address(chunk.lo + second).value ^= 1
    records = chunk_records(ctx)
    rows = chunk_rows(ctx, records, live_numbers(records))
    names = ("begin", "size_bytes", "sequence", "alloc_stack", "alloc_tid")
    found = [tuple(int(row[name]) for name in names) for row in rows]
    assert sorted(found) == seen(ctx)
    assert sorted(row[0] for row in found) == sorted(blocks)
