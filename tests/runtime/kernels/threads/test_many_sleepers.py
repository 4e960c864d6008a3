"""Where many threads sleep, the scheduler looks at them every few turns: they wake a bit later."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.runtime.kernels.threads import scheduler
from irsan.runtime.layout.thread_states import RUNNABLE, SHARED_TICK_NS, WAIT_MUTEX, WAIT_SLEEP
from tests.support.green import slot_to_addr, view_thread

N_AWAKE = 2


def begin_sleep(guest: Any, n: int, duration_ns: int) -> None:
    """So many threads sleep, and two others can run."""
    for slot in range(n + N_AWAKE):
        if slot:
            guest.new_thread(slot)
        scheduler.make_runnable(guest.ctx, slot_to_addr(slot))
    wake_ns = int(guest.ctx["schedule"]["clock_ns"]) + duration_ns
    for slot in range(n):
        guest.switch_to(view_thread(slot_to_addr(slot)))
        scheduler.block_current(guest.ctx, WAIT_SLEEP, 0, wake_ns)
    scheduler.schedule_next(guest.ctx)


@pytest.mark.parametrize("n", [20, 320])
def test_who_sleeps_is_awake_a_few_turns_later(guest: Any, n: int) -> None:
    begin_sleep(guest, n, 10 * SHARED_TICK_NS)
    n_turns = 1
    while guest.ctx["schedule"]["n_timed"]:
        assert guest.ctx["schedule"]["n_timed"] == n
        scheduler.schedule_next(guest.ctx)
        n_turns += 1
    assert 10 <= n_turns <= 11 + n // scheduler.SLEEPERS_PER_TURN


def test_the_clock_jumps_to_the_end_of_a_sleep_that_was_to_be_looked_at_later(guest: Any) -> None:
    begin_sleep(guest, 320, 4 * SHARED_TICK_NS)
    assert guest.ctx["schedule"]["next_wake_ns"] > 4 * SHARED_TICK_NS
    for slot in (320, 321):
        guest.switch_to(view_thread(slot_to_addr(slot)))
        scheduler.block_current(guest.ctx, WAIT_MUTEX, 0x1000, 0)
    first = int(scheduler.schedule_next(guest.ctx))
    assert first != 0
    assert view_thread(first)["state"] == RUNNABLE
    assert guest.ctx["schedule"]["n_timed"] == 0
