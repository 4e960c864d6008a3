"""Big ranges, edges of the arena, and what a report says."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.race import (
    access as fasttrack,
)
from irsan.runtime.kernels.race import (
    race_ranges,
    sync_objects,
    thread_clocks,
)
from irsan.runtime.kernels.race.cells import same_epoch
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.views.stackdepot import stack_to_sites

LO = memory_map.HEAP_LO
MIB = 1 << 20


@pytest.fixture
def pair(guest: Any) -> Any:
    """A guest with a second thread, the first one running."""
    child = guest.new_thread(1)
    assert thread_clocks.thread_fork(guest.ctx, memory_map.THREADS + memory_map.THREAD_STRIDE)
    return guest, child


def access(guest: Any, site: int, addr: int, size: int, kind: int) -> bool:
    guest.ctx["site"], guest.ctx["action"] = site, actions.NONE
    fasttrack.race_access_slow(guest.ctx, addr, size, kind)
    return bool(guest.ctx["action"] == actions.REPORT)


def cell(addr: int) -> tuple[int, int]:
    half = (ctypes.c_uint64 * 2).from_address(
        memory_map.RACE_SHADOW + (addr - memory_map.ARENA_LO) * 4
    )
    return half[0], half[1]


def test_facts_of_the_fault(pair: Any) -> None:
    guest, child = pair
    access(guest, 5, LO + 8, 2, 1)
    guest.switch_to(child)
    assert access(guest, 6, LO + 6, 8, 0)
    fault = [int(word) for word in guest.ctx["fault"]]
    assert fault[:4] == [FaultKind.DATA_RACE, LO + 6, 8, 0]
    assert (stack_to_sites(fault[4]), fault[5]) == ([6], 1)
    assert (stack_to_sites(fault[7]), fault[8]) == ([5], 1)
    assert (fault[9], fault[10], fault[11], fault[12]) == (LO + 8, 2, 1, words.FOUND_ADDR)
    assert fault[6] >> words.CLOCK_BITS == 0


def test_a_pair_of_stacks_is_reported_once(pair: Any) -> None:
    guest, child = pair
    for offset in (0, 64, 128):
        access(guest, 5 + offset // 128, LO + offset, 4, 1)
    guest.switch_to(child)
    assert access(guest, 7, LO, 4, 1)
    assert not access(guest, 7, LO + 64, 4, 1)
    assert access(guest, 7, LO + 128, 4, 1)
    assert guest.ctx["race"]["n_repeated"] == 1
    assert guest.ctx["race"]["n_reported"] == 2


def test_a_pair_of_stacks_is_reported_once_whatever_locks_are_held(pair: Any) -> None:
    guest, child = pair
    for offset in (0, 64, 128):
        guest.main["held"] = 1 + offset
        access(guest, 5, LO + offset, 4, 1)
    guest.switch_to(child)
    reported = []
    for offset in (0, 64, 128):
        child["held"] = 2 + offset
        reported.append(access(guest, 7, LO + offset, 4, 1))
    assert reported == [True, False, False]
    assert guest.ctx["race"]["n_repeated"] == 2


def test_every_offending_reader_is_in_the_list(pair: Any) -> None:
    guest, child = pair
    guest.new_thread(2)
    assert thread_clocks.thread_fork(guest.ctx, memory_map.THREADS + 2 * memory_map.THREAD_STRIDE)
    access(guest, 5, LO, 4, 0)
    guest.switch_to(child)
    access(guest, 6, LO, 4, 0)
    guest.switch_to(_thread(guest, 2))
    assert access(guest, 7, LO, 4, 1)
    assert guest.ctx["race"]["n_found"] == 2


def _thread(guest: Any, slot: int) -> Any:  # noqa: ARG001 (documents that a guest must exist)
    from irsan.runtime import arena
    from irsan.runtime.records.context import THREAD_DTYPE

    return arena.view_record(memory_map.THREADS + slot * memory_map.THREAD_STRIDE, THREAD_DTYPE)


def test_a_big_block_is_marked_freed_then_cleared(pair: Any) -> None:
    guest, child = pair
    size = 3 * MIB + 5
    race_ranges.race_malloc(guest.ctx, LO, size)
    access(guest, 5, LO + 2 * MIB, 4, 1)
    guest.ctx["site"] = 6
    race_ranges.race_free(guest.ctx, LO, size)
    assert cell(LO)[1] == words.FREE << 32
    assert cell(LO + race_ranges.MARK_LIMIT - 4)[1] == words.FREE << 32
    assert cell(LO + 2 * MIB) == (0, 0)
    guest.switch_to(child)
    assert access(guest, 7, LO + 100, 1, 0)
    assert int(guest.ctx["fault"][8]) & words.FREE


def test_a_poisoned_block_is_marked_at_its_beginning(pair: Any) -> None:
    guest, child = pair
    guest.ctx["heap"]["is_poisoning"] = 1
    race_ranges.race_malloc(guest.ctx, LO, 4000)
    allocated = cell(LO + 2000)
    thread_clocks.race_tick(guest.ctx)
    for offset in (3001, 3002):  # two sites in one cell: a record
        access(guest, offset, LO + offset, 1, 1)
    assert guest.ctx["race"]["n_expanded"] == 1
    race_ranges.race_free(guest.ctx, LO, 4000)
    assert cell(LO)[1] == cell(LO + race_ranges.POISONED_MARK - 4)[1] == words.FREE << 32
    assert cell(LO + 2000) == allocated
    assert guest.ctx["race"]["n_expanded"] == 0
    race_ranges.race_malloc(guest.ctx, LO, 4000)
    assert cell(LO + 3000)[1] == words.ALLOCATION << 32
    guest.switch_to(child)
    assert access(guest, 7, LO + 3000, 4, 0)


def test_a_dead_block_races_with_every_use_until_it_is_handed_out_again(pair: Any) -> None:
    guest, _ = pair
    guest.ctx["sanitize_address"] = 0
    race_ranges.race_malloc(guest.ctx, LO, 48)
    assert not access(guest, 5, LO + 4, 4, 1)
    epoch, guest.ctx["site"] = int(guest.ctx["epoch"]), 6
    race_ranges.race_free(guest.ctx, LO, 46)
    dead = (words.FREE | words.DEAD) << 32 | epoch
    assert cell(LO + 44)[1] == dead
    assert guest.ctx["race"]["n_expanded"] == 0
    for offset, size, kind in ((4, 4, 1), (46, 1, 0), (8, 8, 2), (16, 2, 3), (20, 16, 1)):
        known = getattr(same_epoch, f"race_{'write' if kind & 1 else 'read'}{size}_fast")
        assert not known(guest.ctx, LO + offset)
        assert access(guest, 10 * offset, LO + offset, size, kind)
        fault = [int(word) for word in guest.ctx["fault"]]
        assert stack_to_sites(fault[7]) == [6]
        assert (fault[6], fault[8] & words.FREE) == (epoch, words.FREE)
        assert cell(LO + offset - offset % 4)[1] == dead
    assert guest.ctx["race"]["n_expanded"] == 0
    race_ranges.race_malloc(guest.ctx, LO, 46)
    assert not access(guest, 7, LO + 4, 4, 1)


def test_the_first_free_of_the_only_thread_has_it_watched_for_a_while(guest: Any) -> None:
    ctx = guest.ctx
    race_ranges.race_free(ctx, LO, 64)
    assert not access(guest, 5, LO, 4, 1), "address checks see to it"
    ctx["sanitize_address"] = 0
    race_ranges.race_free(ctx, LO, 64)
    assert access(guest, 5, LO + 4, 4, 1)
    race_ranges.race_malloc(ctx, LO, 64)
    assert not access(guest, 5, LO + 4, 4, 1)
    race_ranges.race_free(ctx, LO, 64)
    for _ in range(words.ALONE_REFUELS):
        assert access(guest, int(ctx["site"]) + 1, LO + 4, 4, 1)
        thread_clocks.alone_for_long(ctx)
    assert not access(guest, 99, LO + 4, 4, 1)
    race_ranges.race_free(ctx, LO, 64)
    assert not access(guest, 99, LO + 4, 4, 1), "it is not watched again"
    guest.new_thread(1)
    assert thread_clocks.thread_fork(ctx, memory_map.THREADS + memory_map.THREAD_STRIDE)
    assert not access(guest, 99, LO + 4, 4, 1), "no mark was left behind"
    thread_clocks.alone_for_long(ctx)
    race_ranges.race_free(ctx, LO, 64)
    assert access(guest, 99, LO + 4, 4, 1)


def test_free_races_with_an_unordered_access_anywhere_in_the_block(pair: Any) -> None:
    guest, child = pair
    access(guest, 5, LO + 2 * MIB + 3, 1, 0)
    guest.switch_to(child)
    guest.ctx["site"] = 6
    race_ranges.race_free(guest.ctx, LO, 3 * MIB)
    assert guest.ctx["action"] == actions.REPORT
    assert int(guest.ctx["fault"][3]) == words.WRITE | words.FREE


def test_clearing_gives_back_expanded_cells_and_sync_objects(pair: Any) -> None:
    guest, child = pair
    offsets = (4, 4096 + 8, MIB, 2 * MIB - 4)
    for offset in offsets:
        access(guest, 5, LO + offset, 4, 0)
        sync_objects.get_sync(guest.ctx, LO + offset)
    guest.switch_to(child)
    for offset in offsets:
        access(guest, 6, LO + offset, 4, 0)
    assert guest.ctx["race"]["n_expanded"] == len(offsets)
    assert guest.ctx["race"]["n_sync"] == len(offsets)
    race_ranges.race_forget(guest.ctx, LO + 4, 2 * MIB - 8)
    assert guest.ctx["race"]["n_expanded"] == 1
    assert guest.ctx["race"]["n_sync"] == 1
    race_ranges.race_forget(guest.ctx, LO, 2 * MIB)
    assert guest.ctx["race"]["n_expanded"] == 0
    assert guest.ctx["race"]["n_sync"] == 0


def test_foreign_memory_and_the_end_of_the_arena(pair: Any) -> None:
    guest, _ = pair
    foreign = 0x7000_0000_0000
    assert same_epoch.race_read4_fast(guest.ctx, foreign)
    assert same_epoch.race_write16_fast(guest.ctx, 16)
    assert not access(guest, 5, foreign, 8, 1)
    for act in (race_ranges.race_free, race_ranges.race_malloc, race_ranges.race_forget):
        act(guest.ctx, foreign, 64)
    race_ranges.race_range(guest.ctx, memory_map.ARENA_HI - 6, 64, 1)
    assert not access(guest, 5, memory_map.ARENA_HI - 4, 16, 1)
    assert cell(memory_map.ARENA_HI - 4)[0] >> 60 == 15


def test_nothing_of_a_range_of_size_zero(pair: Any) -> None:
    guest, _ = pair
    for act in (race_ranges.race_free, race_ranges.race_malloc, race_ranges.race_forget):
        act(guest.ctx, LO + 1, 0)
    race_ranges.race_range(guest.ctx, LO + 1, 0, 1)
    assert cell(LO) == (0, 0)
