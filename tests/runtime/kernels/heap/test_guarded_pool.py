"""The guarded pool against its naive twin: slots, sides, pages, shadow, countdown, recovery."""

from __future__ import annotations

import ctypes
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks import shadow
from irsan.runtime.kernels.heap import guarded_pool, heap
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.memory import guarded_records as gr
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.seeding import seed_to_rng_words
from irsan.runtime.views import guarded_view, heap_view
from tests.oracles.guarded_pool import NaivePool, naive_kind

PAGE = gr.PAGE_BYTES
READ_WRITE = 3
UNKNOWN = int(heap.UNKNOWN_SIZE)
SLOW_FIXTURE = [HealthCheck.function_scoped_fixture]


def start_pool(ctx: Any, slots: int = 4, rate: int = 1, seed: int = 0, **changed: int) -> Any:
    """An empty heap with a pool, also in the middle of a test."""
    arena.protect(memory_map.HEAP_LO, 1 << 28, READ_WRITE)
    ctx["heap"] = 0
    arena.discard(hr.UNIT_TABLE, hr.CHUNKS_HI - hr.UNIT_TABLE)
    arena.discard(gr.SLOTS_LO, memory_map.GIB)
    arena.discard(memory_map.HEAP_LO, 1 << 28)
    arena.discard(memory_map.ASAN_SHADOW + (memory_map.HEAP_LO - memory_map.ARENA_LO) // 8, 1 << 25)
    options.set_default_options(ctx)
    for index, word in enumerate(seed_to_rng_words(seed)):
        ctx["schedule"]["rng"][index] = word
    words = {"GUARDED_SLOTS": slots, "GUARDED_SAMPLE_RATE": rate, **changed}
    for name, value in words.items():
        ctx["options"][getattr(options, name)] = value
    ctx["sanitize_address"] = 1
    heap.heap_init(ctx)
    return ctx


@pytest.fixture
def ctx(guest: Any) -> Any:
    yield start_pool(guest.ctx)
    arena.protect(memory_map.HEAP_LO, 1 << 28, READ_WRITE)


@pytest.fixture
def any_pool(guest: Any) -> Any:
    """Starts a pool as asked; opens its pages again after the test."""

    def start(**changed: int) -> Any:
        return start_pool(guest.ctx, **changed)

    yield start
    arena.protect(memory_map.HEAP_LO, 1 << 28, READ_WRITE)


def allocate(ctx: Any, size: int, alignment: int = 0) -> int:
    return int(heap.heap_allocate(ctx, size, alignment, hr.MALLOC))


def free(ctx: Any, addr: int) -> int:
    return int(heap.heap_free(ctx, addr, hr.MALLOC, UNKNOWN, 0))


def taken_fault(ctx: Any) -> list[int]:
    assert ctx["action"] == actions.REPORT
    ctx["action"] = actions.NONE
    return [int(word) for word in ctx["fault"]]


def pool_lo(ctx: Any) -> int:
    return int(ctx["guarded"]["pool_lo"])


def slot_of(ctx: Any, addr: int) -> int:
    return (addr - pool_lo(ctx)) // gr.BLOCK_BYTES


def is_in_pool(ctx: Any, addr: int) -> bool:
    return guarded_view.is_guarded(ctx, addr)


def accessible_pages(lo: int, n_bytes: int) -> set[int]:
    """Pages of a range that may be read and written, as the system says."""
    found: set[int] = set()
    for line in Path("/proc/self/maps").read_text().splitlines():
        bounds, rights = line.split()[:2]
        first, end = (int(part, 16) for part in bounds.split("-"))
        if rights.startswith("rw"):
            found |= set(range(max(first, lo), min(end, lo + n_bytes), PAGE))
    return found


REQUEST = st.tuples(
    st.just("allocate"), st.integers(0, 5000), st.sampled_from([0, 0, 8, 64, 512, 4096, 8192])
)
FREE = st.tuples(st.just("free"), st.integers(0, 1 << 20), st.just(0))
AGAIN = st.tuples(st.just("again"), st.integers(0, 1 << 20), st.just(0))
CRASH = st.tuples(st.just("crash"), st.integers(0, 1 << 20), st.just(0))


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW_FIXTURE)
@given(
    calls=st.lists(st.one_of(REQUEST, REQUEST, FREE, AGAIN, CRASH), max_size=40),
    slots=st.sampled_from([1, 2, 3, 7]),
    seed=st.integers(0, 5),
    is_perfect=st.booleans(),
)
def test_pool_keeps_the_rules_of_the_naive_twin(
    any_pool: Any, calls: Any, slots: int, seed: int, is_perfect: bool
) -> None:
    ctx = any_pool(slots=slots, seed=seed, GUARDED_RIGHT_ALIGN=int(is_perfect))
    naive = NaivePool(slots)
    for word, number, alignment in calls:
        if word == "allocate":
            step_allocate(ctx, naive, number, alignment, is_perfect)
        elif word == "free" and naive.live:
            slot = sorted(naive.live)[number % len(naive.live)]
            assert free(ctx, naive.live[slot][0]) == naive.live[slot][1]
            naive.release(slot)
        elif word == "again" and naive.free:
            step_free_again(ctx, naive, sorted(naive.free)[number % len(naive.free)])
        elif word == "crash" and naive.free:
            slot = sorted(naive.free)[number % len(naive.free)]
            guarded_pool.guarded_recover(ctx, naive.free[slot][0])
            naive.retire(slot)
        assert ctx["action"] == actions.NONE
    check_pages(ctx, naive)
    check_records(ctx, naive)


def step_allocate(
    ctx: Any, naive: NaivePool, size: int, alignment: int, is_perfect: bool
) -> None:
    fits = size <= PAGE and alignment <= PAGE and naive.has_room
    addr = allocate(ctx, size, alignment)
    assert addr and is_in_pool(ctx, addr) == fits
    assert alignment == 0 or addr % alignment == 0
    if not fits:
        return
    page = addr // PAGE * PAGE
    assert (page - pool_lo(ctx)) % gr.BLOCK_BYTES == PAGE
    assert addr + size <= page + PAGE
    if addr != page:
        gap = page + PAGE - (addr + max(size, 1))
        assert gap < (alignment or (1 if is_perfect else 16))
    naive.allocate(slot_of(ctx, addr), addr, size)
    check_shadow(ctx, addr, size, page)


def check_shadow(ctx: Any, addr: int, size: int, page: int) -> None:
    """All of the block may be touched, nothing behind it, and before it less than a granule."""
    assert not size or shadow.first_poisoned(ctx, addr, size) == 0
    end = addr + size
    if end < page + PAGE:
        assert shadow.first_poisoned(ctx, end, 1) == end
    for before in (page - 1, addr - 8):
        assert shadow.first_poisoned(ctx, before, 1) == before


def step_free_again(ctx: Any, naive: NaivePool, slot: int) -> None:
    begin = naive.free[slot][0]
    assert free(ctx, begin) == int(heap.NOT_FREED)
    if slot not in naive.retired:
        assert taken_fault(ctx)[:2] == [FaultKind.GUARDED_DOUBLE_FREE, begin]


def check_pages(ctx: Any, naive: NaivePool) -> None:
    n_bytes = int(ctx["guarded"]["pool_bytes"])
    lo = pool_lo(ctx)
    kept = naive.live.keys() | naive.retired
    wanted = {lo + slot * gr.BLOCK_BYTES + PAGE for slot in kept}
    assert accessible_pages(lo, n_bytes) == wanted


def check_records(ctx: Any, naive: NaivePool) -> None:
    state = guarded_view.read_pool(ctx)
    assert state.n_used == naive.n_used
    for slot, (begin, size) in {**naive.live, **naive.free}.items():
        found = state.slot(slot)
        assert (found.begin, found.size_bytes) == (begin, size)
        assert found.state == (gr.ALLOCATED if slot in naive.live else gr.FREED)
        assert found.has_crashed == (slot in naive.retired)
    chunks = {chunk.begin for chunk in heap_view.live_chunks(ctx) if is_in_pool(ctx, chunk.begin)}
    assert chunks == {begin for begin, _ in naive.live.values()}


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW_FIXTURE)
@given(offset=st.integers(0, 15 * PAGE), freed=st.sets(st.integers(0, 4)), n_used=st.integers(0, 5))
def test_kinds_of_accesses_are_those_of_the_naive_twin(
    any_pool: Any, offset: int, freed: set[int], n_used: int
) -> None:
    ctx = any_pool(slots=5)
    blocks = [allocate(ctx, 100 + i) for i in range(n_used)]
    lo = pool_lo(ctx)
    for number in freed & set(range(n_used)):
        free(ctx, blocks[number])
    known = {number: (addr - lo, 100 + number) for number, addr in enumerate(blocks)}
    state = guarded_view.read_pool(ctx)
    kind = guarded_view.diagnose_access(state, lo + offset)
    assert kind == naive_kind(offset, 5, known, freed & set(range(n_used)))
    assert int(guarded_pool.nearest_slot(ctx, lo + offset)) == state.nearest_slot(lo + offset)


def test_a_state_that_was_saved_explains_as_well_as_a_live_one(ctx: Any) -> None:
    addr = allocate(ctx, 24)
    free(ctx, addr)
    state = guarded_view.read_pool(ctx)
    start_pool(ctx)
    assert guarded_view.diagnose_access(state, addr + 3) == "Use After Free"
    assert state.slot(0).size_bytes == 24


def test_pointers_into_blocks_and_guards_are_wild_frees(ctx: Any) -> None:
    addr = allocate(ctx, 100)
    for wild in (addr + 1, addr - PAGE, pool_lo(ctx), pool_lo(ctx) + 3 * gr.BLOCK_BYTES + PAGE):
        assert free(ctx, wild) == int(heap.NOT_FREED)
        assert taken_fault(ctx)[:2] == [FaultKind.GUARDED_INVALID_FREE, wild]
    assert free(ctx, addr) == 100


def test_both_sides_are_drawn_and_the_seed_decides(any_pool: Any) -> None:
    def sides(seed: int) -> list[bool]:
        ctx = any_pool(slots=64, seed=seed)
        return [allocate(ctx, 100) % PAGE == 0 for _ in range(64)]

    first = sides(0)
    assert 16 < sum(first) < 48
    assert sides(0) == first
    assert sides(1) != first


def test_free_slots_are_used_again_in_random_order(any_pool: Any) -> None:
    ctx = any_pool(slots=16)
    for addr in [allocate(ctx, 8) for _ in range(16)]:
        free(ctx, addr)
    order = [slot_of(ctx, allocate(ctx, 8)) for _ in range(16)]
    assert sorted(order) == list(range(16)) != order


@pytest.mark.parametrize("rate", [1, 2, 10, 100])
def test_one_allocation_in_so_many_is_sampled(any_pool: Any, rate: int) -> None:
    ctx = any_pool(slots=2000, rate=rate)
    guarded = [is_in_pool(ctx, allocate(ctx, 8)) for _ in range(2000)]
    places = [index for index, one in enumerate(guarded) if one]
    gaps = [after - before for before, after in zip([-1, *places], places, strict=False)]
    assert max(gaps) <= max(2 * rate, 1)
    assert 0.8 * 2000 / rate <= len(places) * (1 if rate == 1 else (2 * rate + 1) / (2 * rate)) \
        <= 1.2 * 2000 / rate  # fmt: skip
    if rate == 10:
        assert set(Counter(gaps)) == set(range(1, 21))


def test_without_slots_nothing_is_sampled_and_nothing_is_taken(any_pool: Any) -> None:
    ctx = any_pool(slots=0)
    addresses = [allocate(ctx, 8) for _ in range(50)]
    assert int(ctx["guarded"]["pool_bytes"]) == 0
    assert not any(is_in_pool(ctx, addr) for addr in addresses)
    assert addresses[0] < memory_map.HEAP_LO + 2 * hr.UNIT_BYTES


def test_contents_of_calloc_are_zero_although_the_page_was_used_before(any_pool: Any) -> None:
    ctx = any_pool(slots=1)
    addr = allocate(ctx, PAGE)
    ctypes.memset(addr, 7, PAGE)
    free(ctx, addr)
    again = int(heap.heap_allocate_zeroed(ctx, PAGE))
    assert again == addr
    assert ctypes.string_at(again, PAGE) == bytes(PAGE)


@pytest.mark.parametrize(
    ("size", "alignment", "perfect", "gap"),
    [
        (1, 0, 0, 0), (2, 0, 0, 0), (3, 0, 0, 1), (5, 0, 0, 3), (8, 0, 0, 0), (9, 0, 0, 7),
        (17, 0, 0, 15), (17, 0, 1, 0), (5, 64, 1, 59), (64, 64, 0, 0), (0, 0, 0, 1),
    ],
)  # fmt: skip
def test_the_gap_behind_a_right_aligned_block(
    any_pool: Any, size: int, alignment: int, perfect: int, gap: int
) -> None:
    ctx = any_pool(slots=40, GUARDED_RIGHT_ALIGN=perfect)
    found = {allocate(ctx, size, alignment) % PAGE for _ in range(40)}
    assert found == {0, PAGE - size - gap}
