"""Moved memory: histories and sync objects arrive where a plain dictionary says."""

from __future__ import annotations

import ctypes
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.combined import race_moves
from irsan.runtime.kernels.locks.lock_table import find_lock, get_lock
from irsan.runtime.kernels.race.access import race_access_slow
from irsan.runtime.kernels.race.sync_objects import find_sync
from irsan.runtime.kernels.race.thread_clocks import thread_fork
from irsan.runtime.layout import memory_map
from irsan.runtime.records.race.lock_records import LOCKS, RECORD_BYTES
from tests.conftest import fresh_guest, thread_addr

LO = memory_map.HEAP_LO + (1 << 21) - 64
N_UNITS = 24
UNIT_BYTES = 8
READ, WRITE = 0, 1
SPANS = st.tuples(
    st.integers(0, N_UNITS - 1), st.integers(0, N_UNITS - 1), st.integers(1, N_UNITS)
).filter(lambda span: max(span[:2]) + span[2] <= N_UNITS)


def is_racy(ctx: Any, addr: int) -> bool:
    """Whether a write of the running thread races with what the byte remembers."""
    ctx["race"]["dedupe"] = 0
    race_access_slow(ctx, addr, 1, WRITE)
    action, ctx["action"] = int(ctx["action"]), actions.NONE
    return action == actions.REPORT


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(SPANS, st.sets(st.integers(0, N_UNITS * UNIT_BYTES - 1), max_size=20))
def test_histories_move_byte_by_byte(span: tuple[int, int, int], written: set[int]) -> None:
    guest = fresh_guest()
    ctx = guest.ctx
    child = guest.new_thread(1)
    assert thread_fork(ctx, thread_addr(child))
    for offset in written:
        race_access_slow(ctx, LO + offset, 1, WRITE)
    src, dst, size = (UNIT_BYTES * word for word in span)
    race_moves.race_move(ctx, LO + src, LO + dst, size)
    moved = {o - src + dst for o in written if src <= o < src + size}
    untouched = {
        o for o in written if not src <= o < src + size and not dst <= o < dst + size
    }
    expected = moved | untouched if src != dst else written
    guest.switch_to(child)
    found = {o for o in range(N_UNITS * UNIT_BYTES) if is_racy(ctx, LO + o)}
    assert found == expected


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(SPANS, st.sets(st.integers(0, N_UNITS * UNIT_BYTES - 1), max_size=20))
def test_sync_objects_and_locks_move(span: tuple[int, int, int], places: set[int]) -> None:
    guest = fresh_guest()
    ctx = guest.ctx
    assert thread_fork(ctx, thread_addr(guest.new_thread(1)))
    numbers = {offset: int(get_lock(ctx, LO + offset)) for offset in places}
    src, dst, size = (UNIT_BYTES * word for word in span)
    race_moves.race_move(ctx, LO + src, LO + dst, size)
    expected = {}
    for offset, number in numbers.items():
        if src == dst or not (src <= offset < src + size or dst <= offset < dst + size):
            expected[offset] = number
        elif src <= offset < src + size:
            expected[offset - src + dst] = number
    found = {o: int(find_lock(LO + o)) for o in range(N_UNITS * UNIT_BYTES) if find_sync(LO + o)}
    assert found == expected
    assert int(ctx["race"]["n_sync"]) == len(expected)
    for offset, number in expected.items():
        assert word_at(LOCKS + number * RECORD_BYTES) == LO + offset


def word_at(addr: int) -> int:
    """The word at an address of the guest."""
    return ctypes.c_uint64.from_address(addr).value


def test_records_of_expanded_cells_are_neither_lost_nor_shared(guest: Any) -> None:
    ctx = guest.ctx
    child = guest.new_thread(1)
    assert thread_fork(ctx, thread_addr(child))
    for thread in (guest.main, child):
        guest.switch_to(thread)
        for offset in range(4):
            race_access_slow(ctx, LO + offset, 1, READ)
    before = int(ctx["race"]["n_expanded"])
    assert before
    race_moves.race_move(ctx, LO, LO + 4096, 64)
    assert int(ctx["race"]["n_expanded"]) == before
    assert is_racy(ctx, LO + 4096)
    assert not is_racy(ctx, LO)
