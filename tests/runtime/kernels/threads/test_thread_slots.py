"""Records of threads lie one behind the other; other numbers are no thread."""

from __future__ import annotations

import pytest

from irsan.runtime import layout
from irsan.runtime.kernels.threads.thread_slots import is_thread_record, slot_to_thread

FIRST = layout.THREADS
LAST = layout.slot_to_thread(layout.MAX_LIVE_THREADS - 1)


@pytest.mark.parametrize("slot", [0, 1, layout.MAX_LIVE_THREADS - 1])
def test_slots_have_addresses(slot: int) -> None:
    assert slot_to_thread(slot) == layout.slot_to_thread(slot)
    assert is_thread_record(slot_to_thread(slot))


@pytest.mark.parametrize(
    "handle", [0, FIRST - layout.THREAD_STRIDE, FIRST + 8, LAST + layout.THREAD_STRIDE, 2**64 - 1]
)
def test_other_numbers_are_no_thread(handle: int) -> None:
    assert not is_thread_record(handle)
