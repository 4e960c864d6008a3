"""The one map of memory: every table is in it, none overlaps another, nobody has one beside it."""

from __future__ import annotations

import ast
import mmap
import re
from collections import defaultdict
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from irsan.instrument.frames import stack_shadow
from irsan.runtime import arena
from irsan.runtime.layout import memory_map, uninit_layout
from irsan.runtime.records.memory import provenance_records

ROOT = Path(__file__).parents[2]
ROOMS = ("runtime", "interceptors", "engine", "instrument")
# Read by the host, which must not import the kernels that own them.
TWICE = {"stacks", "race journal", "foreign ranges"}


def sources() -> list[Path]:
    return [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


def claims() -> dict[str, list[str]]:
    """Files by the table whose place they ask for with `memory_map.table`."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name, called = node.args[0], ast.unparse(node.func)
            is_own = called == "table" and path.name == "memory_map.py"
            if (called == "memory_map.table" or is_own) and isinstance(name, ast.Constant):
                found[name.value].append(path.name)
    return found


def test_every_table_has_an_owner_and_one_only() -> None:
    owners = claims()
    assert set(owners) == set(memory_map.TABLE_ROOMS)
    assert {name: set(files) for name, files in owners.items()
            if len(set(files)) > 1 and name not in TWICE} == {}  # fmt: skip
    assert len(owners) > 55


def test_no_table_reaches_into_the_next() -> None:
    end = memory_map.TABLES
    for name, (lo, size_bytes) in memory_map.TABLE_ROOMS.items():
        assert lo >= end and size_bytes > 0, name
        assert lo % mmap.PAGESIZE == size_bytes % memory_map.MIB == 0
        end = lo + size_bytes
    assert end <= memory_map.TABLES + memory_map.TABLES_SIZE


def _line(addr: int) -> tuple[int, int]:
    """Set and tag of a line in a first-level cache of AMD's Zen: "Take A Way", section 4."""
    tag = 0
    pairs = ((12, 27), (13, 26), (14, 25), (15, 20), (16, 21), (17, 22), (18, 23), (19, 24))
    for place, (low, high) in enumerate(pairs):
        tag |= (addr >> low ^ addr >> high) % 2 << place
    return addr >> 6 & 63, tag


def test_hot_lines_do_not_throw_each_other_out() -> None:
    """The Context, shallow call stacks, the first globals, the heads of all tables."""
    context = {_line(memory_map.CONTEXT_ADDR + at) for at in range(0, 256, 64)}
    first_frame = memory_map.CALL_STACKS + memory_map.FIRST_FRAME_BYTES
    frames = {_line(first_frame + at) for at in range(0, 200 * 16, 64)}
    data = {_line(memory_map.FIRST_GLOBAL + at) for at in range(0, 4096, 64)}
    tables = [_line(lo + at) for lo, _ in memory_map.TABLE_ROOMS.values() for at in (0, 64)]
    assert len(context) == 4 and len(data) == 64 and len(set(tables)) == len(tables)
    groups = [context, frames, data, set(tables)]
    for one, other in combinations(groups, 2):
        assert not one & other


def test_a_table_that_outgrows_its_room_is_an_error() -> None:
    lo, size_bytes = memory_map.TABLE_ROOMS["held locks"]
    assert memory_map.table("held locks", size_bytes) == lo
    with pytest.raises(AssertionError, match="'held locks' needs"):
        memory_map.table("held locks", size_bytes + 1)


def test_nobody_computes_a_place_of_its_own() -> None:
    """An address in the tables comes from `memory_map.table` or from a name that memory_map.py
    gives it."""
    beside = re.compile(r"memory_map\.(?:TABLES|TABLE_ROOMS|CALL_STACKS)\b *[+\[]")
    guilty = [str(path) for path in sources() if beside.search(path.read_text())]
    assert guilty == []


def test_ranges_of_addresses_do_not_meet() -> None:
    """Also those that a run reserves when it is asked for, at every shift of the far ones."""
    parts = [(part.lo, part.lo + part.size_bytes, part.name) for part in arena.RANGES]
    parts.append((uninit_layout.RESERVED_LO,
                  uninit_layout.RESERVED_LO + uninit_layout.RESERVED_BYTES, "bits"))  # fmt: skip
    parts.append((provenance_records.SLOTS,
                  provenance_records.SLOTS + provenance_records.RESERVED_BYTES, "ids"))  # fmt: skip
    farthest = (memory_map.MAX_LAYOUT_SHIFT - memory_map.LAYOUT_SHIFT) * memory_map.TIB
    lowest_foreign = 0x5000_0000_0000
    assert memory_map.CALL_STACKS + memory_map.CALL_STACKS_SIZE + farthest <= lowest_foreign
    ordered = sorted(parts)
    for (_, end, name), (lo, _, other) in pairwise(ordered):
        assert end <= lo, f"{name} reaches into {other}"


def test_every_address_of_the_arena_has_its_shadow_below_the_stacks() -> None:
    """The formula is clang's, which the passes write into programs."""
    assert memory_map.SHADOW_OFFSET == stack_shadow.SHADOW_OFFSET
    for addr in (0, memory_map.ARENA_LO, memory_map.STACKS_LO, memory_map.ARENA_HI - 1):
        at = memory_map.SHADOW_OFFSET + (addr >> 3)
        assert memory_map.SHADOW_OFFSET <= at < memory_map.STACKS_LO
    for addr in (memory_map.RACE_SHADOW, memory_map.TABLES, memory_map.CALL_STACKS, (1 << 47) - 1):
        at = memory_map.SHADOW_OFFSET + (addr >> 3)
        assert memory_map.ARENA_HI <= at < memory_map.SHADOW_HI, hex(addr)


def test_rooms_of_stacks_lie_side_by_side() -> None:
    slots = memory_map.MAX_LIVE_THREADS * memory_map.STACK_SLOT_BYTES
    assert memory_map.STACKS_LO == memory_map.FAKE_STACKS_LO
    assert memory_map.FAKE_STACKS_LO + slots == memory_map.STACK_SLOTS_LO
    assert memory_map.STACK_SLOTS_LO + slots == memory_map.BIG_STACKS_LO < memory_map.STACKS_HI
    assert memory_map.MAX_LIVE_THREADS >= 4001 and memory_map.MAX_SIDS >= 4001
    assert memory_map.CALL_STACK_BYTES > memory_map.MAX_STACK_BYTES


def test_what_restores_a_saved_process_lies_below_irsans_memory() -> None:
    """Where it lay inside, every run would begin anew, without a word."""
    script = Path(memory_map.__file__).parents[2] / "engine/snapshot/restore.lds"
    placed = re.search(r"\. = (0x[0-9a-f]+);\s+restore_lo", script.read_text(encoding="utf-8"))
    assert placed is not None
    further = memory_map.MAX_LAYOUT_SHIFT - memory_map.LAYOUT_SHIFT
    lowest = memory_map.ARENA_LO - further * memory_map.MIB
    assert int(placed[1], 16) + memory_map.MIB <= lowest
