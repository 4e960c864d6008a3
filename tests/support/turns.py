"""Tests of whole programs take turns in a run of everything, so that it ends within ten minutes.

    IRSAN_TURNS=on   what `./dev test` sets when it is given no words
    IRSAN_PART       whose turn it is: even and odd parts run a half of these tests each, all all

A test has its turn by the checksum of its name, so that each file has tests in either half.  Rooms
whose tests call functions are run whole.  CI takes the part from the commit: two commits in a row
may share theirs, but no test waits for long.
"""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Iterable

import pytest

VARIABLE = "IRSAN_TURNS"
N_TURNS = 2
_ROOMS = ("tests/cli/", "tests/engine/", "tests/explore/")


def has_turns(path: str) -> bool:
    """Whether tests of this file, by its path from the project's root, start whole programs."""
    return path.startswith(_ROOMS) or path.startswith("tests/test_")


def turn_of(name: str) -> int:
    """Whose turn the test with this name has; the same in every process and on every machine."""
    return zlib.crc32(name.encode()) % N_TURNS


def leave_to_other_turns(items: list[pytest.Item], left: Counter[int]) -> None:
    """Take away the tests that have another turn; they are counted in `left`, by N_TURNS."""
    part = os.environ.get("IRSAN_PART", "0")
    if os.environ.get(VARIABLE) != "on" or part == "all":
        return
    kept = list(_of_turn(items, int(part) % N_TURNS))
    left[N_TURNS] += len(items) - len(kept)
    items[:] = kept


def _of_turn(items: Iterable[pytest.Item], turn: int) -> Iterable[pytest.Item]:
    return (
        item for item in items if not has_turns(item.location[0]) or turn_of(item.nodeid) == turn
    )
