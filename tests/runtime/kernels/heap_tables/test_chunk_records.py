"""Chunk records against plain objects: facts that share words, and those in rows of their own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.heap import heap, leak_search
from irsan.runtime.kernels.heap_tables import chunk_facts, chunk_records
from irsan.runtime.kernels.heap_tables.chunk_records import chunk_at, chunk_number, next_chunk
from irsan.runtime.kernels.heap_tables.chunks import class_span_take, large_take
from irsan.runtime.kernels.heap_tables.heap_classes import MAX_BLOCK_BYTES, size_to_class
from irsan.runtime.kernels.heap_tables.spans import chunk_records_take
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.layout import options
from irsan.runtime.leaks.leak_check import find_leaks
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views import heap_view
from irsan.runtime.views.chunk_table import chunk_records as all_records
from irsan.runtime.views.chunk_table import chunk_rows, live_numbers
from tests.oracles.chunk_facts import NaiveChunk

N_CLASS = 5  # blocks of the largest class; the last chunk is a block of its own
LARGE = N_CLASS
NUMBERS = st.integers(1, 1 << 20) | st.integers((1 << 32) - 2, (1 << 32) + 2) | st.just(1 << 45)
TIDS = st.integers(0, 300) | st.just((1 << 32) - 1)
STACKS = st.integers(0, (1 << 32) - 1)
WHICH = st.integers(0, LARGE)
ALLOCATE = st.tuples(
    st.just("allocate"), WHICH, st.integers(0, MAX_BLOCK_BYTES // 16 - 2),
    st.integers(0, 64) | st.integers(0, MAX_BLOCK_BYTES - 1) | st.integers(0, (1 << 39) - 1),
    NUMBERS, st.integers(0, 38).map(lambda log: 1 << log), st.sampled_from([1, 2, 3]), STACKS, TIDS,
)  # fmt: skip
FREE = st.tuples(st.just("free"), WHICH, WHICH, STACKS, TIDS)
OVERWRITE = st.tuples(st.just("overwrite"), WHICH, st.integers(0, 15), st.integers(1, 255))
RELAXED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@kernel
def put_before(at: u64, successor: u64) -> None:
    chunk_records.end_life(at)
    chunk_at(at).next = u32(chunk_number(successor))


@kernel
def write_freed(ctx: Context, at: u64, stack: u32, tid: u64) -> None:
    chunk_facts.write_free(at, chunk_facts.chunk_facts(ctx, at), stack, tid)


@kernel
def write_new(ctx: Context, at: u64, number: u64, stack: u32, tid: u64) -> None:
    chunk_facts.write_allocation(at, chunk_facts.chunk_facts(ctx, at), number, stack, tid)


@kernel
def looks_whole(facts: u64) -> bool:
    return chunk_facts.are_whole(chunk_facts.facts_at(facts))


@kernel
def successor_of(at: u64) -> u64:
    return next_chunk(chunk_at(at))


class Driven:
    """Chunks by number, as the kernels and as the twin know them."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        size_class = size_to_class(MAX_BLOCK_BYTES)
        span = arena.view_record(class_span_take(ctx, size_class), hr.SPAN_DTYPE)
        span["n_carved"] = span["n_blocks"]
        self.records = [int(span["chunks"]) + k * hr.CHUNK_BYTES for k in range(N_CLASS)]
        self.records.append(int(large_take(ctx, 8 * MAX_BLOCK_BYTES)))
        self.naive = [NaiveChunk(int(chunk_records.chunk_lo(at))) for at in self.records]

    def allocate(
        self, which: int, offset: int, size: int, number: int, alignment: int, family: int,
        stack: int, tid: int,
    ) -> None:  # fmt: skip
        at, one = self.records[which], self.naive[which]
        begin = one.lo + offset * 16
        if which != LARGE:
            size = min(size, MAX_BLOCK_BYTES - offset * 16 - 1)
        chunk_records.chunk_place(at, one.lo, begin, size)
        chunk_records.begin_life(at, alignment, family, 0)
        # High halves are written for good once the numbers need them.
        if number >> 32 == 0 and one.number >> 32:
            chunk_facts.number_widely(at, number)
        write_new(self.ctx, at, number, stack, tid)
        one.allocate(begin, size, number, alignment, family, stack, tid)

    def free(self, which: int, successor: int, stack: int, tid: int) -> None:
        one = self.naive[which]
        if not one.begin or one.successor is not None:
            return
        write_freed(self.ctx, self.records[which], stack, tid)
        # What an overflow left where a free writes is gone with it.
        one.is_overwritten = one.is_overwritten and not looks_whole(one.lo)
        put_before(self.records[which], self.records[successor])
        one.free(successor, stack, tid)

    def overwrite(self, which: int, byte: int, change: int) -> None:
        """What an overflow does, unless the check value is right by chance."""
        one = self.naive[which]
        if which == LARGE or one.is_overwritten or not one.begin:
            return
        arena.view_bytes(one.lo, 16)[byte] ^= change
        one.is_overwritten = not looks_whole(one.lo)
        if not one.is_overwritten:
            arena.view_bytes(one.lo, 16)[byte] ^= change

    def compare(self) -> None:
        for at, one in zip(self.records, self.naive, strict=True):
            if one.begin:
                self._compare(at, one)

    def _compare(self, at: int, one: NaiveChunk) -> None:
        seen = heap_view.addr_to_chunk(self.ctx, one.lo)
        assert seen is not None and seen.record == at
        placed = seen.lo, seen.begin, seen.size_bytes
        assert placed == (one.lo, one.begin, one.size)
        kernels = (chunk_records.chunk_lo, chunk_records.chunk_begin, chunk_records.chunk_bytes)
        assert tuple(int(read(at)) for read in kernels) == placed
        told = seen.alloc_stack, seen.alloc_tid, seen.free_stack, seen.free_tid, seen.sequence
        assert (told, seen.is_overwritten) == (one.told(), one.is_overwritten)
        asked = (chunk_facts.alloc_stack, chunk_facts.alloc_tid, chunk_facts.free_stack,
                 chunk_facts.free_tid)  # fmt: skip
        assert tuple(int(read(self.ctx, at)) for read in asked) == told[:4]
        assert (seen.family, seen.alignment) == (one.family, one.alignment)
        assert seen.is_live == (one.successor is None)
        if one.successor is not None:
            assert int(successor_of(at)) == self.records[one.successor]

    def compare_table(self) -> None:
        records = all_records(self.ctx)
        rows = chunk_rows(self.ctx, records, live_numbers(records))
        found = [(int(row["begin"]), int(row["size_bytes"]), int(row["alloc_stack"]),
                  int(row["alloc_tid"]), int(row["sequence"])) for row in rows]  # fmt: skip
        live = [one for one in self.naive if one.begin and one.successor is None]
        told = [(*one.told()[:2], one.told()[4]) for one in live]
        assert found == [(one.begin, one.size, *rest) for one, rest in zip(live, told, strict=True)]


HEALED = [
    ("allocate", 2, 1296, 16, 1, 32, 1, 456600, 0), ("overwrite", 2, 8, 221),
    ("free", 2, 1, 15, 108),
]  # fmt: skip


@RELAXED
@example(calls=HEALED)
@given(calls=st.lists(ALLOCATE | FREE | OVERWRITE, min_size=1, max_size=30))
def test_a_chunk_says_what_was_written_last(guest: Any, calls: list[Any]) -> None:
    driven = Driven(start_heap(guest))
    for word, *facts in calls:
        getattr(driven, word)(*facts)
        driven.compare()
    driven.compare_table()


def test_a_byte_that_is_overwritten_is_noticed_but_for_one_in_65536(guest: Any) -> None:
    driven = Driven(start_heap(guest))
    driven.allocate(0, 0, 100, 12345, 16, 1, 678, 9)
    facts = arena.view_bytes(driven.naive[0].lo, 16)
    missed = 0
    for byte in range(16):
        for change in range(1, 256):
            facts[byte] ^= change
            missed += looks_whole(driven.naive[0].lo)
            facts[byte] ^= change
    assert looks_whole(driven.naive[0].lo) and missed <= 2


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
        write_new(ctx, record.record, record.sequence, 9 - len(blocks), 1000)
    kernels = {name: getattr(leak_search, name) for name in (
        "leak_begin", "leak_scan", "leak_flood", "leak_indirect")}  # fmt: skip
    groups = find_leaks(ctx, lambda name, *words: kernels[name](ctx, *words), [], 0)
    assert [(one.objects[0][0], one.alloc_tid) for one in groups] == [(b, 1000) for b in blocks]
    assert groups[1].sequence == (1 << 32) + 1


def test_records_end_where_their_numbers_do(guest: Any) -> None:
    ctx = start_heap(guest)
    group = 1 << hr.OWNER_BITS
    ctx["heap"]["chunks_top"] = hr.CHUNKS_HI - 2 * group
    assert int(chunk_records_take(ctx, hr.SPANS_LO, 65)) == 0
    assert int(chunk_records_take(ctx, hr.SPANS_LO, 64)) == hr.CHUNKS_HI - 2 * group
    assert int(heap.heap_allocate(ctx, 40, 0, hr.MALLOC)) == 0
    assert int(heap.heap_allocate(ctx, 400_000, 0, hr.MALLOC)) == 0
