"""Heap kernels against the naive twin, in any order of calls; and the edges one by one."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks import shadow
from irsan.runtime.kernels.heap import heap
from irsan.runtime.kernels.heap_tables import chunks, heap_classes
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views import heap_view
from tests.oracles.heap import NaiveChunk, NaiveHeap

UNKNOWN = int(heap.UNKNOWN_SIZE)
NOT_FREED = int(heap.NOT_FREED)
SLOW_FIXTURE = [HealthCheck.function_scoped_fixture]


def start_heap(ctx: Any, **changed: int) -> Any:
    """An empty heap, also in the middle of a test."""
    ctx["heap"] = 0
    arena.discard(hr.UNIT_TABLE, hr.CHUNKS_HI - hr.UNIT_TABLE)
    arena.discard(memory_map.HEAP_LO, memory_map.HEAP_HI - memory_map.HEAP_LO)
    heap_shadow = memory_map.ASAN_SHADOW + (memory_map.HEAP_LO - memory_map.ARENA_LO) // 8
    arena.discard(heap_shadow, (memory_map.HEAP_HI - memory_map.HEAP_LO) // 8)
    options.set_default_options(ctx)
    for name, value in changed.items():
        ctx["options"][getattr(options, name)] = value
    ctx["sanitize_address"] = 1
    heap.heap_init(ctx)
    return ctx


@pytest.fixture
def ctx(guest: Any) -> Any:
    return start_heap(guest.ctx)


def allocate(ctx: Any, size: int, alignment: int = 0, family: int = hr.MALLOC) -> int:
    return int(heap.heap_allocate(ctx, size, alignment, family))


def free(ctx: Any, addr: int, family: int = hr.MALLOC, size: int = UNKNOWN, align: int = 0) -> int:
    return int(heap.heap_free(ctx, addr, family, size, align))


def taken_fault(ctx: Any) -> list[int]:
    assert ctx["action"] == actions.REPORT
    ctx["action"] = actions.NONE
    return [int(word) for word in ctx["fault"]]


def view(ctx: Any, addr: int) -> NaiveChunk:
    chunk = heap_view.addr_to_chunk(ctx, addr)
    assert chunk is not None and chunk.begin == addr
    return NaiveChunk(addr, chunk.size_bytes, chunk.family, chunk.lo, chunk.block_bytes)


def check_block_shadow(ctx: Any, chunk: NaiveChunk) -> None:
    """A byte in or around a live chunk is addressable exactly when the program asked for it."""
    lo, hi = chunk.lo, min(chunk.lo + chunk.block_bytes, chunk.end + 4096)
    first = shadow.first_poisoned(ctx, chunk.begin, hi - chunk.begin)
    assert first in (chunk.end, 0) and (first == chunk.end or chunk.end == hi)
    left = ctypes.string_at(shadow.addr_to_shadow(lo), (chunk.begin - lo) // 8)
    assert set(left) == {0xFA}
    granules = (hi - (chunk.end + 7) // 8 * 8) // 8
    right = ctypes.string_at(shadow.addr_to_shadow((chunk.end + 7) // 8 * 8), granules)
    assert set(right) <= {0xFA}


def check_arithmetic(ctx: Any, chunk: NaiveChunk) -> None:
    """addr_to_chunk finds the record from every byte of the block, and not from its neighbours."""
    record = chunks.addr_to_chunk(ctx, chunk.begin)
    step = max(chunk.block_bytes // 64, 1)
    last = chunk.lo + chunk.block_bytes - 1
    for addr in (*range(chunk.lo, last, step), last):
        assert chunks.addr_to_chunk(ctx, addr) == record
    assert chunks.addr_to_chunk(ctx, last + 1) != record
    assert chunk.lo == memory_map.HEAP_LO or chunks.addr_to_chunk(ctx, chunk.lo - 1) != record


SIZES = st.one_of(
    st.integers(0, 300), st.integers(0, 70_000), st.integers(100_000, 400_000),
    st.sampled_from([16, 48, 4080, 4096, 131_072, 129_000]),
)  # fmt: skip
ALLOCATE = st.tuples(
    st.just("allocate"), SIZES, st.sampled_from([0, 0, 0, 16, 64, 4096, 1 << 17]),
    st.sampled_from([hr.MALLOC, hr.NEW, hr.NEW_ARRAY]),
)  # fmt: skip
FREE = st.tuples(st.just("free"), st.integers(0, 1 << 30), st.just(0), st.just(0))
AGAIN = st.tuples(st.just("again"), st.integers(0, 1 << 30), st.just(0), st.just(0))
BUDGETS = st.sampled_from([0, 1000, 20_000, 2_000_000])


@settings(max_examples=120, deadline=None, suppress_health_check=SLOW_FIXTURE)
@given(
    calls=st.lists(st.one_of(ALLOCATE, ALLOCATE, FREE, FREE, AGAIN), max_size=60), budget=BUDGETS
)
def test_heap_keeps_the_rules_of_the_naive_twin(guest: Any, calls: Any, budget: int) -> None:
    ctx = start_heap(guest.ctx, QUARANTINE_BYTES=budget)
    naive = NaiveHeap(budget)
    for word, number, alignment, family in calls:
        if word == "allocate":
            step_allocate(ctx, naive, number, alignment, family)
        elif word == "free" and naive.live:
            step_free(ctx, naive, naive.live[number % len(naive.live)])
        elif word == "again" and naive.waiting:
            step_free_again(ctx, naive.waiting[number % len(naive.waiting)])
        waiting = [chunk.begin for chunk in heap_view.quarantine(ctx)]
        assert waiting == [chunk.begin for chunk in naive.waiting]
    for chunk in naive.live:
        check_block_shadow(ctx, chunk)
    found = {chunk.begin for chunk in heap_view.live_chunks(ctx)}
    assert found == {chunk.begin for chunk in naive.live}
    assert int(ctx["heap"]["live_bytes"]) == sum(chunk.size for chunk in naive.live)
    assert int(ctx["heap"]["n_live"]) == len(naive.live)


def step_allocate(ctx: Any, naive: NaiveHeap, size: int, alignment: int, family: int) -> None:
    addr = allocate(ctx, size, alignment, family)
    assert addr % max(alignment, 16) == 0
    chunk = view(ctx, addr)
    assert (chunk.size, chunk.family) == (size, family)
    naive.allocate(chunk)
    check_block_shadow(ctx, chunk)
    check_arithmetic(ctx, chunk)
    assert heap.heap_usable_size(ctx, addr) == size
    assert ctypes.string_at(addr, min(size, 4096)) == b"\xbe" * min(size, 4096)


def step_free(ctx: Any, naive: NaiveHeap, chunk: NaiveChunk) -> None:
    alignment = heap_view.addr_to_chunk(ctx, chunk.begin).alignment  # type: ignore[union-attr]
    assert free(ctx, chunk.begin, chunk.family, chunk.size, alignment) == chunk.size
    assert ctx["action"] == actions.NONE
    naive.free(chunk)
    after = ctypes.string_at(shadow.addr_to_shadow(chunk.begin), (max(chunk.size, 1) + 7) // 8)
    assert set(after) == {0xFD}


def step_free_again(ctx: Any, chunk: NaiveChunk) -> None:
    assert free(ctx, chunk.begin, chunk.family) == NOT_FREED
    assert taken_fault(ctx)[:2] == [FaultKind.DOUBLE_FREE, chunk.begin]


@given(st.integers(1, heap_classes.MAX_BLOCK_BYTES))
def test_size_class_is_the_smallest_that_fits(size: int) -> None:
    size_class = int(heap_classes.size_to_class(size))
    assert heap_classes.class_to_size(size_class) >= size
    assert size_class == 0 or heap_classes.class_to_size(size_class - 1) < size
    assert 0 <= size_class < heap_classes.N_CLASSES


def test_every_block_index_is_exact() -> None:
    for size_class in range(heap_classes.N_CLASSES):
        block = int(heap_classes.class_to_size(size_class))
        inverse = (1 << 40) // block + 1
        n_blocks = (int(chunks.block_to_span_bytes(block)) - 16) // block
        for index in range(n_blocks):
            for offset in (index * block, (index + 1) * block - 1):
                assert (offset * inverse) >> 40 == index


@pytest.mark.parametrize("addr", [1, 0x1234, memory_map.HEAP_LO, memory_map.HEAP_LO + (1 << 33),
                                  memory_map.STACKS_LO + 64, 1 << 50])  # fmt: skip
def test_free_of_what_was_never_allocated(ctx: Any, addr: int) -> None:
    allocate(ctx, 10)
    assert free(ctx, addr) == NOT_FREED
    assert taken_fault(ctx)[:2] == [FaultKind.BAD_FREE, addr]


def test_free_of_an_interior_pointer(ctx: Any) -> None:
    addr = allocate(ctx, 100)
    for inside in (addr + 1, addr + 16, addr - 16, addr + 99):
        assert free(ctx, inside) == NOT_FREED
        assert taken_fault(ctx)[0] == FaultKind.BAD_FREE
    assert free(ctx, addr) == 100


def test_family_mismatch_is_reported_and_freed(ctx: Any) -> None:
    addr = allocate(ctx, 40, 0, hr.NEW_ARRAY)
    assert free(ctx, addr, hr.NEW) == 40
    fault = taken_fault(ctx)
    assert fault[:3] == [FaultKind.ALLOC_DEALLOC_MISMATCH, addr, 40]
    assert fault[6:8] == [hr.NEW_ARRAY, hr.NEW]
    assert free(ctx, addr, hr.NEW_ARRAY) == NOT_FREED
    assert taken_fault(ctx)[0] == FaultKind.DOUBLE_FREE


def test_sized_and_aligned_delete_are_compared(ctx: Any) -> None:
    addr = allocate(ctx, 40, 0, hr.NEW)
    assert free(ctx, addr, hr.NEW, 48) == 40
    assert taken_fault(ctx)[6:10] == [40, 48, 0, 0]
    addr = allocate(ctx, 64, 64, hr.NEW)
    assert free(ctx, addr, hr.NEW) == 64
    assert taken_fault(ctx)[6:10] == [64, UNKNOWN, 64, 0]
    addr = allocate(ctx, 64, 16, hr.NEW)
    assert free(ctx, addr, hr.NEW) == 64
    assert taken_fault(ctx)[6:10] == [64, UNKNOWN, 16, 0]
    for alignment in (1, 2, 4, 8, 16, 32):
        assert free(ctx, allocate(ctx, 40, alignment, hr.NEW), hr.NEW, 40, alignment) == 40
    assert free(ctx, allocate(ctx, 40, 0, hr.NEW), hr.NEW, 40, 4) == 40
    assert ctx["action"] == actions.NONE
    ctx["options"][options.NEW_DELETE_TYPE_MISMATCH] = 0
    addr = allocate(ctx, 40, 0, hr.NEW)
    assert free(ctx, addr, hr.NEW, 48) == 40
    assert ctx["action"] == actions.NONE


def test_too_big_and_out_of_memory(ctx: Any) -> None:
    assert allocate(ctx, (1 << 40) + 1) == 0
    fault = taken_fault(ctx)
    assert (fault[0], fault[2], fault[6]) == (FaultKind.SIZE_TOO_BIG, (1 << 40) + 1, 1 << 40)
    assert allocate(ctx, 1 << 40) == 0
    assert taken_fault(ctx)[0] == FaultKind.OUT_OF_MEMORY
    ctx["options"][options.MACHINE_BYTES] = 5000
    assert allocate(ctx, 5000) != 0 and allocate(ctx, 5001) == 0
    assert taken_fault(ctx)[0] == FaultKind.OUT_OF_MEMORY
    ctx["options"][options.ALLOCATOR_MAY_RETURN_NULL] = 1
    assert allocate(ctx, (1 << 40) + 1) == 0
    assert ctx["action"] == actions.NONE
    assert allocate(ctx, 100) != 0


def test_calloc_is_zero_also_in_memory_used_before(guest: Any) -> None:
    ctx = start_heap(guest.ctx, QUARANTINE_BYTES=0)
    for size in (1, 100, 5000, 200_000):
        for _ in range(3):
            addr = int(heap.heap_allocate_zeroed(ctx, size))
            assert ctypes.string_at(addr, size) == bytes(size)
            ctypes.memset(addr, 0x77, size)
            assert free(ctx, addr) == size


def test_large_memory_is_given_back_and_merged(guest: Any) -> None:
    ctx = start_heap(guest.ctx, QUARANTINE_BYTES=0)
    addrs = [allocate(ctx, 1 << 20) for _ in range(8)]
    for addr in addrs[::2] + addrs[1::2]:
        ctypes.memset(addr, 1, 1 << 20)
        free(ctx, addr)
    units = int(ctx["heap"]["units"])
    whole = allocate(ctx, 8 << 20)
    assert whole == addrs[0] and int(ctx["heap"]["units"]) == units
    assert ctypes.string_at(whole + 5000, 1 << 20) == bytes(1 << 20)


def test_addresses_are_the_same_in_every_run(guest: Any) -> None:
    def run() -> list[int]:
        ctx = start_heap(guest.ctx, QUARANTINE_BYTES=10_000)
        out: list[int] = []
        for number in range(300):
            out.append(allocate(ctx, number * 37 % 900))
            if number % 3 == 2:
                free(ctx, out[number - 2])
        return out

    assert run() == run()


def test_without_address_checks_nothing_is_poisoned(guest: Any) -> None:
    ctx = guest.ctx
    options.set_default_options(ctx)
    ctx["sanitize_address"] = 0
    heap.heap_init(ctx)
    addr = allocate(ctx, 100)
    assert shadow.first_poisoned(ctx, addr - 16, 200) == 0
    assert free(ctx, addr) == 100
    assert allocate(ctx, 100) == addr


def test_redzone_grows_with_the_request_and_obeys_the_options(guest: Any) -> None:
    ctx = start_heap(guest.ctx)
    expected = {1: 16, 48: 16, 49: 32, 97: 64, 449: 128, 4000: 256, 17_000: 512, 40_000: 1024,
                100_000: 2048}  # fmt: skip
    assert {size: int(heap_classes.size_to_redzone(ctx, size)) for size in expected} == expected
    ctx["options"][options.MIN_REDZONE_BYTES] = 64
    ctx["options"][options.MAX_REDZONE_BYTES] = 128
    assert heap_classes.size_to_redzone(ctx, 1) == 64
    assert heap_classes.size_to_redzone(ctx, 100_000) == 128
