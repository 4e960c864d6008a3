"""The scheduler and its naive twin; the runnable list; fairness; time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from irsan.engine.guest.explored_schedule import STRATEGIES
from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.threads import event_points, scheduler, switching, turns, waiting
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.options import SCHEDULER, SCHEDULERS
from irsan.runtime.layout.thread_states import (
    BLOCKED,
    EXPLORED_SWITCHES,
    FINISHED,
    LATE_SYNC_FUEL,
    RUNNABLE,
    SYNC_FUEL,
    UNCONTENDED_FUEL,
)
from irsan.runtime.seeding import seed_to_rng_words
from tests.conftest import fresh_guest
from tests.oracles.scheduler import (
    TICK_NS,
    NaiveGenerator,
    NaiveRoundRobin,
    NaiveScheduler,
    NaiveWait,
)
from tests.support.green import slot_to_addr, view_thread

KINDS, ADDRS = st.integers(1, 3), st.sampled_from([0x1000, 0x2000])


TWINS = {"random": NaiveScheduler, "round_robin": NaiveRoundRobin}


def addr_to_slot(addr: int) -> int:
    return (addr - memory_map.THREADS) // memory_map.THREAD_STRIDE


def make_threads(guest: Any, count: int, seed: int, preempt_mean: int = 1000) -> list[Any]:
    """`count` runnable threads, the first one running."""
    ctx = guest.ctx
    for index, word in enumerate(seed_to_rng_words(seed)):
        ctx["schedule"]["rng"][index] = word
    ctx["schedule"]["clock_ns"], ctx["schedule"]["preempt_mean"] = 1, preempt_mean
    records = [guest.main, *(guest.new_thread(slot) for slot in range(1, count))]
    for slot in range(count):
        scheduler.make_runnable(ctx, slot_to_addr(slot))
    return records


class SchedulerTwins(RuleBasedStateMachine):
    """Both schedulers do the same; who runs, who waits and what time it is must agree."""

    @initialize(
        count=st.integers(1, 6),
        seed=st.integers(0, 2**64 - 1),
        mean=st.integers(0, 50),
        attention=st.sampled_from([0, 3, 16, 64]),
        strategy=st.sampled_from(sorted(TWINS)),
    )
    def begin(self, count: int, seed: int, mean: int, attention: int, strategy: str) -> None:
        self.guest = fresh_guest()
        self.ctx = self.guest.ctx
        self.ctx["options"][SCHEDULER] = SCHEDULERS.index(strategy)
        self.records = make_threads(self.guest, count, seed, mean)
        generator = NaiveGenerator(list(seed_to_rng_words(seed)))
        attention = attention if strategy == "random" else 0
        self.twin = TWINS[strategy](generator, count, mean, attention=attention)
        self.ctx["turns"]["attention"] = attention
        for thread in range(count):
            self.twin.make_runnable(thread)
        self.current: int | None = 0

    @precondition(lambda self: self.current is not None)
    @rule(kind=KINDS, addr=ADDRS, sleep_ns=st.sampled_from([0, 0, 1, 60, 10_000]))
    def block(self, kind: int, addr: int, sleep_ns: int) -> None:
        wake_ns = sleep_ns and self.twin.clock_ns + sleep_ns
        scheduler.block_current(self.ctx, kind, addr, wake_ns)
        assert self.ctx["action"] == actions.RETRY
        self.ctx["action"] = actions.NONE
        assert self.current is not None
        self.twin.block(self.current, NaiveWait(kind, addr, wake_ns))
        self.choose()

    @precondition(lambda self: self.current is not None)
    @rule()
    def finish(self) -> None:
        assert self.current is not None
        scheduler.leave_runnable(self.ctx, slot_to_addr(self.current), FINISHED)
        self.twin.leave(self.current)
        self.choose()

    @rule(kind=KINDS, addr=ADDRS, limit=st.sampled_from([0, 1, 2, 1 << 32]))
    def wake(self, kind: int, addr: int, limit: int) -> None:
        woken = scheduler.wake_waiters(self.ctx, kind, addr, limit)
        assert woken == self.twin.wake_waiters(kind, addr, limit) <= limit
        self.compare()

    @precondition(lambda self: self.current is not None)
    @rule(share=st.sampled_from([0, 1, 8, 16]))
    def take_point(self, share: int) -> None:
        turns.take_point(self.ctx, share)
        self.twin.take_point(share)
        self.compare()

    @precondition(lambda self: len(self.twin.runnable) > 1 and self.twin.preempt_mean)
    @rule(times=st.sampled_from([1, 9, 20]))
    def run_out(self, times: int) -> None:
        """Slices that end at plain safepoints."""
        for _ in range(times):
            self.ctx["fuel"] = 0
            assert scheduler.safepoint_slow(self.ctx)
            self.twin.run_out()
            self.choose()

    @rule()
    def choose(self) -> None:
        ran_last = addr_to_slot(int(self.ctx["thread"]))
        chosen = int(scheduler.schedule_next(self.ctx))
        expected = self.twin.choose(ran_last)
        assert (addr_to_slot(chosen) if chosen else None) == expected
        if chosen:
            switching.switch_threads(self.ctx, chosen)
        self.current = expected
        self.compare()

    def compare(self) -> None:
        listed = arena.view_bytes(
            memory_map.RUN_LIST, 4 * int(self.ctx["schedule"]["n_runnable"])
        ).view("u4")
        assert listed.tolist() == self.twin.runnable
        assert int(self.ctx["schedule"]["clock_ns"]) == self.twin.clock_ns
        assert int(self.ctx["fuel"]) == self.twin.fuel
        assert int(self.ctx["turns"]["attention"]) == self.twin.attention
        assert bool(self.ctx["turns"]["is_eager"]) == self.twin.is_eager
        assert int(self.ctx["turns"]["calm"]) == self.twin.calm
        assert int(self.ctx["schedule"]["n_timed"]) == sum(
            w.wake_ns > 0 for w in self.twin.blocked.values()
        )
        for slot, record in enumerate(self.records):
            if record["state"] == RUNNABLE:
                assert self.twin.runnable[int(record["run_index"])] == slot
            assert (record["state"] == BLOCKED) == (slot in self.twin.blocked)
        for slot, ending in self.twin.endings.items():
            if slot not in self.twin.blocked:
                assert self.records[slot]["wait"]["status"] == ending


TestSchedulerTwins = SchedulerTwins.TestCase
TestSchedulerTwins.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def choices(count: int, seed: int, n: int = 60) -> list[int]:
    """The first slots chosen among `count` threads that never block."""
    guest = fresh_guest()
    make_threads(guest, count, seed)
    return [addr_to_slot(int(scheduler.schedule_next(guest.ctx))) for _ in range(n)]


def test_the_same_seed_makes_the_same_choices_and_another_does_not() -> None:
    first = choices(3, 7)
    assert choices(3, 7) == first
    assert all(choices(3, seed) != first for seed in range(5))


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_every_runnable_thread_is_chosen_in_the_long_run(count: int) -> None:
    counts = [0] * count
    n = 100 * count
    for slot in choices(count, 11, n):
        counts[slot] += 1
    assert min(counts) > 50 and max(counts) < 160


def test_the_hash_of_a_schedule_tells_schedules_apart() -> None:
    def schedule_hash(seed: int) -> int:
        again = fresh_guest()
        make_threads(again, 3, seed)
        for _ in range(20):
            scheduler.schedule_next(again.ctx)
        return int(again.ctx["schedule"]["hash"])

    assert schedule_hash(1) == schedule_hash(1) != schedule_hash(2)


def test_time_does_not_jump_while_somebody_can_run(guest: Any) -> None:
    make_threads(guest, 2, 1)
    scheduler.block_current(guest.ctx, 8, 0, 1_000_000)
    for _ in range(10):
        assert addr_to_slot(int(scheduler.schedule_next(guest.ctx))) == 1
    assert int(guest.ctx["schedule"]["clock_ns"]) == 1 + 10 * TICK_NS


def test_time_jumps_to_the_earliest_of_several_waits(guest: Any) -> None:
    make_threads(guest, 3, 1)
    for slot, wake_ns in enumerate((5_000, 3_000, 4_000)):
        guest.switch_to(view_thread(slot_to_addr(slot)))
        scheduler.block_current(guest.ctx, 8, 0, wake_ns)
    woken = [
        (
            addr_to_slot(int(scheduler.schedule_next(guest.ctx))),
            int(guest.ctx["schedule"]["clock_ns"]),
        )
    ]
    for _ in range(2):
        switching.switch_threads(guest.ctx, slot_to_addr(woken[-1][0]))
        scheduler.leave_runnable(guest.ctx, slot_to_addr(woken[-1][0]), FINISHED)
        slot = addr_to_slot(int(scheduler.schedule_next(guest.ctx)))
        woken.append((slot, int(guest.ctx["schedule"]["clock_ns"])))
    assert woken == [(1, 3_000), (2, 4_000), (0, 5_000)]


def test_nobody_can_run_and_nobody_waits_for_time(guest: Any) -> None:
    make_threads(guest, 2, 1)
    scheduler.block_current(guest.ctx, 1, 0x1000, 0)
    guest.switch_to(view_thread(slot_to_addr(1)))
    scheduler.block_current(guest.ctx, 1, 0x1000, 0)
    assert scheduler.schedule_next(guest.ctx) == 0
    assert scheduler.wake_waiters(guest.ctx, 1, 0x1000, 1) == 1
    assert scheduler.schedule_next(guest.ctx) != 0


def test_the_thread_to_wake_is_drawn(guest: Any) -> None:
    make_threads(guest, 5, 2)
    for slot in range(5):
        guest.switch_to(view_thread(slot_to_addr(slot)))
        scheduler.block_current(guest.ctx, 1, 0x1000, 0)
    woken = set()
    for _ in range(60):
        scheduler.wake_waiters(guest.ctx, 1, 0x1000, 1)
        (slot,) = arena.view_bytes(memory_map.RUN_LIST, 4).view("u4").tolist()
        woken.add(slot)
        guest.switch_to(view_thread(slot_to_addr(slot)))
        scheduler.block_current(guest.ctx, 1, 0x1000, 0)
    assert woken == set(range(5))


def test_a_safepoint_asks_only_when_there_is_somebody_to_ask_for(guest: Any) -> None:
    make_threads(guest, 1, 1)
    guest.ctx["fuel"] = 0
    assert not scheduler.safepoint_slow(guest.ctx)
    assert guest.ctx["fuel"] == UNCONTENDED_FUEL
    other = guest.new_thread(1)
    scheduler.make_runnable(guest.ctx, slot_to_addr(int(other["slot"])))
    assert guest.ctx["fuel"] == 0
    assert scheduler.safepoint_slow(guest.ctx)


def test_a_lone_thread_asks_while_another_waits_for_time(guest: Any) -> None:
    make_threads(guest, 2, 1)
    scheduler.block_current(guest.ctx, 8, 0, 500)
    assert scheduler.safepoint_slow(guest.ctx)


def test_time_passes_for_sleepers_while_one_thread_spins(guest: Any) -> None:
    """A tenth of a second is over after some millions of safepoints, not after a real hour."""
    make_threads(guest, 2, 1)
    scheduler.block_current(guest.ctx, 8, 0, 10**8)
    (runs,) = arena.view_bytes(memory_map.RUN_LIST, 4).view("u4").tolist()
    safepoints = 0
    for _ in range(200):
        assert scheduler.safepoint_slow(guest.ctx)
        if (
            scheduler.schedule_next(guest.ctx) != slot_to_addr(runs)
            or guest.ctx["schedule"]["n_timed"] == 0
        ):
            break
        safepoints += int(guest.ctx["fuel"])
    assert 10**6 < safepoints < 10**7


def test_a_lone_thread_asks_while_another_waits_for_the_outside(guest: Any) -> None:
    main, other = make_threads(guest, 2, 1)
    waiting.block_trying(guest.ctx, 0)
    guest.switch_to(other)
    guest.ctx["action"] = 0
    assert scheduler.safepoint_slow(guest.ctx)
    scheduler.schedule_next(guest.ctx)
    assert main["state"] == RUNNABLE


def test_a_synchronisation_costs_less_in_a_long_run(guest: Any) -> None:
    make_threads(guest, 2, 1)
    for n_switches, cost in (
        (EXPLORED_SWITCHES - 1, SYNC_FUEL),
        (EXPLORED_SWITCHES, LATE_SYNC_FUEL),
    ):
        guest.ctx["schedule"]["n_switches"], guest.ctx["fuel"] = n_switches, 1000
        scheduler.sync_point(guest.ctx)
        assert guest.ctx["fuel"] == 1000 - cost


def test_a_synchronisation_costs_fuel_and_switches_when_it_is_gone(guest: Any) -> None:
    make_threads(guest, 2, 1)
    guest.ctx["fuel"] = SYNC_FUEL + 1
    scheduler.sync_point(guest.ctx)
    assert not event_points.wants_switch(guest.ctx, 0x1000, 0)
    assert guest.ctx["action"] == actions.NONE
    scheduler.sync_point(guest.ctx)
    assert event_points.wants_switch(guest.ctx, 0x1000, 0)
    assert guest.ctx["action"] == actions.RETRY


def test_a_release_lets_others_go_on_at_once(guest: Any) -> None:
    make_threads(guest, 2, 1)
    guest.ctx["fuel"] = SYNC_FUEL
    scheduler.release_point(guest.ctx)
    assert guest.ctx["action"] == actions.YIELD


def test_a_release_changes_no_action_that_is_asked_already(guest: Any) -> None:
    make_threads(guest, 2, 1)
    guest.ctx["fuel"], guest.ctx["action"] = 0, actions.REPORT
    scheduler.release_point(guest.ctx)
    assert guest.ctx["action"] == actions.REPORT


def test_a_lone_thread_takes_no_turns(guest: Any) -> None:
    make_threads(guest, 1, 1)
    guest.ctx["turns"]["attention"] = 16
    guest.ctx["fuel"] = 0
    scheduler.release_point(guest.ctx)
    assert guest.ctx["action"] == actions.NONE
    assert guest.ctx["turns"]["attention"] == 16


def test_a_young_run_switches_before_most_writes_and_few_reads(guest: Any) -> None:
    make_threads(guest, 2, 3)
    for point, addr, lowest, highest in (
        (turns.write_point, (0x1000,), 900, 1000), (scheduler.sync_point, (), 20, 150),
    ):  # fmt: skip
        guest.ctx["turns"]["attention"] = 1000
        n_asked = 0
        for _ in range(1000):
            guest.ctx["fuel"] = 10**6
            point(guest.ctx, *addr)
            n_asked += int(guest.ctx["fuel"]) == 0
        assert lowest <= n_asked <= highest
        assert guest.ctx["turns"]["attention"] == guest.ctx["turns"]["is_eager"] == 0


def test_a_new_thread_begins_now_and_then_before_its_maker_goes_on(guest: Any) -> None:
    make_threads(guest, 2, 1)
    n_begun = 0
    for _ in range(400):
        guest.ctx["fuel"], guest.ctx["action"] = 0, actions.NONE
        turns.creation_point(guest.ctx)
        n_begun += int(guest.ctx["action"] == actions.YIELD)
        assert n_begun or guest.ctx["fuel"] > 0
    assert 8 < n_begun < 60


def test_a_preemption_mean_of_zero_never_preempts(guest: Any) -> None:
    make_threads(guest, 2, 1, preempt_mean=0)
    scheduler.schedule_next(guest.ctx)
    assert guest.ctx["fuel"] == UNCONTENDED_FUEL


def test_every_strategy_has_a_twin() -> None:
    assert set(TWINS) == set(SCHEDULERS) - set(STRATEGIES)  # those: test_exploring.py
