"""Race shadow of freed blocks: gone page by page, never that of a live block."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.checks import shadow
from irsan.runtime.kernels.combined import dead_history, tracked_heap
from irsan.runtime.kernels.heap import heap
from irsan.runtime.kernels.race import thread_clocks
from irsan.runtime.kernels.race.big_marks import BIG_MARK, MARKED_UP_TO, WHOLE_UP_TO
from irsan.runtime.layout import memory_map, options
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views import heap_view
from tests.oracles.dead_pages import NaiveHistory, is_dead

PAGE = 1024
UNIT = hr.UNIT_BYTES
FIRST = memory_map.HEAP_LO + UNIT
RELAXED = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
SHADOW_BYTES = st.sampled_from([0xFA, 0xFA, 0xFD, 0xFD, 0xFD]) | st.integers(0, 255)


def start(guest: Any, **changed: int) -> Any:
    """An empty heap and a second thread, the first one running."""
    ctx = guest.ctx
    ctx["heap"] = 0
    arena.discard(hr.UNIT_TABLE, hr.CHUNKS_HI - hr.UNIT_TABLE)
    arena.discard(memory_map.RACE_SHADOW, memory_map.RACE_SHADOW_SIZE)
    options.set_default_options(ctx)
    for name, value in changed.items():
        ctx["options"][getattr(options, name)] = value
    ctx["sanitize_address"] = ctx["sanitize_thread"] = 1
    heap.heap_init(ctx)
    guest.new_thread(1)
    assert thread_clocks.thread_fork(ctx, memory_map.THREADS + memory_map.THREAD_STRIDE)
    return ctx


def allocate(ctx: Any, size: int) -> int:
    return int(tracked_heap.tracked_allocate(ctx, size, 0, hr.MALLOC))


def free(ctx: Any, addr: int) -> None:
    tracked_heap.tracked_free(ctx, addr, hr.MALLOC, int(heap.UNKNOWN_SIZE), 0)
    assert ctx["action"] == 0


def cells(addr: int, size: int) -> bytes:
    place = memory_map.RACE_SHADOW + (addr // 4 * 4 - memory_map.ARENA_LO) * 4
    return ctypes.string_at(place, (size + 3) // 4 * 16)


def has_history(addr: int, size: int) -> bool:
    """Whether a block has one: in every cell, a big one at least in those of its beginning."""
    words = memoryview(cells(addr, size if size <= WHOLE_UP_TO else BIG_MARK)).cast("Q")
    return all(words[i] for i in range(0, len(words), 2))


@RELAXED
@given(st.lists(SHADOW_BYTES, min_size=8, max_size=8))
def test_a_word_of_shadow_is_dead_when_each_byte_is(granules: list[int]) -> None:
    word = int.from_bytes(bytes(granules), "little")
    assert dead_history.is_dead_word(word) is is_dead(bytes(granules))


def test_every_byte_of_shadow_in_every_place() -> None:
    for byte in range(256):
        for place in range(8):
            granules = bytearray(b"\xfd" * 8)
            granules[place] = byte
            word = int.from_bytes(granules, "little")
            assert dead_history.is_dead_word(word) is is_dead(bytes(granules))


@RELAXED
@given(st.data())
def test_live_blocks_keep_their_history_and_nothing_else_does(guest: Any, data: Any) -> None:
    ctx = start(guest, QUARANTINE_BYTES=data.draw(st.sampled_from((0, 8 << 10, 1 << 20))))
    naive = NaiveHistory()
    sizes = st.integers(1, 200) | st.integers(1000, 5000) | st.just(70_000)
    for _ in range(data.draw(st.integers(1, 6))):
        for size in data.draw(st.lists(sizes, max_size=60)):
            naive.allocate(allocate(ctx, size), size)
        gone = data.draw(st.lists(st.sampled_from(sorted(naive.live)), unique=True)
                         if naive.live else st.just([]))  # fmt: skip
        for addr in gone:
            free(ctx, addr)
            naive.free(addr)
        assert all(has_history(addr, size) for addr, size in naive.live.items())
    end = memory_map.HEAP_LO + int(ctx["heap"]["units"]) * UNIT
    dead_history.forget_dead(ctx, memory_map.HEAP_LO, end)
    assert all(has_history(addr, size) for addr, size in naive.live.items())
    for page in range(FIRST, end, PAGE):
        if not naive.is_kept(page, page + PAGE):
            assert not any(cells(page, PAGE))


def test_freed_neighbours_lose_their_shadow_unasked(guest: Any) -> None:
    ctx = start(guest)
    blocks = [allocate(ctx, 40) for _ in range(3000)]
    for addr in blocks:
        free(ctx, addr)
    n_left = sum(any(cells(page, PAGE)) for page in range(FIRST, max(blocks), PAGE))
    n_spans = (max(blocks) - FIRST) // UNIT + 1
    assert n_left <= n_spans * (UNIT // PAGE // 16 + 1)


def test_a_span_whose_blocks_are_all_freed_has_no_shadow_whatever_the_order(guest: Any) -> None:
    ctx = start(guest)
    blocks = [allocate(ctx, 40) for _ in range(4000)]
    shuffled = sorted(blocks, key=lambda addr: addr * 2654435761 % (1 << 32))
    for addr in shuffled:
        free(ctx, addr)
    last_span = FIRST + (max(blocks) - FIRST) // UNIT * UNIT
    assert not any(any(cells(page, PAGE)) for page in range(FIRST, last_span, PAGE))


def test_memory_that_the_program_poisons_keeps_its_history(guest: Any) -> None:
    ctx = start(guest)
    block = allocate(ctx, 8 * PAGE)
    shadow.poison_range(ctx, block, 8 * PAGE, 0xF7)
    shadow.poison_range(ctx, block, 2 * PAGE, 0xFC)
    dead_history.forget_dead(ctx, FIRST, FIRST + UNIT)
    assert has_history(block, 8 * PAGE)


def test_a_late_use_still_has_both_stacks(guest: Any) -> None:
    ctx = start(guest)
    ctx["site"] = 41
    blocks = [allocate(ctx, 40) for _ in range(2000)]
    ctx["site"] = 42
    for addr in blocks:
        free(ctx, addr)
    chunk = heap_view.addr_to_chunk(ctx, blocks[7])
    assert shadow.is_poisoned(blocks[7]) and not any(cells(blocks[7], 40))
    assert chunk is not None and chunk.alloc_stack != chunk.free_stack != 0


def test_expanded_cells_of_dead_pages_give_their_records_back(guest: Any) -> None:
    from irsan.runtime.kernels.race import access

    ctx = start(guest)
    block = allocate(ctx, 64)
    access.race_access_slow(ctx, block, 1, 1)
    access.race_access_slow(ctx, block + 1, 1, 1 | 4)
    shadow.poison_range(ctx, block, 64, 0xFD)
    dead_history.forget_dead(ctx, FIRST, FIRST + UNIT)
    assert ctx["race"]["n_expanded"] == 0


@pytest.mark.parametrize("what", ["POISON_HEAP", "RACE_DETECTOR"])
def test_nothing_is_given_back_where_cells_still_tell(guest: Any, what: str) -> None:
    ctx = start(guest, **{what: 0 if what == "POISON_HEAP" else 2})
    blocks = [allocate(ctx, 40) for _ in range(3000)]
    before = [any(cells(page, PAGE)) for page in range(FIRST, max(blocks), PAGE)]
    for addr in blocks:
        free(ctx, addr)
    assert [any(cells(page, PAGE)) for page in range(FIRST, max(blocks), PAGE)] == before
    assert heap_view.addr_to_chunk(ctx, blocks[0]) is not None


@pytest.mark.parametrize("size", [MARKED_UP_TO + 4, 300_000])
def test_a_big_block_leaves_no_cells_however_often_its_memory_is_used(
    guest: Any, size: int
) -> None:
    ctx = start(guest, QUARANTINE_BYTES=0)
    blocks = set()
    for _ in range(20):
        block = allocate(ctx, size)
        blocks.add(block)
        assert has_history(block, size)
        free(ctx, block)
        assert not any(cells(block, size))
    assert len(blocks) == 1


@pytest.mark.parametrize("what", ["POISON_HEAP", "RACE_DETECTOR"])
def test_a_big_block_keeps_its_cells_where_they_still_tell(guest: Any, what: str) -> None:
    ctx = start(guest, **{what: 0 if what == "POISON_HEAP" else 2})
    block = allocate(ctx, 300_000)
    before = any(cells(block, 300_000))
    free(ctx, block)
    assert any(cells(block, 300_000)) == before


@pytest.mark.parametrize("size", [40, MARKED_UP_TO])
def test_memory_used_again_and_again_keeps_its_shadow(guest: Any, size: int) -> None:
    ctx = start(guest, QUARANTINE_BYTES=0)
    blocks = set()
    for _ in range(2 * UNIT // 64):
        blocks.add(allocate(ctx, size))
        free(ctx, max(blocks))
    assert len(blocks) == 1
    assert has_history(blocks.pop(), size)
