"""Fibers call by call: identities, order, call stacks, locks, names, slots, and a flush."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.interceptors.threads import fibers, mutexes
from irsan.runtime import arena
from irsan.runtime.kernels import actions, callstack
from irsan.runtime.kernels.combined import fibers as identities
from irsan.runtime.kernels.race import access, thread_clocks
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import FREE, RUNNABLE
from irsan.runtime.records.context import THREAD_DTYPE
from irsan.runtime.records.race.fiber_records import FIBER
from irsan.runtime.views.race_journal import tid_to_owner
from irsan.runtime.views.thread_facts import find_thread, own_tid
from tests.support.green import SCRATCH, call_told

ADDR = memory_map.HEAP_LO + 64
READ, WRITE = 0, 1
SYNC, NO_SYNC = 0, 1


def record(addr: int) -> Any:
    return arena.view_record(addr, THREAD_DTYPE)


def races(guest: Any, kind: int) -> bool:
    guest.ctx["action"] = actions.NONE
    guest.ctx["race"]["dedupe"] = 0
    access.race_access_slow(guest.ctx, ADDR, 4, kind)
    found = bool(guest.ctx["action"] == actions.REPORT)
    guest.ctx["action"] = actions.NONE
    return found


def running_tid(ctx: Any) -> int:
    return int(record(int(ctx["thread"]))["tid"])


@pytest.fixture
def home(guest: Any) -> int:
    guest.main["state"] = RUNNABLE
    return int(fibers.current_fiber(guest.ctx))


def test_each_fiber_is_a_thread_of_its_own_to_the_detector(guest: Any, home: int) -> None:
    ctx = guest.ctx
    thread = int(ctx["thread"])
    first, second = (int(fibers.create_fiber(ctx, 0)) for _ in range(2))
    assert len({home, first, second, thread}) == 4
    epochs = {int(ctx["epoch"])}
    for fiber, tid in ((first, 1), (second, 2)):
        fibers.switch_to_fiber(ctx, fiber, NO_SYNC)
        assert (running_tid(ctx), int(fibers.current_fiber(ctx))) == (tid, fiber)
        assert int(ctx["thread"]) == thread
        epochs.add(int(ctx["epoch"]))
    assert len(epochs) == 3
    fibers.switch_to_fiber(ctx, home, SYNC)
    assert running_tid(ctx) == 0


@pytest.mark.parametrize(("flags", "is_racy"), [(SYNC, False), (NO_SYNC, True)])
def test_a_switch_orders_what_came_before_unless_told_not_to(
    guest: Any, home: int, flags: int, is_racy: bool
) -> None:
    ctx = guest.ctx
    fiber = int(fibers.create_fiber(ctx, 0))
    assert not races(guest, WRITE)
    fibers.switch_to_fiber(ctx, fiber, flags)
    assert races(guest, WRITE) is is_racy
    fibers.switch_to_fiber(ctx, home, flags)
    assert races(guest, READ) is is_racy


@pytest.mark.usefixtures("home")
def test_what_came_before_the_creation_is_known_to_the_fiber(guest: Any) -> None:
    fibers.create_fiber(guest.ctx, 0)
    assert not races(guest, WRITE)
    fiber = int(fibers.create_fiber(guest.ctx, 0))
    fibers.switch_to_fiber(guest.ctx, fiber, NO_SYNC)
    assert not races(guest, WRITE)


def test_calls_in_progress_and_ignores_stay_with_their_fiber(guest: Any, home: int) -> None:
    ctx = guest.ctx
    fiber = int(fibers.create_fiber(ctx, 0))
    for site in (5, 6):
        ctx["site"] = site
        callstack.callstack_enter(ctx)
    thread_clocks.race_ignore_begin(ctx)
    mine = callstack.frame_stack_id(ctx)
    fibers.switch_to_fiber(ctx, fiber, SYNC)
    assert int(ctx["ignore_depth"]) == 0
    ctx["site"] = 7
    callstack.callstack_enter(ctx)
    assert callstack.frame_stack_id(ctx) != mine
    fibers.switch_to_fiber(ctx, home, SYNC)
    assert callstack.frame_stack_id(ctx) == mine
    assert int(ctx["ignore_depth"]) == 1


@pytest.mark.usefixtures("home")
def test_a_function_that_only_switches_may_return_on_the_new_fiber(guest: Any) -> None:
    ctx = guest.ctx
    fiber = int(fibers.create_fiber(ctx, 0))
    ctx["site"] = 5
    callstack.callstack_enter(ctx)
    fibers.switch_to_fiber(ctx, fiber, SYNC)
    callstack.callstack_exit(ctx)
    assert callstack.callstack_depth(ctx) == 0


def test_locks_are_held_by_the_fiber_that_took_them(guest: Any, home: int) -> None:
    ctx = guest.ctx
    fiber = int(fibers.create_fiber(ctx, 0))
    thread = record(int(ctx["thread"]))
    for mutex in (SCRATCH, SCRATCH + 64):
        assert call_told(mutexes.i_mutex_lock, ctx, mutex) == 0
    lockset = int(thread["held"])
    assert lockset != 0
    fibers.switch_to_fiber(ctx, fiber, SYNC)
    assert (int(thread["held"]), int(thread["n_held"])) == (0, 0)
    fibers.switch_to_fiber(ctx, home, SYNC)
    assert (int(thread["held"]), int(thread["n_held"])) == (lockset, 2)
    assert call_told(mutexes.i_mutex_unlock, ctx, SCRATCH) == 0
    assert int(thread["n_held"]) == 1


def test_another_thread_goes_on_with_a_fiber(guest: Any, home: int) -> None:
    ctx = guest.ctx
    fiber = int(fibers.create_fiber(ctx, 0))
    fibers.switch_to_fiber(ctx, fiber, SYNC)
    assert not races(guest, WRITE)
    fibers.switch_to_fiber(ctx, home, NO_SYNC)
    other = guest.new_thread(9)
    assert thread_clocks.thread_fork(
        ctx, memory_map.THREADS + int(other["slot"]) * memory_map.THREAD_STRIDE
    )
    guest.switch_to(other)
    fibers.switch_to_fiber(ctx, fiber, NO_SYNC)
    assert running_tid(ctx) == 1
    assert own_tid(other) == 9
    assert not races(guest, WRITE)


def test_a_fiber_that_runs_elsewhere_is_left_alone(guest: Any, home: int) -> None:
    ctx = guest.ctx
    other = guest.new_thread(9)
    assert thread_clocks.thread_fork(
        ctx, memory_map.THREADS + int(other["slot"]) * memory_map.THREAD_STRIDE
    )
    guest.switch_to(other)
    for handle in (home, 0, ADDR, memory_map.THREADS - 1):
        fibers.switch_to_fiber(ctx, handle, SYNC)
        fibers.destroy_fiber(ctx, handle)
    assert running_tid(ctx) == 9


def test_a_destroyed_fiber_gives_its_slot_back_and_is_known_by_name(guest: Any, home: int) -> None:
    ctx = guest.ctx
    name = ctypes.create_string_buffer(b"a name of more than fifteen bytes")
    fiber = int(fibers.create_fiber(ctx, 0))
    fibers.name_fiber(ctx, fiber, ctypes.addressof(name))
    fibers.destroy_fiber(ctx, home)
    assert int(record(home)["state"]) == FIBER
    fibers.destroy_fiber(ctx, fiber)
    assert int(record(fiber)["state"]) == FREE
    owner = tid_to_owner(1, int(ctx["race"]["n_journal"]))
    assert (owner.finished, owner.name, owner.parent_tid) == (True, "a name of more ", 0)
    assert int(fibers.create_fiber(ctx, 0)) == fiber
    known = find_thread(ctx, 2)
    assert known is not None
    assert known.facts.status == "running"


def test_a_name_given_to_the_running_fiber_is_shown_too(guest: Any, home: int) -> None:
    name = ctypes.create_string_buffer(b"main loop")
    fibers.name_fiber(guest.ctx, home, ctypes.addressof(name))
    raw = record(int(guest.ctx["thread"]))["name"].tobytes()
    assert raw.startswith(b"main loop\0")


def test_all_clocks_are_found_by_a_flush(guest: Any, home: int) -> None:
    ctx = guest.ctx
    fiber = int(fibers.create_fiber(ctx, 0))
    fibers.switch_to_fiber(ctx, fiber, SYNC)
    thread_clocks.race_flush(ctx)
    assert not races(guest, WRITE)
    fibers.switch_to_fiber(ctx, home, NO_SYNC)
    assert races(guest, WRITE)


def test_a_thread_ends_as_itself_and_frees_its_own_fiber(guest: Any, home: int) -> None:
    ctx = guest.ctx
    fiber = int(fibers.create_fiber(ctx, 0))
    fibers.switch_to_fiber(ctx, fiber, SYNC)
    identities.leave_fibers(ctx)
    assert running_tid(ctx) == 0
    assert int(record(home)["state"]) == FREE
    assert int(record(fiber)["state"]) == FIBER


def test_without_the_race_detector_handles_mean_nothing(guest: Any) -> None:
    ctx = guest.ctx
    guest.main["state"] = RUNNABLE
    ctx["sanitize_thread"] = 0
    handle = int(fibers.create_fiber(ctx, 0))
    assert handle == int(fibers.current_fiber(ctx)) != 0
    fibers.switch_to_fiber(ctx, handle, SYNC)
    fibers.destroy_fiber(ctx, handle)
    assert int(guest.main["state"]) == RUNNABLE
    assert int(ctx["schedule"]["next_tid"]) == 1
