"""Tests of whole programs take turns in a run of everything, so that it ends within ten minutes.

    IRSAN_TURN   0, 1, 2: whose turn it is, each a third of these tests; unset or all: every one

A test has its turn by the checksum of its name, so that each file has tests in each turn.  Rooms
whose tests call functions are run whole.  `./dev test` without words takes turn 0 if none is given,
CI the commit's: what one leaves out, another soon runs.
"""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Iterable

import pytest

VARIABLE = "IRSAN_TURN"
N_TURNS = 3
_ROOMS = ("tests/cli/", "tests/engine/", "tests/explore/")


def has_turns(path: str) -> bool:
    """Whether tests of this file, by its path from the project's root, start whole programs."""
    return path.startswith(_ROOMS) or path.startswith("tests/test_")


def turn_of(name: str) -> int:
    """Whose turn the test with this name has; the same in every process and on every machine."""
    return zlib.crc32(name.encode()) % N_TURNS


def leave_to_other_turns(items: list[pytest.Item], left: Counter[int]) -> None:
    """Take away the tests that have another turn; they are counted in `left`, by N_TURNS."""
    turn = os.environ.get(VARIABLE, "all")
    if turn == "all":
        return
    kept = list(_of_turn(items, int(turn) % N_TURNS))
    left[N_TURNS] += len(items) - len(kept)
    items[:] = kept


def _of_turn(items: Iterable[pytest.Item], turn: int) -> Iterable[pytest.Item]:
    return (
        item for item in items if not has_turns(item.location[0]) or turn_of(item.nodeid) == turn
    )
