"""The end of the program: one thread runs exit, the others go on for a bounded while."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.threads import exit_turns, scheduler, switching
from irsan.runtime.layout import options
from irsan.runtime.layout.thread_states import (
    BLOCKED,
    FINISHED,
    RUNNABLE,
    WAIT_INPUT,
    WAIT_SLEEP,
)
from irsan.runtime.records.memory import leak_records
from tests.runtime.kernels.threads.test_scheduler import make_threads
from tests.support.green import SCRATCH, slot_to_addr, view_thread

SECOND = 10**9
KEPT_WORDS = 8


def begin(guest: Any, count: int) -> list[Any]:
    """`count` runnable threads, the first of them in exit."""
    records = make_threads(guest, count, 1)
    guest.ctx["schedule"]["n_live"] = count
    guest.ctx["schedule"]["n_threads"] = count
    guest.ctx["options"][options.ATEXIT_SLEEP_NS] = SECOND
    assert exit_turns.begin_exit(guest.ctx)
    return records


def chosen_until_exit_goes_on(guest: Any, limit: int) -> list[int]:
    """Slots that the scheduler chooses while the first thread waits in exit."""
    chosen = []
    for _ in range(limit):
        addr = int(scheduler.schedule_next(guest.ctx))
        switching.switch_threads(guest.ctx, addr)
        if addr == slot_to_addr(0):
            return chosen
        chosen.append(int(view_thread(addr)["slot"]))
    raise AssertionError(f"exit still waits after {limit} turns")


def test_nobody_waits_for_nobody(guest: Any) -> None:
    begin(guest, 1)
    assert not exit_turns.others_go_on(guest.ctx)
    assert guest.ctx["turns"]["exit_left"] == 0


def test_nobody_waits_when_the_flag_says_so(guest: Any) -> None:
    begin(guest, 2)
    guest.ctx["options"][options.ATEXIT_SLEEP_NS] = 0
    assert not exit_turns.others_go_on(guest.ctx)


@pytest.mark.parametrize("count", [2, 5])
def test_threads_that_run_on_are_stopped_in_the_end(guest: Any, count: int) -> None:
    (main, *_) = begin(guest, count)
    assert exit_turns.others_go_on(guest.ctx)
    assert (main["state"], guest.ctx["action"]) == (BLOCKED, actions.NONE)
    chosen = chosen_until_exit_goes_on(guest, 1200)
    assert set(chosen) == set(range(1, count))
    assert not exit_turns.others_go_on(guest.ctx)
    assert guest.ctx["schedule"]["clock_ns"] >= SECOND


def test_who_sleeps_for_less_than_the_time_left_wakes_up(guest: Any) -> None:
    _, short, long = begin(guest, 3)
    for record, wake_ns in ((short, SECOND // 2), (long, 3 * SECOND)):
        guest.switch_to(record)
        scheduler.block_current(guest.ctx, WAIT_SLEEP, 0, wake_ns)
    guest.switch_to(view_thread(slot_to_addr(0)))
    assert exit_turns.others_go_on(guest.ctx)
    assert int(scheduler.schedule_next(guest.ctx)) == slot_to_addr(1)
    switching.switch_threads(guest.ctx, slot_to_addr(1))
    scheduler.leave_runnable(guest.ctx, slot_to_addr(1), FINISHED)
    assert chosen_until_exit_goes_on(guest, 5) == []
    assert long["state"] == BLOCKED
    assert not exit_turns.others_go_on(guest.ctx)


def test_who_sleeps_again_and_again_is_stopped_too(guest: Any) -> None:
    begin(guest, 2)
    assert exit_turns.others_go_on(guest.ctx)
    for turn in range(2000):
        addr = int(scheduler.schedule_next(guest.ctx))
        switching.switch_threads(guest.ctx, addr)
        if addr == slot_to_addr(0):
            assert 500 < turn < 1500
            return
        scheduler.block_current(
            guest.ctx, WAIT_SLEEP, 0, int(guest.ctx["schedule"]["clock_ns"]) + 10
        )
    raise AssertionError("exit still waits")


def test_a_thread_that_waits_for_the_outside_is_asked_a_few_times(guest: Any) -> None:
    _, reader = begin(guest, 2)
    guest.ctx["c_library"]["errno_addr"] = SCRATCH
    assert exit_turns.others_go_on(guest.ctx)
    n_tries = 0
    while int(scheduler.schedule_next(guest.ctx)) == slot_to_addr(1):
        guest.switch_to(reader)
        guest.ctx["outside"]["n_trying"] += 1
        guest.ctx["outside"]["try_streak"] += 1
        scheduler.block_current(guest.ctx, WAIT_INPUT, 0, 0)
        n_tries += 1
    assert 0 < n_tries < 40


def test_an_alarm_that_would_end_the_program_does_not_ring(guest: Any) -> None:
    begin(guest, 2)
    guest.ctx["signals"]["rings_at"] = 5000
    assert exit_turns.others_go_on(guest.ctx)
    assert view_thread(slot_to_addr(0))["wait"]["wake_ns"] == 4999


def test_a_second_exit_waits_for_ever_and_the_first_may_call_it_again(guest: Any) -> None:
    main, other = begin(guest, 2)
    guest.switch_to(other)
    assert not exit_turns.begin_exit(guest.ctx)
    assert (other["state"], other["wait"]["wake_ns"]) == (BLOCKED, 0)
    guest.switch_to(main)
    assert exit_turns.begin_exit(guest.ctx)
    assert main["state"] == RUNNABLE
    assert guest.ctx["turns"]["exits"] == slot_to_addr(0)


def test_what_the_first_exit_has_kept_of_its_caller_is_what_counts(guest: Any) -> None:
    block = arena.view_words(leak_records.AT_EXIT_CALLER, KEPT_WORDS)
    block[:] = range(100, 108)
    _, other = begin(guest, 2)
    block[:] = 7
    guest.switch_to(other)
    exit_turns.begin_exit(guest.ctx)
    guest.switch_to(view_thread(slot_to_addr(0)))
    guest.ctx["options"][options.ATEXIT_SLEEP_NS] = 0
    assert not exit_turns.others_go_on(guest.ctx)
    assert block.tolist() == list(range(100, 108))
