"""Sids and clocks at their limits: reuse, thousands of threads, the last clock value, the flush."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.race import access, sids, sync_clocks, thread_clocks
from irsan.runtime.kernels.race.cells import same_epoch
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.options import CLOCK, CLOCK_TREES
from irsan.runtime.records.context import THREAD_DTYPE
from irsan.runtime.views.race_journal import epoch_to_owner, tid_to_owner

ADDR = memory_map.HEAP_LO + 64


@pytest.fixture(params=["vector", "tree"])
def guest(request: pytest.FixtureRequest, new_guest: Callable[[], Any]) -> Any:
    """A guest with either form of clocks."""
    made = new_guest()
    made.ctx["options"][CLOCK] = CLOCK_TREES if request.param == "tree" else 0
    return made


def record_addr(slot: int) -> int:
    return memory_map.THREADS + slot * memory_map.THREAD_STRIDE


def fork(guest: Any, tid: int, slot: int | None = None) -> Any:
    child = guest.new_thread(tid, slot)
    assert thread_clocks.thread_fork(guest.ctx, record_addr(int(child["slot"])))
    return child


def races(guest: Any, addr: int, kind: int) -> bool:
    guest.ctx["action"] = actions.NONE
    guest.ctx["race"]["dedupe"] = 0
    access.race_access_slow(guest.ctx, addr, 4, kind)
    return bool(guest.ctx["action"] == actions.REPORT)


def finish(guest: Any, thread: Any) -> None:
    guest.switch_to(thread)
    thread_clocks.thread_finish(guest.ctx)
    guest.switch_to(guest.main)


def sid_of(thread: Any) -> int:
    return int(thread["epoch"]) >> words.CLOCK_BITS


def test_nothing_is_recorded_before_the_first_fork(guest: Any) -> None:
    assert not races(guest, ADDR, 1)
    assert same_epoch.race_read4_fast(guest.ctx, ADDR)
    child = fork(guest, 1)
    assert not same_epoch.race_read4_fast(guest.ctx, ADDR)
    guest.switch_to(child)
    assert not races(guest, ADDR, 1)


def test_recording_goes_on_after_all_others_are_joined(guest: Any) -> None:
    finish(guest, fork(guest, 1))
    thread_clocks.thread_join_edge(guest.ctx, record_addr(1))
    assert not races(guest, ADDR, 1)
    assert same_epoch.race_write4_fast(guest.ctx, ADDR)
    other = fork(guest, 2)
    assert not races(guest, ADDR, 1)
    guest.switch_to(other)
    assert races(guest, ADDR, 0)


def test_a_joined_threads_sid_is_reused(guest: Any) -> None:
    first = fork(guest, 1)
    sid, epoch = sid_of(first), int(first["epoch"])
    finish(guest, first)
    thread_clocks.thread_join_edge(guest.ctx, record_addr(1))
    second = fork(guest, 2, 1)
    assert (sid_of(second), int(second["epoch"])) == (sid, epoch + 1)
    n = int(guest.ctx["race"]["n_journal"])
    assert (epoch_to_owner(epoch, n).tid, epoch_to_owner(epoch + 1, n).tid) == (1, 2)
    assert tid_to_owner(1, n).finished and not tid_to_owner(2, n).finished
    with pytest.raises(LookupError):
        epoch_to_owner(999 << words.CLOCK_BITS, n)


def test_an_unjoined_threads_sid_is_not_reused_and_the_race_is_found(guest: Any) -> None:
    first = fork(guest, 1)
    guest.switch_to(first)
    races(guest, ADDR, 1)
    finish(guest, first)
    second = fork(guest, 2)
    assert sid_of(second) != sid_of(first)
    guest.switch_to(second)
    assert races(guest, ADDR, 1)


def test_a_thousand_live_threads_race_pairwise(guest: Any) -> None:
    threads = [fork(guest, tid) for tid in range(1, 1001)]
    for thread in threads:
        guest.switch_to(thread)
        assert not races(guest, ADDR, 0)
        sync_clocks.sync_release(guest.ctx, ADDR + 128)
    guest.switch_to(guest.main)
    assert races(guest, ADDR, 1)
    assert guest.ctx["race"]["n_found"] == 1000
    sync_clocks.sync_acquire(guest.ctx, ADDR + 128)
    assert not races(guest, ADDR, 1)


def test_as_many_live_threads_as_there_are_slots(guest: Any) -> None:
    """The last one's end is known to no thread: the next with its number is taken for the same."""
    for tid in range(1, words.MAX_SIDS):
        fork(guest, tid)
    finish(guest, thread_in(5))
    fork(guest, 5000, 5)
    assert guest.ctx["race"]["n_inexact_sids"] == 1


def thread_in(slot: int) -> Any:
    return arena.view_record(record_addr(slot), THREAD_DTYPE)


def set_clock(guest: Any, clock: int) -> None:
    """Put the running thread's own clock at a value, as after that many releases."""
    sid = int(guest.ctx["epoch"]) >> words.CLOCK_BITS
    epoch = sid << words.CLOCK_BITS | clock
    guest.ctx["epoch"] = epoch
    row = arena.view_words(int(guest.ctx["vc"]), words.MAX_SIDS // 2).view("u4")
    row[sid] = epoch


def test_the_last_clock_value_changes_the_sid_and_keeps_order(guest: Any) -> None:
    child = fork(guest, 1)
    set_clock(guest, words.CLOCK_MAX)
    assert not races(guest, ADDR, 1)
    sync_clocks.sync_release(guest.ctx, ADDR + 64)
    assert int(guest.ctx["epoch"]) >> words.CLOCK_BITS == 2
    assert guest.ctx["race"]["n_clock_overflows"] == 1
    assert not races(guest, ADDR + 8, 1)
    assert not races(guest, ADDR, 0)
    guest.switch_to(child)
    sync_clocks.sync_acquire(guest.ctx, ADDR + 64)
    assert not races(guest, ADDR, 0)
    assert races(guest, ADDR + 8, 0)
    n_journal = int(guest.ctx["race"]["n_journal"])
    assert epoch_to_owner(int(guest.main["epoch"]), n_journal).tid == 0


def test_an_exhausted_sid_is_never_given_out(guest: Any) -> None:
    child = fork(guest, 1)
    guest.switch_to(child)
    set_clock(guest, words.CLOCK_MAX)
    finish(guest, child)
    thread_clocks.thread_join_edge(guest.ctx, record_addr(1))
    assert sid_of(fork(guest, 2)) == 2


def test_flush_forgets_and_cries_no_wolf(guest: Any) -> None:
    child, third = fork(guest, 1), fork(guest, 2)
    for number in range(3, words.MAX_SIDS):
        finish(guest, fork(guest, number, 3))
        _exhaust(number)
    guest.ctx["race"]["n_sids"] = words.MAX_SIDS
    assert not races(guest, ADDR, 1)
    sync_clocks.sync_release_store(guest.ctx, ADDR + 64)
    set_clock(guest, words.CLOCK_MAX)
    sync_clocks.sync_release_store(guest.ctx, ADDR + 64)
    assert guest.ctx["race"]["n_flushes"] == 1
    assert guest.ctx["race"]["n_sids"] == 3
    for thread in (child, third, guest.main):
        guest.switch_to(thread)
        sync_clocks.sync_acquire(guest.ctx, ADDR + 64)
        assert not races(guest, ADDR + 16 + 4 * int(thread["tid"]), 1)
    guest.switch_to(child)
    assert not races(guest, ADDR, 1)
    assert races(guest, ADDR + 16, 0)
    assert sid_of(fork(guest, 5000, 4)) == 3


def _exhaust(sid: int) -> None:
    state = ctypes.c_uint32.from_address(words.SIDS_ADDR + sid * words.SID_ENTRY_BYTES)
    state.value = sids.EXHAUSTED


def test_detection_off_costs_nothing_and_finds_nothing(guest: Any) -> None:
    guest.ctx["sanitize_thread"] = 0
    child = fork(guest, 1)
    assert not races(guest, ADDR, 1)
    guest.switch_to(child)
    assert not races(guest, ADDR, 1)
    sync_clocks.sync_release(guest.ctx, ADDR)
    sync_clocks.sync_acquire(guest.ctx, ADDR)
    thread_clocks.thread_finish(guest.ctx)
    assert guest.ctx["race"]["n_sync"] == 0


def test_ignored_accesses_leave_no_history(guest: Any) -> None:
    child = fork(guest, 1)
    thread_clocks.race_ignore_begin(guest.ctx)
    assert not races(guest, ADDR, 1)
    thread_clocks.race_ignore_end(guest.ctx)
    thread_clocks.race_ignore_end(guest.ctx)
    guest.switch_to(child)
    assert not races(guest, ADDR, 1)
    guest.switch_to(guest.main)
    assert races(guest, ADDR, 0)


def test_ten_thousand_threads_over_a_run(guest: Any) -> None:
    """Each works on what the one before left, which was joined; only the stray one's is a race."""
    stray = fork(guest, 1, 1)
    guest.switch_to(stray)
    assert not races(guest, ADDR + 64, 1)
    finish(guest, stray)
    for tid in range(2, 10_002):
        guest.switch_to(fork(guest, tid, 2 + tid % 3))
        assert not races(guest, ADDR, 1)
        finish(guest, thread_in(2 + tid % 3))
        thread_clocks.thread_join_edge(guest.ctx, record_addr(2 + tid % 3))
    assert int(guest.ctx["race"]["n_sids"]) == 3
    assert guest.ctx["race"]["n_inexact_sids"] == 0
    last = fork(guest, 10_002, 2)
    guest.switch_to(last)
    assert not races(guest, ADDR, 1)
    assert races(guest, ADDR + 64, 1)


@numba.njit  # type: ignore[untyped-decorator]
def release_often(ctx: Any, addr: int, n: int) -> None:
    """The running thread releases `n` times."""
    for _ in range(n):
        sync_clocks.sync_release_store(ctx, np.uint64(addr))


def test_a_clock_is_driven_to_its_limit_and_beyond(guest: Any) -> None:
    """Four million releases: no epoch overflows into another sid's, and order and races stay."""
    child = fork(guest, 1)
    first_sid = sid_of(child)
    guest.switch_to(child)
    release_often(guest.ctx, ADDR + 64, words.CLOCK_MAX - 1)
    assert int(guest.ctx["epoch"]) == first_sid << words.CLOCK_BITS | words.CLOCK_MAX
    assert not races(guest, ADDR, 1)
    release_often(guest.ctx, ADDR + 64, 3)
    assert int(guest.ctx["epoch"]) == 2 << words.CLOCK_BITS | 3
    assert not races(guest, ADDR + 8, 1)
    assert guest.ctx["race"]["n_clock_overflows"] == 1
    guest.switch_to(guest.main)
    sync_clocks.sync_acquire(guest.ctx, ADDR + 64)
    assert not races(guest, ADDR, 1)
    assert races(guest, ADDR + 8, 1)
    assert guest.ctx["race"]["n_flushes"] == 0


def test_every_clock_value_of_every_sid_is_used_up_before_a_flush(guest: Any) -> None:
    """One thread uses up its sid again and again; the last sid's end is the flush, said so."""
    child = fork(guest, 1)
    for number in range(words.MAX_SIDS - 2):
        guest.switch_to(child)
        set_clock(guest, words.CLOCK_MAX)
        sync_clocks.sync_release_store(guest.ctx, ADDR + 64)
        assert int(guest.ctx["epoch"]) >> words.CLOCK_BITS == number + 2
        assert not races(guest, ADDR + 128, 1)
    assert guest.ctx["race"]["n_flushes"] == 0
    set_clock(guest, words.CLOCK_MAX)
    sync_clocks.sync_release_store(guest.ctx, ADDR + 64)
    assert guest.ctx["race"]["n_flushes"] == 1
    assert guest.ctx["race"]["n_clock_overflows"] == words.MAX_SIDS - 1
    assert races_with_main(guest, child)


def races_with_main(guest: Any, child: Any) -> bool:
    """Whether unordered writes of two threads are still distinguished."""
    guest.switch_to(child)
    assert not races(guest, ADDR + 256, 1)
    guest.switch_to(guest.main)
    return races(guest, ADDR + 256, 1)


@pytest.mark.parametrize("what", ["objects", "rows"])
def test_before_sync_objects_run_out_all_history_is_forgotten(guest: Any, what: str) -> None:
    """What is behind their table stays as it is, and threads start anew without a false race."""
    child = fork(guest, 1)
    assert not races(guest, ADDR, 1)
    race = guest.ctx["race"]
    if what == "objects":
        race["sync_bump"] = (words.SYNC_OBJECTS_SIZE - words.SYNC_RESERVE) // 64
    else:
        race["row_bump"][0] = words.ROW_CLASS_SIZE - words.SYNC_RESERVE
    for number in range(2):
        sync_clocks.sync_release(guest.ctx, ADDR + 128 + 64 * number)
        assert race["n_flushes"] == 1
        assert int(race["sync_bump"] if what == "objects" else race["row_bump"][0]) < 1000
    guest.switch_to(child)
    assert not races(guest, ADDR, 1)
    sync_clocks.sync_acquire(guest.ctx, ADDR + 192)
    guest.switch_to(guest.main)
    assert races_with_main(guest, child)
