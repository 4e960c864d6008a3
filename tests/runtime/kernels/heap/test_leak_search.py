"""The leak search against its naive twin over random graphs of blocks, and the edges one by one."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.checks import shadow
from irsan.runtime.kernels.heap import heap, leak_search
from irsan.runtime.kernels.heap_tables.chunk_facts import rewrite_allocation
from irsan.runtime.layout import memory_map, options
from irsan.runtime.leaks import leak_check
from irsan.runtime.leaks.leak_check import find_leaks, ignore_stacks, never_a_leak
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.records.memory import leak_records as lr
from irsan.runtime.views import heap_view
from tests.oracles.leak_graph import leaks

ROOTS = memory_map.GLOBALS_LO
N_ROOTS = 8
KERNELS = {
    name: getattr(leak_search, name)
    for name in ("leak_begin", "leak_scan", "leak_flood", "leak_indirect")
}


def start_heap(ctx: Any) -> Any:
    ctx["heap"] = 0
    ctx["leaks"] = 0
    arena.discard(hr.UNIT_TABLE, hr.CHUNKS_HI - hr.UNIT_TABLE)
    arena.discard(memory_map.HEAP_LO, memory_map.HEAP_HI - memory_map.HEAP_LO)
    heap_shadow = memory_map.ASAN_SHADOW + (memory_map.HEAP_LO - memory_map.ARENA_LO) // 8
    arena.discard(heap_shadow, (memory_map.HEAP_HI - memory_map.HEAP_LO) // 8)
    options.set_default_options(ctx)
    ctx["sanitize_address"] = 1
    heap.heap_init(ctx)
    ctypes.memset(ROOTS, 0, 8 * N_ROOTS)
    return ctx


@pytest.fixture
def ctx(guest: Any) -> Any:
    return start_heap(guest.ctx)


def allocate(ctx: Any, size: int, family: int = hr.MALLOC) -> int:
    addr = int(heap.heap_allocate(ctx, size, 0, family))
    ctypes.memset(addr, 0, size)
    return addr


def store(at: int, word: int) -> None:
    ctypes.c_uint64.from_address(at).value = word


def search(ctx: Any, bits: int = 0) -> tuple[set[int], set[int]]:
    """Addresses of direct and of indirect leaks, with the roots at ROOTS."""
    roots = [(ROOTS, ROOTS + 8 * N_ROOTS)]
    groups = find_leaks(ctx, lambda name, *words: KERNELS[name](ctx, *words), roots, bits)
    found: dict[bool, set[int]] = {True: set(), False: set()}
    for group in groups:
        assert len(group.objects) == min(group.n_objects, leak_check.MAX_OBJECTS)
        if group.n_objects == len(group.objects):
            assert group.total_bytes == sum(size for _, size in group.objects)
        found[group.is_direct] |= {addr for addr, _ in group.objects}
    return found[True], found[False]


SIZES = st.lists(st.integers(8, 300), min_size=1, max_size=12)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[int], dict[tuple[int, int], tuple[int, int]], list[int]]:
    """Sizes; (block, slot) -> (block, offset in it) for pointers; numbers of blocks that are freed.

    Block -1 is the roots.
    """
    sizes = draw(SIZES)
    pointers = {}
    for _ in range(draw(st.integers(0, 25))):
        source = draw(st.integers(-1, len(sizes) - 1))
        n_slots = N_ROOTS if source < 0 else sizes[source] // 8
        target = draw(st.integers(0, len(sizes) - 1))
        place = source, draw(st.integers(0, n_slots - 1))
        pointers[place] = target, draw(st.integers(0, sizes[target] - 1))
    freed = draw(st.lists(st.integers(0, len(sizes) - 1), unique=True, max_size=3))
    return sizes, pointers, freed


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs(), st.data())
def test_search_finds_what_the_twin_finds(guest: Any, graph: Any, data: st.DataObject) -> None:
    ctx = start_heap(guest.ctx)
    sizes, pointers, freed = graph
    blocks = [allocate(ctx, size) for size in sizes]
    for (source, slot), (target, offset) in pointers.items():
        store((ROOTS if source < 0 else blocks[source]) + 8 * slot, blocks[target] + offset)
    live = [index for index in range(len(blocks)) if index not in freed]
    ignored = data.draw(st.lists(st.sampled_from(live), max_size=2)) if live else []
    for index in freed:
        heap.heap_free(ctx, blocks[index], hr.MALLOC, int(heap.UNKNOWN_SIZE), 0)
    for index in ignored:
        never_a_leak(ctx, blocks[index])
    edges: dict[int, set[int]] = {}
    for (source, _), (target, _) in pointers.items():
        if source not in freed and target not in freed:
            edges.setdefault(source, set()).add(target)
    direct, indirect = leaks(live, edges.get(-1, set()), edges, ignored)
    wanted = {blocks[i] for i in direct}, {blocks[i] for i in indirect}
    assert search(ctx) == wanted
    assert search(ctx) == wanted  # marks of one search do not disturb the next


def test_blocks_of_suppressed_stacks_hide_what_they_point_to(ctx: Any) -> None:
    outer, inner = allocate(ctx, 16), allocate(ctx, 16)
    store(outer, inner)
    rewrite_allocation(ctx, _record(ctx, outer), 7, 0)
    assert search(ctx) == ({outer}, {inner})
    ignore_stacks(ctx, {7})
    assert search(ctx) == (set(), set())


def _record(ctx: Any, addr: int) -> int:
    chunk = heap_view.addr_to_chunk(ctx, addr)
    assert chunk is not None
    return chunk.record


def test_a_pointer_behind_the_end_keeps_nothing_alive(ctx: Any) -> None:
    block = allocate(ctx, 24)
    store(ROOTS, block + 24)
    assert search(ctx) == ({block}, set())
    store(ROOTS, block + 23)
    assert search(ctx) == (set(), set())


def test_an_empty_block_is_kept_by_its_address(ctx: Any) -> None:
    block = allocate(ctx, 0)
    store(ROOTS, block)
    assert search(ctx) == (set(), set())


def test_an_empty_array_with_a_cookie_is_kept_by_where_it_begins(ctx: Any) -> None:
    array = allocate(ctx, 8, hr.NEW_ARRAY)
    plain = allocate(ctx, 8)
    store(ROOTS, array + 8)
    store(ROOTS + 8, plain + 8)
    assert search(ctx) == ({plain}, set())


def test_unaligned_words_count_when_asked_for(ctx: Any) -> None:
    block = allocate(ctx, 24)
    store(ROOTS + 3, block)
    assert search(ctx) == ({block}, set())
    assert search(ctx, lr.USE_UNALIGNED) == (set(), set())


def test_poisoned_words_count_when_asked_for(ctx: Any) -> None:
    block = allocate(ctx, 24)
    store(ROOTS + 16, block)
    shadow.poison_range(ctx, ROOTS + 16, 8, 0xF8)
    assert search(ctx) == ({block}, set())
    assert search(ctx, lr.USE_POISONED) == (set(), set())


def test_an_unaligned_word_may_end_in_a_partly_addressable_granule(ctx: Any) -> None:
    block = allocate(ctx, 24)
    store(ROOTS + 17, block)
    shadow.poison_range(ctx, ROOTS + 25, 7, 0xF9)
    assert search(ctx, lr.USE_UNALIGNED) == (set(), set())
    shadow.poison_range(ctx, ROOTS + 24, 8, 0xF9)
    assert search(ctx, lr.USE_UNALIGNED) == ({block}, set())


def test_only_starts_count_when_asked_for(ctx: Any) -> None:
    plain, array = allocate(ctx, 40), allocate(ctx, 40, hr.NEW_ARRAY)
    store(ROOTS, plain + 16)
    store(ROOTS + 8, array + 8)
    assert search(ctx) == (set(), set())
    assert search(ctx, lr.STARTS_ONLY) == ({plain}, set())
    for vtable in (plain, plain + 16):
        store(vtable, memory_map.PROGRAM_CODE_LO + 64)
    assert search(ctx, lr.STARTS_ONLY) == (set(), set())


def test_unreadable_pages_are_left_out(ctx: Any) -> None:
    text = (
        f"{memory_map.GLOBALS_LO:x}-{memory_map.GLOBALS_LO + 4096:x} rw-p 0 00:00 0\n"
        f"{memory_map.STACKS_LO:x}-{memory_map.STACKS_LO + 4096:x} ---p 0 00:00 0\n"
        f"{memory_map.HEAP_LO:x}-{memory_map.HEAP_LO + 8192:x} ---p 0 00:00 0\n"
        f"{memory_map.HEAP_HI - 4096:x}-{memory_map.HEAP_HI:x} ---p 0 00:00 0\n"
    )
    found = leak_check.unreadable_ranges(text, heap_view.heap_top(ctx))
    assert found == [(memory_map.HEAP_LO, memory_map.HEAP_LO + 8192)]


def test_a_search_passes_over_what_may_not_be_read(ctx: Any) -> None:
    block = int(heap.heap_allocate(ctx, 12288, 4096, hr.MALLOC))
    inner = [allocate(ctx, 16) for _ in range(3)]
    for index, addr in enumerate(inner):
        store(block + 4096 * index, addr)
    store(ROOTS, block)
    arena.protect(block + 4096, 4096, 0)
    try:
        assert search(ctx) == ({inner[1]}, set())
    finally:
        arena.protect(block + 4096, 4096, 3)


def test_a_search_asks_for_no_more_of_the_mappings_than_it_needs(
    ctx: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if leak_check.read_areas(ROOTS, ROOTS + 8) is None:
        pytest.skip("this kernel tells only the whole list of mappings (Linux before 6.11)")
    whole = leak_check.read_maps()
    top = heap_view.heap_top(ctx)
    allocate(ctx, 16)
    assert leak_check.unreadable_ranges(
        leak_check._areas_below(top), top
    ) == leak_check.unreadable_ranges(whole, top)
    monkeypatch.setattr(leak_check, "read_maps", lambda: pytest.fail("the whole list was read"))
    assert len(search(ctx)[0]) == 1


def test_a_long_list(ctx: Any) -> None:
    """A list as long as this needs a frontier, not recursion."""
    n_blocks = 100_000
    blocks = [int(heap.heap_allocate(ctx, 16, 0, hr.MALLOC)) for _ in range(n_blocks)]
    for block, following in zip(blocks, [*blocks[1:], 0], strict=True):
        store(block, following)
    store(ROOTS, blocks[0])
    assert search(ctx) == (set(), set())
    store(blocks[n_blocks // 2], 0)
    direct, indirect = search(ctx)
    assert direct == {blocks[n_blocks // 2 + 1]}
    assert len(indirect) == leak_check.MAX_OBJECTS
