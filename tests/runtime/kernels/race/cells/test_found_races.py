"""Races that one access finds: as many as there is room for, one of them reported."""

from __future__ import annotations

from typing import Any

from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.race import race_ranges, thread_clocks
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.layout import memory_map

ADDR = memory_map.HEAP_LO + 4096
CELL_BYTES = 4


def test_more_races_than_there_is_room_for_are_one_report(guest: Any) -> None:
    child = guest.new_thread(1)
    assert thread_clocks.thread_fork(guest.ctx, memory_map.slot_to_thread(1))
    end = arena.view_bytes(words.FOUND_ADDR + words.CAP_FOUND * words.FOUND_BYTES, 64)
    end[:] = 0xAA
    n_bytes = CELL_BYTES * (words.CAP_FOUND + 100)
    race_ranges.race_range(guest.ctx, ADDR, n_bytes, words.WRITE)
    assert int(guest.ctx["action"]) == actions.NONE
    guest.switch_to(child)
    race_ranges.race_range(guest.ctx, ADDR, n_bytes, words.WRITE)
    assert int(guest.ctx["action"]) == actions.REPORT
    assert int(guest.ctx["race"]["n_found"]) == words.CAP_FOUND
    assert [int(word) for word in guest.ctx["fault"][1:3]] == [ADDR, n_bytes]
    assert int(guest.ctx["race"]["n_reported"]) == 1
    assert (end == 0xAA).all()
    end[:] = 0
