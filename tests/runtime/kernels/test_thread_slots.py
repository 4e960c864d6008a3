"""Records of threads lie one behind the other; other numbers are no thread."""

from __future__ import annotations

import pytest

from irsan.runtime.kernels.thread_slots import is_thread_record, slot_to_thread
from irsan.runtime.layout import memory_map

FIRST = memory_map.THREADS
LAST = memory_map.slot_to_thread(memory_map.MAX_LIVE_THREADS - 1)


@pytest.mark.parametrize("slot", [0, 1, memory_map.MAX_LIVE_THREADS - 1])
def test_slots_have_addresses(slot: int) -> None:
    assert slot_to_thread(slot) == memory_map.slot_to_thread(slot)
    assert is_thread_record(slot_to_thread(slot))


@pytest.mark.parametrize(
    "handle",
    [0, FIRST - memory_map.THREAD_STRIDE, FIRST + 8, LAST + memory_map.THREAD_STRIDE, 2**64 - 1],
)
def test_other_numbers_are_no_thread(handle: int) -> None:
    assert not is_thread_record(handle)
