"""Annotated locks call by call: misuse, levels, static locks, what is ignored inside."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.threads import lock_annotations as calls
from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.locks import lock_table
from irsan.runtime.kernels.race import thread_clocks
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.race.sync_objects import find_sync
from irsan.runtime.records.race import lock_records as lr
from tests.conftest import fresh_guest, thread_addr
from tests.support.green import SCRATCH, call_told

LOCK = SCRATCH
LINKER_INIT, WRITE_REENTRANT, READ, TRY, FAILED = 1, 2, 8, 16, 32
ENTIRELY, LEVELS, NOT_STATIC = 128, 64, 256


def misuse(ctx: Any) -> int:
    """Which misuse the last call left, 0 = none; takes it away."""
    action = int(ctx["action"])
    ctx["action"] = actions.NONE
    return int(ctx["fault"][6]) if action == actions.REPORT else 0


def owner(number: int) -> int:
    """The owner word of a lock: tid + 1, 0 = none."""
    lock = arena.view_record(lr.LOCKS + number * lr.RECORD_BYTES, lr.LOCK_DTYPE)
    return int(lock["owner"])


def lock(ctx: Any, flags: int = 0, levels: int = 0) -> int:
    calls.mutex_pre_lock(ctx, LOCK, flags)
    found = misuse(ctx)
    calls.mutex_post_lock(ctx, LOCK, flags, levels)
    return found or misuse(ctx)


def test_a_lock_is_held_from_post_lock_to_pre_unlock(guest: Any) -> None:
    ctx = guest.ctx
    guest.new_thread(1)
    assert lock(ctx) == 0
    number = int(lock_table.find_lock(LOCK))
    assert owner(number) == 1
    assert int(guest.main["n_held"]) == 1
    assert calls.mutex_pre_unlock(ctx, LOCK, 0) == 1
    assert owner(number) == int(guest.main["n_held"]) == 0
    calls.mutex_outside(ctx, LOCK, 0)
    assert misuse(ctx) == 0


def test_all_levels_are_given_up_and_got_back_at_once(guest: Any) -> None:
    ctx = guest.ctx
    assert lock(ctx, LEVELS, 3) == 0
    assert lock(ctx) == 0
    assert calls.mutex_pre_unlock(ctx, LOCK, ENTIRELY) == 4
    calls.mutex_outside(ctx, LOCK, 0)
    assert lock(ctx, LEVELS, 4) == 0
    for left in (3, 2, 1, 0):
        assert calls.mutex_pre_unlock(ctx, LOCK, 0) == 1
        calls.mutex_outside(ctx, LOCK, 0)
        assert int(guest.main["n_held"]) == (left > 0)


def test_a_failed_try_lock_takes_nothing_and_ends_the_ignoring(guest: Any) -> None:
    ctx = guest.ctx
    before = int(ctx["ignore_depth"])
    assert lock(ctx, TRY | FAILED) == 0
    assert int(guest.main["n_held"]) == 0
    assert int(ctx["ignore_depth"]) == before


def test_each_misuse_is_told_once_and_the_call_goes_on(guest: Any) -> None:
    ctx = guest.ctx
    calls.rwlock_acquired(ctx, 0, 0, LOCK, 1)
    guest.switch_to(guest.new_thread(1))
    calls.rwlock_acquired(ctx, 0, 0, LOCK, 1)
    assert misuse(ctx) == lr.DOUBLE_LOCK
    calls.rwlock_acquired(ctx, 0, 0, LOCK, 1)
    assert misuse(ctx) == 0
    for is_locked, is_write, expected in (
        (True, 0, lr.BAD_READ_UNLOCK), (False, 1, lr.BAD_UNLOCK),
    ):  # fmt: skip
        ctx = fresh_guest().ctx
        if is_locked:
            calls.rwlock_acquired(ctx, 0, 0, LOCK, 1)
        calls.rwlock_released(ctx, 0, 0, LOCK, is_write)
        assert misuse(ctx) == expected
        calls.rwlock_released(ctx, 0, 0, LOCK, is_write)
        assert misuse(ctx) == 0


def test_a_read_lock_of_what_is_written_is_told(guest: Any) -> None:
    calls.rwlock_acquired(guest.ctx, 0, 0, LOCK, 1)
    calls.rwlock_acquired(guest.ctx, 0, 0, LOCK, 0)
    assert misuse(guest.ctx) == lr.BAD_READ_LOCK


def test_a_reader_may_become_the_writer_and_a_reader_again(guest: Any) -> None:
    ctx = guest.ctx
    for is_write in (0, 1):
        calls.rwlock_acquired(ctx, 0, 0, LOCK, is_write)
    for is_write in (1, 0):
        calls.rwlock_released(ctx, 0, 0, LOCK, is_write)
        assert misuse(ctx) == 0
    assert int(guest.main["n_held"]) == 0


@pytest.mark.parametrize(
    ("create", "destroy", "is_told"),
    [
        (0, 0, True), (LINKER_INIT, 0, False), (0, LINKER_INIT, False),
        (0, NOT_STATIC, False), (NOT_STATIC, NOT_STATIC, True),
    ],
)  # fmt: skip
def test_only_locks_that_can_die_are_destroyed(
    guest: Any, create: int, destroy: int, is_told: bool
) -> None:
    ctx = guest.ctx
    calls.mutex_create(ctx, LOCK, create)
    lock(ctx)
    calls.mutex_destroy(ctx, LOCK, destroy)
    assert (misuse(ctx) == lr.DESTROY_LOCKED) == is_told


def test_a_lock_created_while_it_is_held_stays_held(guest: Any) -> None:
    ctx = guest.ctx
    lock(ctx)
    calls.mutex_create(ctx, LOCK, 0)
    assert call_told(calls.mutex_pre_unlock, ctx, LOCK, 0) == 1


def test_without_annotations_nothing_is_known(guest: Any) -> None:
    guest.ctx["interface"]["annotations_off"] = 1
    lock(guest.ctx)
    calls.rwlock_released(guest.ctx, 0, 0, LOCK, 1)
    assert misuse(guest.ctx) == 0
    assert int(guest.main["n_held"]) == 0


def test_ignored_synchronisation_makes_no_order(guest: Any) -> None:
    ctx = guest.ctx
    child = guest.new_thread(1)
    assert thread_clocks.thread_fork(ctx, thread_addr(child))
    thread_clocks.sync_ignore_begin(ctx)
    sync_release(ctx, LOCK)
    assert int(find_sync(LOCK)) == 0
    sync_acquire(ctx, LOCK)
    thread_clocks.sync_ignore_end(ctx)
    thread_clocks.sync_ignore_end(ctx)
    assert not thread_clocks.ignores_sync(ctx)
    sync_release(ctx, LOCK)
    assert int(find_sync(LOCK)) != 0


STEP = st.tuples(st.integers(0, 1), st.sampled_from(["take", "give"]), st.integers(1, 3))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(STEP, max_size=30))
def test_depths_and_verdicts_are_those_of_a_counter(steps: list[tuple[int, str, int]]) -> None:
    """One lock, two threads, against (owner, depth)."""
    guest = fresh_guest()
    ctx = guest.ctx
    threads = [guest.main, guest.new_thread(1)]
    holder, depth = -1, 0
    for who, verb, levels in steps:
        guest.switch_to(threads[who])
        if verb == "take":
            calls.mutex_post_lock(ctx, LOCK, LEVELS, levels)
            expected = lr.DOUBLE_LOCK if depth and holder != who else 0
            holder, depth = who, depth + levels
        else:
            calls.mutex_pre_unlock(ctx, LOCK, 0)
            expected = 0 if depth and holder == who else lr.BAD_UNLOCK
            depth -= 1
        assert misuse(ctx) == expected
        if expected:
            return
        held = sum(int(thread["n_held"]) for thread in threads)
        assert held == (depth > 0)


@pytest.mark.parametrize("limit", ["numbers", "held"])
def test_locks_beyond_a_limit_still_order_threads(guest: Any, limit: str) -> None:
    ctx = guest.ctx
    child = guest.new_thread(1)
    assert thread_clocks.thread_fork(ctx, thread_addr(child))
    if limit == "numbers":
        ctx["locks"]["n_locks"] = lr.MAX_LOCKS
    else:
        guest.main["n_held"] = lr.MAX_HELD
    assert lock(ctx) == 0
    assert calls.mutex_pre_unlock(ctx, LOCK, 0) == 1
    calls.mutex_outside(ctx, LOCK, 0)
    assert misuse(ctx) == 0
    epoch = int(ctx["epoch"]) - 1
    guest.switch_to(child)
    assert lock(ctx) == 0
    row = (ctypes.c_uint32 * 1).from_address(int(ctx["vc"]))
    assert row[0] == epoch
