"""Which of many cells are known: as a look at one after the other finds it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels.race import access, race_ranges, thread_clocks
from irsan.runtime.kernels.race.cells import same_epoch
from irsan.runtime.kernels.race.cells.cell_words import addr_to_cell, is_expanded
from irsan.runtime.kernels.race.clocks.race_words import READ, WRITE
from irsan.runtime.layout import memory_map

LO = memory_map.HEAP_LO
N_CELLS = 24
CELL_BYTES = 16
# Who accesses which cells how: 0 is the thread that asks, which may begin a new epoch in between.
ACCESSES = st.lists(
    st.tuples(
        st.integers(0, 1), st.sampled_from([READ, WRITE]),
        st.integers(0, N_CELLS), st.integers(0, N_CELLS), st.booleans(),
    ),
    max_size=8,
)  # fmt: skip


def naive_first_unknown(ctx: Any, first: int, end: int, is_write: bool) -> int:
    """One access of four bytes after the other."""
    known = same_epoch.race_write4_fast if is_write else same_epoch.race_read4_fast
    for number in range(first, end):
        if not known(ctx, LO + 4 * number):
            return number
    return max(first, end)


def guest_after(
    new_guest: Callable[[], Any], accesses: list[tuple[int, int, int, int, bool]], unit: int
) -> Any:
    """A guest of two threads, the first one running, behind accesses of `unit` bytes each."""
    guest = new_guest()
    threads = [guest.main, guest.new_thread(1)]
    assert thread_clocks.thread_fork(guest.ctx, memory_map.THREADS + memory_map.THREAD_STRIDE)
    for who, kind, lo, hi, begins_epoch in accesses:
        guest.switch_to(threads[who])
        for number in range(lo, hi):
            guest.ctx["site"] = 1 + number % 3
            access.race_access_slow(guest.ctx, LO + unit * number, unit, kind)
        if begins_epoch:
            thread_clocks.race_tick(guest.ctx)
    guest.switch_to(threads[0])
    return guest


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # fmt: skip
@given(
    accesses=ACCESSES, first=st.integers(0, N_CELLS), end=st.integers(0, N_CELLS),
    is_write=st.booleans(),
)  # fmt: skip
def test_the_first_unknown_cell(
    new_guest: Callable[[], Any], accesses: list[tuple[int, int, int, int, bool]], first: int,
    end: int, is_write: bool,
) -> None:  # fmt: skip
    guest = guest_after(new_guest, accesses, 4)
    base = addr_to_cell(LO)
    found = same_epoch.first_unknown(
        guest.ctx, base + CELL_BYTES * first, base + CELL_BYTES * max(first, end), is_write
    )
    assert (found - base) // CELL_BYTES == naive_first_unknown(guest.ctx, first, end, is_write)


def naive_range_is_known(ctx: Any, first: int, end: int, is_write: bool) -> bool:
    """One byte after the other."""
    known = same_epoch.race_write1_fast if is_write else same_epoch.race_read1_fast
    return all(known(ctx, LO + number) for number in range(first, end))


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # fmt: skip
@given(
    accesses=ACCESSES, unit=st.sampled_from([1, 2, 4]), first=st.integers(0, N_CELLS - 1),
    n_bytes=st.integers(1, N_CELLS), is_write=st.booleans(),
)  # fmt: skip
def test_a_known_range_changes_nothing(
    new_guest: Callable[[], Any], accesses: list[tuple[int, int, int, int, bool]], unit: int,
    first: int, n_bytes: int, is_write: bool,
) -> None:  # fmt: skip
    """But that a record of several accesses would get one more, which finds what others find."""
    guest = guest_after(new_guest, accesses, unit)
    addr, end = LO + first, LO + first + n_bytes
    if same_epoch.range_is_known(guest.ctx, addr, end, is_write):
        assert naive_range_is_known(guest.ctx, first, first + n_bytes, is_write)
        before = halves()
        guest.ctx["race"]["n_found"] = 0
        race_ranges.access_bytes(guest.ctx, addr, end, int(is_write), 1)
        assert guest.ctx["race"]["n_found"] == 0
        if not any(is_expanded(read) for read in before[1::2]):
            assert halves() == before
    elif is_write or all(kind == READ for _, kind, *_ in accesses):
        assert not naive_range_is_known(guest.ctx, first, first + n_bytes, is_write)


def halves() -> list[int]:
    """The race shadow of all bytes that tests here touch."""
    return list((ctypes.c_uint64 * (N_CELLS * 4 * 2)).from_address(addr_to_cell(LO)))
