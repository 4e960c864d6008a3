"""One comparison says that an address is ours and that accesses are recorded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from irsan.runtime.kernels.race import ignoring, thread_clocks
from irsan.runtime.kernels.race.cells import same_epoch
from irsan.runtime.kernels.race.clocks.race_words import SINGLE
from irsan.runtime.layout.memory_map import ARENA_HI, ARENA_LO, ARENA_SIZE
from irsan.runtime.records.race.ignored import set_ignore_depth

ROOT = Path(__file__).resolve().parents[4]
ROOMS = ("runtime", "interceptors", "engine", "instrument", "reports")
WORDS = "(ignore_depth|race_span)"
ASSIGNED = re.compile(rf"""(ctx\.{WORDS}|\["{WORDS}"\]) [-+|&]?= """)


def is_nobodys(ctx: Any, addr: int) -> bool:
    """What the checks ask."""
    return bool(same_epoch.is_nobodys(ctx, addr))


@pytest.mark.parametrize("depth", [0, 1, 2**32 - 1, SINGLE, SINGLE | 3])
def test_the_span_is_empty_while_something_is_ignored(guest: Any, depth: int) -> None:
    ctx = guest.ctx
    for change in (ignoring.set_ignored, set_ignore_depth):
        ctx["race_span"] = 7
        change(ctx, depth)
        assert (ctx["ignore_depth"], ctx["race_span"]) == (depth, 0 if depth else ARENA_SIZE)
        places = (ARENA_LO - 1, ARENA_LO, ARENA_HI - 1, ARENA_HI, 0, 2**64 - 1)
        ours = [not is_nobodys(ctx, place) for place in places]
        assert ours == [False, *[depth == 0] * 2, *[False] * 3]


def test_regions_that_ignore_are_counted(guest: Any) -> None:
    ctx = guest.ctx
    ignoring.set_ignored(ctx, 0)
    seen = []
    for change in (*[thread_clocks.race_ignore_begin] * 2, *[thread_clocks.race_ignore_end] * 3):
        change(ctx)
        seen.append(is_nobodys(ctx, ARENA_LO))
    assert seen == [True, True, True, False, False]


def test_nobody_else_changes_one_of_the_two() -> None:
    changing = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if ASSIGNED.search(path.read_text())
    }
    assert changing == {"runtime/kernels/race/ignoring.py", "runtime/records/race/ignored.py"}
    stores = [
        path.name
        for path in (ROOT / "engine").rglob("*.ll")
        if re.search(r"store .*@ctx\.(ignore_depth|race_span)\b", path.read_text())
    ]
    assert stores == []
