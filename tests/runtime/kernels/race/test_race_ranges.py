"""Big ranges, edges of the arena, and what a report says."""

from __future__ import annotations

from typing import Any

from irsan.runtime.kernels.race import (
    race_free,
    race_ranges,
    sync_objects,
    thread_clocks,
)
from irsan.runtime.kernels.race.cells import same_epoch
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.views.stackdepot import stack_to_sites
from tests.support.cell_history import cell_halves, reported_access

LO = memory_map.HEAP_LO
MIB = 1 << 20


def test_facts_of_the_fault(with_child: Any) -> None:
    guest, child = with_child
    reported_access(guest, 5, LO + 8, 2, 1)
    guest.switch_to(child)
    assert reported_access(guest, 6, LO + 6, 8, 0)
    fault = [int(word) for word in guest.ctx["fault"]]
    assert fault[:4] == [FaultKind.DATA_RACE, LO + 6, 8, 0]
    assert (stack_to_sites(fault[4]), fault[5]) == ([6], 1)
    assert (stack_to_sites(fault[7]), fault[8]) == ([5], 1)
    assert (fault[9], fault[10], fault[11], fault[12]) == (LO + 8, 2, 1, words.FOUND_ADDR)
    assert fault[6] >> words.CLOCK_BITS == 0


def test_a_pair_of_stacks_is_reported_once(with_child: Any) -> None:
    guest, child = with_child
    for offset in (0, 64, 128):
        reported_access(guest, 5 + offset // 128, LO + offset, 4, 1)
    guest.switch_to(child)
    assert reported_access(guest, 7, LO, 4, 1)
    assert not reported_access(guest, 7, LO + 64, 4, 1)
    assert reported_access(guest, 7, LO + 128, 4, 1)
    assert guest.ctx["race"]["n_repeated"] == 1
    assert guest.ctx["race"]["n_reported"] == 2


def test_a_pair_of_stacks_is_reported_once_whatever_locks_are_held(with_child: Any) -> None:
    guest, child = with_child
    for offset in (0, 64, 128):
        guest.main["held"] = 1 + offset
        reported_access(guest, 5, LO + offset, 4, 1)
    guest.switch_to(child)
    reported = []
    for offset in (0, 64, 128):
        child["held"] = 2 + offset
        reported.append(reported_access(guest, 7, LO + offset, 4, 1))
    assert reported == [True, False, False]
    assert guest.ctx["race"]["n_repeated"] == 2


def test_every_offending_reader_is_in_the_list(with_child: Any) -> None:
    guest, child = with_child
    guest.new_thread(2)
    assert thread_clocks.thread_fork(guest.ctx, memory_map.THREADS + 2 * memory_map.THREAD_STRIDE)
    reported_access(guest, 5, LO, 4, 0)
    guest.switch_to(child)
    reported_access(guest, 6, LO, 4, 0)
    guest.switch_to(_thread(guest, 2))
    assert reported_access(guest, 7, LO, 4, 1)
    assert guest.ctx["race"]["n_found"] == 2


def _thread(guest: Any, slot: int) -> Any:  # noqa: ARG001 (documents that a guest must exist)
    from irsan.runtime import arena
    from irsan.runtime.records.context import THREAD_DTYPE

    return arena.view_record(memory_map.THREADS + slot * memory_map.THREAD_STRIDE, THREAD_DTYPE)


def test_clearing_gives_back_expanded_cells_and_sync_objects(with_child: Any) -> None:
    guest, child = with_child
    offsets = (4, 4096 + 8, MIB, 2 * MIB - 4)
    for offset in offsets:
        reported_access(guest, 5, LO + offset, 4, 0)
        sync_objects.get_sync(guest.ctx, LO + offset)
    guest.switch_to(child)
    for offset in offsets:
        reported_access(guest, 6, LO + offset, 4, 0)
    assert guest.ctx["race"]["n_expanded"] == len(offsets)
    assert guest.ctx["race"]["n_sync"] == len(offsets)
    race_ranges.race_forget(guest.ctx, LO + 4, 2 * MIB - 8)
    assert guest.ctx["race"]["n_expanded"] == 1
    assert guest.ctx["race"]["n_sync"] == 1
    race_ranges.race_forget(guest.ctx, LO, 2 * MIB)
    assert guest.ctx["race"]["n_expanded"] == 0
    assert guest.ctx["race"]["n_sync"] == 0


def test_foreign_memory_and_the_end_of_the_arena(with_child: Any) -> None:
    guest, _ = with_child
    foreign = 0x7000_0000_0000
    assert same_epoch.race_read4_fast(guest.ctx, foreign)
    assert same_epoch.race_write16_fast(guest.ctx, 16)
    assert not reported_access(guest, 5, foreign, 8, 1)
    for act in (race_free.race_free, race_ranges.race_malloc, race_ranges.race_forget):
        act(guest.ctx, foreign, 64)
    race_ranges.race_range(guest.ctx, memory_map.ARENA_HI - 6, 64, 1)
    assert not reported_access(guest, 5, memory_map.ARENA_HI - 4, 16, 1)
    assert cell_halves(memory_map.ARENA_HI - 4)[0] >> 60 == 15


def test_nothing_of_a_range_of_size_zero(with_child: Any) -> None:
    guest, _ = with_child
    for act in (race_free.race_free, race_ranges.race_malloc, race_ranges.race_forget):
        act(guest.ctx, LO + 1, 0)
    race_ranges.race_range(guest.ctx, LO + 1, 0, 1)
    assert cell_halves(LO) == (0, 0)
