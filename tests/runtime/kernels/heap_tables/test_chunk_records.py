"""Chunk records against plain objects: facts that share words, and those in rows of their own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.heap import heap, leak_search
from irsan.runtime.kernels.heap_tables import chunk_records
from irsan.runtime.kernels.heap_tables.chunk_records import (
    chunk_at,
    chunk_begin,
    chunk_bytes,
    chunk_lo,
    chunk_number,
    chunk_place,
    end_life,
    next_chunk,
)
from irsan.runtime.kernels.heap_tables.spans import chunk_records_take
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import memory_map, options
from irsan.runtime.leaks.leak_check import find_leaks
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views import heap_view
from tests.oracles.chunk_facts import NaiveRecord

N_RECORDS = 6
BLOCK_BYTES = 1 << 17
NUMBERS = st.integers(1, 1 << 20) | st.integers((1 << 32) - 2, (1 << 32) + 2) | st.just(1 << 45)
TIDS = st.integers(0, 300) | st.just((1 << 32) - 1)
ALLOCATE = st.tuples(
    st.just("allocate"), st.integers(0, N_RECORDS - 1), st.integers(0, BLOCK_BYTES - 1),
    st.integers(0, 64) | st.integers(0, (1 << 39) - 1), NUMBERS,
    st.integers(0, 38).map(lambda log: 1 << log), st.sampled_from([1, 2, 3]), TIDS,
)  # fmt: skip
FREE = st.tuples(
    st.just("free"), st.integers(0, N_RECORDS - 1), st.integers(0, N_RECORDS), TIDS
)
RELAXED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@kernel
def place(at: u64, lo: u64, begin: u64, size: u64) -> None:
    chunk_place(chunk_at(at), lo, begin, size)


@kernel
def put_before(at: u64, successor: u64) -> None:
    end_life(chunk_at(at))
    chunk_at(at).next = u32(chunk_number(successor))


@kernel
def begin_of(at: u64) -> u64:
    return chunk_begin(chunk_at(at))


@kernel
def bytes_of(at: u64) -> u64:
    return chunk_bytes(chunk_at(at))


@kernel
def lo_of(ctx: Context, at: u64) -> u64:
    return chunk_lo(ctx, chunk_at(at))


@kernel
def successor_of(at: u64) -> u64:
    return next_chunk(chunk_at(at))


def record_of(number: int) -> int:
    """Address of a record; 0 for 0."""
    return hr.CHUNKS_LO + number * hr.CHUNK_BYTES if number else 0


def compare(ctx: Any, at: int, naive: NaiveRecord) -> None:
    raw = arena.view_record(at, hr.CHUNK_DTYPE)
    wide = arena.view_record(hr.WIDE_LO + chunk_number(at) * hr.WIDE_BYTES, hr.WIDE_DTYPE)
    assert (int(lo_of(ctx, at)), int(begin_of(at))) == (naive.lo, naive.begin)
    assert int(bytes_of(at)) == naive.size
    assert int(raw["sequence"]) | int(wide["sequence_high"]) << 32 == naive.number
    assert int(chunk_records.alloc_tid(at)) == naive.alloc_tid
    assert int(chunk_records.free_tid(at)) == naive.free_tid
    if naive.successor is None:
        facts = int(raw["family"]), int(raw["align_log"]), int(raw["mark"]), int(raw["state"])
        assert facts == (naive.family, naive.align_log, 0, hr.ALLOCATED)
    else:
        assert int(successor_of(at)) == record_of(naive.successor)
        assert int(raw["state"]) == hr.QUARANTINED


@RELAXED
@given(calls=st.lists(ALLOCATE | FREE, min_size=1, max_size=30))
def test_a_record_says_what_was_written_last(guest: Any, calls: list[Any]) -> None:
    arena.discard(hr.CHUNKS_LO, 4096)
    arena.discard(hr.WIDE_LO, 4096)
    los = [memory_map.HEAP_LO + k * BLOCK_BYTES for k in range(N_RECORDS)]
    naive = [NaiveRecord(lo=lo) for lo in los]
    written = set()
    for word, which, *facts in calls:
        at, one = record_of(which + 1), naive[which]
        written.add(which)
        if word == "allocate":
            offset, size, number, alignment, family, tid = facts
            place(at, one.lo, one.lo + offset, size)
            chunk_records.begin_life(at, number, alignment, family)
            # High halves are written for good once the numbers need them.
            if number >> 32 == 0 and one.number >> 32:
                chunk_records.number_widely(at, number)
            chunk_records.set_alloc_tid(at, tid)
            one.allocate(one.lo + offset, size, number, alignment, family)
            one.alloc_tid = tid
        elif one.begin:
            successor, tid = facts
            chunk_records.set_free_tid(at, tid)
            put_before(at, record_of(successor))
            one.free(successor)
            one.free_tid = tid
        for index in written:
            if naive[index].begin:
                compare(guest.ctx, record_of(index + 1), naive[index])


def start_heap(guest: Any) -> Any:
    ctx = guest.ctx
    ctx["heap"] = 0
    ctx["leaks"] = 0
    arena.discard(hr.UNIT_TABLE, hr.CHUNKS_HI - hr.UNIT_TABLE)
    arena.discard(hr.WIDE_LO, 1 << 20)
    options.set_default_options(ctx)
    ctx["sanitize_address"] = 1
    heap.heap_init(ctx)
    guest.switch_to(guest.new_thread(1000, slot=1))
    return ctx


@pytest.mark.parametrize("size", [40, 300_000])
def test_the_view_knows_late_allocations_and_many_threads(guest: Any, size: int) -> None:
    ctx = start_heap(guest)
    ctx["heap"]["sequence"] = 5 << 32
    addr = int(heap.heap_allocate(ctx, size, 1 << 20, hr.NEW))
    chunk = heap_view.addr_to_chunk(ctx, addr)
    assert chunk is not None and addr == chunk.begin and addr % (1 << 20) == 0
    facts = chunk.sequence, chunk.alloc_tid, chunk.alignment, chunk.family, chunk.size_bytes
    assert facts == ((5 << 32) + 1, 1000, 1 << 20, hr.NEW, size)
    assert heap.heap_free(ctx, addr, hr.NEW, size, 1 << 20) == size
    freed = heap_view.addr_to_chunk(ctx, addr)
    assert freed is not None and not freed.is_live
    assert (freed.free_tid, freed.alloc_tid, freed.sequence) == (1000, 1000, chunk.sequence)
    assert [one.record for one in heap_view.quarantine(ctx)] == [chunk.record]


def test_lost_blocks_are_told_in_order_of_age_beyond_the_low_bits(guest: Any) -> None:
    ctx = start_heap(guest)
    blocks = []
    for number in (3, 1 << 32):
        ctx["heap"]["sequence"] = number
        blocks.append(int(heap.heap_allocate(ctx, 40, 0, hr.MALLOC)))
        record = heap_view.addr_to_chunk(ctx, blocks[-1])
        assert record is not None
        arena.view_record(record.record, hr.CHUNK_DTYPE)["alloc_stack"] = 9 - len(blocks)
    kernels = {name: getattr(leak_search, name) for name in (
        "leak_begin", "leak_scan", "leak_flood", "leak_indirect")}  # fmt: skip
    groups = find_leaks(ctx, lambda name, *words: kernels[name](ctx, *words), [], [], 0)
    assert [(one.objects[0][0], one.alloc_tid) for one in groups] == [(b, 1000) for b in blocks]
    assert groups[1].sequence == (1 << 32) + 1


def test_records_end_where_their_numbers_do(guest: Any) -> None:
    ctx = start_heap(guest)
    ctx["heap"]["chunks_top"] = hr.CHUNKS_HI - 2 * hr.CHUNK_BYTES
    assert int(chunk_records_take(ctx, 3)) == 0
    assert int(chunk_records_take(ctx, 2)) == hr.CHUNKS_HI - 2 * hr.CHUNK_BYTES
    assert int(heap.heap_allocate(ctx, 40, 0, hr.MALLOC)) == 0
    assert int(heap.heap_allocate(ctx, 400_000, 0, hr.MALLOC)) == 0
