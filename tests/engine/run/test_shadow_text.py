"""Shadow as text: groups of four bytes, letters of origins, dots for the rest."""

from __future__ import annotations

import re

import pytest

from irsan.engine.run.shadow_text import shadow_map, shadow_rows
from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import uninit_layout as ul
from tests.support.uninit_memory import begin_tracking

PLACE = memory_map.STACKS_LO + 4096


@pytest.mark.usefixtures("guest")
def test_a_map_is_of_whole_groups() -> None:
    begin_tracking()
    arena.view_bytes(PLACE + ul.SHADOW_BIAS, 8)[:] = (0, 0x12, 0xFF, 0, 0xF0, 0, 0, 0)
    origins: dict[int, int] = {}
    arena.view_words(PLACE + ul.ORIGIN_BIAS, 1)[0] = 7
    head, row = shadow_map(PLACE + 1, 5, origins)
    assert head.endswith(f" of [{PLACE + 1:#014x}, {PLACE + 6:#014x}), 5 bytes:")
    assert row.endswith(f"[{PLACE:#014x}]: ..12ff00 f000.... ........ ........  |A B . .|")
    assert origins == {7: PLACE + 3, 0: PLACE + 7}


@pytest.mark.usefixtures("guest")
def test_rows_are_the_bytes_as_they_are() -> None:
    begin_tracking()
    arena.view_bytes(PLACE + ul.SHADOW_BIAS, 18)[:] = 0xFF
    rows = [re.sub(r".*\]  ", "", row) for row in shadow_rows(PLACE, 18)]
    assert rows == [" ".join(["ff"] * 16), "ff ff"]
    assert next(iter(shadow_rows(1 << 44, 1))).endswith("  ..")
