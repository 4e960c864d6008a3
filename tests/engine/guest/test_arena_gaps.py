"""Gaps between what the program owns: as a naive walk over pages finds them, and closed."""

from __future__ import annotations

import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.engine.glue.gaps import PAGE_BYTES
from irsan.engine.guest.arena_gaps import gaps_between
from irsan.low_heap import python_words

N_PAGES = 24
OWNED = st.lists(
    st.tuples(st.integers(0, N_PAGES * PAGE_BYTES), st.integers(1, 5 * PAGE_BYTES)), max_size=6
)


def naive_gaps(owned: list[tuple[int, int]], lo: int, hi: int) -> set[int]:
    """Every page of [lo, hi) that no owned byte lies in, one by one."""
    pages = range(lo, hi, PAGE_BYTES)
    return {
        page for page in pages
        if not any(first < page + PAGE_BYTES and page < end for first, end in owned)
    }  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(OWNED, st.integers(0, 8))
def test_gaps_are_the_pages_that_nobody_touches(sizes: list[tuple[int, int]], first: int) -> None:
    owned = [(lo, lo + size) for lo, size in sizes]
    lo, hi = first * PAGE_BYTES, N_PAGES * PAGE_BYTES
    gaps = list(gaps_between(owned, lo, hi))
    assert gaps == sorted(gaps) and all(a < b for a, b in gaps)
    found = {page for a, b in gaps for page in range(a, b, PAGE_BYTES)}
    assert found == naive_gaps(owned, lo, hi)


CLOSED = """
import ctypes
from irsan.engine.glue.gaps import OUTER_BYTES
from irsan.engine.guest import arena_gaps
from irsan.engine.findings.crash import CrashHandler
from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from tests.engine.glue.test_switch import compile_text, linked, with_guest
with linked(compile_text(with_guest())) as linker:
    lo, hi = memory_map.STACKS_LO + (1 << 24) + 4096, memory_map.STACKS_LO + (1 << 25)
    arena_gaps.close_range(lo, hi, has_shadow=True)
    first, end = (memory_map.ASAN_SHADOW + ((at - memory_map.ARENA_LO) >> 3) for at in (lo, hi))
    with CrashHandler(linker.symbols):
        for at in (first, first + 4095, first + 70_000, end - 1):
            assert ctypes.c_uint8.from_address(at).value == 0xFE, hex(at)
        for at in (first - 1, end):
            assert ctypes.c_uint8.from_address(at).value == 0, hex(at)
    ((below, arena_lo), *_, (outer, outer_end)) = arena_gaps.shadow_of_others(memory_map.HEAP_LO)
    arena.protect(below, arena_lo - below, 0)
    arena.protect(outer, outer_end - outer, 0)
    with CrashHandler(linker.symbols):
        for owner in (0, 4096, 1 << 43, 0x7F00_1234_5678, (1 << 47) - 1):
            at = memory_map.SHADOW_OFFSET + (owner >> 3)
            assert ctypes.c_uint8.from_address(at).value == 0xFE, hex(owner)
        at = (memory_map.SHADOW_OFFSET + (0x7F00_1234_5678 >> 3)) // OUTER_BYTES * OUTER_BYTES
        assert arena.is_accessible(at) and arena.is_accessible(at + OUTER_BYTES - 1)
        assert not arena.is_accessible(at + OUTER_BYTES)
    assert not arena.is_accessible(lo) and arena.is_accessible(lo - 1)
print("fe")
"""


def test_shadow_of_a_gap_is_filled_when_it_is_looked_at() -> None:
    done = subprocess.run(
        [*python_words(), "-c", CLOSED], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "fe\n", done.stderr
