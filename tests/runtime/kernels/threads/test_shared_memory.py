"""The table of shared mappings, and what counts as shared when it is full."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.kernels.threads import shared_memory
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import outside_words as ow

FAR = memory_map.ARENA_HI + (1 << 41)
PAGE = 4096


def is_shared(guest: Any, addr: int) -> bool:
    return bool(shared_memory.is_shared_memory(guest.ctx, addr))


def reasons(guest: Any) -> int:
    """Rows that other processes may have, as they are counted."""
    return int(guest.ctx["outside"]["others"])


def test_a_mapping_is_shared_until_it_is_gone(guest: Any) -> None:
    shared_memory.note_shared(guest.ctx, FAR, FAR + 4 * PAGE, 1)
    shared_memory.forget_shared(guest.ctx, FAR + PAGE, FAR + 2 * PAGE)
    found = [is_shared(guest, FAR + number * PAGE) for number in range(5)]
    assert found == [True, False, True, True, False]
    shared_memory.forget_shared(guest.ctx, FAR, FAR + 4 * PAGE)
    assert not is_shared(guest, FAR + 3 * PAGE) and reasons(guest) == 0


@pytest.mark.parametrize("named", [0, 1])
def test_behind_the_last_row_all_memory_outside_counts_as_shared(guest: Any, named: int) -> None:
    end = arena.view_words(ow.SHARED_ROWS + 24 * ow.MAX_SHARED, 3)
    shared_memory.note_shared(guest.ctx, FAR, FAR + PAGE, named)
    guest.ctx["outside"]["n_shared"] = ow.MAX_SHARED - 1
    for number in (2, 4, 6):
        assert not is_shared(guest, FAR + number * PAGE)
        shared_memory.note_shared(guest.ctx, FAR + number * PAGE, FAR + (number + 1) * PAGE, 0)
        assert is_shared(guest, FAR + number * PAGE)
        if number == 2:
            assert not is_shared(guest, FAR + PAGE)
            shared_memory.note_shared(guest.ctx, FAR + 8 * PAGE, FAR + 9 * PAGE, 0)
            break
    assert is_shared(guest, FAR + 8 * PAGE) and is_shared(guest, FAR + PAGE)
    assert not is_shared(guest, memory_map.HEAP_LO)
    assert shared_memory.others_may_change(guest.ctx, FAR) and reasons(guest) == 1
    assert int(guest.ctx["outside"]["n_shared"]) == ow.MAX_SHARED
    assert not end.any()
